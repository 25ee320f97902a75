internal import Glibc
public import ThemedModel
public import ThemedSystem

/// The user's configuration, from `themed.conf`.
public struct Configuration: Equatable, Sendable {
  /// `[appearance]`: what to show if neither the user nor the desktop decides.
  public var defaults = Defaults()
  /// `[schedule]`: when to switch between light and dark.
  public var schedule = ScheduleSettings()
  /// `[portal] settle-time`: how long a desktop has to be quiet before it is read, in milliseconds.
  public var settleTime = 100
  /// `[limits] connections`: how many clients may be connected.
  public var connections = Limits.connections
  /// `[limits] overrides`: for how many apps overrides are kept.
  public var overrides = Limits.overrides
  /// `[log] level`: the lowest level that is logged.
  public var logLevel = LogLevel.info
  /// Every setting, with the origin of its value.
  public var settings: [ThemeConfiguration.Setting] = []
  /// Unknown groups and keys, or the first of them.
  public var unknown: [Text] = []
  /// The words that a setting can be, by its name, for settings that are words.
  public var choices: [Text: [String]] = [:]

  public init() {}

  /// Why a configuration cannot be used: the file, the key, and what was expected.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// The advice to the user.
    public var advice: String
    /// Whether it is not the file's fault, and may be over soon.
    public var isTemporary: Bool

    public init(description: String, advice: String = "correct that line", isTemporary: Bool = false) {
      (self.description, self.advice, self.isTemporary) = (description, advice, isTemporary)
    }
  }

  /// How much can be configured.
  public enum Limits {
    /// The longest file that is read, in bytes.
    public static let file = 1024 * 1024
    /// The longest fade, in milliseconds.
    public static let transition = 60_000
    /// The longest settle time, in milliseconds.
    public static let settleTime = 60_000
    /// The most connections.
    public static let connections = 16_384
    /// For how many apps overrides are kept by default.
    public static let overrides = 256
    /// The most apps with overrides: with the longest names and a different end for each field, the reply of
    /// ListOverrides stays below 1 MiB.
    public static let mostOverrides = 256
    /// How many minutes before or after sunrise and sunset the schedule may switch.
    public static let scheduleOffset = 720
    /// The highest and lowest height of the sun that the schedule can be set to, in degrees.
    public static let twilight = 18
    /// How many unknown settings are named.
    public static let unknownSettings = 100
    /// How many bytes of a value are quoted.
    static let shownText = 200
  }
}

extension Configuration {
  /// The path of the user's file, which need not exist; nil if neither XDG_CONFIG_HOME nor HOME is set.
  public static var usualPath: String? { BaseDirectory.configuration.map { "\($0)/\(name)" } }

  /// The file, below the directory of configurations.
  public static let name = "themed/themed.conf"

