import ArgumentParser
import Glibc
import ThemeClientCore
import ThemeInterface
import ThemeResolution
import ThemedText

struct Schedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Say what the schedule shows now, and when it switches.",
    discussion: """
      The schedule is configured by [schedule] in themed.conf (see themed.conf(5)). Times are those of the daemon's time \
      zone. The exit status is 1 where the schedule is not followed as it is configured.
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var format: Format

  func run() throws {
    let forecast = try daemon.call { (theme) throws(ThemeClientError) in try theme.getSchedule() }
    try say(format.json ? forecast.json : forecast.text(now: wallClock()))
    if let warning = forecast.warning { complain("note: \(printable(warning))") }
    guard let problem = forecast.problem else { return }
    complain(printable(problem))
    throw ExitCode.failure
  }
}

/// A word for a time that the sun decides.
enum SunTime: String, CaseIterable {
  case sunrise, sunset
}

extension Daemon {
  /// The next sunrise or sunset, in seconds since the epoch.
  func next(_ sun: SunTime) throws -> Int64 {
    let forecast = try call { (theme) throws(ThemeClientError) in try theme.getSchedule() }
    guard forecast.coordinates != nil else {
      if let problem = forecast.problem {
        throw ValidationError("There is no \(sun.rawValue): \(printable(problem)). By the clock: --until 07:30")
      }
      throw ValidationError(
        "Nobody knows where you are, so there is no \(sun.rawValue): give latitude= and longitude= in [schedule] of "
          + "themed.conf, or mode=sun for the place of the time zone. Or by the clock: --until 07:30")
    }
    guard let time = sun == .sunrise ? forecast.sunrise : forecast.sunset else {
      throw ValidationError("There is no \(sun.rawValue) within a year where you are. By the clock: --until 07:30")
    }
    return time
  }
}

extension Forecast {
  /// The schedule, for people.
  func text(now: Int64) -> String {
    var lines = [sentence(now: now)]
    if let coordinates {
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
      return "No schedule: mode=sun or mode=times under [schedule] in themed.conf turns it on."
    }
    let what = mode == "sun" ? "the sun" : mode == "times" ? "times of the day" : printable(mode)
    guard let scheme else { return "By \(what); what it says is not known." }
    // An override may show another side.
    let says = "The schedule says \(scheme.rawValue) by \(what)"
    guard let next = switches.first else { return "\(says), for a year at least." }
    let left = max(0, next.turn.time.subtractingSaturated(now))
    let day = left < 86_400 ? "" : "\(date(next)) "
    return "\(says), until \(day)\(clock(next)) (\(durationText(left)) left)."
  }

  /// The turns by day.
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

  /// A turn as the clocks of its zone show it; where that is not told, as ours do.
  private func shown(_ turn: Turn, _ format: String) -> String {
    var parts = unsafe tm()
    let (local, isOver) = turn.turn.time.addingReportingOverflow(turn.offset ?? 0)
    var seconds = time_t(isOver ? turn.turn.time : local)
    let isShown =
      unsafe turn.offset == nil ? localtime_r(&seconds, &parts) != nil : gmtime_r(&seconds, &parts) != nil
    guard isShown else { return "\(turn.turn.time)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// With two digits behind the point, which is about a kilometre.
  private func decimal(_ degrees: Double) -> String {
    guard degrees.magnitude <= 360 else { return "?" }
    let hundredths = Int((degrees * 100).rounded())
    let fraction = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

extension Forecast {
  /// What the doctor says of it.
  var finding: Finding? {
    if let problem {
      return Finding(
        "schedule", "the schedule is not followed as it is configured: \(problem)",
        why: scheme == nil ? "the desktop's preference is shown instead" : "what held before stays",
        type: "themectl schedule")
    }
    return warning.map { Finding(fact: "schedule_skips", "the schedule: \($0)") }
  }
}
