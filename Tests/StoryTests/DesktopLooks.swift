/// The theme on each side while the desktop is kept in step, as the user may expect it.
struct DesktopLooks: Hashable {
  typealias Side = DesktopModel.Side

  /// What each side may have.
  private var themes: [Side: Set<String>]
  /// What may be chosen by hand for each side; nil for nothing.
  private var chosen: [Side: Set<String?>] = [.light: [nil], .dark: [nil]]
  private var shown: Side
  private let original: String
  /// What was chosen since the last rest.
  private var new: Set<String> = []
  /// The last choice, as long as it may not be known yet: until the next turn, which finds it.
  private var open: String?

  init(shown: Side, _ original: String = "Adwaita") {
    (self.shown, self.original) = (shown, original)
    themes = [shown: [original], shown.other: [shown == .light ? "Adwaita-dark" : "Adwaita"]]
    // The theme for light is not kept for dark.
    if shown == .dark, original == "Adwaita" { themes[.dark] = ["Adwaita-dark"] }
  }

  mutating func choose(_ name: String) {
    new.insert(name)
  }

  /// Whether a theme may be there at rest; `alone` if only one thing has happened since the last rest.
  func allow(_ theme: String, on side: Side, alone: Bool) -> Bool {
    guard alone else { return themes[side, default: []].contains(theme) || new.contains(theme) || theme == open }
    if let choice = new.first ?? (side == shown ? open : nil) { return theme == choice }
    return themes[side, default: []].contains(theme)
  }

  /// Whether a theme was just chosen for this side, so that nobody may have noticed.
  func isOpen(_ theme: String, on side: Side) -> Bool { new.contains(theme) || side == shown && theme == open }

  /// A theme that is allowed is there.
  mutating func take(_ theme: String, on side: Side, alone: Bool) {
    defer { (shown, new) = (side, []) }
    if alone, let choice = new.first {
      if let open { add([open], to: side) }
      open = choice
    } else if alone, side == shown, open != nil {
      // It is still open.
    } else {
      if alone, let choice = open {
        // It was chosen for the side that is left.
        (themes[shown], chosen[shown]) = ([choice], [choice])
      } else if !alone {
        // It is open for which side that was: the desktop's own switch may have changed its theme as well.
        for side in [side, side.other] { add(new.union([open].compactMap(\.self)), to: side) }
      }
      open = nil
      themes[side] = [theme]
    }
  }

  private mutating func add(_ names: Set<String>, to side: Side) {
    themes[side, default: []].formUnion(names)
    chosen[side, default: []].formUnion(names.map(Optional.some))
  }

  /// Whether a theme may be there once the desktop is left alone and shows this side.
  func allowLeft(_ theme: String, on side: Side) -> Bool {
    let choices = chosen[side, default: []]
    if let open, side == shown { return theme == open || choices.contains(theme) }
    return choices.contains(theme) || choices.contains(nil) && theme == original
  }
}
