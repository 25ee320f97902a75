import Foundation

/// The type of JSON values, written as TypeScript writes types: the members of all samples, with `?` after a member that
/// is missing in some of them.
struct JSONShape {
  /// Members that map names to values, whose names are not part of the type.
  private static let maps: Set<String> = ["palette", "assets", "values", "origins"]

  private var samples: [Any] = []

  /// Adds each line of an output.
  mutating func add(_ output: String) throws {
    for line in output.split(separator: "\n") {
      samples.append(try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed))
    }
  }

  var isEmpty: Bool { samples.isEmpty }

  var text: String { Self.type(of: samples, indent: "") }

  private static func type(of values: [Any], indent: String, isMap: Bool = false) -> String {
    var types: Set<String> = []
    var objects: [[String: Any]] = []
    var elements: [Any]?
    for value in values {
      switch value {
      case is NSNull: types.insert("null")
      case is String: types.insert("string")
      // Foundation has one type for both.
      case let number as NSNumber: types.insert(unsafe String(cString: number.objCType) == "c" ? "boolean" : "number")
      case let list as [Any]: elements = (elements ?? []) + list
      case let object as [String: Any]: objects.append(object)
      default: types.insert("unknown")
      }
    }
    var alternatives = types.sorted()
    if !objects.isEmpty { alternatives.insert(object(objects, indent: indent, isMap: isMap), at: 0) }
    if let elements {
      let element = elements.isEmpty ? "unknown" : type(of: elements, indent: indent)
      alternatives.insert(element.contains(" | ") && !element.hasPrefix("{") ? "(\(element))[]" : "\(element)[]", at: 0)
    }
    return alternatives.isEmpty ? "unknown" : alternatives.joined(separator: " | ")
  }

  private static func object(_ objects: [[String: Any]], indent: String, isMap: Bool) -> String {
    let inner = indent + "  "
    if isMap {
      return "{ [name: string]: \(type(of: objects.flatMap { Array($0.values) }, indent: indent)) }"
    }
    let members = Set(objects.flatMap(\.keys)).sorted().map { name in
      let values = objects.compactMap { $0[name] }
      let mark = values.count < objects.count ? "?" : ""
      return "\(inner)\(name)\(mark): \(type(of: values, indent: inner, isMap: maps.contains(name)))\n"
    }
    return members.isEmpty ? "{}" : "{\n\(members.joined())\(indent)}"
  }
}
