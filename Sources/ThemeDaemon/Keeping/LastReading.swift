internal import ThemeResolution
internal import ThemedText
internal import ThemeInterface
internal import ThemeModel
internal import ThemedLog
internal import ThemedUnix
internal import ThemedVarlink

/// What the desktop last asked for, kept beside the socket for as long as the session lasts.
///
/// A daemon that is restarted begins with it, as one whose portal is gone goes on with it: else every subscriber would
/// be shown the default for as long as the portal takes to answer.
final class LastReading {
  private let path: String?
  private let log: Log
  private var reading = Reading()
  /// Whether the log was told that it cannot be kept, and nothing was since.
  private var hasWarned = false
  private lazy var saver = makeSaver()

  /// The reading kept for the daemon at this socket; nil for one without a path, where none is kept.
  init(besideSocket socket: String?, log: Log) {
    path = socket.map { $0 + ".desktop" }
    self.log = log
  }

  private func makeSaver() -> Saver {
    let saver = Saver(retries: []) { [path] bytes in
      guard let path else { return .failed("it is kept nowhere") }
      // Of a process that was killed while it wrote one: this thread has time for that, and the start has not.
      removeTemporaryFiles(beside: path)
      do throws(SystemError) {
        try replaceFile(path, with: bytes)
        return .saved
      } catch {
        return .failed("\(error)")
      }
    } content: { [unowned self] in
      Self.content(reading)
    }
    saver.onOutcome = { [unowned self] in finished($0) }
    return saver
  }

  private func finished(_ outcome: Saver.Outcome) {
    guard case .failed(let reason) = outcome else {
      hasWarned = false
      return
    }
    guard !hasWarned else { return }
    hasWarned = true
    log.warning("what was last asked for cannot be kept, so that a restarted themed begins with the default: \(reason)")
  }

  /// What was kept; nothing where none was, or it is of no use.
  ///
  /// Read on the loop: it lies where the socket does, which is bound there anyway, and mostly is no disk.
  func load() -> Reading {
    guard let path else { return Reading() }
    guard let bytes = try? readFile(path, maximum: Limits.file) else { return Reading() }
    return Self.parse(bytes) ?? Reading()
  }

  /// Keeps `reading`.
  ///
  /// Nobody waits for it; where that fails the log says so, and nothing is lost but a moment's default.
  func keep(_ reading: Reading) {
    guard path != nil else { return }
    self.reading = reading
    saver.save()
  }

  static func content(_ reading: Reading) -> [UInt8] { JSON.object(reading.parameters).bytes + [UInt8(ascii: "\n")] }

  static func parse(_ bytes: [UInt8]) -> Reading? {
    guard case .object(let object)? = try? JSON(parsing: bytes) else { return nil }
    return try? Reading(Parameters(object.withAccentAsText))
  }
}

extension Reading {
  /// The reading as the daemon keeps it.
  var parameters: JSON.Object {
    [
      "scheme": .word(scheme.rawValue), "highContrast": highContrast.map(JSON.bool),
      "reducedMotion": reducedMotion.map(JSON.bool), "accentColor": accentColor.map { .word($0.hexadecimal) },
      "upstream": upstreamState.map { .object($0.parameters) },
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
    if let state = try parameters.structure("upstream") { self = Reading(upstream: try State(state)) }
  }
}
