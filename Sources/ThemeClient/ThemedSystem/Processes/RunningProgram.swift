internal import CThemedLinux
internal import Glibc

/// A running program with pipes as its standard streams; none of these calls waits.
public final class RunningProgram {
  public enum Ending: Sendable, Hashable {
    case exited(Int32)
    case signaled(Int32)
  }

  public enum Stream: Sendable {
    case output
    /// Its error output.
    case complaints
  }

  let process: pid_t
  private let end: FileDescriptor
  private var input: FileDescriptor?
  private var output: FileDescriptor?
  private var complaints: FileDescriptor?
  private var ending: Ending?

  /// Starts a program with exactly these arguments; there is no shell.
  public init(_ words: [String]) throws(SystemError) {
    let input = try Pipe()
    let output = try Pipe()
    let complaints = try Pipe()
    // Before the start, so that the program does not outlive a failure.
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

  /// Starts a program of which only the output is read: its input is empty, and its error output is discarded.
  init(
    printing words: [String], inItsOwnGroup isApart: Bool, _ variables: [Text: Text]
  ) throws(SystemError) {
    let output = try Pipe()
    let ours = try output.takeReading()
    process = try Program.start(
      words, input: nil, output: output.writing.raw, complaints: nil, inItsOwnGroup: isApart, variables: variables)
    end = try Self.end(of: process)
    self.output = consume ours
  }

  /// Starts this same program again in a session of its own, with its standard streams, its signal mask and these
  /// descriptors, which keep their numbers.
  ///
  /// It starts the same file even if that has been replaced since.
  public init(itself words: [String], handing descriptors: [CInt]) throws(SystemError) {
    process = try Program.startItself(words, handing: descriptors)
    end = try Self.end(of: process)
  }

  /// A descriptor that becomes readable when the program exits; if there can be none, kills the program, because its
  /// exit would go unnoticed.
  private static func end(of process: pid_t) throws(SystemError) -> FileDescriptor {
    let raw = themed_pidfd_open(process)
    guard raw >= 0 else {
      let error = SystemError(errnoOf: "cannot watch process \(process)")
      Glibc.kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw error
    }
    return FileDescriptor(owning: raw)
  }

  /// The program is killed when nothing refers to it any more.
  deinit {
    guard result() == nil else { return }
    kill()
    // Do not wait for a program that hangs in the kernel, because no signal ends it.
    wait(forReadable: [end.raw], atMostMilliseconds: 1000)
    _ = result()
  }

  // MARK: Descriptors

  /// Readable when the program has exited.
  public var endDescriptor: CInt { end.raw }
  /// Writable while the program reads its input; -1 if nothing can be written any more.
  public var inputDescriptor: CInt { input?.raw ?? -1 }
  /// Readable when there is output or error output; -1 after that stream has ended.
  public func descriptor(_ stream: Stream) -> CInt { (stream == .output ? output?.raw : complaints?.raw) ?? -1 }

  // MARK: Actions

  /// Writes as much as fits.
  public func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    guard let raw = input?.raw else { return .failed(EPIPE) }
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, $0.count) }
    return count >= 0 ? .bytes(count) : Self.failure
  }

  /// Reads what is available, as much as fits.
  public func read(_ stream: Stream, into buffer: inout [UInt8]) -> Transfer {
    let count = unsafe Glibc.read(descriptor(stream), &buffer, buffer.count)
    return count > 0 ? .bytes(count) : count == 0 ? .end : Self.failure
  }

  public func closeInput() { input = nil }

  public func close(_ stream: Stream) {
    switch stream {
    case .output: output = nil
    case .complaints: complaints = nil
    }
  }

  /// Asks the program to exit; a stopped program is continued for that.
  public func stop() {
    guard ending == nil else { return }
    Glibc.kill(process, SIGTERM)
    Glibc.kill(process, SIGCONT)
  }

  public func kill() { if ending == nil { Glibc.kill(process, SIGKILL) } }

  /// How the program exited; nil while it runs.
  public func result() -> Ending? {
    if let ending { return ending }
    var status: CInt = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    // If our parent ignores SIGCHLD, the kernel forgets how children exit.
    if found < 0, errno == ECHILD { ending = .exited(255) }
    guard found == process else { return ending }
    let signal = status & 0x7F
    ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    return ending
  }

  private static var failure: Transfer { errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed(errno) }
}

/// Both ends of a pipe, one of which is given away.
private struct Pipe: ~Copyable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(errnoOf: "pipe") }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// A non-blocking copy of an end; each end has its own mode.
  borrowing func takeReading() throws(SystemError) -> FileDescriptor { try Self.copy(reading.raw) }
  borrowing func takeWriting() throws(SystemError) -> FileDescriptor { try Self.copy(writing.raw) }

  private static func copy(_ raw: CInt) throws(SystemError) -> FileDescriptor {
    try makeNonblocking(raw)
    return try FileDescriptor("cannot copy the end of a pipe", fcntl(raw, F_DUPFD_CLOEXEC, 0))
  }
}
