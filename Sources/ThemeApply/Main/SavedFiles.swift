internal import ThemedText
internal import ThemedUnix

/// Which files are as somebody meant them, and which may be half saved: pure.
///
/// An editor that saves a file in its place empties it first, and fills it in more than one write. So a file that has
/// become shorter, and is the same file, is believed once it has stayed so for a while.
struct SavedFiles: Sendable {
  /// A file, and how long it is.
  struct Saved: Sendable, Hashable {
    let file: FileNumber
    let size: Int
  }

  private var accepted: [Text: Saved] = [:]
  private var doubtful: (files: [Text: Saved], since: Int)?

  /// Takes what was read at a time; the files that may be half saved, and when to read again, where there are any.
  mutating func take(_ files: [Text: Saved], now: Int) -> (paths: [Text], until: Int)? {
    let shorter = files.filter { path, new in
      accepted[path].map { $0.file == new.file && $0.size > new.size } ?? false
    }
    if shorter.isEmpty {
      (accepted, doubtful) = (files, nil)
      return nil
    }
    if doubtful?.files != shorter { doubtful = (shorter, now) }
    let until = (doubtful?.since ?? now) + Limits.halfSaved
    guard now < until else {
      (accepted, doubtful) = (files, nil)
      return nil
    }
    return (shorter.keys.sorted(), until)
  }
}
