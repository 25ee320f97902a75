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
