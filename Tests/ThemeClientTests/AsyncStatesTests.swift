import Glibc
import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient

/// The asynchronous sequence, through everything that a daemon can do to it.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct AsyncStatesTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  private func states(app: String? = nil) -> AsyncThemeClient.Values<ThemeState>.Iterator {
    AsyncThemeClient(app: app, socket: scratch.socket).states().makeAsyncIterator()
  }

  @Test("It starts with the state now, and gives each that differs")
  func changes() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      #expect(try peer.callText() == #"{"method":"org.themed.theme.Monitor","parameters":{"app":"a"},"more":true}"#)
      try peer.send(sample(.light, serial: 1))
      try turns.take()
      try peer.send(sample(.light, serial: 1))
      try peer.send(sample(.dark, serial: 2))
      try turns.take()
      try peer.send(sample(.light, serial: 3))
      try peer.awaitClose()
    }
    do {
      var states = states(app: "a")
      #expect(try await states.next() == ThemeState(sample(.light, serial: 1)))
      turns.give()
      #expect(try await states.next() == ThemeState(sample(.dark, serial: 2)))
      turns.give()
      #expect(try await states.next() == ThemeState(sample(.light, serial: 3)))
    }
    daemon.join()
  }

  @Test("A slow consumer gets the newest state")
  func conflation() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      // Each says something else than all before: none is passed over as one that was told already.
      for serial in 1...101 { try peer.send(distinct(serial)) }
      try peer.awaitRead()
      // Who reads on has dealt with what was read before: at one go, eight times at most.
      for serial in 102...111 {
        try peer.send(distinct(serial))
        try peer.awaitRead()
      }
      turns.give()
      try peer.awaitClose()
    }
    do {
      var states = states()
      try await turns.taken()
      let first = try #require(try await states.next())
      #expect(first.inner.serial >= 101, "not one of the hundred before")
      // What was read last was perhaps not dealt with yet; there is nothing between.
      if first.inner.serial < 111 { #expect(try await states.next()?.inner.serial == 111) }
    }
    daemon.join()
  }

  @Test("It outlives the daemon, and does not repeat what has not changed")
  func reconnects() async throws {
    let daemons = [sample(.light), sample(.light, instance: "two"), sample(.dark, instance: "three")]
    let socket = scratch.socket
    let turns = Turns()
    let first = try ScriptedDaemon(at: socket) { listener in
      // The first two end as daemons do.
      for state in daemons.dropLast() {
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(state)
      }
      // Of two states that come before one is asked for, the first is not told.
      try turns.take()
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(daemons[2])
      try peer.awaitClose()
    }
    do {
      var states = states()
      #expect(try await states.next() == ThemeState(daemons[0]))
      turns.give()
      #expect(try await states.next() == ThemeState(daemons[2]))
    }
    first.join()
  }

  @Test("It waits for a daemon that comes later, its directories too, without asking again and again")
  func waits() async throws {
    let late = try Scratch()
    var states = AsyncThemeClient(socket: late.socket).states().makeAsyncIterator()
    for scheme in [ColorScheme.light, .dark, .light] {
      try awaitWatch(of: late.path)
      unsafe mkdir(late.path + "/run", 0o700)
      try awaitWatch(of: late.path + "/run")
      late.makeDirectory()
      try awaitWatch(of: late.path + "/run/themed")
      let daemon = try ScriptedDaemon(at: late.socket) { listener in
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(sample(scheme))
      }
      #expect(try await states.next()?.scheme == ThemeScheme(scheme))
      daemon.join()
      unsafe rmdir(late.path + "/run/themed")
      unsafe rmdir(late.path + "/run")
    }
  }

  @Test("It finds a daemon that takes the place of a dead one's socket")
  func staleSocket() async throws {
    let stale = try Listener(path: scratch.socket)
    stale.refuse()
    var states = states()
    try awaitWatch(of: scratch.path + "/run/themed")
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(sample(.dark))
    }
    #expect(try await states.next()?.scheme == .dark)
    daemon.join()
  }

  @Test(
    "What is no protocol ends the connection, not the sequence",
    arguments: ["[]\0", "{\"par", "\0", "{}\0", #"{"parameters":{"state":{}},"continues":true}"# + "\0"])
  func violation(bytes: String) async throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      do {
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(Array(bytes.utf8))
        if bytes.hasSuffix("\0") { try peer.awaitClose() }
      }
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(sample(.dark))
      try peer.awaitClose()
    }
    do {
      var states = states()
      #expect(try await states.next()?.scheme == .dark)
    }
    daemon.join()
  }

  @Test("A last reply is a state too")
  func lastReply() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      for scheme in [ColorScheme.light, .dark] {
        // Of two states that come before one is asked for, the first is not told.
        if scheme == .dark { try turns.take() }
        var peer = try listener.accept()
        try peer.takeCall()
        try peer.send(sample(scheme), continues: false)
        try peer.awaitClose()
      }
    }
    var states = states()
    #expect(try await states.next()?.scheme == .light)
    turns.give()
    #expect(try await states.next()?.scheme == .dark)
    daemon.join()
  }
}

/// A state that says something else than that of any other serial.
private func distinct(_ serial: Int) -> State {
  var state = sample(.dark, serial: Int64(serial))
  state.resolution.accentColor = Color(red: Double(serial) / 255, green: 0, blue: 0)
  return state
}
