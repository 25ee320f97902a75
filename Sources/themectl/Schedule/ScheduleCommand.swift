import ArgumentParser
import ThemeClientCore
import ThemeInterface
import ThemeModel
import ThemeSetup
import ThemedSystem

struct Schedule: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Show what the schedule asks for now, and when it switches.",
    discussion: """
      Configure the schedule under [schedule] in themed.conf (see themed.conf(5)). Times are in the daemon's time zone. \
      The exit status is 1 if themed cannot follow the schedule as configured.
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

enum SunTime: String, CaseIterable {
  case sunrise, sunset
}

extension Daemon {
  /// The next sunrise or sunset, in seconds since the epoch.
  func next(_ sun: SunTime) throws -> Int64 {
    let forecast = try call { (theme) throws(ThemeClientError) in try theme.getSchedule() }
    guard forecast.coordinates != nil else {
      if let problem = forecast.problem {
        throw ValidationError(
          "cannot compute the \(sun.rawValue): \(printable(problem)); give a time, such as --until 07:30")
      }
      throw ValidationError(
        "cannot compute the \(sun.rawValue), because your location is not configured; give a time, such as --until 07:30, "
          + "or set latitude= and longitude= under [schedule] in themed.conf"
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
      return "No schedule. Set mode=sun or mode=times under [schedule] in themed.conf to turn it on."
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
