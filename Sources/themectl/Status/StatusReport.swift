import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

/// The output of `themectl status` for people: the state, and the chain of rules with the one that decided.
struct StatusReport {
  let app: Text?
  let state: State
  /// The other rules; nil if the socket is read-only and does not give them.
  let rest: Rest?
  /// The theme that is chosen for this side and cannot be shown, and why.
  let hidden: (theme: Text, reason: String)?
  /// The daemon that is followed instead of the desktop; nil if the desktop is followed.
  var upstream: Diagnostics.Upstream?
  /// How the desktop is kept in step; nil if it is left alone.
  var desktopReport: DesktopReport?

  /// The facts that only the writable socket gives.
  struct Rest {
    let overrides: [Override]
    let configuration: ThemeConfiguration
  }

  private static let shownObstacles = 3
  private static var noDesktop: Text { "[appearance] no-desktop" }
  private static var scheduleMode: Text { "[schedule] mode" }
  private static var noPreference: Text { "[appearance] no-preference" }

  var overrides: [Override] { rest?.overrides ?? [] }

  /// The override of the scheme for all apps.
  private var overrideOfAll: Override? { overrides.first { $0.app == nil && $0.scheme != nil } }

  /// The lines for people.
  ///
  /// - Parameter columns: The width that they fit; nil if it is unknown.
  func text(_ style: Style, now: Int64, columns: Int? = terminalColumns) -> String {
    func wrapped(_ text: String, below start: String = "") -> [String] {
      text.wrapped(below: start, within: style.isForPeople ? columns : nil)
    }
    var lines = wrapped(sentence(now: now)).map(style.bold)
    for rule in rules(now: now) {
      let text = wrapped(rule.says, below: (rule.decides ? "> " : "  ") + padded(rule.name))
      lines += rule.decides ? text.map(style.bold) : text
    }
    func add(_ name: String, _ value: String, _ after: String = "") {
      let added = wrapped(value, below: "  " + padded(name))
      lines += added.dropLast() + [(added.last ?? "") + after]
    }
    let resolution = state.resolution
    if let high = resolution.highContrast { add("contrast", field("highContrast", high ? "high" : "normal", now)) }
    if let less = resolution.reducedMotion { add("motion", field("reducedMotion", less ? "reduced" : "normal", now)) }
    if let accent = resolution.accentColor {
      add("accent", field("accentColor", accent.hexadecimal, now), style.swatch(accent))
    }
    if let hidden { add("theme", "\(printable(hidden.theme)) (\(printable(hidden.reason)))") }
    if let theme = resolution.theme { add(hidden == nil ? "theme" : "", field("theme", printable(theme.name), now)) }
    if let other = themeOfOtherSide {
      add(hidden == nil && resolution.theme == nil ? "theme" : "", other)
    }
    let apps = app == nil ? overrides.apps(overriding: Field.allCases) : []
    if !apps.isEmpty {
      add("apps", "\(apps.few) \(apps.count == 1 ? "has its own overrides" : "have their own overrides")")
    }
    if rest == nil {
      lines += wrapped(
        "(this socket is read-only: it reports neither the configuration nor whether light or dark is overridden)",
        below: "  ")
    }
    return lines.joined(separator: "\n")
  }

  /// The theme that is chosen for the side that is not shown; nil if none is, or it is the theme that is shown.
  private var themeOfOtherSide: String? {
    let side = state.scheme.opposite
    guard let rest,
      let name = ThemeChoice(app: app, overrides: rest.overrides, configuration: rest.configuration)[side],
      name != state.resolution.theme?.name, name != hidden?.theme
    else { return nil }
    return "\(printable(name)) while it is \(side.rawValue)"
  }

  /// The lines about problems that keep programs from showing this, a sentence each.
  static func lines(of obstacles: [String], _ columns: Int?) -> [String] {
    guard !obstacles.isEmpty else { return [] }
    let more = obstacles.count - shownObstacles
    let advice = (more > 0 ? "\(more) more problems; " : "") + "'themectl doctor' says what to do"
    return obstacles.prefix(shownObstacles).flatMap { printable($0).wrapped(below: "! ", within: columns) }
      + advice.wrapped(below: "  ", within: columns)
  }

  private struct Line {
    let name: String
    let says: String
    let decides: Bool
  }

