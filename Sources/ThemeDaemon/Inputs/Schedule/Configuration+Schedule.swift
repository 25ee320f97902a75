internal import ThemeModel
internal import ThemedSystem

// `[schedule]` of themed.conf.

extension Configuration.Reader {
  private static let group: Text = "schedule"

  /// Reads the settings of the schedule.
  mutating func schedule() throws(Configuration.Problem) -> ScheduleSettings {
    var settings = ScheduleSettings()
    let modes = ScheduleSettings.Mode.allCases.map { ($0.rawValue, $0) }
    try word(Self.group, "mode", modes, into: &settings.mode)
    try time("light", into: &settings.light)
    try time("dark", into: &settings.dark)
    if settings.mode == .times, settings.light == settings.dark {
      let isGiven = file.value(Self.group, "dark") != nil
      let (key, other): (Text, Text) = isGiven ? ("dark", "light") : ("light", "dark")
      let isOtherGiven = file.value(Self.group, other) != nil
      throw wrong(
        Self.group, key, Text(minuteText(settings.dark)),
        "a different time than \(other)=" + (isOtherGiven ? "" : ", whose default is the same"))
    }
    let latitude = try degrees("latitude", Place.latitudes)
    let longitude = try degrees("longitude", Place.longitudes)
    switch (latitude, longitude) {
    case (let latitude?, let longitude?): settings.place = Place(latitude: latitude, longitude: longitude)
    case (nil, nil): break
    case (_?, nil):
      throw wrong(Self.group, "longitude", nil, "set, because latitude is set", besides: "latitude")
    case (nil, _?):
      throw wrong(Self.group, "latitude", nil, "set, because longitude is set", besides: "longitude")
    }
    let offsets = -Limits.scheduleOffset...Limits.scheduleOffset
    try number(Self.group, "sunrise-offset", offsets, into: &settings.sunriseOffset)
    try number(Self.group, "sunset-offset", offsets, into: &settings.sunsetOffset)
    try twilight(into: &settings.angle)
    return settings
  }

  private mutating func time(_ key: Text, into minute: inout Int) throws(Configuration.Problem) {
    let value = file.value(Self.group, key)
    if let value {
      guard let given = minuteOfDay(value) else {
        throw wrong(Self.group, key, value, "a time from 00:00 to 23:59")
      }
      minute = given
    }
    note(Self.group, key, Text(minuteText(minute)), isGiven: value != nil)
  }

  private mutating func degrees(
    _ key: Text, _ range: ClosedRange<Degrees>
  ) throws(Configuration.Problem) -> Degrees? {
    let value = file.value(Self.group, key)
    var degrees: Degrees?
    if let value, !value.isEmpty {
      guard let given = Degrees(value), range.contains(given) else {
        throw wrong(
          Self.group, key, value, "degrees from \(range.lowerBound.text) to \(range.upperBound.text), such as 52.52")
      }
      degrees = given
    }
    note(Self.group, key, degrees.map { Text($0.text) } ?? "", isGiven: value != nil)
    return degrees
  }

  private mutating func twilight(into angle: inout Degrees) throws(Configuration.Problem) {
    let words: [(name: Text, angle: Degrees)] = [
      ("official", SunRule.official), ("civil", Degrees(-6)), ("nautical", Degrees(-12)),
      ("astronomical", Degrees(-18)),
    ]
    let value = file.value(Self.group, "twilight")
    if let value {
      let highest = Degrees(Limits.twilight)
      let given = words.first { $0.name == value }?.angle ?? Degrees(value)
      guard let given, (Degrees(-Limits.twilight)...highest).contains(given) else {
        throw wrong(
          Self.group, "twilight", value,
          "\(words.map(\.name.string).joined(separator: ", ")), or the sun's height in degrees, from -\(highest.text) to "
            + "\(highest.text)")
      }
      angle = given
    }
    note(Self.group, "twilight", words.first { $0.angle == angle }?.name ?? Text(angle.text), isGiven: value != nil)
  }
}

/// The minute of the day for `07:30` or `7:30`; nil for any other text.
private func minuteOfDay(_ text: Text) -> Int? {
  let halves = text.split(":")
  guard halves.count == 2, 1...2 ~= halves[0].count, halves[1].count == 2 else { return nil }
  let numbers = halves.map { half in
    half.utf8.allSatisfy { (48...57).contains($0) } ? half.utf8.reduce(0) { $0 * 10 + Int($1) - 48 } : 60
  }
  return numbers[0] < 24 && numbers[1] < 60 ? numbers[0] * 60 + numbers[1] : nil
}
