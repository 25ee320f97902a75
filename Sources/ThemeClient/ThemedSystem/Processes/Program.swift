internal import CThemedLinux
internal import Glibc

/// Another program that runs to its end.
public struct Program: Sendable {
  public let lines: [Text]
  /// Its exit status; 128 if a signal killed it.
  public let status: Int32
  /// Whether it was stopped because it took too long; a program that exits with 124 or a kill by itself looks the same.
  public let tookTooLong: Bool

  /// The most that is read of a program's output, in bytes; real output is shorter.
  private static let maximumOutput = 1 << 20

  /// How many seconds a program may take to exit after it was asked to stop.
  private static let grace = 2

  /// Runs a program with exactly these arguments; nil if it cannot be started.
  ///
  /// There is no shell. A name without a slash is looked up in PATH. Its error output is not shown. After this many
  /// seconds it is stopped. In a process group of its own, the terminal's Ctrl-C does not reach it.
  ///
  /// It waits only for the program itself, not for a process that the program leaves in the background with its output
  /// open.
  public static func run(
    _ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil
  ) -> Program? {
    runAll([words], inItsOwnGroup: isApart, atMost: seconds)[0]
  }

  /// Runs several programs at the same time, each like ``run(_:inItsOwnGroup:atMost:)``.
  ///
  /// - Parameter variables: variables that replace ours of the same names.
  public static func runAll(
    _ commands: [[String]], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil,
    variables: [Text: Text] = [:]
  ) -> [Program?] {
    // It does not wait for a program that survives its kill, as with a disk that hangs.
    let end = seconds.map { monotonicMilliseconds() + ($0 + grace) * 1000 }
    let runs = commands.map { Run($0, inItsOwnGroup: isApart, atMost: seconds, variables) }
    while true {
      var awaited = runs.flatMap { $0?.awaited ?? [] }
      let left = end.map { $0 - monotonicMilliseconds() } ?? -1
      guard !awaited.isEmpty, end == nil || left > 0 else { break }
      // If there is no memory for the wait, look again soon.
      if unsafe poll(&awaited, nfds_t(awaited.count), CInt(clamping: left)) < 0, errno != EINTR { usleep(10_000) }
      for run in runs { run?.advance() }
    }
    return runs.map { $0?.result }
  }

  /// A program that was started, and its output so far.
  private final class Run {
    private let program: RunningProgram
    private let hasLimit: Bool
    private var bytes: [UInt8] = []
    private var ending: RunningProgram.Ending?

    init?(_ words: [String], inItsOwnGroup isApart: Bool, atMost seconds: Int?, _ variables: [Text: Text]) {
      // timeout stops the program even if this process is killed; a program that ignores the first signal is killed a
      // second later.
      let limit = seconds.map { ["timeout", "--kill-after=1", "\($0)"] } ?? []
      guard let program = try? RunningProgram(printing: limit + words, inItsOwnGroup: isApart, variables) else {
        return nil
      }
      (self.program, hasLimit) = (program, seconds != nil)
    }

    /// The descriptors to wait for; empty if they have ended.
    var awaited: [pollfd] {
      guard ending == nil else { return [] }
      return [program.descriptor(.output), program.endDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    }

    func advance() {
      guard ending == nil else { return }
      // Ask for the exit first: all output up to the exit is in the pipe then.
      let ending = program.result()
      var buffer = [UInt8](repeating: 0, count: 4096)
      // Another process may print for ever; surplus output is dropped, so that the writer can finish.
      for _ in 0..<maximumOutput / buffer.count {
        guard case .bytes(let count) = read(into: &buffer) else { break }
        bytes += buffer[..<count].prefix(maximumOutput - bytes.count)
      }
      self.ending = ending
    }

    private func read(into buffer: inout [UInt8]) -> Transfer {
      let transfer = program.read(.output, into: &buffer)
      switch transfer {
      case .bytes, .wouldBlock: break
      case .end, .failed: program.close(.output)
      }
      return transfer
    }

    var result: Program {
      let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Text(decoding: $0) }
      return switch ending {
      case .exited(let status)?: Program(lines: lines, status: status, tookTooLong: hasLimit && status == 124)
      // When timeout kills its program, the kill ends timeout too.
      case .signaled(let signal)?: Program(lines: lines, status: 128, tookTooLong: hasLimit && signal == SIGKILL)
      case nil: Program(lines: lines, status: 128, tookTooLong: true)
      }
    }
  }

  /// Starts a program with these standard streams; nil means an empty input or a discarded output.
  ///
  /// Returns its process number.
  static func start(
    _ words: [String], input: CInt?, output: CInt, complaints: CInt?, inItsOwnGroup isApart: Bool = false,
    variables: [Text: Text] = [:]
  ) throws(SystemError) -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    // Without memory for one of these, the program would get our own stream.
    for (number, raw, mode) in [
      (STDIN_FILENO, input, O_RDONLY), (STDOUT_FILENO, output, O_WRONLY), (STDERR_FILENO, complaints, O_WRONLY),
    ] {
      let code =
        if let raw {
          unsafe posix_spawn_file_actions_adddup2(&files, raw, number)
        } else {
          unsafe posix_spawn_file_actions_addopen(&files, number, "/dev/null", mode, 0)
        }
      guard code == 0 else { throw SystemError("cannot start \(words[0])", code) }
    }

    // The program must not inherit our signal settings.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // Group 0 means a new group with the number of the process.
    let group = isApart ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    let kept = variables.isEmpty ? [:] : allVariables().filter { variables[$0.key] == nil }
    let all = kept.map { "\($0.key)=\($0.value)" } + variables.map { "\($0.key)=\($0.value)" }
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe all.map { unsafe strdup($0) } + [nil]
    defer { unsafe environment.forEach { unsafe free($0) } }
    var process = pid_t()
    let status =
      variables.isEmpty
      ? unsafe posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
      : unsafe posix_spawnp(&process, words[0], &files, &attributes, &arguments, &environment)
    guard status == 0 else { throw SystemError("cannot start \(words[0])", status) }
    return process
  }

  /// Starts this same program again in a session of its own, like ``RunningProgram``, to continue after this process has
  /// exited; returns its process number.
  public static func startItself(_ words: [String], handing descriptors: [CInt]) throws(SystemError) -> Int32 {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    // Duplicated onto itself, it is not closed when the program starts.
    for raw in descriptors {
      let code = unsafe posix_spawn_file_actions_adddup2(&files, raw, raw)
      guard code == 0 else { throw SystemError("cannot pass on descriptor \(raw)", code) }
    }
    // Ctrl-C and Ctrl-Z of a terminal are for the program that started it.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, CShort(THEMED_POSIX_SPAWN_SETSID))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawn(&process, "/proc/self/exe", &files, &attributes, &arguments, environ)
    guard status == 0 else { throw SystemError("cannot start this program again", status) }
    return process
  }
}

/// A program that is installed with this one: beside it, else the first in PATH.
public func programOfOurs(_ name: Text) -> Text? {
  let own = ownProgram.map { Text(parent(of: $0)) }
  return program(name, in: [own].compactMap(\.self) + pathDirectories).map { Text($0) }
}

public func programInPath(_ name: Text) -> String? { program(name, in: pathDirectories) }

private func program(_ name: Text, in directories: [Text]) -> String? {
  directories.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
}

private var pathDirectories: [Text] {
  Text(environment("PATH") ?? "/usr/local/bin:/usr/bin").split(":", omittingEmpty: true)
}
