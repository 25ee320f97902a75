import ThemedText
import ThemeClient

/// What `themectl status` tells people: what is shown, and the chain of rules with the one that decided.
struct Report {
  let app: Text?
  let state: State
  let overrides: [Override]
  let configuration: ThemeConfiguration
  /// The theme that is chosen for this side and cannot be shown, and why.
  let hidden: (theme: Text, reason: String)?

  func text(_ style: Style, now: Int64) -> String {
    var lines = [style.bold(state.scheme.rawValue)]
    for rule in rules(now: now) {
      let line = "\(rule.decides ? "> " : "  ")\(padded(rule.name))\(rule.says)"
      lines.append(rule.decides ? style.bold(line) : line)
    }
    let resolution = state.resolution
    if let high = resolution.highContrast {
      let end = end(now) { $0.highContrast != nil }
      lines.append(field("contrast", "highContrast", high ? "high" : "normal", end))
    }
    if let less = resolution.reducedMotion {
      let end = end(now) { $0.reducedMotion != nil }
      lines.append(field("motion", "reducedMotion", less ? "reduced" : "normal", end))
    }
    if let accent = resolution.accentColor {
      let end = end(now) { $0.accentColor != nil }
      lines.append(field("accent", "accentColor", accent.hexadecimal, end) + style.swatch(accent))
    }
    if let hidden {
      lines.append("  \(padded("theme"))\(printable(hidden.theme)) (\(printable(hidden.reason)))")
    }
    if let theme = resolution.theme {
      // What stands in for a hidden one is of another rule.
      let end = hidden == nil ? end(now) { $0.theme(state.scheme) != nil } : ""
      lines.append(field(hidden == nil ? "theme" : "", "theme", printable(theme.name), end))
    }
    let apps = app == nil ? overrides.apps(overriding: Field.allCases) : []
    if !apps.isEmpty {
      let whose = apps.count == 1 ? "its" : "their"
      lines.append("  \(padded("apps"))\(apps.count) with overrides of \(whose) own: \(apps.few)")
    }
    return lines.joined(separator: "\n")
  }

  private struct Line {
    let name: String
    let says: String
    let decides: Bool
  }

  /// The rules of the scheme, highest first.
  private func rules(now: Int64) -> [Line] {
    let origin = state.resolution.origins["scheme"]
    let decider = state.resolution.override
    var rules: [Line] = []
    if let app {
      let own = overrides.first { $0.app == app && $0.scheme != nil }
      rules.append(
        Line(name: printable(app), says: own.map { says($0, now) } ?? "no override", decides: origin == .appOverride))
    }
    let all = overrides.first { $0.app == nil && $0.scheme != nil }
    let isPassed = decider?.app != nil && decider?.scheme == .auto && all != nil
    rules.append(
      Line(
        name: "all apps", says: (all.map { says($0, now) } ?? "no override") + (isPassed ? " (not for this app)" : ""),
        decides: origin == .override))
    rules.append(Line(name: "desktop", says: desktop, decides: origin == .portal))
    rules.append(Line(name: "default", says: byDefault, decides: origin == .default))
    if let origin, !rules.contains(where: \.decides) {
      // The daemon is newer than this program.
      rules.append(Line(name: printable(origin.rawValue), says: state.scheme.rawValue, decides: true))
    }
    return rules
  }

  private func says(_ override: Override, _ now: Int64) -> String {
    Override(
      scheme: override.scheme, expiresAt: override.expiresAt, untilDesktopChanges: override.untilDesktopChanges
    ).words(now: now)
  }

  private var desktop: String {
    switch state.resolution.desktop {
    case .light: "light"
    case .dark: "dark"
    case .none: "none: it has no preference"
    case .unavailable: "unavailable: no desktop has been heard"
    }
  }

  private var byDefault: String {
    let name = state.resolution.desktop == .unavailable ? "no-desktop" : "no-preference"
    return configuration.value(of: "[appearance] \(name)").map { "\(printable($0)) (\(name))" } ?? "-"
  }

  /// When what is overridden of a field ends: of this app first, as the rules go.
  private func end(_ now: Int64, _ isOfField: (Override) -> Bool) -> String {
    let rules = overrides.filter(isOfField)
    let rule = rules.first { $0.app != nil && $0.app == app } ?? rules.first { $0.app == nil }
    return rule.map { rule in
      let words = Override(expiresAt: rule.expiresAt, untilDesktopChanges: rule.untilDesktopChanges).words(now: now)
      return words.isEmpty ? "" : ", " + words
    } ?? ""
  }

  private func field(_ name: String, _ wireName: Text, _ value: String, _ end: String) -> String {
    let origin =
      switch state.resolution.origins[wireName] {
      case .appOverride?: "override of \(app.map { printable($0) } ?? "this app")"
      case .override?: "override"
      case .portal?: "desktop"
      case .default?: "configured"
      case let other: other.map { printable($0.rawValue) } ?? "?"
      }
    return "  \(padded(name))\(value) (\(origin)\(end))"
  }

  private func padded(_ name: String) -> String {
    let width = max(8, app.map { printable($0).count } ?? 0) + 2
    return name + String(repeating: " ", count: max(1, width - name.count))
  }
}

extension Override {
  /// What it says and until when, on one line.
  func words(now: Int64) -> String {
    var says: [String] = []
    if let scheme { says.append(scheme.rawValue) }
    if let highContrast { says.append(highContrast ? "high contrast" : "normal contrast") }
    if let reducedMotion { says.append(reducedMotion ? "reduced motion" : "normal motion") }
    if let accentColor { says.append("accent \(accentColor.hexadecimal)") }
    for scheme in ColorScheme.allCases {
      if let theme = theme(scheme) { says.append("\(scheme.rawValue) theme \(printable(theme))") }
    }
    if let expiresAt {
      let left = durationText(max(0, expiresAt.subtractingSaturated(now)))
      says.append("until \(clockText(expiresAt, now: now)) (\(left) left)")
    }
    if untilDesktopChanges == true { says.append("until the desktop's preference changes") }
    return says.joined(separator: ", ")
  }
}

extension Override {
  /// The theme of a side.
  func theme(_ scheme: ColorScheme) -> Text? { scheme == .light ? lightTheme : darkTheme }
}

extension ThemeConfiguration {
  /// What is in force of a setting; nil where the daemon knows none of this name.
  func value(of name: Text) -> Text? { settings.first { Text("\($0.name)") == name }.map { "\($0.value)" } }
}

extension ThemeConnection {
  /// Why a theme is not shown on a side for which it is chosen; nil where it can be.
  fileprivate mutating func reasonToHide(_ theme: Text, _ scheme: ColorScheme) throws(ThemeClientError) -> String? {
    do throws(ThemeClientError) {
      return try getTheme(theme.string).theme[scheme] == nil ? "it has no \(scheme.rawValue) side" : nil
    } catch {
      switch error.code {
      case .unknownTheme: return "not installed"
      case .unusableTheme: return error.reason
      default: throw error
      }
    }
  }
}

extension Report {
  /// Asks the daemon.
  init(_ daemon: inout ThemeConnection, app: Text?) throws(ThemeClientError) {
    self.app = app
    state = try daemon.getState(app: app?.string)
    overrides = try daemon.listOverrides()
    configuration = try daemon.getConfiguration()
    let chosen = ThemeChoice(app: app, overrides: overrides, configuration: configuration)[state.scheme]
    guard let chosen, chosen != state.resolution.theme?.name else {
      hidden = nil
      return
    }
    hidden = try daemon.reasonToHide(chosen, state.scheme).map { (theme: chosen, reason: $0) }
  }
}
