package import ThemedSystem

/// A version of a program: its numbers, the most significant first.
package struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers, at least one.
  package let numbers: [Int]

  /// Parses a version: numbers separated by dots, and nothing else.
  package init?(_ word: Text) {
    let parts = word.split(".")
    guard (1...8).contains(parts.count) else { return nil }
    let numbers = parts.compactMap(\.decimal)
    guard numbers.count == parts.count else { return nil }
    self.numbers = numbers
  }

  /// Finds the version in a program's output: the first number with a dot, or else the first number.
  package init?(toldBy text: Text) {
    let words = text.utf8.split { !$0.isDigit && $0 != UInt8(ascii: ".") }
      .map { Text(decoding: $0.trimming { $0 == UInt8(ascii: ".") }) }
    let versions = words.compactMap { Version($0) }
    guard let version = versions.first(where: { $0.numbers.count > 1 }) ?? versions.first else { return nil }
    self = version
  }

  /// Compares number by number; a missing number is 0.
  package static func < (one: Version, other: Version) -> Bool {
    let count = max(one.numbers.count, other.numbers.count)
    return one.padded(to: count).lexicographicallyPrecedes(other.padded(to: count))
  }

  package static func == (one: Version, other: Version) -> Bool { !(one < other) && !(other < one) }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Array(numbers.reversed().drop { $0 == 0 }.reversed()))
  }

  package var description: String { numbers.map(String.init).joined(separator: ".") }

  private func padded(to count: Int) -> [Int] { numbers + Array(repeating: 0, count: count - numbers.count) }
}

/// The versions of a program that a group of an app file is for, as in `versions=>=0.26 <0.40`.
package struct VersionRange: Sendable, Hashable {
  /// Every version, and an unknown version.
  package static let all = VersionRange(conditions: [])

  enum Comparison: String, CaseIterable {
    // The longer ones come first: `<` begins `<=`.
    case atLeast = ">="
    case atMost = "<="
    case newer = ">"
    case older = "<"
    case same = "="
  }

  struct Condition: Sendable, Hashable {
    let comparison: Comparison
    let version: Version
  }

  let conditions: [Condition]

  private init(conditions: [Condition]) {
    self.conditions = conditions
  }

  init?(_ value: Text) {
    var conditions: [Condition] = []
    for word in value.split(" ", omittingEmpty: true) {
      guard let comparison = Comparison.allCases.first(where: { word.hasPrefix(Text($0.rawValue)) }),
        let version = word.dropping(prefix: Text(comparison.rawValue)).flatMap({ Version($0) })
      else { return nil }
      conditions.append(Condition(comparison: comparison, version: version))
    }
    guard !conditions.isEmpty else { return nil }
    self.conditions = conditions
  }

  /// Whether the range has every version, so that nothing has to find out the program's version.
  package var isAll: Bool { conditions.isEmpty }

  /// Whether the range has a version; an unknown version, nil, is only in the range of all versions.
  package func contains(_ version: Version?) -> Bool {
    guard let version else { return isAll }
    return conditions.allSatisfy { condition in
      switch condition.comparison {
      case .atLeast: version >= condition.version
      case .atMost: version <= condition.version
      case .newer: version > condition.version
      case .older: version < condition.version
      case .same: version == condition.version
      }
    }
  }
}

extension VersionRange: CustomStringConvertible {
  /// The range as an app file writes it.
  package var description: String {
    conditions.map { "\($0.comparison.rawValue)\($0.version)" }.joined(separator: " ")
  }
}

extension Text {
  /// The number in these digits; nil if they are invalid, or the number is too big for a version.
  var decimal: Int? {
    guard !isEmpty, count <= 9, utf8.allSatisfy(\.isDigit) else { return nil }
    return utf8.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
