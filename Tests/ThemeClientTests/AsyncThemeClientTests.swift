import Glibc
import Testing
import ThemedClientCore
import ThemedModel
import ThemedInterface
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient

/// Calls that hold no thread, to a daemon that does what the test says.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct AsyncThemeClientTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  @Test("Each call asks and is answered as that of a connection that waits, in turn")
  func calls() async throws {
    let light = sample(.light)
    let change = Reply(["state": .object(light.parameters), "saved": .bool(true)])
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      #expect(try peer.callText() == #"{"method":"org.themed.theme.GetState","parameters":{"app":"a"}}"#)
      try peer.send(light, continues: false)
      #expect(try peer.callText().contains(#"SetOverride","parameters":{"override":{"scheme":"dark"}}"#))
      try peer.send(change)
      #expect(try peer.callText().contains("ClearOverride"))
      try peer.send(change)
      #expect(try peer.callText().contains("Toggle"))
      try peer.send(Reply(.invalidParameter("app")))
      #expect(try peer.callText() == #"{"method":"org.themed.theme.ListOverrides"}"#)
      try peer.send(Reply(["overrides": .array([])]))
      try peer.awaitClose()
    }
    do {
      let theme = AsyncThemeClient(socket: scratch.socket)
      #expect(try await theme.call(.state(app: "a")) == light)
      #expect(try await theme.call(.setOverride(Override(scheme: .dark))).isSaved)
      #expect(try await theme.call(.clearOverride()).state == light)
      let refusal = ThemeError(.refused(error: "org.varlink.service.InvalidParameter", parameter: "app"))
      await #expect(throws: refusal) { try await theme.call(.toggle()) }
      #expect(try await theme.call(.overrides).isEmpty)
    }
    // The connection ends with its owner.
    daemon.join()
  }

  @Test("A lost connection is made anew at the next call, and without a daemon the next call may find one")
  func reconnects() async throws {
    let theme = AsyncThemeClient(socket: scratch.socket)
    for scheme in [ColorScheme.light, .dark, .light] {
      let missing = await caught { () async throws(ThemeError) in _ = try await theme.call(.state()) }
      #expect(missing?.code == .noDaemon)
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var peer = try listener.accept()
        try answer(&peer, with: sample(scheme))
        try answer(&peer, with: sample(scheme))
      }
      for _ in 0..<2 { #expect(try await theme.call(.state()).scheme == scheme) }
      daemon.join()
    }
  }

  @Test("Hundreds that wait hold no thread, and are answered in turn")
  func many() async throws {
    let (begun, go) = (Turns(), Turns())
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      begun.give()
      try go.take()
      try peer.send(sample(.dark), continues: false)
      for serial in 2...300 { try answer(&peer, with: sample(.dark, serial: Int64(serial))) }
      try peer.awaitClose()
    }
    do {
      let theme = AsyncThemeClient(socket: scratch.socket)
      try await withThrowingTaskGroup(of: Int64.self) { group in
        // On the pool, whatever the test itself runs on.
        let pool = globalConcurrentExecutor
        for _ in 0..<300 { group.addTask(executorPreference: pool) { try await theme.call(.state()).serial } }
        try begun.take()
        // With one thread held by each call this would never run.
        await Task(executorPreference: pool) {}.value
        go.give()
        var serials: Set<Int64> = []
        for try await serial in group { serials.insert(serial) }
        #expect(serials == Set(1...300))
      }
    }
    daemon.join()
  }

  @Test("A daemon that hangs is given up in time, and its late answer is nobody's")
  func timeout() async throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var late = try listener.accept()
      try late.takeCall()
      try late.awaitClose()
      try late.send(sample(.dark))
      var peer = try listener.accept()
      try answer(&peer, with: sample(.light))
    }
    let theme = AsyncThemeClient(socket: scratch.socket, timeout: .milliseconds(200))
    var error: ThemeError?
    let time = await SuspendingClock().measure {
      error = await caught { () async throws(ThemeError) in _ = try await theme.call(.state()) }
    }
    #expect(error == ThemeError(.timedOut(after: .milliseconds(200))))
    #expect(time >= .milliseconds(200))
    // Slow machines make slow daemons.
    let state = try await AsyncThemeClient(socket: scratch.socket).call(.state())
    #expect(state.scheme == .light)
    daemon.join()
  }

  @Test("A cancelled task has its call end at once, and others go on")
  func cancellation() async throws {
    let heard = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var first = try listener.accept()
      try first.takeCall()
      heard.give()
      try first.awaitClose()
      var second = try listener.accept()
      try answer(&second, with: sample(.light))
    }
    let theme = AsyncThemeClient(socket: scratch.socket)
    let task = Task { await caught { () async throws(ThemeError) in _ = try await theme.call(.state()) } }
    try heard.take()
    let next = Task { try await theme.call(.state()).scheme }
    task.cancel()
    #expect(await task.value == ThemeError(.cancelled))
    #expect(try await next.value == .light)
    let late = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await caught { () async throws(ThemeError) in _ = try await theme.call(.state()) }
    }
    #expect(await late.value == ThemeError(.cancelled))
    daemon.join()
  }

  @Test("All that is asynchronous in a process shares one thread, which ends with the last")
  func oneThread() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      scratch.makeDirectory()
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var held: [Held] = []
        for number in 0..<51 {
          let one = try Held(listener.accept())
          try one.peer.takeCall()
          try one.peer.send(sample(.dark), continues: number < 50)
          held.append(one)
        }
        for one in held { try one.peer.awaitClose() }
      }
      func threads() -> Int { names(inDirectory: "/proc/self/task").count }
      // Those of the pool, and the daemon's, are there from here on.
      await withTaskGroup { group in
        for _ in 0..<50 { group.addTask { usleep(2000) } }
      }
      let before = threads()
      do {
        var iterators = (0..<50).map { _ in AsyncThemeClient(socket: scratch.socket).states().makeAsyncIterator() }
        for index in iterators.indices { try #require(try await iterators[index].next()?.scheme == .dark) }
        let theme = AsyncThemeClient(socket: scratch.socket)
        try #require(try await theme.call(.state()).scheme == .dark)
        try #require(threads() <= before + 2, "\(threads()), and \(before) before")
        iterators = []
      }
      daemon.join()
      try eventually("the end of the thread") { threads() < before }
    }
  }
}

private func answer(_ peer: inout Peer, with state: State) throws {
  try peer.takeCall()
  try peer.send(state, continues: false)
}

/// A client that stays for a while.
private final class Held {
  var peer: Peer

  init(_ peer: consuming Peer) { self.peer = peer }
}

/// The error that `body` throws, if it does.
private func caught(_ body: () async throws(ThemeError) -> Void) async -> ThemeError? {
  do throws(ThemeError) { try await body() } catch { return error }
  return nil
}
