internal import Synchronization
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The desktop's last setting, in two files: one beside the socket for the current session, and one in the state
/// directory for the next boot.
///
/// A restarted daemon begins with it, just as a running one keeps it while the portal is away. Otherwise every
/// subscriber would get the default until the portal answers. A setting from an earlier session is marked as
/// remembered, because the desktop may have changed since.
final class LastReading: SaverClient {
  private let path: String?
  private let log: Log
  private var reading = Reading()
  /// The record of the desktop's step, for the next process; nil if the desktop is not kept in step.
  private(set) var desktop: DesktopSync.Record?
  /// The same as it was last saved, or could not be: what this daemon may act on.
  private(set) var savedDesktop: DesktopSync.Record?
  /// Learns when ``savedDesktop`` has changed.
  weak var receiver: (any DesktopRecordReceiver)?
  /// Whether the desktop has sent its setting since the start; that setting is newer than the state directory's.
  private var isHeard = false
  /// Whether a failure to save was logged and no save has succeeded since.
  private var hasWarned = false
  private let saver: Saver
  private let shared = Shared()
  /// The part of the content that is being saved.
  private var saving: DesktopSync.Record?

  /// Whether this daemon writes the file in the state directory: of a user's daemons, only the one that saves its
  /// overrides there does.
  var isOwner = false {
    didSet {
      shared.isOwner.store(isOwner, ordering: .relaxed)
      if isOwner, !oldValue, isHeard, !reading.isRemembered { saver.save() }
    }
  }

  /// The setting for the daemon at this socket, and at `statePath` for later sessions; nil if there is no such file.
  ///
  /// The file beside the socket is read at once, because it is usually in memory. Otherwise a thread reads the file in
  /// the state directory, because its disk may hang.
  init(besideSocket socket: String?, statePath: String?, log: Log) {
    path = socket.map { $0 + ".desktop" }
    self.log = log
    let bytes = path.flatMap { try? readFile($0, maximum: Limits.file) }
    let kept = bytes.flatMap(Self.parse)
    let files = Files(path: path, statePath: statePath, shared: shared)
    saver = Saver(files, readsFirst: kept == nil && statePath != nil, retries: [])
    saver.client = self
    if let kept { (reading, desktop) = kept } else if statePath != nil { saver.begin() }
    savedDesktop = desktop
  }

  var content: [UInt8] {
    saving = desktop
    return Self.content(reading, desktop)
  }

  func finished(_ outcome: Saver.Outcome) {
    if savedDesktop != saving {
      savedDesktop = saving
      receiver?.desktopRecordWasSaved()
    }
    switch outcome {
    case .failed(let reason):
      guard !hasWarned else { return }
      hasWarned = true
      log.warning(
        "cannot save the desktop's last setting, so themed starts with the default next time: \(reason)")
    default:
      hasWarned = false
      let bytes = shared.earlier.withLock { bytes in
        defer { bytes = [] }
        return bytes
      }
      guard var kept = Self.parse(bytes) else { return }
      if let receiver, let record = kept.desktop { receiver.desktopRecordCameLate(record) }
      guard !isHeard, kept.reading.upstream == nil, kept.reading.scheme != .unavailable else { return }
      kept.reading.isRemembered = true
      (reading, desktop) = kept
      (saving, savedDesktop) = (desktop, desktop)
    }
  }

  // Nothing waits for a save.

  func answer(_ answer: Keeping.Answer, saved: Bool) {}

  func settled() {}

  func idle() {}

  /// The saved setting if it is read in time for the start; otherwise an empty one.
  func load(waitingAtMost milliseconds: Int) -> Reading {
    if !saver.isIdle { saver.wait(atMostMilliseconds: milliseconds) }
    return reading
  }

  /// Saves `reading`, and `desktop`, which the receiver learns of when it is saved.
  ///
  /// Nothing waits for this. A failure is logged; because of it, the next start may show the default for a moment.
  func keep(_ reading: Reading, _ desktop: DesktopSync.Record?) {
    let isChanged = desktop != self.desktop
    (self.reading, self.desktop) = (reading, desktop)
    isHeard = true
    // A remembered setting is not saved, because it comes from the state directory.
    if !reading.isRemembered || isChanged { saver.save() }
  }

