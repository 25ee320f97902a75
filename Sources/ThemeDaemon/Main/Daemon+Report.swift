internal import Glibc
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

// The reports about the daemon: in the log, to the service manager, and for GetDiagnostics.

extension Daemon {
  /// Logs a change, and records it for the diagnostics.
  func report(_ change: Change) {
    let program = change.caller.flatMap { $0.program ?? server.connection($0.connection)?.program }
    let cause = change.cause.string + (program?.string ?? "")
    let states = [(nil, change.common)] + change.apps.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
    for case (let app, let state?) in states {
      let prefix = app.map { "\($0.shown()): " } ?? ""
      log.change(
        "\(prefix)\(state.resolution.summary(now: WallClock.now, zone: schedule.zone)) (\(cause))",
        state.journalFields(app: app, cause: cause))
      let shown = state.resolution
      changes.append(
        .init(
          time: WallClock.now, app: app, scheme: shown.scheme, desktop: shown.desktop, cause: cause,
          theme: shown.theme?.name))
    }
    changes.removeFirst(max(0, changes.count - Limits.changes))
    statusChanged()
  }

  /// Sends the service manager what is shown and what is wrong.
  func statusChanged() {
    guard manager.isThere else { return }
    let problem =
      configuration.problem ?? upstream?.problem ?? schedule.problem ?? themes.trouble
      ?? socketWatches.lazy.compactMap(\.problem).first
    let shown = engine.core.state(for: nil).resolution.summary(now: WallClock.now, zone: schedule.zone)
    manager.status(shown + (problem.map { "; \($0)" } ?? ""))
  }

  var diagnostics: Diagnostics {
    Diagnostics(
      version: themedVersion, bus: upstream == nil ? desktop.busState : Diagnostics.Bus(state: "unused"),
      session: desktop.sessionState,
      portal: desktop.portalState, configuration: .init(path: configuration.path, problem: configuration.problem),
      state: .init(path: kept.path, problem: kept.problem), changes: changes, themes: themes.diagnostics,
      socket: .init(path: sockets.listeners[0].path, problem: socketWatches.first?.problem),
      readOnlySocket: readOnlySocket, upstream: upstream?.diagnostics, desktop: upstream == nil ? desktopStep : nil)
  }

  private var desktopStep: Diagnostics.DesktopStep {
    let sync = engine.core.sync
    return Diagnostics.DesktopStep(
      isInStep: sync.isOn, asked: sync.wish, reported: sync.reported, target: sync.pending?.target.scheme,
      since: sync.pending.flatMap { _ in targets.since }, writers: Int64(sync.writers),
      problem: sync.pending?.problem?.string, switchedBackAt: targets.switchedBackAt)
  }

  private var readOnlySocket: Diagnostics.ReadOnlySocket? {
    guard var file = sockets.readOnly else { return nil }
    file.problem = file.problem ?? socketWatches.dropFirst().first?.problem
    return Diagnostics.ReadOnlySocket(file, connections: Int64(server.acceptor.admission.readers))
  }

  var configurationParameters: JSON.Object {
    var settings = configuration.configuration.settings
    let unknown = configuration.configuration.unknown.prefix(Limits.themeWarnings)
    if settings.isEmpty, let read = try? Configuration(parsing: [], origin: "") { settings = read.settings }
    if let upstream {
      settings.append(
        .init(name: ThemeConfiguration.Setting.upstream, value: upstream.diagnostics.source, origin: "command line"))
    }
    return [
      "path": configuration.path.map(JSON.word), "problem": configuration.problem.map(JSON.word),
      "settings": .array(settings.map { .object($0.parameters) }),
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]
  }
}

// What is shown, in words for people and in fields for the journal.