  /// Reads the file at `path`; without a file, everything has its default.
  public static func load(from path: String) throws(Problem) -> Configuration {
    var text: [UInt8] = []
    do throws(SystemError) {
      text = try readFile(path, maximum: Limits.file)
    } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else {
        throw Problem(
          description: "\(error)", advice: "make the file readable, or remove it",
          isTemporary: error.isTemporary)
      }
    }
    return try Configuration(parsing: text, origin: Text(path))
  }

  /// Reads the text of a file; `origin` names it in settings and problems.
  public init(parsing text: [UInt8], origin: Text) throws(Problem) {
    let file: KeyFile
    do throws(KeyFile.Faults) {
      file = try KeyFile(strict: text)
    } catch {
      let more = error.count - 1
      let rest = more == 0 ? "" : "; \(more) more \(more == 1 ? "line is" : "lines are") wrong"
      throw Problem(description: "\(origin):\(error.first.line): \(error.first.text)\(rest)")
    }
    self = try Self.read(file, origin)
  }

  /// The complete list of settings.
  private static func read(_ file: KeyFile, _ origin: Text) throws(Problem) -> Configuration {
    var configuration = Configuration()
    var reader = Reader(file: file, origin: origin, settings: [])
    let schemes = ColorScheme.allCases.map { ($0.rawValue, $0) }
    let levels = [LogLevel.error, .warning, .notice, .info, .debug].map { ($0.rawValue, $0) }
    try reader.word("appearance", "no-preference", schemes, into: &configuration.defaults.noPreference)
    try reader.word("appearance", "no-desktop", schemes, into: &configuration.defaults.noDesktop)
    try reader.theme("appearance", "light-theme", into: &configuration.defaults.lightTheme)
    try reader.theme("appearance", "dark-theme", into: &configuration.defaults.darkTheme)
    try reader.number(
      "appearance", "transition", 0...Limits.transition, of: "milliseconds", into: &configuration.defaults.transition)
    configuration.schedule = try reader.schedule()
    let answers = [("yes", true), ("no", false)]
    try reader.word("desktop", "in-step", answers, into: &configuration.defaults.keepsDesktopInStep)
    try reader.hooksAndLooks()
    try reader.number(
      "portal", "settle-time", 0...Limits.settleTime, of: "milliseconds", into: &configuration.settleTime)
    try reader.number("limits", "connections", 1...Limits.connections, into: &configuration.connections)
    try reader.number("limits", "overrides", 1...Limits.mostOverrides, into: &configuration.overrides)
    try reader.word("log", "level", levels, into: &configuration.logLevel)
    reader.noteLooks()
    (configuration.settings, configuration.choices) = (reader.settings, reader.choices)
    let known = Set(reader.settings.map(\.name))
    let names = file.keys.lazy.map { "[\($0.group)] \($0.key)" as Text }
    configuration.unknown = Array(names.filter { !known.contains($0) }.prefix(Limits.unknownSettings))
    return configuration
  }

  struct Reader {
    typealias Limits = Configuration.Limits

    let file: KeyFile
    let origin: Text
    fileprivate(set) var settings: [ThemeConfiguration.Setting]
    fileprivate(set) var choices: [Text: [String]] = [:]

    mutating func word<Word: Equatable>(
      _ group: Text, _ key: Text, _ words: [(String, Word)], into target: inout Word
    ) throws(Problem) {
      let value = file.value(group, key)
      if let value {
        guard let word = words.first(where: { Text($0.0) == value }) else {
          throw wrong(group, key, value, Self.oneOf(words.map(\.0)))
        }
        target = word.1
      }
      choices["[\(group)] \(key)"] = words.map(\.0)
      note(group, key, Text(words.first { $0.1 == target }?.0 ?? ""), isGiven: value != nil)
    }

    mutating func number(
      _ group: Text, _ key: Text, _ range: ClosedRange<Int>, of unit: String? = nil, into target: inout Int
    ) throws(Problem) {
      let value = file.value(group, key)
      if let value {
        guard value.count < 20, let number = Int(value.string), range ~= number else {
          throw wrong(
            group, key, value,
            "a number \(unit.map { "of \($0) " } ?? "")from \(range.lowerBound) to \(range.upperBound)")
        }
        target = number
      }
      note(group, key, "\(target)", isGiven: value != nil)
    }

    mutating func theme(
      _ group: Text, _ key: Text, into target: inout Text?
    ) throws(Problem) {
      let value = file.value(group, key)
      if let value, !value.isEmpty {
        guard Theme.isValidName(value) else {
          throw wrong(group, key, value, "the name of a theme: \(Theme.nameExpectation)")
        }
        target = value
      }
      note(group, key, target ?? "", isGiven: value != nil)
    }

    mutating func note(_ group: Text, _ key: Text, _ value: Text, isGiven: Bool) {
      let name: Text = "[\(group)] \(key)"
      settings.append(ThemeConfiguration.Setting(name: name, value: value, origin: isGiven ? origin : "default"))
    }

    /// The problem with a key, at its line or, if the file does not have the key, at the line of `other`.
    func wrong(
      _ group: Text, _ key: Text, _ value: Text?, _ expected: String, besides other: Text? = nil
    ) -> Problem {
      let line = [key, other].lazy.compactMap(\.self).compactMap { key in
        file.line(of: ThemeFile.Problem(group: group, key: key, expected: expected))
      }.first
      let place = line.map { "\(origin):\($0)" } ?? "\(origin)"
      let mistake = value.map { " is '\($0.shown(atMost: Limits.shownText))', but" } ?? ""
      return Problem(description: "\(place): [\(group)] \(key)\(mistake) should be \(expected)")
    }

    /// These words as alternatives, for a message.
    static func oneOf(_ words: [String]) -> String {
      guard words.count > 1, let last = words.last else { return words.joined() }
      return "\(Array(words.dropLast()).joined(separator: ", ")) or \(last)"
    }
  }
}

// What themed-apply reads in themed.conf.

extension Configuration.Reader {
  /// Reads the settings of themed-apply, for which the daemon has no use of its own.
  mutating func hooksAndLooks() throws(Configuration.Problem) {
    let read: ApplySettings
    do throws(ThemeFile.Problem) { read = try ApplySettings(file) } catch {
      let place = file.line(of: error).map { "\(origin):\($0)" } ?? "\(origin)"
      throw Configuration.Problem(description: "\(place): \(error)")
    }
    choices["[hooks] darkman"] = ["yes", "no"]
    note("hooks", "darkman", read.runsDarkman ? "yes" : "no", isGiven: file.value("hooks", "darkman") != nil)
    note("hooks", "timeout", "\(read.timeout)", isGiven: file.value("hooks", "timeout") != nil)
  }

  /// Notes the groups `[use NAME]`, which come last.
  mutating func noteLooks() {
    for (group, key) in file.keys where group.hasPrefix("use ") && (key == "light" || key == "dark") {
      note(group, key, file.value(group, key) ?? "", isGiven: true)
    }
  }
}

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
    try number(Self.group, "sunrise-offset", offsets, of: "minutes", into: &settings.sunriseOffset)
    try number(Self.group, "sunset-offset", offsets, of: "minutes", into: &settings.sunsetOffset)
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
