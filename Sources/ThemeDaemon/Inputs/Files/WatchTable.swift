internal import ThemedUnix

/// Which watches of directories are about what: a pure rule.
///
/// The watches are made elsewhere, while the directories' events come here; so events that come before the watch that they
/// are of are kept.
struct WatchTable<Subject: Hashable> {
  private var ways: [Subject: FileWatch.Ways] = [:]
  /// The watches that there are.
  private var watches: Set<CInt> = []
  /// What was reported while watches were being made.
  private var recent: Set<FileWatch.Event> = []
  private var hasLostEvents = false

  /// Takes note of an event; `isMaking` says whether watches are being made.
  ///
  /// What it is about.
  mutating func concerned(by event: FileWatch.Event, isMaking: Bool) -> [Subject] {
    guard !event.isEnd else {
      watches.remove(event.watch)
      return []
    }
    if !isMaking {
      (recent, hasLostEvents) = ([], false)
    } else if recent.count < Limits.recentEvents {
      recent.insert(event)
    } else {
      hasLostEvents = true
    }
    return ways.filter { $0.value.concerns(event) }.map(\.key)
  }

  /// Takes what has been watched for a subject, or that nothing is.
  ///
  /// Whether something has happened meanwhile, so that it is to be looked at again.
  mutating func watched(_ new: FileWatch.Ways?, for subject: Subject) -> Bool {
    ways[subject] = new
    defer { (recent, hasLostEvents) = ([], false) }
    guard let new else { return false }
    return !new.isSettled || hasLostEvents || recent.contains(where: new.concerns)
  }

  /// Takes note of watches that were made, whoever needs them.
  mutating func made(_ new: FileWatch.Ways) { watches.formUnion(new.names.keys) }

  /// Nothing is watched for this any more.
  mutating func forget(_ subject: Subject) { ways[subject] = nil }

  /// The watches that others than this need.
  func needed(besides subject: Subject?) -> Set<CInt> {
    ways.reduce(into: []) { if $1.key != subject { $0.formUnion($1.value.names.keys) } }
  }

  /// The watches that nothing needs any more, which are to be ended; they are named until ``ended(_:)``.
  var unneeded: [CInt] { Array(watches.subtracting(needed(besides: nil))) }

  /// Takes note that somebody ends these watches.
  mutating func ended(_ watches: [CInt]) { self.watches.subtract(watches) }
}
