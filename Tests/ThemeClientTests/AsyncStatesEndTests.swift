import Glibc
import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient

/// How the asynchronous sequence ends, and what it leaves behind: nothing.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct AsyncStatesEndTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  @Test("What the daemon refuses is thrown: asking again would not help")
  func refused() async throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.invalidParameter("app")))
      try peer.awaitClose()
    }
    var states = AsyncThemeClient(app: "x", socket: scratch.socket).states().makeAsyncIterator()
    await #expect(throws: ThemeError(.refused(error: "org.varlink.service.InvalidParameter", parameter: "app"))) {
      _ = try await states.next()
    }
    #expect(try await states.next() == nil)
    daemon.join()
  }

  @Test("A place where no socket can be is thrown")
  func impossible() async throws {
    var states = AsyncThemeClient(socket: String(repeating: "/x", count: 100)).states().makeAsyncIterator()
    await #expect(throws: ThemeError.self) { _ = try await states.next() }
  }

  @Test("Cancelling the task ends the sequence and closes the connection")
  func cancellation() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(sample(.dark))
      turns.give()
      try peer.awaitClose()
    }
    let socket = scratch.socket
    let task = Task {
      var count = 0
      for try await _ in AsyncThemeClient(socket: socket).states() {
        count += 1
        turns.give()
      }
      return count
    }
    // The daemon has sent it, and the loop has seen it.
    for _ in 0..<2 { try await turns.taken() }
    task.cancel()
    #expect(try await task.value == 1)
    daemon.join()
  }

  @Test("Leaving the loop, or dropping the iterator, closes the connection")
  func dropping() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      for _ in 0..<2 {
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(sample(.dark))
        turns.give()
        try peer.awaitClose()
      }
    }
    for try await state in AsyncThemeClient(socket: scratch.socket).states() {
      #expect(state.scheme == .dark)
      break
    }
    do {
      let states = AsyncThemeClient(socket: scratch.socket).states().makeAsyncIterator()
      // It has connected both times, and nobody has asked this one for a state.
      for _ in 0..<2 { try await turns.taken() }
      _ = states
    }
    daemon.join()
  }

  @Test("Cancelling ends it while it waits for a daemon, too")
  func cancelWhileWaiting() async throws {
    let socket = scratch.socket
    let task = Task {
      for try await _ in AsyncThemeClient(socket: socket).states() {}
    }
    try awaitWatch(of: scratch.path + "/run/themed")
    task.cancel()
    // Without its end this would wait for ever.
    try await task.value
  }

  @Test("Iterators, however many, leave no thread and no descriptor behind")
  func leaks() async throws {
    let socket = scratch.socket
    for _ in 0..<10 { _ = AsyncThemeClient(socket: socket).states().makeAsyncIterator() }
    let before = (entries(of: "/proc/self/fd"), entries(of: "/proc/self/task"))
    for _ in 0..<200 { _ = AsyncThemeClient(socket: socket).states().makeAsyncIterator() }
    // Other tests run meanwhile; 200 of ours would show. Their threads end in their own time.
    func areGone() -> Bool {
      entries(of: "/proc/self/fd") < before.0 + 100 && entries(of: "/proc/self/task") < before.1 + 100
    }
    try eventually("the end of their threads") { areGone() }
  }

  private func entries(of directory: String) -> Int {
    guard let stream = unsafe opendir(directory) else { return 0 }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    return count
  }
}
