internal import ThemedText
internal import ThemedUnix

/// Reads what is enabled on a thread, and again whenever one of its files has changed.
final class FilesInput {
  private let reader: SetupReader
  private let watch: FileWatch
  private let thread: WorkThread
  private var ways = FileWatch.Ways()
  private var isReading = false
  /// Whether something has changed since the reading began.
  private var isStale = false
  private var reading: SetupReader.Reading?
  /// When to read again.
  private(set) var deadline: Int?

  init(_ places: Places) throws(SystemError) {
    reader = SetupReader(places: places)
    watch = try FileWatch()
    thread = try WorkThread()
  }

  /// Readable when a file has changed.
  var changes: CInt { watch.descriptor.raw }
  /// Readable when a reading is done.
  var readings: CInt { thread.descriptor }

  /// Reads all, now or behind what is being read.
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

  /// Something has changed where it is watched.
  func changed() {
    let events = watch.events()
    guard events.contains(where: { ways.concerns($0) || isReading }) else { return }
    // An editor writes more than one file, and each more than once.
    if deadline == nil { deadline = monotonicMilliseconds() + Limits.settling }
  }

  func timePassed(now: Int) {
    if let deadline, deadline <= now { read() }
  }

  /// A reading may be done.
  func finish() { _ = thread.finish() }

  /// What was read; nil where nothing was since this was asked.
  func take() -> SetupReader.Reading? {
    defer { reading = nil }
    return reading
  }

  private func finished(_ new: SetupReader.Reading) {
    isReading = false
    ways = new.ways
    reading = new
    if isStale {
      isStale = false
      read()
    } else if !ways.isSettled || ways.problem != nil, deadline == nil {
      deadline = monotonicMilliseconds() + Limits.unwatched
    }
  }
}
