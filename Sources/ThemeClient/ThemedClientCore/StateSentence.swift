public import ThemedModel
public import ThemedSystem

/// The state and the reason for it in one sentence, as a person would say them: pure.
public struct StateSentence {
  public let state: State
  /// The app that sees the state; nil for a client without a name.
  public var app: Text?
  /// The override of light or dark for all apps, if it is known.
  public var overrideOfAll: ColorScheme?
  /// Whether another daemon is followed instead of the desktop.
  public var isUpstream: Bool
  /// The words about a desktop that is kept in step, which replace what it asked for; if empty, the sentence is silent
  /// about the desktop.
  public var desktop: String?

  public init(
    _ state: State, app: Text? = nil, overrideOfAll: ColorScheme? = nil, isUpstream: Bool? = nil, desktop: String? = nil
  ) {
    (self.state, self.app, self.overrideOfAll, self.desktop) = (state, app, overrideOfAll, desktop)
    self.isUpstream = isUpstream ?? state.resolution.origins.contains { $0.value.rule == .upstream }
  }

  public func text(now: Int64) -> String {
    let shown = (state.scheme == .light ? "Light" : "Dark") + (app.map { " for \(printable($0))" } ?? "")
    guard let origin = state.resolution.origins["scheme"] else { return "\(shown)\(wish)." }
    switch origin.rule {
    case .appOverride: return "\(shown), because you set it\(end(origin, now))\(wish)."
    case .override:
      let whom = app == nil ? "" : " for all apps"
      return "\(shown), because you set it\(whom)\(end(origin, now))\(wish)."
    case .portal where origin.isRemembered:
      return "\(shown), as the desktop last asked\(pinned(origin, now)); it has not answered yet in this session."
    case .portal: return "\(shown), as the desktop asks\(pinned(origin, now))."
    case .upstream: return "\(shown), as the upstream themed shows\(pinned(origin, now))."
    case .schedule:
      let until = state.resolution.nextSwitch.map { " until \(clockText($0.time, now: now))" } ?? ""
      return "\(shown), by the schedule\(until)\(pinned(origin, now))\(wish)."
    case .default: return "\(shown) by default, because \(asked)\(pinned(origin, now))."
    default: return "\(shown), by the rule '\(printable(origin.rule.rawValue))'\(wish)."
    }
  }

  private var wish: String {
    let words = desktop ?? asked
    return words.isEmpty ? "" : "; \(words)"
  }

  private var asked: String {
    let asks = isUpstream ? "the upstream themed shows" : "the desktop asks for"
    return switch state.resolution.desktop {
    case .light: "\(asks) light" + (state.scheme == .light ? " too" : "")
    case .dark: "\(asks) dark" + (state.scheme == .dark ? " too" : "")
    case .none: "the desktop has no preference"
    case .unavailable: isUpstream ? "the upstream themed has not answered" : "the desktop's setting is unavailable"
    }
  }

  /// Why an override for all apps does not count for this app.
  private func pinned(_ origin: Origin, _ now: Int64) -> String {
    guard origin.isPinned, let all = overrideOfAll else { return "" }
    let below = origin.rule == .schedule ? "schedule" : isUpstream ? "upstream" : "desktop"
    return "; you set \(all.rawValue) for all apps, but made this one follow the \(below)\(end(origin, now))"
  }

  private func end(_ origin: Origin, _ now: Int64) -> String {
    let ends = [
      origin.expiresAt.map { "until \(clockText($0, now: now))" },
      origin.untilDesktopChanges ? "until the desktop's setting changes" : nil,
      origin.untilDesktopChanges
        ? state.resolution.nextSwitch.map { "until the schedule switches at \(clockText($0.time, now: now))" } : nil,
    ].compactMap(\.self)
    return ends.isEmpty ? "" : " (" + ends.joined(separator: " or ") + ")"
  }
}
