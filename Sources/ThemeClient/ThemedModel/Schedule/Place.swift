public import ThemedSystem

/// Degrees as a whole number of millionths, so that they are exact and compare as they were written.
public struct Degrees: Sendable, Hashable, Comparable {
  /// The number of millionths of a degree.
  public let millionths: Int

  /// An angle of this many millionths of a degree.
  public init(millionths: Int) {
    self.millionths = millionths
  }

  /// An angle of this many whole degrees.
  public init(_ whole: Int) {
    millionths = whole * 1_000_000
  }

  /// Reads a decimal number of degrees, such as `-33.8688`; nil for any other text, and for a number with too many
  /// digits.
  ///
  /// Digits after the sixth decimal are dropped.
  public init?(_ text: Text) {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    let halves = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first.flatMap({ number($0, digits: 1...3) }) else { return nil }
    var fraction = 0
    if halves.count == 2 {
      guard 1...15 ~= halves[1].count, halves[1].allSatisfy({ (48...57).contains($0) }) else { return nil }
      for index in 0..<6 {
        let digit = index < halves[1].count ? Int(halves[1][halves[1].startIndex + index]) - 48 : 0
        fraction = fraction * 10 + digit
      }
    }
    let magnitude = whole * 1_000_000 + fraction
    millionths = isNegative ? -magnitude : magnitude
  }

  /// The angle as a number for calculations.
  public var value: Double { Double(millionths) / 1_000_000 }

  /// The angle as a decimal number with as few digits as possible.
  public var text: String {
    let magnitude = abs(millionths)
    var text = (millionths < 0 ? "-" : "") + "\(magnitude / 1_000_000)"
    var fraction = magnitude % 1_000_000
    guard fraction > 0 else { return text }
    text += "."
    var unit = 100_000
    while fraction > 0 {
      text += "\(fraction / unit)"
      fraction %= unit
      unit /= 10
    }
    return text
  }

  /// Whether the first angle is smaller.
  public static func < (one: Degrees, other: Degrees) -> Bool { one.millionths < other.millionths }
}

/// A place on Earth.
public struct Place: Sendable, Hashable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Degrees
  /// Degrees east of Greenwich, -180 to 180.
  public let longitude: Degrees

  /// The valid latitudes.
  public static let latitudes = Degrees(-90)...Degrees(90)
  /// The valid longitudes.
  public static let longitudes = Degrees(-180)...Degrees(180)

  /// A place; nil if the degrees are out of range.
  public init?(latitude: Degrees, longitude: Degrees) {
    guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// Reads a place from degrees and minutes, with or without seconds (ISO 6709), as `zone1970.tab` writes it:
  /// `+5230+01322`.
  init?(iso6709 bytes: ArraySlice<UInt8>) {
    guard let middle = bytes.dropFirst().firstIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
      let latitude = Self.angle(bytes[..<middle], degreeDigits: 2),
      let longitude = Self.angle(bytes[middle...], degreeDigits: 3)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func angle(_ bytes: ArraySlice<UInt8>, degreeDigits: Int) -> Degrees? {
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes.dropFirst()
    guard digits.count == degreeDigits + 2 || digits.count == degreeDigits + 4,
      let degrees = number(digits.prefix(degreeDigits), digits: degreeDigits...degreeDigits),
      let minutes = number(digits.dropFirst(degreeDigits).prefix(2), digits: 2...2), minutes < 60
    else { return nil }
    var seconds = 0
    if digits.count == degreeDigits + 4 {
      guard let number = number(digits.suffix(2), digits: 2...2), number < 60 else { return nil }
      seconds = number
    }
    let magnitude = degrees * 1_000_000 + (minutes * 60 + seconds) * 1_000_000 / 3600
    return Degrees(millionths: sign == UInt8(ascii: "-") ? -magnitude : magnitude)
  }
}

/// The number in these ASCII digits; nil if the bytes are not digits, or their count is out of range.
func number(_ bytes: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
  guard digits.contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
  return bytes.reduce(0) { $0 * 10 + Int($1) - 48 }
}
