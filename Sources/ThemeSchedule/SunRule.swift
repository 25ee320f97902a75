internal import ThemeResolution

/// What a schedule by the sun goes by: a place, which height of the sun counts, and how much earlier or later.
public struct SunRule: Sendable, Hashable {
  /// Where the sun is looked at.
  public var place: Place
  /// How high the middle of the sun stands at sunrise and sunset.
  public var angle: Degrees
  /// How many minutes after sunrise it becomes light; before it where it is below zero.
  public var sunriseOffset: Int
  /// How many minutes after sunset it becomes dark; before it where it is below zero.
  public var sunsetOffset: Int

  /// A sunrise and a sunset as almanacs tell them: the upper limb on the horizon, with the refraction that they assume.
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

  /// A time of light: from sunrise to sunset, with the offsets; one that has begun before all that is looked at begins
  /// with it.
  private struct Light {
    var begin: Int64
    var end: Int64
  }

  /// The sunrises and sunsets from a day's lower transit to another one's, and whether it is light at first.
  ///
  /// Days are those of the sun: they know of no date line. Between two transits the sun only rises, or only sinks.
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

  /// The next sunrise or sunset behind a time, with its offset; nil where there is none within a year.
  ///
  /// Also where the offsets leave no turn there.
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

  /// Whether it is light at `first`, and every switch behind it up to `last`, at least.
  func switches(from first: Int64, through last: Int64) -> (isLight: Bool, switches: [(time: Int64, isLight: Bool)]) {
    // A day of the sun begins within half a day of ours, and no offset is longer than that.
    let found = crossings(
      from: Int(floorDivided(first, by: dayLength)) - 2, through: Int(floorDivided(last, by: dayLength)) + 1)
    var lights: [Light] = []
    func add(_ light: Light) {
      guard light.begin < light.end else { return }
      if let previous = lights.last, light.begin <= previous.end {
        // Sunrises come one after the other, and so do sunsets: it began before this one, and ends with it.
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
