internal import CThemedLinux
internal import Glibc

/// Another program while it runs, with pipes in the place of its standard streams; none of its calls waits.
public final class RunningProgram {
  /// How a program ended.
  public enum Ending: Sendable, Hashable {
    /// It exited with this status.
    case exited(Int32)
    /// A signal ended it.
    case signaled(Int32)
  }

  /// A pipe of it, which is read from, or written to, without waiting.
  public enum Stream: Sendable {
    /// What it prints.
    case output
    /// What it complains of.
    case complaints
  }

  let process: pid_t
  private let end: FileDescriptor
  private var input: FileDescriptor?
  private var output: FileDescriptor?
  private var complaints: FileDescriptor?
  private var ending: Ending?

  /// Starts a program with its arguments, each as it is: no shell reads them.
  public init(_ words: [String]) throws(SystemError) {
    let input = try Pipe()
    let output = try Pipe()
    let complaints = try Pipe()
    // Before it is started, so that it does not outlive a failure.
    let ourInput = try input.takeWriting()
    let ourOutput = try output.takeReading()
    let ourComplaints = try complaints.takeReading()
    process = try Program.start(
      words, input: input.reading.raw, output: output.writing.raw, complaints: complaints.writing.raw)
    end = try Self.end(of: process)
    self.input = consume ourInput
    self.output = consume ourOutput
    self.complaints = consume ourComplaints
  }

  /// Starts a program of which only the output is read: it has nothing to read, and its complaints go nowhere.
  init(
    printing words: [String], inItsOwnGroup isApart: Bool, _ variables: [String: String]
  ) throws(SystemError) {
    let output = try Pipe()
    let ours = try output.takeReading()
    process = try Program.start(
      words, input: nil, output: output.writing.raw, complaints: nil, inItsOwnGroup: isApart, variables: variables)
    end = try Self.end(of: process)
    self.output = consume ours
  }

  /// Starts this very program once more, in a session of its own, with its standard streams, its signal mask, and these
  /// descriptors, which keep their numbers.
  ///
  /// It is the same file also where that has been replaced since.
  public init(itself words: [String], handing descriptors: [CInt]) throws(SystemError) {
    process = try Program.startItself(words, handing: descriptors)
    end = try Self.end(of: process)
  }

  /// What can be read when it has ended; else it is ended, for its end would not be seen.
  private static func end(of process: pid_t) throws(SystemError) -> FileDescriptor {
    let raw = themed_pidfd_open(process)
    guard raw >= 0 else {
      let error = SystemError(errnoOf: "watching process \(process)")
      Glibc.kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw error
    }
    return FileDescriptor(owning: raw)
  }

  /// A program that is let go ends.
  deinit {
    guard result() == nil else { return }
    kill()
    // Unless it hangs in the kernel, which no signal ends.
    var ended = pollfd(fd: end.raw, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&ended, 1, 1000) < 0, errno == EINTR {}
    _ = result()
  }

  // MARK: What can be waited for

  /// Can be read when it has ended.
  public var endDescriptor: CInt { end.raw }
  /// Can be written to while it reads; -1 where nothing can be written any more.
  public var inputDescriptor: CInt { input?.raw ?? -1 }
  /// Can be read when it prints, or complains; -1 where it does so no more.
  public func descriptor(_ stream: Stream) -> CInt { (stream == .output ? output?.raw : complaints?.raw) ?? -1 }

  // MARK: What is done

  /// Writes what there is room for.
  public func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    guard let raw = input?.raw else { return .failed(EPIPE) }
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, $0.count) }
    return count >= 0 ? .bytes(count) : Self.failure
  }

  /// Reads what there is, as much as fits.
  public func read(_ stream: Stream, into buffer: inout [UInt8]) -> Transfer {
    let count = unsafe Glibc.read(descriptor(stream), &buffer, buffer.count)
    return count > 0 ? .bytes(count) : count == 0 ? .end : Self.failure
  }

  /// Writes nothing any more.
  public func closeInput() { input = nil }

  /// Reads nothing any more.
  public func close(_ stream: Stream) {
    switch stream {
    case .output: output = nil
    case .complaints: complaints = nil
    }
  }

  /// Asks it to end; one that stands still goes on for that.
  public func stop() {
    guard ending == nil else { return }
    Glibc.kill(process, SIGTERM)
    Glibc.kill(process, SIGCONT)
  }

  /// Ends it, whatever it does.
  public func kill() { if ending == nil { Glibc.kill(process, SIGKILL) } }

  /// How it has ended; nil while it runs.
  public func result() -> Ending? {
    if let ending { return ending }
    var status: CInt = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    // Whoever started us ignores SIGCHLD, so that the kernel forgets how children end.
    if found < 0, errno == ECHILD { ending = .exited(255) }
    guard found == process else { return ending }
    let signal = status & 0x7F
    ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    return ending
  }

  private static var failure: Transfer { errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed(errno) }
}

/// Starts this very program once more, as `RunningProgram` does, to go on after this process has ended; its number.
public func startItself(_ words: [String], handing descriptors: [CInt]) throws(SystemError) -> Int32 {
  try Program.startItself(words, handing: descriptors)
}

/// Gives this process /dev/null as its standard streams, so that it keeps nobody's output open.
public func leaveStandardStreams() {
  let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
  guard null >= 0 else { return }
  for number in STDIN_FILENO...STDERR_FILENO { dup2(null, number) }
  close(null)
}

/// Lets this process open as many descriptors as it may.
public func openAsManyAsAllowed() {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
  limit.rlim_cur = limit.rlim_max
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// This process, for another one: can be read when it has ended.
public func ownProcess() throws(SystemError) -> FileDescriptor {
  try FileDescriptor("pidfd_open", themed_pidfd_open(getpid()))
}

/// Ends a process, whatever it does, and never another one of the same number.
public func kill(process: borrowing FileDescriptor) {
  _ = themed_pidfd_send_signal(process.raw, SIGKILL)
}

/// What this process is called where processes are listed, of 15 bytes.
public func nameProcess(_ name: String) {
  _ = unsafe themed_name_process(name)
}

/// Both ends of a pipe, of which one is given away.
private struct Pipe: ~Copyable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(errnoOf: "pipe") }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// A copy of an end that does not wait; each end has a mode of its own.
  borrowing func takeReading() throws(SystemError) -> FileDescriptor { try Self.copy(reading.raw) }
  borrowing func takeWriting() throws(SystemError) -> FileDescriptor { try Self.copy(writing.raw) }

  private static func copy(_ raw: CInt) throws(SystemError) -> FileDescriptor {
    try makeNonblocking(raw)
    return try FileDescriptor("copying the end of a pipe", fcntl(raw, F_DUPFD_CLOEXEC, 0))
  }
}
