internal import Glibc
package import ThemedClientCore
package import ThemedInterface
package import ThemedModel
package import ThemedSystem

/// The tray item, as a pure value: what it shows, and what a click asks the daemon for.
package struct Tray: Sendable, Hashable {
  package enum Event: Sendable, Hashable {
    case state(State)
    case themes([ThemeListing])
    /// The connection to the daemon is made or lost.
    case connected(Bool)
    case woken
    /// The daemon's report about itself; nil if it does not answer.
    case surroundings(Surroundings?)
    /// A change was made; if not as it should be, with the reason.
    case changed(trouble: Text?)
    /// A click, a middle click, and an entry of the menu.
    case activated, secondary
    case chosen(Int32)
    /// The menu is about to be shown.
    case opened
  }

  package enum Effect: Sendable, Hashable {
    case change(Change)
    /// Open the settings window.
    case openWindow
    /// Ask the daemon for ``Surroundings``.
    case look
    /// Send ``Event/woken`` after this many milliseconds; nil: do not.
    case wake(Int?)
    /// Send the signal `NewIcon`, `NewToolTip` or `NewStatus`.
    case newIcon, newToolTip
    case newStatus(Text)
    /// The menu has other entries than before.
    case layout
    /// These entries of the menu have changed.
    case entries([MenuEntry])
  }

  /// A change to ask the daemon for.
  package enum Change: Sendable, Hashable {
    case toggle
    case set(Override)
    case clear([Field])

    package var request: ThemeRequest<OverrideChange> {
      switch self {
      case .toggle: .toggle(untilDesktopChanges: true)
      case .set(let override): .setOverride(override)
      case .clear(let fields): .clearOverride(fields: fields)
      }
    }
  }

  /// The parts of the daemon's report about itself that the item shows.
  package struct Surroundings: Sendable, Hashable {
    /// Whether the desktop is kept in step, so that what it asked for says nothing.
    package var isInStep = false
    /// The first problem, in words.
    package var problem: Text?

    package init(isInStep: Bool = false, problem: Text? = nil) { (self.isInStep, self.problem) = (isInStep, problem) }
  }

  /// The number of the menu's last layout.
  package private(set) var revision: UInt32 = 1
  package private(set) var look: Look
  package private(set) var menu = MenuEntry(0)

  /// The last state that the daemon sent; it does not send it again if it is the same after a restart.
  private var last: State?
  private var surroundings = Surroundings()
  /// Why the last change failed, and when the menu was first opened with that, in seconds since the epoch.
  private var trouble: Text?
  private var troubleSeen: Int64?
  /// Whether the connection is lost, and whether it has been lost for so long that the item is passive.
  private var isGone = false
  private var isAbsent = false
  private var themes: [Theme] = []
  /// The number of the first theme's entry; a new list gets new numbers, so that a click on an old one chooses nothing.
  private var firstTheme: Int32 = 100

  private struct Theme: Hashable {
    let name: Text
    let title: Text
    let schemes: [ColorScheme]
  }

  /// The numbers of the entries.
  enum Entry: Int32 {
    case sentence = 1, afterSentence, light, dark, automatic, afterSides, untilSwitch, untilTomorrow, forGood, afterEnds
    case themes, configured, afterConfigured, problem, beforeWindow, window
  }

  /// Whether the settings window is installed.
  private let hasWindow: Bool

  package init(hasWindow: Bool = false) {
    self.hasWindow = hasWindow
    look = Look(scheme: nil, sentence: Self.absent, isActive: false)
    menu = entries(now: 0)
  }

  private static let absent: Text = "themed is not running."

  /// The state to show; nil without a daemon.
  private var state: State? { isAbsent ? nil : last }

  package mutating func handle(_ event: Event, now: Int64) -> [Effect] {
    let effects = take(event, now: now)
    let (before, entries) = (look, menu)
    look = Look(scheme: state?.scheme, sentence: sentence(now: now), isActive: state != nil)
    menu = self.entries(now: now)
    return effects + changes(since: before, entries)
  }

  private mutating func take(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .state(let new):
      (last, isGone, isAbsent, trouble) = (new, false, false, nil)
      return [.wake(nil), .look]
    case .themes(let list): return took(list)
    case .connected(true):
      (isGone, isAbsent) = (false, false)
      return [.wake(nil), .look]
    case .connected(false):
      guard state != nil, !isGone else { return [] }
      isGone = true
      return [.wake(Limits.lastGood)]
    case .woken: if isGone { (isGone, isAbsent, surroundings, trouble) = (false, true, Surroundings(), nil) }
    case .surroundings(let new): surroundings = new ?? Surroundings()
    case .changed(let trouble): (self.trouble, troubleSeen) = (trouble, nil)
    case .activated: return state == nil ? [] : [.change(.toggle)]
    case .secondary: return state == nil ? [] : [.change(.clear([.scheme]))]
    case .chosen(Entry.window.rawValue): return hasWindow ? [.openWindow] : []
    case .chosen(let id): return change(id, now: now).map { [.change($0)] } ?? []
    case .opened:
      showTrouble(now: now)
      return state == nil ? [] : [.look]
    }
    return []
  }

  /// Keeps the trouble for one opening of the menu.
  private mutating func showTrouble(now: Int64) {
    guard trouble != nil else { return }
    // A panel can report one opening twice.
    if abs(now - (troubleSeen ?? now)) > Limits.opening { trouble = nil }
    troubleSeen = troubleSeen ?? now
  }

  private mutating func took(_ list: [ThemeListing]) -> [Effect] {
    // A theme whose file has a mistake has no title.
    let usable = list.lazy.compactMap { theme in
      theme.title.map { title in
        Theme(name: theme.name, title: MenuEntry.label(title, atMost: Limits.title), schemes: theme.schemes)
      }
    }
    let new = Array(usable.filter { !$0.schemes.isEmpty }.prefix(Limits.themes))
    guard new != themes else { return [] }
    firstTheme = firstTheme > 1_000_000 ? 100 : firstTheme + Int32(themes.count)
    themes = new
    return []
  }

  // MARK: What is shown

  private func sentence(now: Int64) -> Text {
    guard let state else { return Self.absent }
    return Text(StateSentence(state, desktop: surroundings.isInStep ? "" : nil).text(now: now))
  }

  private mutating func changes(since before: Look, _ old: MenuEntry) -> [Effect] {
    var effects: [Effect] = []
    if look.icon != before.icon { effects.append(.newIcon) }
    if look.sentence != before.sentence { effects.append(.newToolTip) }
    if look.status != before.status { effects.append(.newStatus(look.status)) }
    guard menu != old else { return effects }
    revision += 1
    if menu.shape != old.shape { return effects + [.layout] }
    let known = Set(old.all.map(\.alone))
    return effects + [.entries(menu.all.filter { !known.contains($0.alone) })]
  }

  // MARK: The menu

  /// The override of light or dark for all apps; nil if none is in force.
  private var override: Origin? { state?.origin(of: .scheme).flatMap { $0.rule == .override ? $0 : nil } }

  private func entries(now: Int64) -> MenuEntry {
    let isThere = state != nil
    func entry(_ entry: Entry, _ label: Text, isEnabled: Bool, isChosen: Bool? = nil) -> MenuEntry {
      MenuEntry(entry.rawValue, label, isEnabled: isEnabled, isChosen: isChosen)
    }
    func line(_ entry: Entry) -> MenuEntry { MenuEntry(entry.rawValue) }
    func side(_ which: Entry, _ label: Text, _ scheme: ColorScheme) -> MenuEntry {
      entry(which, label, isEnabled: isThere, isChosen: override != nil && state?.scheme == scheme)
    }
    func end(_ which: Entry, _ label: Text, isChosen: Bool) -> MenuEntry {
      entry(which, label, isEnabled: override != nil, isChosen: override != nil && isChosen)
    }
    func words(_ which: Entry, _ words: Text) -> MenuEntry {
      entry(which, MenuEntry.label(words, atMost: Limits.sentence), isEnabled: false)
    }
    // Without what the desktop asks for: a menu is as wide as its longest entry.
    let short = state.map { Text(StateSentence($0, desktop: "").text(now: now)) }
    var entries = [words(.sentence, short ?? Self.absent)]
    if let problem = trouble ?? surroundings.problem { entries.append(words(.problem, problem)) }
    entries += [
      line(.afterSentence), side(.light, "Light", .light), side(.dark, "Dark", .dark),
      entry(.automatic, "Automatic", isEnabled: isThere, isChosen: isThere && override == nil),
      line(.afterSides),
      end(.untilSwitch, "Until the Next Switch", isChosen: override?.untilDesktopChanges == true),
      end(
        .untilTomorrow, "Until Tomorrow",
        isChosen: override?.expiresAt.map { $0 == tomorrow(after: now) } == true),
      end(
        .forGood, "Until You Change It", isChosen: override?.expiresAt == nil && override?.untilDesktopChanges == false),
    ]
    let window = hasWindow ? [line(.beforeWindow), entry(.window, "Settings", isEnabled: true)] : []
    guard isThere, !themes.isEmpty else { return MenuEntry(0, children: entries + window) }
    let choices = themes.enumerated().map { index, theme in
      MenuEntry(firstTheme + Int32(index), theme.title, isChosen: theme.name == state?.theme)
    }
    let configured = [entry(.configured, "As Configured", isEnabled: true), line(.afterConfigured)]
    let theme = MenuEntry(Entry.themes.rawValue, "Theme", children: configured + choices)
    return MenuEntry(0, children: entries + [line(.afterEnds), theme] + window)
  }

  /// The change that an entry asks for; nil if it asks for none, or does not exist any more.
  private func change(_ id: Int32, now: Int64) -> Change? {
    guard let state, menu[id]?.isEnabled == true else { return nil }
    switch Entry(rawValue: id) {
    case .light: return .set(Override(scheme: .light))
    case .dark: return .set(Override(scheme: .dark))
    case .automatic: return .clear([.scheme])
    case .untilSwitch: return .set(Override(scheme: state.scheme, untilDesktopChanges: true))
    case .untilTomorrow:
      return tomorrow(after: now).map { end in
        .set(Override(scheme: state.scheme, expiresAt: end))
      }
    case .forGood: return .set(Override(scheme: state.scheme))
    case .configured: return .clear([.lightTheme, .darkTheme])
    case nil:
      guard themes.indices.contains(Int(id - firstTheme)) else { return nil }
      let theme = themes[Int(id - firstTheme)]
      return .set(
        Override(
          lightTheme: theme.schemes.contains(.light) ? theme.name : nil,
          darkTheme: theme.schemes.contains(.dark) ? theme.name : nil))
    default: return nil
    }
  }
}

extension Tray.Surroundings {
  package init(_ report: Diagnostics) {
    let files = [report.configuration, report.state] + (report.themes ?? [])
    self.init(
      isInStep: report.desktop?.isInStep == true,
      problem: (files.compactMap(\.problem).first ?? report.desktop?.problem ?? report.bus.problem).map { Text($0) })
  }
}

/// When the next day begins by the local clock, in seconds since the epoch; nil if no clock can say.
func tomorrow(after now: Int64) -> Int64? {
  tzset()
  var seconds = time_t(now)
  var parts = unsafe tm()
  guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
  unsafe (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec) = (parts.tm_mday + 1, 0, 0, 0)
  unsafe parts.tm_isdst = -1
  let time = unsafe mktime(&parts)
  return time > now ? Int64(time) : nil
}
