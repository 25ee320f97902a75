import ThemedSystem
import ThemedVarlink

/// JSON: what is read is written to a text that reads the same, and that is written the same from then on.
func fuzzJSONText(_ bytes: [UInt8]) {
  guard let value = try? JSON(parsing: bytes) else { return }
  let text = value.bytes
  guard let again = try? JSON(parsing: text) else { fatalError("what was written cannot be read") }
  require(again == value && again.bytes == text, "what was written is another value")
  require(text.allSatisfy { $0 >= 0x20 }, "a control character was written")
  require((try? JSON(parsing: [1, 2] + bytes + [3], in: 2..<2 + bytes.count)) == value, "the place of a text matters")
  let kept = try? JSON(parsing: bytes, in: bytes.indices, keeping: .only(["a"]))
  require(kept == value.keeping("a"), "what is passed over matters")
}

extension JSON {
  /// Itself, but of the objects within it only the members of this name.
  fileprivate func keeping(_ name: Text) -> JSON {
    guard case .object(var object) = self else { return self }
    for member in object.members {
      guard case .object(let inner) = member.value else { continue }
      object[member.name] = .object(inner[name].map { [name: $0] } ?? [:])
    }
    return .object(object)
  }
}
