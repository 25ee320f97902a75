import Foundation
import Glibc
import ThemedSpawning

/// Starts a program with the given descriptors as its 0, 1, 2, … and nothing else of ours but what it is passed.
///
/// It belongs to this run of the tests, and dies with it.
func spawn(
  _ executable: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
) throws -> pid_t {
  let run = try TestRun.current.get()
  let marked = environment.merging([TestRun.mark: run.directory]) { _, own in own }
  // The kernel kills it when the thread that started it ends: so it is one that does not.
  return try run.starter.perform {
    try start(
      executable, arguments, environment: marked, descriptors: descriptors, openFiles: run.openFiles, isBound: true)
  }
}

/// Starts a program, which ends with the thread that calls this, or not even with this process.
func start(
  _ executable: String, _ arguments: [String], environment: [String: String], descriptors: [Int32], openFiles: UInt,
  isBound: Bool
) throws -> pid_t {
  var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
  var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
  defer { unsafe (words + variables).forEach { unsafe free($0) } }
  func tryOnce() -> pid_t {
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe variables.withUnsafeMutableBufferPointer { variables in
        unsafe descriptors.withUnsafeBufferPointer { descriptors in
          unsafe executable.withCString { path in
            var spawning = unsafe spawning(
              path: path, arguments: words.baseAddress, environment: variables.baseAddress,
              descriptors: descriptors.baseAddress, count: Int32(descriptors.count), open_files: openFiles,
              bound: isBound ? 1 : 0)
            return unsafe spawn_program(&spawning)
          }
        }
      }
    }
  }
  var pid = tryOnce()
  var allowance = Allowance()
  // A program that a test has just written is open for writing still, where another thread starts one meanwhile: that one
  // has all that is open here until it is another program.
  while pid == -ETXTBSY, allowance.next() != nil {
    Thread.sleep(forTimeInterval: 0.01)
    pid = tryOnce()
  }
  guard pid > 0 else { throw Failure("cannot start \(executable): \(unsafe String(cString: strerror(-pid)))") }
  return pid
}

/// A thread that does one thing after another, and never ends.
final class LastingThread: Sendable {
  /// As long as a thread waits: decades.
  private static let always: Double = 1e9
  private let work = Watched<[@Sendable () -> Void]>([])

  init() {
    let work = work
    Thread.detachNewThread {
      while true {
        let next: (@Sendable () -> Void)? = work.wait(seconds: Self.always) { $0.isEmpty ? nil : $0.removeFirst() }
        next?()
      }
    }
  }

  /// Does this on the thread, and returns what comes of it.
  func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let result = Watched<Result<Value, any Error>?>(nil)
    work.change { $0.append { result.change { [outcome = Result(catching: body)] in $0 = outcome } } }
    guard let result = result.wait(seconds: Self.always, { $0 }) else { throw Failure("the thread has ended") }
    return try result.get()
  }
}
