import ThemedText
import ThemeClient

/// What is shown and why, as one person would tell another.
struct StatusSentence {
  let app: Text?
  let scheme: ColorScheme
  let desktop: Preference
  /// The rule that decided; nil where the daemon does not say.
  let origin: Origin?
  /// The override of this app, and that of all, that say something of the scheme.
  let own: Override?
  let all: Override?

  func text(now: Int64) -> String {
    let shown = (scheme == .light ? "Light" : "Dark") + (app.map { " for \(printable($0))" } ?? "")
    switch origin {
    case .appOverride?: return "\(shown), because you said so\(own.map { end($0, now) } ?? ""); \(wish)."
    case .override?:
      let whom = app == nil ? "" : " for all apps"
      return "\(shown), because you said so\(whom)\(all.map { end($0, now) } ?? ""); \(wish)."
    case .portal?: return "\(shown), as the desktop asks\(pinned(now))."
    case .default?: return "\(shown) by default, because \(wish)\(pinned(now))."
    case let other?: return "\(shown), by the rule '\(printable(other.rawValue))'; \(wish)."
    case nil: return "\(shown); \(wish)."
    }
  }

  /// What the desktop wants.
  private var wish: String {
    switch desktop {
    case .light: "the desktop asks for light" + (scheme == .light ? ", too" : "")
    case .dark: "the desktop asks for dark" + (scheme == .dark ? ", too" : "")
    case .none: "the desktop has no preference"
    case .unavailable: "no desktop has been heard"
    }
  }

  /// Why an override of all apps does not count for this one.
  private func pinned(_ now: Int64) -> String {
    guard let own, own.scheme == .auto, let mode = all?.scheme, mode != .auto else { return "" }
    return "; you said \(mode.rawValue) for all apps, and that this one follows the desktop\(end(own, now))"
  }

  private func end(_ override: Override, _ now: Int64) -> String {
    let ends = [
      override.expiresAt.map { "until \(clockText($0, now: now))" },
      override.untilDesktopChanges == true ? "until the desktop changes" : nil,
    ].compactMap(\.self)
    return ends.isEmpty ? "" : " " + ends.joined(separator: " or ")
  }
}

extension Report {
  /// What is shown and why, in one sentence.
  var sentence: StatusSentence {
    func override(of app: Text?) -> Override? { overrides.first { $0.app == app && $0.scheme != nil } }
    return StatusSentence(
      app: app, scheme: state.scheme, desktop: state.resolution.desktop, origin: state.resolution.origins["scheme"],
      own: app.flatMap(override), all: override(of: nil))
  }
}
