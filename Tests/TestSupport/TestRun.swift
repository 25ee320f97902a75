import Foundation
import Glibc
import ThemedSpawning

/// This run of the tests, and what is done so that nothing of it is left, whatever ends it.
///
/// All that it writes lies below one directory, all that it starts has its mark in the environment. A program that has
/// no part in the run, `Tests/Scripts/sweep`, waits for the end of this process; then it kills what has the mark, and
/// removes the directory. What this process started itself is killed by the kernel at once.
public struct TestRun: Sendable {
  /// The run of this process, which begins with the first question for it.
  static let current = Result { try TestRun() }
  /// The variable of the environment whose value is the run's directory.
  static let mark = "THEMED_TEST_RUN"

  /// Where everything of this run lies: a short path, since sockets lie below it, that other users may go through.
  let directory: String
  /// What starts programs.
  let starter = LastingThread()
  /// How many files a program may have open, as this process was allowed itself.
  let openFiles: UInt

  private let sweeper: Descriptor
  private let names = Watched<Int>(0)

  private init() throws {
    // A program that has ended, and is written to, is an error of one test.
    _ = signal(SIGPIPE, SIG_IGN)
    openFiles = try Self.raiseOpenFiles()
    var template = Array("/tmp/themed-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failure("no directory in /tmp: \(lastError())") }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    _ = unsafe chmod(directory, 0o711)

    // It has the reading end, we have the writing one: it is told of our end by the kernel.
    let (reading, writing) = try Descriptor.pipe()
    let null = unsafe Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
    _ = try start(
      Products.system("bash"), [Products.package + "/Tests/Scripts/sweep", directory],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      descriptors: [reading.number, null.number, null.number], openFiles: openFiles, isBound: false)
    sweeper = writing
    try Self.endWithParent()
  }

  /// Begins the run, if it has not begun: from then on this process may have as many files open as it is allowed to.
  public static func begin() throws { _ = try current.get() }

  /// The path of a new directory, which is not made yet.
  func newDirectory() -> String { "\(directory)/\(names.change { $0 += 1; return $0 })" }

  /// Has a control group removed after the run, with those in it.
  func remove(controlGroup path: String) throws {
    let file = unsafe Descriptor(open(directory + "/control-groups", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600))
    guard file.number >= 0 else { throw Failure("open: \(lastError())") }
    try file.write(Array((path + "\n").utf8))
  }

  /// Lets this process have as many files open as it may, and returns how many they were; what it starts has as many
  /// as before.
  private static func raiseOpenFiles() throws -> UInt {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { throw Failure("getrlimit: \(lastError())") }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    guard unsafe setrlimit(resource, &limit) == 0 else { throw Failure("setrlimit: \(lastError())") }
    return before
  }

  /// Ends this process when the one that started it is killed: nobody would hear what comes of the tests.
  private static func endWithParent() throws {
    let parent = getppid()
    let process = Descriptor(open_process(parent))
    guard parent > 1, process.number >= 0, getppid() == parent else { return }
    Thread.detachNewThread {
      wait(for: process, seconds: nil)
      _ = kill(getpid(), SIGKILL)
    }
  }
}

/// Waits until the process of this descriptor has ended, and says whether it has.
@discardableResult
func wait(for process: Descriptor, seconds: Double?) -> Bool {
  var poll = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
  let deadline = seconds.map { Date(timeIntervalSinceNow: $0) }
  while true {
    let rest = deadline.map { Int32(clamping: Int(max(0, $0.timeIntervalSinceNow) * 1000)) } ?? -1
    let ready = unsafe Glibc.poll(&poll, 1, rest)
    if ready >= 0 || errno != EINTR { return ready > 0 }
  }
}