  /// The rules of the scheme, highest first.
  private func rules(now: Int64) -> [Line] {
    let origin = state.resolution.origins["scheme"]
    var rules: [Line] = []
    if let app {
      let own = overrides.first { $0.app == app && $0.fields.contains(.scheme) }
      rules.append(
        Line(
          name: printable(app), says: own.map { says($0, now) } ?? noOverride(.appOverride, now),
          decides: origin?.rule == .appOverride))
    }
    let all = overrideOfAll
    let isPassed = origin?.isPinned == true && all != nil
    rules.append(
      Line(
        name: "all apps",
        says: (all.map { says($0, now) } ?? noOverride(.override, now)) + (isPassed ? " (not for this app)" : ""),
        decides: origin?.rule == .override))
    if let next = state.resolution.nextSwitch {
      rules.append(
        Line(
          name: "schedule", says: "\(next.scheme.opposite.rawValue) until \(clockText(next.time, now: now))",
          decides: origin?.rule == .schedule))
    } else if origin?.rule == .schedule {
      rules.append(Line(name: "schedule", says: state.scheme.rawValue, decides: true))
    } else if let mode = rest?.configuration.value(of: Self.scheduleMode), mode != "off" {
      rules.append(Line(name: "schedule", says: "does not switch; 'themectl schedule' says why", decides: false))
    }
    rules.append(
      Line(name: below, says: desktop(now: now), decides: origin?.rule == .portal || origin?.rule == .upstream))
    rules.append(Line(name: "default", says: byDefault, decides: origin?.rule == .default))
    if let origin, !rules.contains(where: \.decides) {
      // The daemon is newer than this program.
      rules.append(Line(name: printable(origin.rule.rawValue), says: state.scheme.rawValue, decides: true))
    }
    return rules
  }

  /// The words for a rule without an override, or with one that is unknown.
  private func noOverride(_ rule: Rule, _ now: Int64) -> String {
    guard rest == nil else {
      let whose = rule == .override ? nil : app
      let others = overrides.filter { $0.app == whose }.flatMap(\.fields).map(\.pinnedName)
      return others.isEmpty ? "no override" : "no override of light or dark (only of \(others.joined(separator: ", ")))"
    }
    guard let origin = state.resolution.origins["scheme"], origin.rule == rule else { return "override not reported" }
    return state.scheme.rawValue + origin.endWords(now: now, state.resolution.nextSwitch)
  }

  private func says(_ override: Override, _ now: Int64) -> String {
    Override(
      scheme: override.scheme, auto: override.auto.intersection([.scheme]), expiresAt: override.expiresAt,
      untilDesktopChanges: override.untilDesktopChanges
    ).words(now: now, nextSwitch: state.resolution.nextSwitch)
  }

  private var below: String { isFollowing ? "upstream" : "desktop" }

  /// Whether another daemon is followed; the state alone says so once that daemon has answered.
  private var isFollowing: Bool { upstream != nil || state.resolution.origins["desktop"]?.rule == .upstream }

  private func desktop(now: Int64) -> String {
    let silence = upstream.map { $0.isConnected ? "" : $0.silence(now: now) } ?? ""
    let isRemembered = state.resolution.origins["scheme"]?.isRemembered == true
    let memory =
      isRemembered
      ? ", as it last asked: it has not answered yet in this session"
      : desktopReport == nil ? "" : " (by itself; it is kept in step)"
    return switch state.resolution.desktop {
    case .light: "light\(silence)\(memory)"
    case .dark: "dark\(silence)\(memory)"
    case .none: "no preference\(memory)"
    case .unavailable: "unavailable; 'themectl doctor' says why"
    }
  }

  private var byDefault: String {
    let isUnavailable = state.resolution.desktop == .unavailable
    // The read-only socket does not give the configuration, but the state, if the default decides it.
    let decides = state.resolution.origins["scheme"]?.rule == .default
    let value =
      rest?.configuration.value(of: isUnavailable ? Self.noDesktop : Self.noPreference)
      ?? (decides ? Text(state.scheme.rawValue) : nil)
    return value.map { "\(printable($0)) (\(isUnavailable ? "no-desktop" : "no-preference")= in themed.conf)" }
      ?? "not reported"
  }

  /// A value of the state, with the rule that decided it.
  private func field(_ wireName: Text, _ value: String, _ now: Int64) -> String {
    let origin = state.resolution.origins[wireName]
    let app = app.map { printable($0) } ?? "this app"
    let rule =
      switch origin?.rule {
      case .appOverride?: "override of \(app)"
      case .override?: "override"
      case .schedule?: "schedule"
      case .portal?: "desktop"
      case .upstream?: "upstream"
      case .default?: "configured"
      case let other: other.map { printable($0.rawValue) } ?? "?"
      }
    let pin = origin?.isPinned == true ? ", auto for \(app)" : ""
    return "\(value) (\(rule)\(pin)\(origin?.endWords(now: now, state.resolution.nextSwitch) ?? ""))"
  }

  private func padded(_ name: String) -> String {
    let width = max(8, app.map { printable($0).count } ?? 0) + 2
    return name + String(repeating: " ", count: max(1, width - name.count))
  }
}

extension Diagnostics.Upstream {
  fileprivate func silence(now: Int64) -> String {
    let since = heardAt.map { " since \(clockText($0, now: now))" } ?? ""
    return ", its last answer: not connected\(since)" + (problem.map { " (\(printable($0)))" } ?? "")
  }
}

