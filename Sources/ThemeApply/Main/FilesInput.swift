internal import ThemedSystem

/// Reads what is enabled on a thread, and again whenever one of its files has changed.
final class FilesInput {
  private let reader: SetupReader
  private let watch: FileWatch
  private let thread: WorkThread
  private var ways = FileWatch.Ways()
  private var saved = SavedFiles()
  private let log: Log
  /// The files that may be half saved, as last reported.
  private var doubtful: [Text] = []
  private var isReading = false
  /// Whether a file has changed since the current read started.
  private var isStale = false
  private var reading: SetupReader.Reading?
  /// When to read again.
  private(set) var deadline: Int?

  init(_ places: Places, _ log: Log) throws(SystemError) {
    self.log = log
    reader = SetupReader(places: places)
    watch = try FileWatch()
    thread = try WorkThread()
  }

  /// Readable when a file has changed.
  var changes: CInt { watch.descriptor }
  /// Readable when a read is complete.
  var readings: CInt { thread.descriptor }

  /// Reads everything, now or after the current read.
  func read() {
    deadline = nil
    guard !isReading else {
      isStale = true
      return
    }
    isReading = true
    let (reader, watch, before) = (reader, watch, ways)
    do throws(SystemError) {
      try thread.perform {
        reader.read(watch, before: before)
      } _: { [unowned self] in
        finished($0)
      }
    } catch {
      isReading = false
      deadline = monotonicMilliseconds() + Limits.unwatched
    }
  }

  /// Handles a change of a watched file.
  func changed() {
    let events = watch.events()
    guard events.contains(where: { ways.concerns($0) || isReading }) else { return }
    // An editor writes more than one file, and each more than once.
    if deadline == nil { deadline = monotonicMilliseconds() + Limits.settling }
  }

  func timePassed(now: Int) {
    if let deadline, deadline <= now { read() }
  }

  /// Takes a complete read.
  func finish() { _ = thread.finish() }

  /// The newest result of reading; nil if there is no new one since the last call.
  func take() -> SetupReader.Reading? {
    defer { reading = nil }
    return reading
  }

  private func finished(_ new: SetupReader.Reading) {
    isReading = false
    ways = new.ways
    defer {
      if isStale {
        isStale = false
        read()
      }
    }
    guard let doubt = saved.take(new.saved, now: monotonicMilliseconds()) else {
      reading = new
      doubtful = []
      return settle(new.isShort)
    }
    if doubt.paths != doubtful {
      doubtful = doubt.paths
      let names = doubt.paths.map { $0.shown(atMost: 300) }.joined(separator: " and ")
      log.info("\(names) may be only half saved; using the last good version until the file is complete")
    }
    deadline = min(deadline ?? doubt.until, doubt.until)
  }

  private func settle(_ isShort: Bool) {
    if !ways.isSettled || ways.problem != nil || isShort, deadline == nil {
      deadline = monotonicMilliseconds() + Limits.unwatched
    }
  }
}

/// Decides which files are complete, and which may be half saved: pure.
///
/// An editor that saves a file in place empties it first, and fills it in several writes. So a file that became shorter in
/// place counts as complete only after it has stayed so for a while.
struct SavedFiles: Sendable {
  /// A file, and how long it is.
  struct Saved: Sendable, Hashable {
    let file: FileNumber
    /// Distinguishes it from a new file that has its number.
    let born: UInt64
    let size: Int
  }

  private var accepted: [Text: Saved] = [:]
  private var doubtful: (files: [Text: Saved], since: Int)?

  /// Handles the files that were read at a time; returns those that may be half saved, and when to read them again.
  mutating func take(_ files: [Text: Saved], now: Int) -> (paths: [Text], until: Int)? {
    let shorter = files.filter { path, new in
      accepted[path].map { $0.file == new.file && $0.born == new.born && $0.size > new.size } ?? false
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
