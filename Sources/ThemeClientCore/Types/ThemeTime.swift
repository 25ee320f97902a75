internal import Glibc

/// A point in time, in whole seconds.
///
/// ```swift
/// var override = ThemeOverride(scheme: .dark)
/// override.expiresAt = .now + .seconds(3600)
/// ```
public struct ThemeTime: Sendable, Hashable {
  /// The number of seconds since the beginning of 1970, UTC.
  public let secondsSinceEpoch: Int64

  /// Creates the time that is this many seconds after the beginning of 1970, UTC.
  public init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

  /// The current time.
  public static var now: ThemeTime { ThemeTime(secondsSinceEpoch: Int64(time(nil))) }

  /// The time that is `duration` after `time`, rounded up to whole seconds.
  ///
  /// If the result is out of range, you get the earliest or the latest possible time.
  public static func + (time: ThemeTime, duration: Duration) -> ThemeTime {
    let (seconds, rest) = duration.components
    let added = seconds.addingReportingOverflow(rest > 0 ? 1 : 0)
    let sum = time.secondsSinceEpoch.addingReportingOverflow(added.overflow ? .max : added.partialValue)
    guard sum.overflow else { return ThemeTime(secondsSinceEpoch: sum.partialValue) }
    return ThemeTime(secondsSinceEpoch: seconds < 0 ? .min : .max)
  }
}

extension ThemeTime: Comparable {
  /// Whether `one` is before `other`.
  public static func < (one: ThemeTime, other: ThemeTime) -> Bool { one.secondsSinceEpoch < other.secondsSinceEpoch }
}

extension ThemeTime: Codable {
  /// Decodes the number of seconds since the beginning of 1970, UTC.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSinceEpoch: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Encodes the time as ``secondsSinceEpoch``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsSinceEpoch)
  }
}
