public import ThemedText

/// A version of a program: its numbers, the one that counts most first.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers, at least one.
  public let numbers: [Int]

  /// The version that a word is: numbers with dots between them, and nothing else.
  public init?(_ word: Text) {
    let parts = word.split(".")
    guard (1...8).contains(parts.count) else { return nil }
    let numbers = parts.compactMap(\.decimal)
    guard numbers.count == parts.count else { return nil }
    self.numbers = numbers
  }

  /// The version that a program tells: the first number with a dot in the text, else the first number.
  public init?(toldBy text: Text) {
    let words = text.utf8.split { !$0.isDigit && $0 != UInt8(ascii: ".") }
      .map { Text(decoding: $0.trimming { $0 == UInt8(ascii: ".") }) }
    let versions = words.compactMap { Version($0) }
    guard let version = versions.first(where: { $0.numbers.count > 1 }) ?? versions.first else { return nil }
    self = version
  }

  /// Number by number; one that is not there is 0.
  public static func < (one: Version, other: Version) -> Bool {
    let count = max(one.numbers.count, other.numbers.count)
    return one.padded(to: count).lexicographicallyPrecedes(other.padded(to: count))
  }

  /// Whether neither is the newer one.
  public static func == (one: Version, other: Version) -> Bool { !(one < other) && !(other < one) }

  /// Equal versions feed the same.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(numbers.reversed().drop { $0 == 0 }.reversed()))
  }

  /// The numbers with dots between them.
  public var description: String { numbers.map(String.init).joined(separator: ".") }

  private func padded(to count: Int) -> [Int] { numbers + Array(repeating: 0, count: count - numbers.count) }
}

/// The versions of a program that a group of an app file is for, as `for` writes it: `>=0.26 <0.40`.
public struct VersionRange: Sendable, Hashable {
  /// Every version, and a program whose version nobody knows.
  public static let all = VersionRange(conditions: [])

  /// What a version is compared by.
  enum Comparison: String, CaseIterable {
    // The longer ones come first: `<` begins `<=`.
    case atLeast = ">="
    case atMost = "<="
    case newer = ">"
    case older = "<"
    case same = "="
  }

  /// One comparison.
  struct Condition: Sendable, Hashable {
    let comparison: Comparison
    let version: Version
  }

  /// All of which hold.
  let conditions: [Condition]

  private init(conditions: [Condition]) {
    self.conditions = conditions
  }

  /// The range that a value is; nil where it is none.
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

  /// Whether every version is among them, so that nobody has to ask for it.
  public var isAll: Bool { conditions.isEmpty }

  /// Whether a version is among them; nil is one that nobody knows, and among all only.
  public func contains(_ version: Version?) -> Bool {
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
  /// As an app file writes it.
  public var description: String {
    conditions.map { "\($0.comparison.rawValue)\($0.version)" }.joined(separator: " ")
  }
}

extension Text {
  /// The number that these digits are; nil where it is none, or too big to be one of a version.
  var decimal: Int? {
    guard !isEmpty, count <= 9, utf8.allSatisfy(\.isDigit) else { return nil }
    return utf8.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
