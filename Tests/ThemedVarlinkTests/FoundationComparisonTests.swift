import Foundation
import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Our reader and writer against Foundation's, on random documents.
@Suite struct FoundationComparisonTests {
  @Test("What we write, Foundation reads as the same")
  func foundationReadsOurs() throws {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let value = JSON.random(depth: 4, using: &random)
      let read = try JSONSerialization.jsonObject(with: Data(value.bytes), options: .fragmentsAllowed)
      let isSame = value.isSame(as: read)
      #expect(isSame, "\(value.text): \(random)")
    }
  }

  @Test("What Foundation writes, we read as the same")
  func weReadFoundations() throws {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let object = JSON.random(depth: 4, using: &random).foundation
      let pretty: JSONSerialization.WritingOptions = Bool.random(using: &random) ? [.prettyPrinted] : []
      let data = try JSONSerialization.data(withJSONObject: object, options: pretty.union(.fragmentsAllowed))
      let value = try JSON(parsing: Array(data))
      let isSame = value.isSame(as: object)
      #expect(isSame, "\(value.text): \(random)")
    }
  }

  @Test("What we write, we read as the same")
  func weReadOurs() throws {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let value = JSON.random(depth: 5, using: &random)
      #expect(try JSON(parsing: value.bytes) == value, "\(random)")
    }
  }
}

extension JSON {
  static func random(depth: Int, using random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer([0, 1, -1, .max, .min].randomElement(using: &random) ?? 0)
    case 3: return .integer(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 4: return .number(randomNumber(using: &random))
    case 5: return .string(randomString(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in JSON.random(depth: depth - 1, using: &random) })
    default:
      var object: Object = [:]
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        object[randomString(using: &random)] = JSON.random(depth: depth - 1, using: &random)
      }
      return .object(object)
    }
  }

  private static func randomNumber(using random: inout SeededGenerator) -> Double {
    let number = Double(bitPattern: random.next())
    return number.isFinite ? number : 0.5
  }

  private static func randomString(using random: inout SeededGenerator) -> Text {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "0", "/", "\\", "\"", "\u{0}", "\u{1}", "\u{8}", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{1F}", "\u{7F}",
      "é", "€", "\u{2028}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "😀", "\u{10FFFF}",
    ]
    let count = Int.random(in: 0..<12, using: &random)
    return Text(String(String.UnicodeScalarView((0..<count).map { _ in scalars.randomElement(using: &random) ?? "a" })))
  }

  /// The same in Foundation's types.
  fileprivate var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let bool): NSNumber(value: bool)
    case .integer(let integer): NSNumber(value: integer)
    case .number(let number): NSNumber(value: number)
    case .string(let text): text.string
    case .array(let elements): elements.map(\.foundation)
    case .object(let object):
      [String: Any](object.members.map { ($0.name.string, $0.value.foundation) }, uniquingKeysWith: { _, last in last })
    }
  }

  fileprivate func isSame(as object: Any) -> Bool {
    switch (self, object) {
    case (.null, is NSNull): true
    case (.string(let string), let other as String): string.utf8.elementsEqual(other.utf8)
    case (.array(let elements), let others as [Any]):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
    case (.object(let mine), let others as [String: Any]):
      mine.members.count == others.count
        && mine.members.allSatisfy { member in others[member.name.string].map { member.value.isSame(as: $0) } ?? false }
    case (.bool(let bool), let other as NSNumber): bool == other.boolValue && other.isBool
    case (.integer(let integer), let other as NSNumber): integer == other.int64Value && !other.isBool
    case (.number(let number), let other as NSNumber):
      // Foundation reads by way of decimal numbers, and loses a last bit.
      abs(number - other.doubleValue) <= abs(number) * 1e-14 && !other.isBool
    default: false
    }
  }
}

extension NSNumber {
  /// Foundation's numbers hold bools as C's `char`.
  fileprivate var isBool: Bool { unsafe String(cString: objCType) == "c" }
}
