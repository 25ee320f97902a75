internal import ThemeResolution
internal import ThemedText
internal import ThemeInterface
internal import ThemeModel
internal import ThemedLog
internal import ThemedUnix
internal import ThemedVarlink
internal import Synchronization

/// What the desktop last asked for, in two files: one beside the socket, for as long as the session lasts, and one in the
/// state directory, for the next boot.
///
/// A daemon that is restarted begins with it, as one whose portal is gone goes on with it: else every subscriber would
/// be shown the default for as long as the portal takes to answer. What an earlier session has left is marked as
/// remembered, since the desktop may have changed since.
final class LastReading {
  private let path: String?
  private let log: Log
  private var reading = Reading()
  /// Whether something was heard since the start, which is newer than what the state directory has.
  private var isHeard = false
  /// Whether the log was told that it cannot be kept, and nothing was since.
  private var hasWarned = false
  private let saver: Saver
  private let shared = Shared()

  /// Whether the state directory's file is this daemon's to write: of several daemons of one user, it is the one that
  /// keeps its overrides there.
  var isOwner = false {
    didSet {
      shared.isOwner.store(isOwner, ordering: .relaxed)
      if isOwner, !oldValue, isHeard, !reading.isRemembered { saver.save() }
    }
  }

  /// The reading kept for the daemon at this socket, and at `statePath` for later sessions; each nil where none is kept.
  ///
  /// What lies beside the socket is read at once, since that is mostly no disk. Else the file of the state directory is
  /// read by a thread, as it may lie on a disk that hangs.
  init(besideSocket socket: String?, statePath: String?, log: Log) {
    path = socket.map { $0 + ".desktop" }
    self.log = log
    let bytes = path.flatMap { try? readFile($0, maximum: Limits.file) }
    let kept = bytes.flatMap(Self.parse)
    let files = Files(path: path, statePath: statePath, shared: shared)
    let load = { @Sendable in files.load() }
    saver = Saver(retries: [], load: kept == nil && statePath != nil ? load : nil, save: { files.save($0) })
    saver.content = { [unowned self] in Self.content(reading) }
    saver.onOutcome = { [unowned self] in finished($0) }
    if let kept { reading = kept } else if statePath != nil { saver.begin() }
  }

  private func finished(_ outcome: Saver.Outcome) {
    switch outcome {
    case .failed(let reason):
      guard !hasWarned else { return }
      hasWarned = true
      log.warning(
        "cannot keep what the desktop last asked for, so a restarted themed begins with the default: \(reason)")
    default:
      hasWarned = false
      let bytes = shared.earlier.withLock { $0 }
      guard !isHeard, var kept = Self.parse(bytes), kept.upstream == nil, kept.scheme != .unavailable else { return }
      kept.isRemembered = true
      reading = kept
    }
  }

  /// What was kept, where that is known soon enough for the start; nothing where none was, or it is of no use.
  func load(waitingAtMost milliseconds: Int) -> Reading {
    if !saver.isIdle { saver.wait(atMostMilliseconds: milliseconds) }
    return reading
  }

  /// Keeps `reading`.
  ///
  /// Nobody waits for it; where that fails the log says so, and nothing is lost but a moment's default.
  func keep(_ reading: Reading) {
    self.reading = reading
    isHeard = true
    // A guess is not written: it is what the state directory has.
    if !reading.isRemembered { saver.save() }
  }

  static func content(_ reading: Reading) -> [UInt8] { JSON.object(reading.parameters).bytes + [UInt8(ascii: "\n")] }

  static func parse(_ bytes: [UInt8]) -> Reading? {
    guard case .object(let object)? = try? JSON(parsing: bytes) else { return nil }
    return try? Reading(Parameters(object.withAccentAsText))
  }
}

/// What the thread and the loop tell each other.
private final class Shared: Sendable {
  /// What an earlier session has left, as the thread has read it.
  let earlier = Mutex<[UInt8]>([])
  /// Whether the file of the state directory is this daemon's.
  let isOwner = Atomic(false)
}

/// The files on the disk: what the thread that keeps them does.
private struct Files: Sendable {
  let path: String?
  let statePath: String?
  let shared: Shared

  /// Reads what an earlier session has left; nothing where it is of no use.
  func load() -> Saver.Outcome {
    let bytes = statePath.flatMap { try? readFile($0, maximum: Limits.file) }
    shared.earlier.withLock { $0 = bytes ?? [] }
    return .saved
  }

  /// Writes what is new, each file only where it differs; that of the state directory only where it is ours.
  func save(_ bytes: [UInt8]) -> Saver.Outcome {
    var problem: SystemError?
    let kept = shared.isOwner.load(ordering: .relaxed) ? statePath : nil
    for path in [path, kept].compactMap(\.self) {
      if (try? readFile(path, maximum: Limits.file)) == bytes { continue }
      // Of a process that was killed while it wrote one: this thread has time for that, and the start has not.
      removeTemporaryFiles(beside: path)
      do throws(SystemError) { try replaceFile(path, with: bytes) } catch { problem = error }
    }
    return problem.map { .failed("\($0)") } ?? .saved
  }
}

extension Reading {
  /// The reading as the daemon keeps it.
  var parameters: JSON.Object {
    [
      "scheme": .word(scheme.rawValue), "highContrast": highContrast.map(JSON.bool),
      "reducedMotion": reducedMotion.map(JSON.bool), "accentColor": accentColor.map { .word($0.hexadecimal) },
      "upstream": upstreamState.map { .object($0.parameters) }, "remembered": isRemembered ? .bool(true) : nil,
    ]
  }

  /// Reads what was kept.
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
