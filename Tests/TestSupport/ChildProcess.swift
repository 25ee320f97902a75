import Foundation
import Glibc

/// How a program ended.
public enum ExitStatus: Equatable, Sendable {
  /// It exited with this status.
  case exited(Int32)
  /// A signal ended it.
  case signaled(Int32)
}

/// A program that a test has started.
///
/// Its output is kept apart from the test's own and read here. It never outlives the session that started it, nor the
/// test run, nor ``lifetime``.
public final class ChildProcess {
  /// The signals that tests send, by the kernel's names for them.
  public enum Signal: Int32, Sendable {
    case hangup = 1
    case interrupt = 2
    case abort = 6
    case kill = 9
    case terminate = 15
    case `continue` = 18
    case stop = 19
  }

  /// The name that messages about this process use.
  public let name: String
  /// The process's number, which may be another's once this one has ended.
  public let pid: Int32

  private let seen: Watched<Seen>
  private let input: Descriptor?
  private let notifications: Descriptor?

  /// Starts a program.
  ///
  /// `separator` ends a record of its output, `input` is sent to it and then held open; `descriptors` become its
  /// 3, 4, …; datagrams sent to a socket made at `notifySocket` are kept.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String], separator: UInt8 = 10,
    input: [UInt8]? = nil, descriptors: [Descriptor] = [], notifySocket: String? = nil,
    lifetime: Double = lifetime
  ) throws {
    name = (executable as NSString).lastPathComponent
    seen = Watched(Seen(separator: separator))
    notifications = try notifySocket.map { try UnixSocket.receiving(at: $0) }
    let output = try Descriptor.pipe()
    let errors = try Descriptor.pipe()
    let given = input == nil ? nil : try Descriptor.pipe()
    let null = unsafe Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
    pid = try withExtendedLifetime((output, errors, given, null, descriptors)) {
      let numbers = [given?.reading.number ?? null.number, output.writing.number, errors.writing.number]
      return try spawn(
        executable, arguments, environment: environment, descriptors: numbers + descriptors.map(\.number))
    }
    self.input = given?.writing
    let (pid, seen) = (pid, seen)
    Thread.detachNewThread { reap(pid, after: lifetime, into: seen) }
    collect(from: output.reading, into: seen) { $0.output.take($1) }
    collect(from: errors.reading, into: seen) { $0.errors.take($1) }
    if let notifications {
      collect(from: notifications, into: seen) { seen, bytes in
        if !bytes.isEmpty { seen.notifications.append(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    if let input { try self.input?.write(input) }
  }

  deinit {
    stop()
  }

  /// The next record of its output that has not been read yet.
  public func line() throws -> String {
    let line: Result<String, Failure>? = seen.wait { seen in
      if let line = seen.output.next() { return .success(line) }
      return seen.output.ended ? .failure(Failure("ended its output")) : nil
    }
    switch line {
    case .success(let line): return line
    case .failure(let failure): throw explained("\(failure)")
    case nil: throw explained("said nothing more")
    }
  }

  /// Sends it a line, if it was started with an input.
  public func send(line: String) throws {
    guard let input else { throw Failure("\(name) has no input") }
    try input.write(Array((line + "\n").utf8))
  }

  /// Every record of its output so far, read or not.
  public var lines: [String] { seen.change { $0.output.records } }

  /// Everything it has written as errors or as a log so far.
  public var errors: String { seen.change { $0.errors.text } }

  /// Waits for a line of its errors that contains `text` and has not been found before, and returns it.
  @discardableResult
  public func errorLine(containing text: String) throws -> String {
    let line: Result<String, Failure>? = seen.wait { seen in
      while let line = seen.errors.next() {
        if line.contains(text) { return .success(line) }
      }
      return seen.errors.ended ? .failure(Failure("ended without a line about \"\(text)\"")) : nil
    }
    switch line {
    case .success(let line): return line
    case .failure(let failure): throw explained("\(failure)")
    case nil: throw explained("logged no line about \"\(text)\"")
    }
  }

  /// Waits until it has told the service manager a status that contains `text`.
  public func awaitStatus(containing text: String) throws {
    try awaitStatus("about \"\(text)\"") { $0.contains(text) }
  }

  /// Waits until it has told the service manager a status.
  func awaitStatus(_ words: String = "", _ isMeant: (String) -> Bool = { _ in true }) throws {
    let found = seen.wait { seen in
      seen.notifications.contains { fields(of: $0)["STATUS"].map(isMeant) ?? false } ? true : nil
    }
    guard found != nil else { throw explained("told no status \(words)") }
  }

  /// The next datagram that it sent to its notification socket, as fields; one with nothing but a status is skipped.
  public func notification() throws -> [String: String] {
    let found: Result<[String: String], Failure>? = seen.wait { seen in
      while !seen.notifications.isEmpty {
        let fields = fields(of: seen.notifications.removeFirst())
        if fields.keys.contains(where: { $0 != "STATUS" }) { return .success(fields) }
      }
      return seen.status.map { .failure(Failure("ended without a notification: \($0)")) }
    }
    switch found {
    case .success(let fields): return fields
    case .failure(let failure): throw explained("\(failure)")
    case nil: throw explained("sent no notification")
    }
  }

  /// Writes to its input, which it was given at its start.
  public func write(_ text: String) throws {
    guard let input else { throw explained("has no input") }
    try input.write(Array(text.utf8))
  }

  /// The number after a name such as `Private_Dirty:`, which is in KiB, or `Threads:`, in a file of its directory in
  /// `/proc`.
  public func kernelNumber(_ name: String, in file: String) throws -> Int {
    let line = try kernelFile(file).split(separator: "\n").first { $0.hasPrefix(name) }
    let word = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    guard let number = word.flatMap({ Int($0) }) else { throw explained("has no \(name) in \(file)") }
    return number
  }

  /// The memory that is its alone and was written to, in KiB.
  public func privateMemory() throws -> Int { try kernelNumber("Private_Dirty:", in: "smaps_rollup") }

  /// What the kernel tells about it in a file of its directory in `/proc`.
  public func kernelFile(_ name: String) throws -> String {
    // Read to the end: these files have no size, and come in pieces.
    let path = "/proc/\(pid)/\(name)"
    let file = unsafe Descriptor(open(path, O_RDONLY | O_CLOEXEC))
    guard file.number >= 0 else { throw explained("has no \(path): \(lastError())") }
    var bytes: [UInt8] = []
    while true {
      let more = file.read()
      if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += more
    }
  }

  /// Whether it still runs.
  public var isRunning: Bool { seen.change { $0.status == nil } }

  /// Sends a signal, if it still runs.
  public func send(_ signal: Signal) {
    let pid = pid
    // Under the lock of the one who reaps it: the number cannot be another process's yet.
    seen.change { seen in
      if seen.status == nil { _ = kill(pid, signal.rawValue) }
    }
  }

  /// Waits for its end, for so many seconds, and the end of its output, and returns how it ended.
  @discardableResult
  public func wait(seconds: Double = patience) throws -> ExitStatus {
    guard let status = seen.wait(seconds: seconds, { $0.status }) else { throw explained("did not end") }
    guard seen.wait({ $0.output.ended && $0.errors.ended ? true : nil }) != nil else {
      throw explained("left its output open")
    }
    return status
  }

  /// Ends it, kindly at first.
  public func stop() {
    send(.terminate)
    send(.continue)
    if seen.wait(seconds: 10, { $0.status }) == nil {
      send(.kill)
      _ = seen.wait { $0.status }
    }
    if let notifications { _ = shutdown(notifications.number, Int32(SHUT_RDWR)) }
  }

  /// Waits for the end of all that it started, as far as they kept its log open.
  func waitForDescendants() {
    _ = seen.wait(seconds: 10) { $0.errors.ended ? true : nil }
  }

  /// The process's name and what it last said, for a message about a failed test.
  public var account: String {
    let seen = seen.change { $0 }
    let end = seen.status.map { "\($0)" } ?? "running"
    let tail = seen.errors.text.split(separator: "\n").suffix(25).joined(separator: "\n    ")
    return "\(name) (\(end)), output \(seen.output.records.suffix(10)), errors:\n    \(tail)"
  }

  private func explained(_ what: String) -> Failure {
    Failure("\(name) \(what)\n  \(account)")
  }
}

/// After how many seconds a program is killed, whatever it does: far more than any test takes.
let lifetime: Double = {
  let environment = ProcessInfo.processInfo.environment
  // Unless it is to take longer.
  let minutes = environment["THEMED_ATTACK_MINUTES"].flatMap(Double.init) ?? 0
  let seconds = environment["THEMED_RANDOM_SECONDS"].flatMap(Double.init) ?? 0
  return 15 * 60 + minutes * 60 + seconds
}()

private func fields(of text: String) -> [String: String] {
  var fields: [String: String] = [:]
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: "=", maxSplits: 1)
    if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
  }
  return fields
}
