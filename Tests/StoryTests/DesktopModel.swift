import ThemedTestSupport

/// What the user may count on while the desktop is kept in step, written anew from the rules in words.
///
/// It knows what was wished for, not how the daemon finds out. While several things happen at once, the order in which
/// the daemon hears of them is open: then there are several models, of which one has to be right at rest.
struct DesktopModel: Hashable {
  enum Side: String {
    case light, dark
    var other: Side { self == .light ? .dark : .light }
  }

  /// A value of the desktop's own setting.
  enum Wish: String, CaseIterable {
    case none = "default"
    case light = "prefer-light"
    case dark = "prefer-dark"
    /// No preference shows light.
    var side: Side { self == .dark ? .dark : .light }
    /// As the daemon calls it.
    var word: String { self == .none ? "none" : side.rawValue }
  }

  /// When a rule ends by itself: all nil for one that lasts.
  struct End: Hashable {
    /// At this second.
    var time: Int?
    /// When the desktop asks for something else than this.
    var asked: Wish?
    /// Or when the schedule turns to this side.
    var turn: Side?
  }

  struct Rule: Hashable {
    var side: Side
    var end = End()
  }

  /// What the last toggle replaced.
  struct Replaced: Hashable { var rule: Rule? }

  /// What the desktop asks for by itself, and gets back.
  var asked: Wish
  /// What the desktop last showed to the daemon.
  var heard: Wish
  var rule: Rule?
  var replaced: Replaced?
  var schedule: Side?
  /// A switch by hand that the daemon may not have heard of yet.
  var said: Wish?

  init(asked: Wish) { (self.asked, heard) = (asked, asked) }

  var below: Side { schedule ?? asked.side }
  var shown: Side { rule?.side ?? below }

  /// What the setting becomes when the desktop has to turn.
  var right: Wish { asked.side == shown ? asked : shown == .dark ? .dark : .light }

  // MARK: Commands

  mutating func set(_ side: Side, time: Int? = nil, untilChanged: Bool = false) {
    let end = End(time: time, asked: untilChanged ? asked : nil, turn: untilChanged ? schedule?.other : nil)
    (rule, replaced) = (Rule(side: side, end: end), nil)
  }

  mutating func unset() { (rule, replaced) = (nil, nil) }

  /// The opposite is shown: what the last toggle replaced if that shows it, or else no rule, or else a rule.
  mutating func toggle() {
    let aim = shown.other
    if let replaced, replaced.rule?.side ?? below == aim {
      (rule, self.replaced) = (replaced.rule, nil)
    } else {
      replaced = Replaced(rule: rule)
      rule = below == aim ? nil : Rule(side: aim)
    }
    forget()
  }

  /// Forgets what a toggle replaced where the next one does the same without it.
  private mutating func forget() {
    guard let before = replaced?.rule else {
      if rule == nil || rule?.end == End() { replaced = nil }
      return
    }
    if rule == nil, before.end == End() { replaced = nil }
  }

  // MARK: Ends

  mutating func turn(_ side: Side?) {
    end { $0.asked != nil && side != nil && $0.turn == side }
    rule?.await(side?.other)
    replaced?.rule?.await(side?.other)
    schedule = side
  }

  /// It is this second.
  mutating func expire(_ now: Int) { end { $0.time.map { $0 <= now } == true } }

  mutating func asks(for wish: Wish) {
    asked = wish
    end { $0.asked != nil && $0.asked != wish }
  }

  private mutating func end(_ isOver: (End) -> Bool) {
    let had = rule != nil
    if let own = rule, isOver(own.end) { rule = nil }
    if let before = replaced?.rule, isOver(before.end) { replaced?.rule = nil }
    // The end of what a toggle has set brings back what it had replaced.
    if had, rule == nil, let replaced { (rule, self.replaced) = (replaced.rule, nil) }
    forget()
  }

  // MARK: The desktop

  /// The daemon hears that the user has switched, even if that was while no daemon ran.
  mutating func hear() {
    guard let wish = said else { return }
    said = nil
    defer { heard = wish }
    guard wish != heard else { return }
    if wish.side == shown {
      // It shows that already, but another word for it may be what is asked for.
      if asked.side == wish.side { asks(for: wish) }
      return
    }
    unset()
    guard let schedule else {
      asked = wish
      return
    }
    // Against the schedule it holds until that turns.
    if schedule != wish.side { rule = Rule(side: wish.side, end: End(asked: asked, turn: schedule.other)) }
  }
}

extension DesktopModel.Rule {
  fileprivate mutating func await(_ side: DesktopModel.Side?) {
    if end.asked != nil { end.turn = side }
  }
}

extension DesktopModel {
  /// Whether the daemon's state says this.
  func isShown(by state: Frame) -> Bool {
    let origin = "parameters.state.origins.scheme."
    let below = schedule != nil ? "schedule" : asked == .none ? "default" : "portal"
    return state.scheme == shown.rawValue && state.desktop == asked.word
      && state.string(origin + "rule") == (rule != nil ? "override" : below)
      && (state.bool(origin + "untilDesktopChanges") == true) == (rule?.end.asked != nil)
      && (state.int(origin + "expiresAt") != nil) == (rule?.end.time != nil)
  }
}

/// The models of which one has to be right.
struct DesktopModels {
  var all: Set<DesktopModel>
  /// Whether the desktop may have been written since the last rest.
  var isWriting = false

  init(_ model: DesktopModel) { all = [model] }

  /// All is at rest, and the desktop has this value.
  ///
  /// - Parameter isOpen: Whether several things happened. Then the daemon may judge the last signal only a moment later,
  ///   after it has read the desktop: another word for the side that is shown may become what is asked for.
  mutating func rest(with wish: DesktopModel.Wish, isOpen: Bool) {
    change { ($0.heard, $0.said) = (wish, nil) }
    isWriting = false
    guard isOpen else { return }
    for var model in all where model.asked.side == wish.side {
      model.asks(for: wish)
      all.insert(model)
    }
  }

  /// One thing, and then rest: only one outcome is right.
  mutating func change(_ body: (inout DesktopModel) -> Void) {
    all = Set(
      all.map { model in
        var model = model
        body(&model)
        return model
      })
  }

  /// Something happens among other things: before it, the daemon may hear of a switch, or a time may be over.
  mutating func changeAmongOthers(_ body: (inout DesktopModel) -> Void) {
    hearSome()
    change(body)
  }

  /// Whatever the daemon may do by now.
  mutating func hearSome() {
    if all.contains(where: { $0.shown != $0.heard.side || $0.rule?.end.asked != nil }) { isWriting = true }
    for model in all where model.heard.side != model.shown {
      var turned = model
      turned.heard = model.right
      all.insert(turned)
    }
    for model in all where model.said != nil {
      var heard = model
      heard.hear()
      all.insert(heard)
      // While a write is under way, nobody can tell a switch from an echo, and the write comes after it.
      guard isWriting else { continue }
      heard = model
      heard.said = nil
      all.insert(heard)
    }
    for var model in all {
      model.expire(.max - 1)
      all.insert(model)
    }
  }
}
