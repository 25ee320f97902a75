import Foundation
import Glibc

/// What a program that has ended said.
public struct Finished: Sendable {
  /// How it ended.
  public let status: ExitStatus
  /// What it printed, line by line.
  public let lines: [String]
  /// What it wrote to standard error.
  public let errors: String

  /// All that it printed.
  public var output: String { lines.joined(separator: "\n") }
}

/// A user's session of a test's own: directories, environment and processes that end with the test, however it ends.
public final class Session {
  /// Where everything of this session lies.
  public let directory: ScratchDirectory
  /// What the programs started from now on find in their environment; nothing is inherited from the test.
  public var environment: [String: String]
  /// Where the session's bus is, or will be.
  public var busAddress: String {
    didSet { environment["DBUS_SESSION_BUS_ADDRESS"] = busAddress }
  }

  private var processes: [ChildProcess] = []
  private var cleanups: [() -> Void] = []

  init() throws {
    directory = try ScratchDirectory()
    environment = [:]
    // The time zone, since tests compare with their own clock.
    for name in ["PATH", "LD_LIBRARY_PATH", "TZ"] { environment[name] = ProcessInfo.processInfo.environment[name] }
    environment["LANG"] = "C.UTF-8"
    // The doctor would look for Qt on the machine.
    environment["QT_QPA_PLATFORMTHEME"] = "none"
    // Nothing about the screen but colors: no accessibility bus, no mounted file systems.
    environment["NO_AT_BRIDGE"] = "1"
    environment["GIO_USE_VFS"] = "local"
    environment["HOME"] = try directory.directory("home")
    environment["TMPDIR"] = try directory.directory("tmp")
    environment["XDG_RUNTIME_DIR"] = try directory.directory("run")
    environment["XDG_CONFIG_HOME"] = try directory.directory("config")
    environment["XDG_STATE_HOME"] = try directory.directory("state")
    environment["XDG_DATA_HOME"] = try directory.directory("data")
    environment["XDG_CACHE_HOME"] = try directory.directory("cache")
    busAddress = "unix:path=" + directory.path("run/bus")
    environment["DBUS_SESSION_BUS_ADDRESS"] = busAddress
    // Programs find what was unpacked as if it were installed.
    environment.merge(try TestDesktop.pieces.get().variables) { $1 }
  }

  /// Starts a program of the system, to run beside the test.
  public func spawn(
    _ program: String, _ arguments: [String] = [], separator: UInt8 = 10, input: [UInt8]? = nil
  ) throws -> ChildProcess {
    let path = try Products.system(program)
    return keep(
      try ChildProcess(path, arguments, environment: environment, separator: separator, input: input))
  }

  /// Starts a program of the system, the first of these words, with the others.
  public func spawn(_ words: [String], input: [UInt8]? = nil) throws -> ChildProcess {
    try spawn(words.first ?? "", Array(words.dropFirst()), input: input)
  }

  /// Words before a program's own: it finds this session's runtime directory where systemd makes one for each user, and
  /// no variable says so, as where sshd asks PAM for no session.
  public static let usualPlace: [String] = {
    let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
    let script = """
      mount -t tmpfs tmpfs /run && mkdir -p /run/user/0 && mount --bind "$XDG_RUNTIME_DIR" /run/user/0 &&
        unset XDG_RUNTIME_DIR && exec "$@"
      """
    return ["unshare", "--mount"] + user + ["sh", "-c", script, "sh"]
  }()

  /// Runs a program of the system to its end.
  public func run(_ program: String, _ arguments: [String] = []) throws -> Finished {
    try finish(spawn(program, arguments))
  }

  /// Runs a program that has to succeed, and returns what it printed.
  @discardableResult
  public func check(_ program: String, _ arguments: [String] = []) throws -> String {
    let finished = try run(program, arguments)
    guard finished.status == .exited(0) else {
      throw Failure("\(program) \(arguments) ended with \(finished.status): \(finished.errors)")
    }
    return finished.output
  }

  /// Starts a display for a desktop, whose bus is still to be started.
  public func prepareDesktop() throws -> Desktop {
    try Desktop(session: self)
  }

  /// Starts a desktop that is set to `setting`.
  public func startDesktop(_ setting: Desktop.Setting = .none) throws -> Desktop {
    let desktop = try prepareDesktop()
    try desktop.bus.start()
    try desktop.set(setting)
    return desktop
  }

  /// Starts a bus without any service on it.
  public func startBus() throws -> SessionBus {
    let bus = SessionBus(self)
    try bus.start()
    return bus
  }

  /// Does this once every process of the session has ended.
  func whenClosed(_ cleanup: @escaping () -> Void) {
    cleanups.append(cleanup)
  }

  func keep(_ process: ChildProcess) -> ChildProcess {
    processes.append(process)
    return process
  }

  func finish(_ process: ChildProcess) throws -> Finished {
    let status = try process.wait()
    processes.removeAll { $0 === process }
    return Finished(status: status, lines: process.lines, errors: process.errors)
  }

  /// Ends every process, the last one started first.
  func close() {
    for process in processes.reversed() {
      process.stop()
      process.waitForDescendants()
    }
    for cleanup in cleanups.reversed() { cleanup() }
  }

  /// What every process of the session last said, for a test that failed.
  func explain(_ error: any Error) -> Failure {
    Failure("\(error)\nin a session of:\n  " + processes.map(\.account).joined(separator: "\n  "))
  }
}

/// Runs a test in a session of its own, which ends with it; what its processes said is part of an error that leaves it.
public func withSession(_ body: (Session) throws -> Void) throws {
  let session = try Session()
  defer { session.close() }
  do {
    try body(session)
  } catch {
    throw session.explain(error)
  }
}

/// Runs an asynchronous test in a session of its own, as the other `withSession` does.
public func withSession(_ body: (Session) async throws -> Void) async throws {
  let session = try Session()
  defer { session.close() }
  do {
    try await body(session)
  } catch {
    throw session.explain(error)
  }
}
