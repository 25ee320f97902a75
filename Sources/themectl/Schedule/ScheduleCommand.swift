import ArgumentParser
import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

struct Schedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Show the schedule, or switch by the sun or at fixed times.",
    usage: """
      themectl schedule
      themectl schedule sun [--at <latitude>,<longitude>]
      themectl schedule <light>-<dark>
      themectl schedule off
      """,
    discussion: """
      Without an argument, this shows what the schedule asks for now, and when it switches. Times are in the daemon's \
      time zone. The exit status is 1 if themed cannot follow the schedule as configured.

      With an argument, this first writes the schedule into themed.conf, where everything else stays as it is. \
      themed.conf(5) describes further settings, such as an offset to sunset.

      For example:
        themectl schedule sun                     by the sun at your time zone's city
        themectl schedule sun --at 52.52,13.40    by the sun at this place
        themectl schedule 07:00-19:00             light from 07:00, dark from 19:00
        themectl schedule off                     no schedule
      """)

  /// The words to offer for a schedule.
  static let words = ["sun", "off", "07:00-19:00"]

  @Argument(
    help: ArgumentHelp("The schedule: sun, off, or two times such as 07:00-19:00.", valueName: "schedule"),
    completion: .list(words))
  var plan: String?

  @Option(
    help: ArgumentHelp(
      "With 'sun': where you are, in degrees; south and west are negative.", valueName: "latitude,longitude"))
  var at: String?

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func validate() throws { _ = try settings }

  func run() throws {
    if let settings = try settings {
      try ForeignHome.refuse()
      let update = try ConfigUpdate(settings, daemon)
      guard try update.perform() else {
        let words = "The schedule is written to \(update.place). themed is not running, and uses it once it starts."
        guard format.json else { return try say(words) }
        complain(words)
        return try say(Forecast(mode: update.settings.value(of: .schedule("mode")) ?? "off").json)
      }
    }
    let (forecast, state) = try daemon.schedule(isNew: plan != nil)
    try say(format.json ? forecast.json : forecast.text(now: wallClock()))
    if let warning = forecast.warning { complain("note: \(printable(warning))") }
    if plan != nil, let origin = state.resolution.origins["scheme"], origin.rule == .override, origin.expiresAt == nil,
      !origin.untilDesktopChanges
    {
      complain("note: \(state.scheme.rawValue) stays until you remove your override, as with 'themectl unset'")
    }
    guard let problem = forecast.problem else { return }
    complain(printable(problem))
    throw ExitCode.failure
  }

  /// The settings of themed.conf that the words stand for; nil without words.
  private var settings: [ConfigUpdate.Setting]? {
    get throws { try Self.settings(of: plan, at: at) }
  }

  /// The settings of themed.conf that a word for a schedule stands for, with a place for the sun; nil without an argument.
  static func settings(of plan: String?, at place: String?) throws -> [ConfigUpdate.Setting]? {
    let plan = plan.map { Text($0) }
    if place != nil, plan != "sun" {
      throw ValidationError("--at is for the sun; try: themectl schedule sun --at 52.52,13.40")
    }
    guard let word = plan else { return nil }
    if word == "sun" || word == "off" { return [(.schedule("mode"), word)] + (try place.map(Self.place) ?? []) }
    let times = word.split("-").compactMap(minuteOfDay)
    guard times.count == 2, word.split("-").count == 2 else { throw ValidationError(mistake(word)) }
    guard times[0] != times[1] else {
      throw ValidationError("light and dark need different times; try: themectl schedule 07:00-19:00")
    }
    let (light, dark) = (Text(minuteText(times[0])), Text(minuteText(times[1])))
    return [(.schedule("mode"), "times"), (.schedule("light"), light), (.schedule("dark"), dark)]
  }

  private static func place(_ text: String) throws -> [ConfigUpdate.Setting] {
    let halves = Text(text).split(",").map { Text(decoding: $0.utf8.trimming { $0 == 0x20 }) }
    guard halves.count == 2, let latitude = Degrees(halves[0]), Place.latitudes.contains(latitude),
      let longitude = Degrees(halves[1]), Place.longitudes.contains(longitude)
    else { throw ValidationError("'\(text)' is not a latitude and a longitude; try: --at 52.52,13.40") }
    return [(.schedule("latitude"), halves[0]), (.schedule("longitude"), halves[1])]
  }

  private static func mistake(_ word: Text) -> String {
    if minuteOfDay(word) != nil { return "give two times with a hyphen in between; try: themectl schedule 07:00-19:00" }
    let others: [(meant: String, words: [Text])] = [
      ("sun", ["on", "auto", "enable", "sunset", "sunrise", "solar", "location"]),
      ("off", ["none", "no", "never", "disable", "stop", "unset", "remove", "clear"]),
      ("07:00-19:00", ["times", "time", "fixed", "clock"]),
    ]
    let meant =
      others.first { $0.words.contains(word.lowercasedASCII) }?.meant
      ?? nearest(to: word, among: ["sun", "off"])?.string
    if let meant { return "unknown schedule '\(word)'; did you mean 'themectl schedule \(meant)'?" }
    return "unknown schedule '\(word)'; use sun, off, or two times such as 07:00-19:00"
  }
}

