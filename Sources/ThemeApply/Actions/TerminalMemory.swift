internal import Synchronization
internal import ThemeModel
internal import ThemedText

/// Which terminals have which colours of ours, so that one that is new is coloured, the others are let be, and colours are
/// taken back only where they were given.
final class TerminalMemory: Sendable {
  private struct Entry {
    var palette: Palette
    /// When a new one got its first colours; nil where it has got them a second time.
    ///
    /// Konsole, for one, applies its own settings up to half a second after it has opened a terminal.
    var newSince: Int?
  }

  private let written = Mutex<[Text: [Text: Entry]]>([:])

  /// Whether a terminal has these colours, and needs them no second time now.
  func has(_ terminal: Text, _ palette: Palette, of app: Text, now: Int) -> Bool {
    written.withLock { written in
      guard let entry = written[app]?[terminal] else { return false }
      return entry.palette == palette && entry.newSince.map { now < $0 + Limits.secondColors } ?? true
    }
  }

  /// What a terminal shows by us.
  func palette(of terminal: Text, _ app: Text) -> Palette? { written.withLock { $0[app]?[terminal]?.palette } }

  /// Takes note of what was written.
  func note(_ terminal: Text, _ palette: Palette, of app: Text, now: Int, isNew: Bool) {
    written.withLock { written in
      let old = written[app]?[terminal]
      let since = old.map(\.newSince) ?? (isNew ? now : nil)
      let isOver = since.map { now >= $0 + Limits.secondColors } ?? true
      written[app, default: [:]][terminal] = Entry(palette: palette, newSince: isOver ? nil : since)
    }
  }

  /// How long until a new one needs its colours a second time; nil where none does, but those that take nothing: they are
  /// tried by themselves, ever more seldom.
  func nextAgain(of app: Text, now: Int, except stopped: Set<Text> = []) -> Int? {
    written.withLock { written in
      let due = written[app]?.compactMap { stopped.contains($0.key) ? nil : $0.value.newSince }
      return due?.min().map { max(0, $0 + Limits.secondColors - now) }
    }
  }

  /// Forgets a terminal that is no longer ours to write to.
  func forget(_ terminal: Text, of app: Text) { written.withLock { _ = $0[app]?.removeValue(forKey: terminal) } }

  /// Forgets the terminals that are gone.
  func keep(_ terminals: Set<Text>, of app: Text) {
    written.withLock { written in
      written[app] = terminals.isEmpty ? nil : written[app]?.filter { terminals.contains($0.key) }
    }
  }
}
