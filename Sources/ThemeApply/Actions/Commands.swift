internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// A program that a run starts, without a shell.
struct Command {
  let words: [Text]
  /// Variables in addition to our environment.
  var variables: [Text: Text] = [:]
  /// The standard input; `/dev/null` if it is empty.
  var input: [UInt8]?
  /// The timeout in milliseconds.
  let time: Int
  /// How many bytes of the output are returned instead of logged.
  var kept = 0
  /// Whether it may start programs that go on, whose output is read also after its end.
  var startsPrograms = true
  /// Whether the output is logged only if the program fails.
  var isToldOnFailure = false
  /// Whether error messages are dropped, so that they are no part of the output.
  var dropsErrors = false

  /// How the program ended.
  enum End: Equatable {
    case exited(CInt)
    case killed(CInt)
    /// The program took too long and was killed.
    case tookTooLong(Descendants.Result)
    /// The run was stopped.
    case ended(Descendants.Result)
  }

  /// Runs the program and waits for its end; the output goes to the log, or is returned.
  ///
  /// If the program exits by itself, its background processes keep running, even after this process has exited, because a
  /// hook may start a bar.
  func perform(_ run: Run) throws(Fault) -> (end: End, output: [UInt8]) {
    let mark = "\(Descendants.variable)=\(getpid())-\(UInt64.random(in: .min ... .max))" as Text
    run.children.begin()
    defer { run.children.finish() }
    let start = monotonicMilliseconds()
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw Self.failure(words, errno) }
    let reading = FileDescriptor(owning: ends[0])
    let pipe = linkTarget(of: "/proc/self/fd/\(reading.raw)").map { Text(decoding: $0) }
    let process: pid_t
    var held: UInt64?
    // What has been started may write once more.
    defer { if let held { run.outputs?.read(held) } }
    do {
      let writing = FileDescriptor(owning: ends[1])
      if startsPrograms { held = try hold(reading.raw, run) }
      process = try spawn(run, mark, output: writing.raw)
    }
    _ = fcntl(reading.raw, F_SETFL, O_NONBLOCK)
    var output = Output(run, kept: kept, isHeld: isToldOnFailure)
    let status = wait(for: process, startedAt: start, run, reading, &output)
    let all = Descendants(mark: mark, leader: process, pipe: pipe, startedAt: start)
    let end = status.map { End($0) } ?? (run.isEnded ? .ended(all.end(run)) : .tookTooLong(all.end(run)))
    output.finish(isWell: end == .exited(0))
    return (end, output.kept)
  }

  /// Hands the pipe to the process that reads it after this process has exited.
  private func hold(_ pipe: CInt, _ run: Run) throws(Fault) -> UInt64? {
    do throws(SystemError) { return try run.outputs?.hold(pipe) } catch {
      throw Fault(
        "cannot start \(words[0].shown(atMost: 200)), since nothing would read the output of its background processes: "
          + "\(error)", "quit some other programs", mendsItself: true)
    }
  }

  /// Waits for the program's end; returns the status of wait(2), or nil if the program has to be killed.

  private func wait(
    for process: pid_t, startedAt start: Int, _ run: Run, _ reading: borrowing FileDescriptor, _ output: inout Output
  ) -> CInt? {
    let raw = themed_pidfd_open(process)
    defer { if raw >= 0 { close(raw) } }
    let deadline = start + time
    var last: Int?
    while true {
      if last == nil, let status = run.children.status(of: process, startedAt: start) {
        last = monotonicMilliseconds() + Limits.lastOutput
        if output.isOver { return status }
      }
      if let last, output.isOver || monotonicMilliseconds() >= last {
        return run.children.status(of: process, startedAt: start) ?? 0
      }
      if run.isEnded, last == nil { return nil }
      let now = monotonicMilliseconds()
      guard last != nil || now < deadline else { return nil }
      var waited = [
        pollfd(fd: output.isOver ? -1 : reading.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: last == nil ? raw : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: last == nil ? run.descriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      // Where the kernel has no descriptors of processes, ends are looked for.
      let longest = raw >= 0 || last != nil ? Int.max : 50
      _ = unsafe poll(&waited, nfds_t(waited.count), CInt(clamping: min(longest, (last ?? deadline) - now + 1)))
      if waited[0].revents != 0 { output.read(from: reading) }
    }
  }

  private func spawn(_ run: Run, _ mark: Text, output: CInt) throws(Fault) -> pid_t {
    var files = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&files)
    defer { unsafe posix_spawn_file_actions_destroy(&files) }
    var input: Leftover?
    // Open until it is started.
    defer { withExtendedLifetime(input) {} }
    if let bytes = self.input {
      do throws(SystemError) { input = Leftover(try memoryFile("state", holding: bytes)) } catch {
        throw Self.failure(words, error.code)
      }
    }
    if let raw = input?.descriptor.raw {
      lseek(raw, 0, SEEK_SET)
      unsafe posix_spawn_file_actions_adddup2(&files, raw, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO)
    if dropsErrors {
      unsafe posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    } else {
      unsafe posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO)
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What this program does with signals is not the other's business.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var all = run.environment
    // Those of our own service are not the program's.
    for name: Text in [
      "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "JOURNAL_STREAM", "INVOCATION_ID",
      "SYSTEMD_EXEC_PID",
    ] {
      all[name] = nil
    }
    // In the PATH that the program gets, which may be newer than our own.
    guard let file = all.file(ofProgram: words[0]) else { throw Self.failure(words, ENOENT) }
    let lines = all.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" } + [mark.string]
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe lines.map { unsafe strdup($0) } + [nil]
    defer { unsafe environment.forEach { unsafe free($0) } }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0.string) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawn(&process, file.string, &files, &attributes, &arguments, &environment)
    guard code == 0 else { throw Self.failure(words, code) }
    return process
  }

  private static func failure(_ words: [Text], _ code: CInt) -> Fault {
    let name = words[0].shown(atMost: 200)
    let advice =
      switch code {
      case ENOENT where isRegularFile(words[0].string) == true:
        "install the interpreter in its first line; if the file has Windows line ends, remove them: "
          + "sed -i 's/\\r$//' \(words[0].typed)"
      case ENOENT: "install it, or check that it is in the PATH of the service: 'systemctl --user show-environment'"
      case EACCES: "make it executable: 'chmod +x \(words[0].typed)'"
      case ENOEXEC: "begin the script with its interpreter, such as '#!/bin/sh'"
      default: "try to start it in a terminal"
      }
    return Fault(
      "cannot start \(name): \(SystemError.text(code))", advice,
      mendsItself: [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY].contains(code), isHarmless: code == ENOENT)
  }
}

