/// What the user configures of the schedule.
public struct ScheduleSettings: Sendable, Hashable {
  /// What it goes by.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Nothing: there is none.
    case off
    /// Times of the day.
    case times
    /// The sun.
    case sun
  }

  /// What it goes by.
  public var mode = Mode.off
  /// When it becomes light, in minutes of the day.
  public var light = 7 * 60
  /// When it becomes dark, in minutes of the day.
  public var dark = 19 * 60
  /// Where the sun is looked at; nil: where the time zone lies.
  public var place: Place?
  /// How high the sun stands at sunrise and sunset.
  public var angle = SunRule.official
  /// How many minutes after sunrise it becomes light.
  public var sunriseOffset = 0
  /// How many minutes after sunset it becomes dark.
  public var sunsetOffset = 0

  /// No schedule.
  public init() {}

  /// The rule of the sun at a place.
  public func sun(at place: Place) -> SunRule {
    SunRule(place: place, angle: angle, sunriseOffset: sunriseOffset, sunsetOffset: sunsetOffset)
  }
}
