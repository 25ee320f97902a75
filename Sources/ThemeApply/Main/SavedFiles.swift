internal import ThemedSystem

/// Decides which files are complete, and which may be half saved: pure.
///
/// An editor that saves a file in place empties it first, and fills it in several writes. So a file that became shorter in
/// place counts as complete only after it has stayed so for a while.
struct SavedFiles: Sendable {
  /// A file, and how long it is.
  struct Saved: Sendable, Hashable {
    let file: FileNumber
    let size: Int
  }

  private var accepted: [Text: Saved] = [:]
  private var doubtful: (files: [Text: Saved], since: Int)?

  /// Handles the files that were read at a time; returns those that may be half saved, and when to read them again.
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