enum SunTime: String, CaseIterable {
  case sunrise, sunset
}

extension Daemon {
  /// The schedule and the state; after a change, once the daemon has read the time zone, too.
  func schedule(isNew: Bool) throws -> (Forecast, State) {
    let start = monotonicMilliseconds()
    while true {
      let (forecast, state) = try call { (theme) throws(CallError) in
        (try theme.call(.schedule), try theme.call(.state()))
      }
      let isReckoned = forecast.mode == "off" || forecast.scheme != nil || forecast.problem != nil
      if !isNew || isReckoned || monotonicMilliseconds() - start > 3_000 { return (forecast, state) }
      usleep(20_000)
    }
  }

  /// The next sunrise or sunset, in seconds since the epoch.
  func next(_ sun: SunTime) throws -> Int64 {
    let forecast = try call { (theme) throws(CallError) in try theme.call(.schedule) }
    guard forecast.coordinates != nil else {
      if let problem = forecast.problem {
        throw ValidationError(
          "cannot compute the \(sun.rawValue): \(printable(problem)); give a time, such as --until 07:30")
      }
      throw ValidationError(
        "cannot compute the \(sun.rawValue), because your location is not configured; give a time, such as --until 07:30, "
          + "or your place, such as 'themectl config set latitude 52.52 longitude 13.4'"
      )
    }
    guard let time = sun == .sunrise ? forecast.sunrise : forecast.sunset else {
      throw ValidationError(
        "there is no \(sun.rawValue) within a year at your location; give a time, such as --until 07:30")
    }
    return time
  }
}

extension Forecast {
  func text(now: Int64) -> String {
    var lines = [sentence(now: now)]
    if let coordinates, mode == "sun" {
      let place = "\(decimal(coordinates.latitude)), \(decimal(coordinates.longitude))"
      lines.append("  place     \(place) (\(printable(coordinates.origin)))")
    }
    if let zone { lines.append("  zone      \(printable(zone))") }
    if !switches.isEmpty { lines.append("  next      \(switches.prefix(2).map { words($0) }.joined(separator: ", "))") }
    for (index, day) in days.enumerated() {
      let turns = day.map { "\($0.turn.scheme.rawValue) \(clock($0))" }.joined(separator: ", ")
      lines.append((index == 0 ? "  forecast  " : "            ") + "\(date(day[0])) \(turns)")
    }
    return lines.joined(separator: "\n")
  }

  private func sentence(now: Int64) -> String {
    guard mode != "off" else {
      return "No schedule. 'themectl schedule sun' or 'themectl schedule 07:00-19:00' turns it on."
    }
    let what = mode == "sun" ? "the sun" : mode == "times" ? "times of the day" : printable(mode)
    guard let scheme else { return "The schedule goes by \(what), but cannot be computed." }
    // An override may show another side.
    let says = "The schedule asks for \(scheme.rawValue), by \(what)"
    guard let next = switches.first else { return "\(says), for at least a year." }
    let left = max(0, next.turn.time.subtractingSaturated(now))
    let day = left < 86_400 ? "" : "\(date(next)) "
    return "\(says), until \(day)\(clock(next)) (\(durationText(left)) left)."
  }

  private var days: [[Turn]] {
    var days: [[Turn]] = []
    for turn in switches {
      if let last = days.last?.first, date(last) == date(turn) {
        days[days.count - 1].append(turn)
      } else {
        days.append([turn])
      }
    }
    return days
  }

  private func words(_ turn: Turn) -> String { "\(turn.turn.scheme.rawValue) \(date(turn)) \(clock(turn))" }
  private func date(_ turn: Turn) -> String { shown(turn, "%Y-%m-%d") }
  private func clock(_ turn: Turn) -> String { shown(turn, "%H:%M") }

  /// A switch by the clocks of its zone; if its offset is unknown, by the local clock.
  private func shown(_ turn: Turn, _ format: String) -> String {
    let (local, isOver) = turn.turn.time.addingReportingOverflow(turn.offset ?? 0)
    let time = isOver ? turn.turn.time : local
    return clockText(time, as: format, isLocal: turn.offset == nil) ?? "\(turn.turn.time)"
  }

  /// A coordinate with two decimals, which is about a kilometre.
  private func decimal(_ degrees: Double) -> String {
    guard degrees.magnitude <= 360 else { return "?" }
    let hundredths = Int((degrees * 100).rounded())
    let fraction = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
