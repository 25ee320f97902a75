internal import CThemedLinux
public import ThemedText
internal import Glibc

/// Another program, run to its end.
public struct Program: Sendable {
  /// What it printed, line by line.
  public let lines: [Text]
  /// Its exit status; 128 where a signal ended it.
  public let status: Int32
  /// Whether it was ended since it took too long; one with a limit that ends by 124 or a kill itself looks the same.
  public let tookTooLong: Bool

  /// What is read of a program's output, in bytes; it says less.
  private static let maximumOutput = 1 << 20

  /// For so many seconds more a program that is stopped may take to end.
  private static let grace = 2

  /// Runs a program with its arguments, each as it is; nil where it cannot be started.
  ///
  /// No shell reads them. Without a slash it is the first of its name in PATH. Its complaints are not shown: what it prints says enough.
  /// In a group of its own the terminal's Ctrl-C does not reach it. After so many seconds it is ended.
  ///
  /// It waits for the program alone: a process that this one leaves in the background, with its output still open, is not
  /// waited for.
  public static func run(
    _ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil
  ) -> Program? {
    runAll([words], inItsOwnGroup: isApart, atMost: seconds)[0]
  }

  /// Runs programs with their arguments, all at the same time, as ``run(_:inItsOwnGroup:atMost:)`` does one.
  ///
  /// - Parameter variables: variables that they have in the place of ours of the same names.
  public static func runAll(
    _ commands: [[String]], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil,
    variables: [String: String] = [:]
  ) -> [Program?] {
    // What outlives its kill, as in a disk that hangs, is not waited for either.
    let end = seconds.map { monotonicMilliseconds() + ($0 + grace) * 1000 }
    let runs = commands.map { Run($0, inItsOwnGroup: isApart, atMost: seconds, variables) }
    while true {
      var awaited = runs.flatMap { $0?.awaited ?? [] }
      let left = end.map { $0 - monotonicMilliseconds() } ?? -1
      guard !awaited.isEmpty, end == nil || left > 0 else { break }
      // Without memory for the wait, look again soon.
      if unsafe poll(&awaited, nfds_t(awaited.count), CInt(clamping: left)) < 0, errno != EINTR { usleep(10_000) }
      for run in runs { run?.advance() }
    }
    return runs.map { $0?.result }
  }

  /// A program that was started, and what it has printed so far.
  private final class Run {
    private let program: RunningProgram
    private let hasLimit: Bool
    private var bytes: [UInt8] = []
    private var ending: RunningProgram.Ending?

    init?(_ words: [String], inItsOwnGroup isApart: Bool, atMost seconds: Int?, _ variables: [String: String]) {
      // It ends what it runs also if this process is killed; what does not heed the first signal is killed a second later.
      let limit = seconds.map { ["timeout", "--kill-after=1", "\($0)"] } ?? []
      guard let program = try? RunningProgram(printing: limit + words, inItsOwnGroup: isApart, variables) else {
        return nil
      }
      (self.program, hasLimit) = (program, seconds != nil)
    }

    /// What to wait for; nothing where it has ended.
    var awaited: [pollfd] {
      guard ending == nil else { return [] }
      return [program.descriptor(.output), program.endDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    }

    /// Takes what there is.
    func advance() {
      guard ending == nil else { return }
      // Asked first: what it has printed by its end is in the pipe then.
      let ending = program.result()
      var buffer = [UInt8](repeating: 0, count: 4096)
      // Another process may go on printing for ever; what is too much is dropped, so that the writer ends.
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
      // The kill of what it runs ends timeout, too.
      case .signaled(let signal)?: Program(lines: lines, status: 128, tookTooLong: hasLimit && signal == SIGKILL)
      case nil: Program(lines: lines, status: 128, tookTooLong: true)
      }
    }
  }

  /// Starts it with these as its standard streams; nil is nothing to read, and nobody to complain to.
  ///
  /// Its number.
  static func start(
    _ words: [String], input: CInt?, output: CInt, complaints: CInt?, inItsOwnGroup isApart: Bool = false,
    variables: [String: String] = [:]
  ) throws(SystemError) -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    // Without memory for one of these, it would have our standard streams.
    for (number, raw, mode) in [
      (STDIN_FILENO, input, O_RDONLY), (STDOUT_FILENO, output, O_WRONLY), (STDERR_FILENO, complaints, O_WRONLY),
    ] {
      let code =
        if let raw {
          unsafe posix_spawn_file_actions_adddup2(&files, raw, number)
        } else {
          unsafe posix_spawn_file_actions_addopen(&files, number, "/dev/null", mode, 0)
        }
      guard code == 0 else { throw SystemError("starting \(words[0])", code) }
    }

    // What this program does with signals is not the other's business.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // A group of the number 0 is a new one, which is called as the process is.
    let group = isApart ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    let kept = variables.isEmpty ? [:] : allVariables().filter { variables[$0.key.string] == nil }
    let all = kept.map { "\($0.key)=\($0.value)" } + variables.map { "\($0.key)=\($0.value)" }
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe all.map { unsafe strdup($0) } + [nil]
    defer { unsafe environment.forEach { unsafe free($0) } }
    var process = pid_t()
    let status =
      variables.isEmpty
      ? unsafe posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
      : unsafe posix_spawnp(&process, words[0], &files, &attributes, &arguments, &environment)
    guard status == 0 else { throw SystemError("starting \(words[0])", status) }
    return process
  }

  /// Starts this very program once more, in a session of its own: see ``RunningProgram``.
  static func startItself(_ words: [String], handing descriptors: [CInt]) throws(SystemError) -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    // Onto itself: it is not closed when the program starts.
    for raw in descriptors {
      let code = unsafe posix_spawn_file_actions_adddup2(&files, raw, raw)
      guard code == 0 else { throw SystemError("handing descriptor \(raw) over", code) }
    }
    // A terminal's Ctrl-C and Ctrl-Z are for the one that starts it.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, CShort(THEMED_POSIX_SPAWN_SETSID))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawn(&process, "/proc/self/exe", &files, &attributes, &arguments, environ)
    guard status == 0 else { throw SystemError("starting this program once more", status) }
    return process
  }
}
