internal import Synchronization
internal import ThemeModel
internal import ThemedSystem

/// Remembers which terminals have which of our colours, so that only new terminals are coloured, and only coloured ones
/// reset.
final class TerminalMemory: Sendable {
  private struct Entry {
    var palette: Palette
    /// When a new terminal got its colours first; nil if it has got them a second time.
    ///
    /// For example, Konsole applies its own settings up to half a second after it opens a terminal.
    var newSince: Int?
  }

  private let written = Mutex<[Text: [Text: Entry]]>([:])

  /// Whether a terminal has these colours, and does not need them a second time now.
  func has(_ terminal: Text, _ palette: Palette, of app: Text, now: Int) -> Bool {
    written.withLock { written in
      guard let entry = written[app]?[terminal] else { return false }
      return entry.palette == palette && entry.newSince.map { now < $0 + Limits.secondColors } ?? true
    }
  }

  /// The colours that a terminal has from us.
  func palette(of terminal: Text, _ app: Text) -> Palette? { written.withLock { $0[app]?[terminal]?.palette } }

  /// Records the colours that were written.
  func note(_ terminal: Text, _ palette: Palette, of app: Text, now: Int, isNew: Bool) {
    written.withLock { written in
      let old = written[app]?[terminal]
      let since = old.map(\.newSince) ?? (isNew ? now : nil)
      let isOver = since.map { now >= $0 + Limits.secondColors } ?? true
      written[app, default: [:]][terminal] = Entry(palette: palette, newSince: isOver ? nil : since)
    }
  }

  /// The time until a new terminal needs its colours a second time; nil if none does.
  ///
  /// Terminals that accept no output do not count, because they are tried again separately.
  func nextAgain(of app: Text, now: Int, except stopped: Set<Text> = []) -> Int? {
    written.withLock { written in
      let due = written[app]?.compactMap { stopped.contains($0.key) ? nil : $0.value.newSince }
      return due?.min().map { max(0, $0 + Limits.secondColors - now) }
    }
  }

  /// Forgets a terminal to which we no longer write.
  func forget(_ terminal: Text, of app: Text) { written.withLock { _ = $0[app]?.removeValue(forKey: terminal) } }

  /// Forgets the terminals that are gone.
  func keep(_ terminals: Set<Text>, of app: Text) {
    written.withLock { written in
      written[app] = terminals.isEmpty ? nil : written[app]?.filter { terminals.contains($0.key) }
    }
  }
}
