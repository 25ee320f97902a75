internal import Glibc

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
