internal import ThemedSystem

/// Decides which subjects an event of a watched directory concerns: a pure rule.
///
/// Watches are made on another thread than the one that handles their events, so an event can come before its watch is
/// known. Such events are kept.
struct WatchTable<Subject: Hashable> {
  private var ways: [Subject: FileWatch.Ways] = [:]
  /// The existing watches.
  private var watches: Set<CInt> = []
  /// The events that came while watches were being made.
  private var recent: Set<FileWatch.Event> = []
  private var hasLostEvents = false

  /// Takes an event, and returns the subjects that it concerns; `isMaking` says whether watches are being made.
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

  /// Takes what is watched for a subject, or nil.
  ///
  /// Returns whether something has changed meanwhile, so that the subject has to be read again.
  mutating func watched(_ new: FileWatch.Ways?, for subject: Subject) -> Bool {
    ways[subject] = new
    defer { (recent, hasLostEvents) = ([], false) }
    guard let new else { return false }
    return !new.isSettled || hasLostEvents || recent.contains(where: new.concerns)
  }

  /// Takes watches that were made, for whichever subject.
  mutating func made(_ new: FileWatch.Ways) { watches.formUnion(new.names.keys) }

  /// Nothing is watched for this subject any more.
  mutating func forget(_ subject: Subject) { ways[subject] = nil }

  /// The watches that other subjects need.
  func needed(besides subject: Subject?) -> Set<CInt> {
    ways.reduce(into: []) { if $1.key != subject { $0.formUnion($1.value.names.keys) } }
  }

  /// The watches that no subject needs any more; they are listed until ``ended(_:)``.
  var unneeded: [CInt] { Array(watches.subtracting(needed(besides: nil))) }

  /// These watches are being ended.
  mutating func ended(_ watches: [CInt]) { self.watches.subtract(watches) }
}