extension Command.End {
  /// The end for a status of wait(2).
  init(_ status: CInt) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  /// The problem; nil if the program succeeded.
  func problem(_ name: String, seconds: Int) -> Problem? {
    let log = "read its output: 'journalctl --user -t themed-apply -n 50'"
    switch self {
    case .exited(0): return nil
    case .exited(let status): return Problem(text: "\(name) failed with exit status \(status)", advice: log)
    case .killed(let signal): return Problem(text: "\(name) was killed by signal \(signal)", advice: log)
    case .tookTooLong(let result):
      return Problem(
        text: "\(name) took longer than \(seconds) s and was killed\(result.words)",
        advice: "let it run slow work in the background, or give it more time with timeout=")
    case .ended(let result):
      return Problem(
        text: "\(name) was stopped\(result.words)",
        advice: "this is normal if you disabled the app or stopped themed-apply")
    }
  }
}

/// The output of a program: a part of it is kept or logged line by line; the rest is dropped.
private struct Output {
  private let run: Run
  private let maximum: Int
  private let isTold: Bool
  /// Whether lines are held back until the end.
  private let isHeld: Bool
  private var held: [Text] = []
  private(set) var kept: [UInt8] = []
  private var line: [UInt8] = []
  private var lines = 0
  private var bytes = 0
  private var isCut = false
  /// Whether all writers have ended.
  private(set) var isOver = false

  init(_ run: Run, kept maximum: Int, isHeld: Bool) {
    self.run = run
    self.maximum = maximum
    self.isHeld = isHeld
    isTold = maximum == 0
  }

  mutating func read(from descriptor: borrowing FileDescriptor) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor.raw, &buffer, buffer.count)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { isOver = true }
      return
    }
    guard isTold else {
      kept += buffer[..<count].prefix(maximum - kept.count)
      return
    }
    // Of what is left out no byte is looked at: who floods may write for as long as it runs.
    guard !isCut else { return }
    for byte in buffer[..<count] { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    bytes += 1
    guard bytes <= Limits.output, lines < Limits.outputLines else {
      isCut = true
      return
    }
    if byte == UInt8(ascii: "\n") { tell() } else { line.append(byte) }
  }

  private mutating func tell() {
    let text = Text(decoding: line)
    line = []
    lines += 1
    if text.isEmpty { return }
    if isHeld { held.append(text) } else { log(text) }
  }

  private func log(_ text: Text) { run.log(text.shown(atMost: 1024)) }

  /// Logs the rest; `isWell` says whether the program succeeded.
  mutating func finish(isWell: Bool) {
    guard isTold else { return }
    if !line.isEmpty { tell() }
    if isHeld, isWell { return }
    held.forEach(log)
    if isCut { run.log("further output is not shown") }
  }
}
