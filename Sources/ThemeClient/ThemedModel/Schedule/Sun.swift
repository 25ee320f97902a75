internal import Glibc

/// A schedule by the sun: the place, the height of the sun that counts, and the offsets.
public struct SunRule: Sendable, Hashable {
  /// The place for sunrise and sunset.
  public var place: Place
  /// The height of the centre of the sun at sunrise and sunset.
  public var angle: Degrees
  /// How many minutes after sunrise it becomes light; negative for before it.
  public var sunriseOffset: Int
  /// How many minutes after sunset it becomes dark; negative for before it.
  public var sunsetOffset: Int

  /// Sunrise and sunset as in almanacs: the upper edge of the sun is on the horizon, with the usual refraction.
  public static let official = Degrees(millionths: -833_333)

  /// A rule for a place.
  public init(place: Place, angle: Degrees = official, sunriseOffset: Int = 0, sunsetOffset: Int = 0) {
    (self.place, self.angle, self.sunriseOffset, self.sunsetOffset) = (place, angle, sunriseOffset, sunsetOffset)
  }

  /// A sunrise or a sunset.
  struct Crossing: Hashable {
    let time: Int64
    let isRise: Bool
  }

  /// A time of light: from sunrise to sunset, with the offsets.
  ///
  /// If it began before the days that are computed, it begins with them.
  private struct Light {
    var begin: Int64
    var end: Int64
  }

  /// The sunrises and sunsets from one day's lower transit to another's, and whether it is light at first.
  ///
  /// The days are days of the sun, so there is no date line. Between two transits the sun only rises or only sinks.
  func crossings(from first: Int, through last: Int) -> (isLightAtFirst: Bool, crossings: [Crossing]) {
    let (latitude, longitude, angle) = (place.latitude.value, place.longitude.value, angle.value)
    func noon(_ day: Int) -> Double {
      Sun.transit(near: Double(day) * 86_400 + 43_200 - longitude * 240, longitude)
    }
    func isUp(_ time: Double) -> Bool { Sun.altitude(at: time, latitude, longitude) >= angle }
    var now = noon(first)
    var begin = (noon(first - 1) + now) / 2
    var wasUp = isUp(begin)
    let isLightAtFirst = wasUp
    var crossings: [Crossing] = []
    for day in first...last {
      let next = noon(day + 1)
      for end in [now, (now + next) / 2] {
        let isUpAtEnd = isUp(end)
        if isUpAtEnd != wasUp {
          var (low, high) = (begin, end)
          while high - low > 0.25 {
            let middle = (low + high) / 2
            if isUp(middle) == wasUp { low = middle } else { high = middle }
          }
          crossings.append(Crossing(time: Int64(high.rounded()), isRise: isUpAtEnd))
        }
        (begin, wasUp) = (end, isUpAtEnd)
      }
      now = next
    }
    return (isLightAtFirst, crossings)
  }

  /// The next sunrise or sunset after a time, with its offset; nil if there is none within a year.
  ///
  /// It is returned even if the offsets leave no switch at that time.
  public func next(isRise: Bool, after time: Int64) -> Int64? {
    let time = min(max(time, reckonedTimes.lowerBound), reckonedTimes.upperBound)
    let offset = Int64(isRise ? sunriseOffset : sunsetOffset) * 60
    let day = Int(time / dayLength)
    for days in lookedAhead {
      let found = crossings(from: day - 2, through: day + Int(days) + 1).crossings
      let times = found.filter { $0.isRise == isRise }.map { $0.time + offset }
      if let next = times.first(where: { $0 > time && $0 - time <= Switch.farthest }) { return next }
    }
    return nil
  }