extension Override {
  /// The override and its end on one line; with a schedule, an override until the next change also ends at
  /// `nextSwitch`.
  func words(now: Int64, nextSwitch: Switch? = nil) -> String {
    var says: [String] = []
    if let word = scheme?.rawValue ?? (auto.contains(.scheme) ? "auto" : nil) { says.append(word) }
    if let highContrast { says.append(highContrast ? "high contrast" : "normal contrast") }
    if let reducedMotion { says.append(reducedMotion ? "reduced motion" : "normal motion") }
    if let accentColor { says.append("accent \(accentColor.hexadecimal)") }
    for scheme in ColorScheme.allCases {
      if let theme = theme(scheme) { says.append("\(scheme.rawValue) theme \(printable(theme))") }
    }
    for field in Field.allCases where field != .scheme && auto.contains(field) {
      says.append("\(field.pinnedName) auto")
    }
    if let expiresAt {
      let left = durationText(max(0, expiresAt.subtractingSaturated(now)))
      says.append("until \(clockText(expiresAt, now: now)) (\(left) left)")
    }
    if untilDesktopChanges == true {
      let turn = nextSwitch.map { " or the schedule switches at \(clockText($0.time, now: now))" } ?? ""
      says.append("until the desktop's setting changes\(turn)")
    }
    return says.joined(separator: ", ")
  }
}

extension Field {
  /// The field's name in a sentence that pins it to `auto`.
  fileprivate var pinnedName: String {
    switch self {
    case .scheme: "scheme"
    case .highContrast: "contrast"
    case .reducedMotion: "motion"
    case .accentColor: "accent"
    case .lightTheme: "light theme"
    case .darkTheme: "dark theme"
    }
  }
}

extension Origin {
  /// The end of the override that it comes from, after a comma; empty if the override does not end by itself.
  fileprivate func endWords(now: Int64, _ next: Switch?) -> String {
    let words = Override(expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges)
      .words(now: now, nextSwitch: next)
    return words.isEmpty ? "" : ", " + words
  }
}

extension Override {
  func theme(_ scheme: ColorScheme) -> Text? { scheme == .light ? lightTheme : darkTheme }
}

extension ThemeConnection {
  /// Why a chosen theme is not shown on a side; nil if it can be shown.
  fileprivate mutating func reasonToHide(_ theme: Text, _ scheme: ColorScheme) throws(CallError) -> String? {
    do throws(CallError) {
      return try call(.theme(named: theme.string)).theme[scheme] == nil ? "it has no \(scheme.rawValue) side" : nil
    } catch {
      switch error.code {
      case .unknownTheme: return "not installed"
      case .unusableTheme, .themesUnavailable: return error.reason
      default: throw error
      }
    }
  }

  fileprivate mutating func hidden(
    from state: State, _ app: Text?, _ rest: StatusReport.Rest?
  ) throws(CallError) -> (theme: Text, reason: String)? {
    guard let rest else { return nil }
    let choice = ThemeChoice(app: app, overrides: rest.overrides, configuration: rest.configuration)
    guard let chosen = choice[state.scheme], chosen != state.resolution.theme?.name,
      let reason = try reasonToHide(chosen, state.scheme)
    else { return nil }
    return (chosen, reason)
  }
}

extension StatusReport {
  init(_ daemon: inout ThemeConnection, app: Text?) throws(CallError) {
    // All three calls are sent at once, because waiting for each reply takes longer than making it.
    try daemon.begin([
      ThemeRequest.state(app: app?.string).call, ThemeRequest.overrides.call, ThemeRequest.configuration.call,
    ])
    let state = try daemon.call(.state(app: app?.string))
    // The read-only socket refuses these calls; the report then says only what is shown.
    let rest = try daemon.unlessReadOnly { (daemon) throws(CallError) in
      let overrides = Array(try daemon.call(.overrides))
      return Rest(
        overrides: overrides,
        configuration: try daemon.call(
          .configuration(
            of: [Self.noDesktop, Self.noPreference, Self.scheduleMode, ThemeConfiguration.Setting.upstream]
              + ThemeChoice.settings
              + DesktopReport.settings)))
    }
    // Few daemons follow another one, and reading all diagnostics takes time. An older daemon does not have the setting,
    // so the origins count too.
    let isFollowing =
      rest?.configuration.value(of: ThemeConfiguration.Setting.upstream) != nil
      || state.resolution.origins.contains { $0.value.rule == .upstream }
    // Without the reply, the report still says what is shown.
    let upstream = isFollowing ? try? daemon.call(.upstream) : nil
    // In one call, because setting the properties one by one makes the compiler look up types at run time.
    self.init(
      app: app, state: state, rest: rest, hidden: try daemon.hidden(from: state, app, rest), upstream: upstream,
      desktopReport: isFollowing ? nil : daemon.desktopReport(state, app, rest?.configuration))
  }

  /// The state and the reason for it, as a person would say them.
  func sentence(now: Int64) -> String {
    StateSentence(
      state, app: app, overrideOfAll: overrideOfAll?.scheme, isUpstream: isFollowing, desktop: aboutDesktop
    ).text(now: now)
  }

  /// The words about a desktop that is kept in step; nil if it is left alone, or does not say what it shows.
  private var aboutDesktop: String? {
    guard let desktopReport, let shows = desktopReport.desktop else { return nil }
    if desktopReport.state == .turning, shows != state.scheme { return "the desktop is turning" }
    return desktopReport.note ?? "the desktop shows \(shows.rawValue)\(shows == state.scheme ? " too" : "")"
  }
}
