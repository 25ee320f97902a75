/// The user's settings for the schedule.
public struct ScheduleSettings: Sendable, Hashable {
  /// The source of the switching times.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Nothing: there is no schedule.
    case off
    /// Fixed times of the day.
    case times
    /// The sun.
    case sun
  }

  /// The source of the switching times.
  public var mode = Mode.off
  /// When it becomes light, in minutes of the day.
  public var light = 7 * 60
  /// When it becomes dark, in minutes of the day.
  public var dark = 19 * 60
  /// The place for sunrise and sunset; nil to take it from the time zone.
  public var place: Place?
  /// The height of the sun at sunrise and sunset.
  public var angle = SunRule.official
  /// How many minutes after sunrise it becomes light; negative for before it.
  public var sunriseOffset = 0
  /// How many minutes after sunset it becomes dark; negative for before it.
  public var sunsetOffset = 0

  /// No schedule.
  public init() {}

  /// The rule for the sun at a place.
  public func sun(at place: Place) -> SunRule {
    SunRule(place: place, angle: angle, sunriseOffset: sunriseOffset, sunsetOffset: sunsetOffset)
  }
}