extension Resolution {
  /// The scheme and what decided it, in a few words.
  ///
  /// `now` is in seconds since the epoch. Times are shown in `zone`, if the schedule has read one.
  func summary(now: Int64, zone: Zone? = nil) -> String {
    let origin = origins["scheme"]
    let reason =
      switch origin?.rule {
      case .portal? where origin?.isRemembered == true: "the desktop's preference from an earlier session"
      case .portal?: "the desktop's preference"
      case .upstream?: "the upstream themed"
      case .schedule?: "the schedule" + (nextSwitch.map { " until \(localTime($0.time, now: now, zone))" } ?? "")
      case .override?, .appOverride?: "override" + (origin.map { $0.endWords(now: now, zone, nextSwitch) } ?? "")
      case .default?, nil:
        desktop == .unavailable ? "default, no desktop heard yet" : "default, the desktop has no preference"
      case let other: other.map { $0.rawValue.shown() } ?? "?"
      }
    let more = [highContrast == true ? ", high contrast" : "", reducedMotion == true ? ", reduced motion" : ""].joined()
    return "\(scheme.rawValue): \(reason)\(more)" + (theme.map { ", theme \($0.title.shown(atMost: 64))" } ?? "")
  }
}

extension Origin {
  /// The ends of an override in words; empty if it has none.
  fileprivate func endWords(now: Int64, _ zone: Zone?, _ next: Switch?) -> String {
    var ends: [String] = []
    if let expiresAt { ends.append(localTime(expiresAt, now: now, zone)) }
    if untilDesktopChanges { ends.append("the desktop changes") }
    if untilDesktopChanges, let next { ends.append("the schedule switches at \(localTime(next.time, now: now, zone))") }
    return ends.isEmpty ? "" : " until " + ends.joined(separator: ", or ")
  }
}

/// A time on the user's clock, with the date unless it is within a day; works for any number.
///
/// It uses `zone`, or otherwise the C library, which looks for the zone on disk.
func localTime(_ time: Int64, now: Int64, _ zone: Zone? = nil) -> String {
  if let zone {
    let (local, isOver) = time.addingReportingOverflow(Int64(zone.offset(at: time)))
    if !isOver, let parts = dateParts(local) { return clockText(parts, time, now: now) }
    return "\(time)"
  }
  // Use the current zone, not the one at the first call: while TZ is not set, this checks the date of /etc/localtime,
  // and reads the file again if it has changed.
  tzset()
  var seconds = time_t(time)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return "\(time)" }
  return clockText(unsafe numbers(of: parts), time, now: now)
}

/// Hour, minute, year since 1900, month and day as Int, because the C library's years can exceed what its own type adds
/// up to.
private func numbers(of parts: tm) -> [Int] {
  unsafe [parts.tm_hour, parts.tm_min, parts.tm_year, parts.tm_mon + 1, parts.tm_mday].map { Int($0) }
}

/// The same parts of a local time, in seconds as if it were UTC.
private func dateParts(_ local: Int64) -> [Int]? {
  var seconds = time_t(local)
  var parts = unsafe tm()
  guard unsafe gmtime_r(&seconds, &parts) != nil else { return nil }
  return unsafe numbers(of: parts)
}

private func clockText(_ numbers: [Int], _ time: Int64, now: Int64) -> String {
  let words = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
  let clock = "\(words[0]):\(words[1])"
  let (ahead, isFar) = time.subtractingReportingOverflow(now)
  guard isFar || ahead >= 24 * 60 * 60 else { return clock }
  return "\(numbers[2] + 1900)-\(words[3])-\(words[4]) \(clock)"
}

/// The date of a local time, in seconds as if it were UTC, such as 2026-03-29.
func dayText(_ local: Int64) -> String {
  guard let parts = dateParts(local) else { return "\(local)" }
  return [parts[2] + 1900, parts[3], parts[4]].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
}

extension State {
  /// The journal fields of the change that led to this state.
  func journalFields(app: Text?, cause: String) -> [String: String] {
    var fields = [
      "MESSAGE_ID": "7d78c271916f48bba70672d4912c824c", "THEMED_SCHEME": scheme.rawValue, "THEMED_CAUSE": cause,
      "THEMED_DESKTOP": resolution.desktop.rawValue, "THEMED_SERIAL": "\(serial)",
    ]
    fields["THEMED_APP"] = app?.string
    fields["THEMED_THEME"] = resolution.theme?.name.string
    let origin = resolution.origins["scheme"]
    fields["THEMED_ORIGIN"] = origin?.rule.rawValue.string
    fields["THEMED_EXPIRES_AT"] = origin?.expiresAt.map { "\($0)" }
    return fields
  }
}