  /// Whether it is light at `first`, and every switch after that, at least up to `last`.
  func switches(from first: Int64, through last: Int64) -> (isLight: Bool, switches: [(time: Int64, isLight: Bool)]) {
    // A day of the sun begins within half a day of ours, and no offset is longer than that.
    let found = crossings(
      from: Int(floorDivided(first, by: dayLength)) - 2, through: Int(floorDivided(last, by: dayLength)) + 1)
    var lights: [Light] = []
    func add(_ light: Light) {
      guard light.begin < light.end else { return }
      if let previous = lights.last, light.begin <= previous.end {
        // Sunrises are in order, and so are sunsets: this light began before the last one and ends with it.
        lights[lights.count - 1].end = light.end
      } else {
        lights.append(light)
      }
    }
    var begin: Int64? = found.isLightAtFirst ? .min : nil
    for crossing in found.crossings {
      if crossing.isRise {
        begin = crossing.time + Int64(sunriseOffset) * 60
      } else if let light = begin {
        add(Light(begin: light, end: crossing.time + Int64(sunsetOffset) * 60))
        begin = nil
      }
    }
    if let begin { add(Light(begin: begin, end: .max)) }
    let isLight = lights.contains { $0.begin <= first && first < $0.end }
    var switches: [(time: Int64, isLight: Bool)] = []
    for light in lights {
      if light.begin > first, light.begin <= last { switches.append((light.begin, true)) }
      if light.end > first, light.end <= last { switches.append((light.end, false)) }
    }
    return (isLight, switches)
  }
}

/// The position of the sun, as in Meeus, Astronomical Algorithms, chapters 12, 13, 22 and 25, and in NOAA's solar
/// calculator.
///
/// It is exact to a hundredth of a degree for the centuries around 2000. Times are in seconds since the epoch.
enum Sun {
  /// The height of the centre of the sun above the horizon, in degrees, without refraction.
  static func altitude(at time: Double, _ latitude: Double, _ longitude: Double) -> Double {
    let (declination, hourAngle) = position(at: time, longitude)
    let sine = sin(rad(latitude)) * sin(declination) + cos(rad(latitude)) * cos(declination) * cos(hourAngle)
    return asin(max(-1, min(1, sine))) * 180 / .pi
  }

  /// The time nearest to `guess` at which the sun is in the south, or in the north.
  static func transit(near guess: Double, _ longitude: Double) -> Double {
    var time = guess
    for _ in 0..<3 {
      // The sun goes round once a day.
      time -= position(at: time, longitude).hourAngle / (2 * .pi) * Double(dayLength)
    }
    return time
  }

  /// The declination and the hour angle of the sun, in radians; the hour angle is from -π to π, and 0 is south.
  private static func position(at time: Double, _ longitude: Double) -> (declination: Double, hourAngle: Double) {
    let days = (time - 946_728_000) / Double(dayLength)
    // Dynamical time is ahead of the clocks by about this much in these decades.
    let t = (days + 69.0 / 86_400) / 36_525
    let mean = 280.46646 + t * (36_000.76983 + t * 0.0003032)
    let anomaly = rad(357.52911 + t * (35_999.05029 - t * 0.0001537))
    let center =
      sin(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) + sin(2 * anomaly) * (0.019993 - t * 0.000101)
      + sin(3 * anomaly) * 0.000289
    let node = rad(125.04 - 1934.136 * t)
    let apparent = rad(mean + center - 0.00569 - 0.00478 * sin(node))
    let obliquity = rad(23.4392911 - t * (0.0130042 + t * 0.00000016) + 0.00256 * cos(node))
    let ascension = atan2(cos(obliquity) * sin(apparent), cos(apparent))
    let declination = asin(max(-1, min(1, sin(obliquity) * sin(apparent))))
    let sidereal =
      280.46061837 + 360.98564736629 * days + 0.000387933 * t * t - 0.00478 * sin(node) * cos(obliquity)
    let hourAngle = remainder(rad(sidereal.truncatingRemainder(dividingBy: 360) + longitude) - ascension, 2 * .pi)
    return (declination, hourAngle)
  }

  private static func rad(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
