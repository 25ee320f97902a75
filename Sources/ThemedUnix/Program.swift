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

  /// Runs a program with its arguments, each as it is; nil where it cannot be started.
  ///
  /// No shell reads them. Without a slash it is the first of its name in PATH. Its complaints are not shown: what it prints says enough.
  /// In a group of its own the terminal's Ctrl-C does not reach it. After so many seconds it is ended.
  public static func run(
    _ words: [String], inItsOwnGroup isApart: Bool = false, atMost seconds: Int? = nil
  ) -> Program? {
    Running(words, inItsOwnGroup: isApart, atMost: seconds)?.end()
  }

  /// Runs programs with their arguments, all at the same time, as ``run(_:inItsOwnGroup:atMost:)`` does one.
  public static func runAll(_ commands: [[String]], atMost seconds: Int? = nil) -> [Program?] {
    let running = commands.map { Running($0, inItsOwnGroup: false, atMost: seconds) }
    return running.map { $0?.end() }
  }

  /// A program that was started, and what it prints.
  private struct Running {
    private let process: pid_t
    private let output: CInt
    private let hasLimit: Bool

    init?(_ words: [String], inItsOwnGroup isApart: Bool, atMost seconds: Int?) {
      // Who does not heed the first signal is killed a second later.
      let limit = seconds.map { ["timeout", "--kill-after=1", "\($0)"] } ?? []
      var ends: [CInt] = [-1, -1]
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
      let process = Program.start(limit + words, input: nil, output: ends[1], complaints: nil, inItsOwnGroup: isApart)
      close(ends[1])
      guard let process else {
        close(ends[0])
        return nil
      }
      (self.process, output, hasLimit) = (process, ends[0], seconds != nil)
    }

    /// Waits for its end.
    func end() -> Program? {
      defer { close(output) }
      let bytes = Program.everything(from: output)
      var status: CInt = 0
      while unsafe waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
      let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Text(decoding: $0) }
      let (signal, number) = (status & 0x7F, status >> 8 & 0xFF)
      // Its kill ends timeout, too.
      let tookTooLong = hasLimit && (signal == SIGKILL || signal == 0 && number == 124)
      return Program(lines: lines, status: signal == 0 ? number : 128, tookTooLong: tookTooLong)
    }
  }

  /// Starts it with these as its standard streams; nil is nothing to read, and nobody to complain to.
  ///
  /// Its number; nil where it cannot be started.
  static func start(
    _ words: [String], input: CInt?, output: CInt, complaints: CInt?, inItsOwnGroup isApart: Bool = false
  ) -> pid_t? {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
    if let complaints {
      unsafe posix_spawn_file_actions_adddup2(&files, complaints, STDERR_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }

    // What this program does with signals is not the other's business.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    // A group of the number 0 is a new one, which is called as the process is.
    let group = isApart ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let status = unsafe posix_spawnp(&process, words[0], &files, &attributes, &arguments, environ)
    return status == 0 ? process : nil
  }

  /// Starts this very program once more, in a session of its own: see ``RunningProgram``.
  static func startItself(_ words: [String], handing descriptors: [CInt]) throws(SystemError) -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    // Onto itself: it is not closed when the program starts.
    for raw in descriptors { unsafe posix_spawn_file_actions_adddup2(&files, raw, raw) }
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

  /// What is written into a pipe until its end; what is too much is read and dropped, so that the writer ends.
  private static func everything(from pipe: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(pipe, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count].prefix(maximumOutput - bytes.count)
    }
  }
}
