import ThemeModel
import ThemedSystem

/// The sentence that tells a person what is shown and why.
struct StatusSentence {
  let app: Text?
  let scheme: ColorScheme
  let desktop: Preference
  /// The source of the scheme; nil if the daemon does not give it.
  let origin: Origin?
  /// The scheme in the override for all apps.
  let all: Mode?
  /// The schedule's next switch.
  var nextSwitch: Switch?
  /// Whether another daemon is followed instead of the desktop.
  var followsUpstream = false

  func text(now: Int64) -> String {
    let shown = (scheme == .light ? "Light" : "Dark") + (app.map { " for \(printable($0))" } ?? "")
    guard let origin else { return "\(shown); \(wish)." }
    switch origin.rule {
    case .appOverride: return "\(shown), because you set it\(end(origin, now)); \(wish)."
    case .override:
      let whom = app == nil ? "" : " for all apps"
      return "\(shown), because you set it\(whom)\(end(origin, now)); \(wish)."
    case .portal where origin.isRemembered:
      return "\(shown), as the desktop last asked\(pinned(origin, now)); it has not answered yet in this session."
    case .portal: return "\(shown), as the desktop asks\(pinned(origin, now))."
    case .upstream: return "\(shown), as the upstream themed shows\(pinned(origin, now))."
    case .schedule:
      let until = nextSwitch.map { " until \(clockText($0.time, now: now))" } ?? ""
      return "\(shown), by the schedule\(until)\(pinned(origin, now)); \(wish)."
    case .default: return "\(shown) by default, because \(wish)\(pinned(origin, now))."
    default: return "\(shown), by the rule '\(printable(origin.rule.rawValue))'; \(wish)."
    }
  }

  /// The desktop's preference, in words.
  private var wish: String {
    let asks = followsUpstream ? "the upstream themed shows" : "the desktop asks for"
    return switch desktop {
    case .light: "\(asks) light" + (scheme == .light ? " too" : "")
    case .dark: "\(asks) dark" + (scheme == .dark ? " too" : "")
    case .none: "the desktop has no preference"
    case .unavailable: followsUpstream ? "the upstream themed has not answered" : "the desktop's setting is unavailable"
    }
  }

  /// Why an override for all apps does not count for this app.
  private func pinned(_ origin: Origin, _ now: Int64) -> String {
    guard origin.isPinned, let all, all != .auto else { return "" }
    let below = origin.rule == .schedule ? "schedule" : followsUpstream ? "upstream" : "desktop"
    return "; you set \(all.rawValue) for all apps, but made this one follow the \(below)\(end(origin, now))"
  }

  private func end(_ origin: Origin, _ now: Int64) -> String {
    let ends = [
      origin.expiresAt.map { "until \(clockText($0, now: now))" },
      origin.untilDesktopChanges ? "until the desktop's setting changes" : nil,
      origin.untilDesktopChanges
        ? nextSwitch.map { "until the schedule switches at \(clockText($0.time, now: now))" } : nil,
    ].compactMap(\.self)
    return ends.isEmpty ? "" : ", " + ends.joined(separator: " or ")
  }
}

extension Report {
  /// The sentence about the state and its reason.
  var sentence: StatusSentence {
    StatusSentence(
      app: app, scheme: state.scheme, desktop: state.resolution.desktop, origin: state.resolution.origins["scheme"],
      all: overrides.first { $0.app == nil && $0.scheme != nil }?.scheme, nextSwitch: state.resolution.nextSwitch,
      followsUpstream: upstream != nil)
  }
}
