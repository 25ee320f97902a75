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

  mutating func made(_ new: FileWatch.Ways) { watches.formUnion(new.names.keys) }

  mutating func forget(_ subject: Subject) { ways[subject] = nil }

  /// The watches that other subjects need.
  func needed(besides subject: Subject?) -> Set<CInt> {
    ways.reduce(into: []) { if $1.key != subject { $0.formUnion($1.value.names.keys) } }
  }

  /// The watches that no subject needs any more; they are listed until ``ended(_:)``.
  var unneeded: [CInt] { Array(watches.subtracting(needed(besides: nil))) }

  mutating func ended(_ watches: [CInt]) { self.watches.subtract(watches) }
}

/// Watches the directories of the files; it is created for the first file, and the loop waits for it once the loop
/// runs.
final class DirectoryWatch {
  weak var reader: FileReader?
  private(set) var problem: SystemError?

  var existing: FileWatch? { watch }

  private var watch: FileWatch?
  private var source: Source?
  private var isAttached = false

  deinit { source?.cancel() }

  /// The watch, which is created if necessary; nil if that fails.
  func begun() -> FileWatch? {
    guard watch == nil else { return watch }
    do throws(SystemError) {
      watch = try FileWatch()
      problem = nil
      wait()
    } catch {
      problem = error
    }
    return watch
  }

  func attach() {
    isAttached = true
    wait()
  }

  private func wait() {
    guard isAttached, let watch, source == nil else { return }
    do throws(SystemError) {
      source = try EventLoop.main.watch(watch.descriptor, for: .readable) { [unowned self] _ in
        reader?.changed(self.watch?.events() ?? [])
      }
    } catch {
      (self.watch, problem) = (nil, error)
    }
  }
}