  static func content(_ reading: Reading, _ desktop: DesktopSync.Record? = nil) -> [UInt8] {
    var object = reading.parameters
    object["inStep"] = desktop.map { .object($0.parameters) }
    return JSON.object(object).bytes + [UInt8(ascii: "\n")]
  }

  static func parse(_ bytes: [UInt8]) -> (reading: Reading, desktop: DesktopSync.Record?)? {
    guard case .object(let object)? = try? JSON(parsing: bytes) else { return nil }
    var parameters = Parameters(object.inPresentForm)
    guard let reading = try? Reading(parameters) else { return nil }
    return (reading, (try? parameters.structure("inStep", DesktopSync.Record.init)) ?? nil)
  }
}

/// Learns that what keeps the desktop in step is on disk: the ``Daemon``.
protocol DesktopRecordReceiver: AnyObject {
  /// ``LastReading/savedDesktop`` has changed.
  func desktopRecordWasSaved()

  /// The record of an earlier process was read after the start.
  func desktopRecordCameLate(_ record: DesktopSync.Record)
}

/// The state that the thread and the loop share.
private final class Shared: Sendable {
  /// The earlier session's setting, as the thread has read it.
  let earlier = Mutex<[UInt8]>([])
  /// Whether this daemon owns the file in the state directory.
  let isOwner = Atomic(false)
}

/// The files on disk, as the thread accesses them.
private struct Files: SavedFile {
  let path: String?
  let statePath: String?
  let shared: Shared

  /// Reads the earlier session's setting; empty if it cannot be used.
  func load() -> Saver.Outcome {
    let bytes = statePath.flatMap { try? readFile($0, maximum: Limits.file) }
    shared.earlier.withLock { $0 = bytes ?? [] }
    return .saved
  }

  /// Writes the setting to each file that differs; to the state directory only if this daemon owns that file.
  func save(_ bytes: [UInt8]) -> Saver.Outcome {
    var problem: SystemError?
    let kept = shared.isOwner.load(ordering: .relaxed) ? statePath : nil
    for path in [path, kept].compactMap(\.self) {
      if (try? readFile(path, maximum: Limits.file)) == bytes { continue }
      // Left by a process that was killed during a write; this thread has time to remove them, unlike the start.
      removeTemporaryFiles(beside: path)
      do throws(SystemError) { try replaceFile(path, with: bytes) } catch { problem = error }
    }
    return problem.map { .failed("\($0)") } ?? .saved
  }
}

extension Reading {
  /// The setting in the form in which it is saved.
  var parameters: JSON.Object {
    [
      "scheme": .word(scheme.rawValue), "highContrast": highContrast.map(JSON.bool),
      "reducedMotion": reducedMotion.map(JSON.bool), "accentColor": accentColor.map { .word($0.hexadecimal) },
      "upstream": upstreamState.map { .object($0.parameters) }, "remembered": isRemembered ? .bool(true) : nil,
    ]
  }

  /// Reads a saved setting.
  init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init()
    scheme = try parameters.require(parameters.word("scheme"), "scheme")
    highContrast = try parameters.bool("highContrast")
    reducedMotion = try parameters.bool("reducedMotion")
    accentColor = try parameters.color("accentColor")
    isRemembered = try parameters.bool("remembered") ?? false
    if let state = try parameters.structure("upstream") { self = Reading(upstream: try State(state)) }
  }
}

extension DesktopSync.Record {
  /// The record in the form in which it is saved.
  var parameters: JSON.Object {
    [
      "on": .bool(isOn), "asked": .word(asked.rawValue), "reported": .word(reported.rawValue),
      "target": target.map { .object($0.parameters) }, "number": .integer(number),
    ]
  }

  /// Reads a saved record.
  init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init(
      isOn: try parameters.require(parameters.bool("on"), "on"),
      asked: try parameters.require(parameters.word("asked"), "asked"),
      reported: try parameters.require(parameters.word("reported"), "reported"),
      target: try parameters.structure("target", DesktopTarget.init),
      number: try parameters.integer("number") ?? 0)
    let numbers: Range<Int64> = 0..<(1 << 53)
    guard numbers.contains(number), target.map({ numbers.contains($0.number) }) ?? true else {
      throw parameters.invalid("number")
    }
  }
}
