import Testing
import ThemeClient
import ThemeInterface
import ThemeModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// Everything that is drawn by the theme, told how to look.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct ThemeCenterTests {
  /// Keeps what it was told.
  private final class View: ThemeApplying {
    var looks: [ThemeLook] = []
    var onApply: (ThemeLook) -> Void = { _ in }

    func apply(_ look: ThemeLook) {
      looks.append(look)
      onApply(look)
    }
  }

  private let light = ThemeLook(.light)
  private let dark = ThemeLook(.dark)

  @Test("Who registers is told at once, if there is something to tell, and at each change")
  func register() {
    let center = ThemeCenter()
    let (early, late) = (View(), View())
    center.register(early)
    #expect(early.looks == [])
    center.show(light)
    center.register(late)
    #expect(late.looks == [light])
    center.show(dark)
    #expect(early.looks == [light, dark])
    #expect(late.looks == [light, dark])
    #expect(center.look == dark)
  }

  @Test("What nobody else holds is forgotten")
  func weakly() {
    let center = ThemeCenter(light)
    var view: View? = View()
    weak var held: View?
    held = view
    if let view { center.register(view) }
    #expect(center.count == 1)
    view = nil
    #expect(held == nil)
    center.show(dark)
    #expect(center.count == 0)
  }

  @Test("Registering twice tells once, and who has gone is told no more")
  func twice() {
    let center = ThemeCenter()
    let view = View()
    center.register(view)
    center.register(view)
    center.show(light)
    #expect(view.looks == [light])
    center.unregister(view)
    center.show(dark)
    #expect(view.looks == [light])
  }

  @Test("Who is told may register others, and leave")
  func nested() {
    let center = ThemeCenter()
    let (parent, child) = (View(), View())
    parent.onApply = { [unowned center, unowned parent] _ in
      center.register(child)
      center.unregister(parent)
    }
    center.register(parent)
    center.show(light)
    center.show(dark)
    #expect(parent.looks == [light])
    #expect(child.looks == [light, dark])
  }

  @Test("Who is told and shows another look has everybody end with that one, told once each")
  func newestWins() {
    let center = ThemeCenter()
    let (first, second, third) = (View(), View(), View())
    second.onApply = { [unowned center, dark] look in if look != dark { center.show(dark) } }
    for view in [first, second, third] { center.register(view) }
    center.show(light)
    #expect(center.look == dark)
    #expect(first.looks == [light, dark])
    #expect(second.looks == [light, dark])
    #expect(third.looks == [dark])
  }

  @Test("Who is unregistered while others are told is told no more")
  func leavesMeanwhile() {
    let center = ThemeCenter()
    let (first, second) = (View(), View())
    first.onApply = { [unowned center, unowned second] _ in center.unregister(second) }
    center.register(first)
    center.register(second)
    center.show(light)
    #expect(first.looks == [light])
    #expect(second.looks == [])
    // Who comes back is told, as anybody who comes.
    center.register(second)
    #expect(second.looks == [light])
  }

  // MARK: With a daemon

  private func themed(_ scheme: ThemeScheme, _ serial: Int64, transition: Int) -> ThemeState {
    var state = sample(scheme, serial: serial)
    state.inner.resolution.theme = ShownTheme(
      name: "mint", title: "Mint", details: ThemeDetails(Side(), for: scheme) { $0 })
    state.inner.resolution.transition = transition
    return state
  }

  private func send(_ state: ThemeState, to peer: borrowing Peer) throws {
    try peer.send(Reply(["state": .object(state.inner.parameters)], continues: true))
  }

  /// A daemon that tells one who asks with details of a state, and of the others when it is its turn.
  private func daemon(
    at scratch: Scratch, telling first: ThemeState, then others: [ThemeState], in turns: Turns
  ) throws -> ScriptedDaemon {
    try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      #expect(try peer.callText().contains(#""details":true"#))
      try send(first, to: peer)
      try turns.take()
      for state in others { try send(state, to: peer) }
      try peer.awaitClose()
    }
  }

  @Test("A fade is shown frame by frame, each a little further, between where it began and where it leads")
  func frames() async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let turns = Turns()
    // So long that no machine is so slow as to miss all of it.
    let (first, second) = (themed(.light, 1, transition: 60_000), themed(.dark, 2, transition: 60_000))
    let daemon = try daemon(at: scratch, telling: first, then: [second], in: turns)
    do {
      var looks = ThemeLooks(app: "a", socket: scratch.socket, framesPerSecond: 100).makeAsyncIterator()
      #expect(try await looks.next() == ThemeLook(first))
      turns.give()
      var seen: [ThemeLook] = []
      while seen.count < 5, let look = try await looks.next() { seen.append(look) }
      #expect(seen.map(\.darkness) == seen.map(\.darkness).sorted())
      #expect(Set(seen.map(\.darkness)).count == 5)
      #expect(seen.allSatisfy { $0.scheme == .dark && $0 != ThemeLook(second) })
    }
    daemon.join()
  }

  @Test("Looks are asked for with details, and fade to exactly where they lead")
  func looks() async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let turns = Turns()
    let (first, second) = (themed(.light, 1, transition: 100), themed(.dark, 2, transition: 100))
    let daemon = try daemon(at: scratch, telling: first, then: [second], in: turns)
    do {
      var looks = ThemeLooks(app: "a", socket: scratch.socket, framesPerSecond: 100).makeAsyncIterator()
      #expect(try await looks.next() == ThemeLook(first))
      turns.give()
      var seen: [ThemeLook] = []
      while seen.last != ThemeLook(second), let look = try await looks.next() { seen.append(look) }
      #expect(seen.last == ThemeLook(second))
      #expect(seen.map(\.darkness) == seen.map(\.darkness).sorted())
      #expect(seen.allSatisfy { $0.scheme == .dark })
    }
    daemon.join()
  }

  @Test("Without a frame rate each change is one look")
  func noFrames() async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let turns = Turns()
    let (first, second) = (themed(.light, 1, transition: 60_000), themed(.dark, 2, transition: 60_000))
    let daemon = try daemon(at: scratch, telling: first, then: [second], in: turns)
    do {
      var looks = ThemeLooks(socket: scratch.socket).makeAsyncIterator()
      #expect(try await looks.next() == ThemeLook(first))
      turns.give()
      #expect(try await looks.next() == ThemeLook(second))
    }
    daemon.join()
  }

  @Test("Changes that look the same, such as renewed overrides, are no looks", arguments: [nil, 100])
  func renewed(framesPerSecond: Int?) async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let turns = Turns()
    let (first, last) = (themed(.light, 1, transition: 0), themed(.dark, 1000, transition: 0))
    // So many that some are heard one by one, however slowly they are taken.
    let renewed = (2..<500).map { serial in
      var renewed = themed(.light, Int64(serial), transition: 0)
      renewed.inner.resolution.origins["scheme"] = Origin(.override, expiresAt: Int64(serial))
      return renewed
    }
    let daemon = try daemon(at: scratch, telling: first, then: renewed + [last], in: turns)
    do {
      var looks = ThemeLooks(socket: scratch.socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
      #expect(try await looks.next() == ThemeLook(first))
      turns.give()
      #expect(try await looks.next() == ThemeLook(last))
    }
    daemon.join()
  }

  @Test("What ends the looks is thrown once, behind the last of them, also within a fade", arguments: [nil, 100])
  func endsWithinFade(framesPerSecond: Int?) async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let turns = Turns()
    let (first, last) = (themed(.light, 1, transition: 60_000), themed(.dark, 2, transition: 60_000))
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(first)
      try turns.take()
      try peer.send(last)
      try peer.send(Reply(.invalidParameter("app")))
      try peer.awaitClose()
    }
    do {
      var looks = ThemeLooks(socket: scratch.socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
      #expect(try await looks.next() == ThemeLook(first))
      turns.give()
      daemon.join()
      #expect(try await looks.next()?.scheme == .dark)
      await #expect(throws: ThemeClientError.self) { while try await looks.next() != nil {} }
      #expect(try await looks.next() == nil)
    }
  }

  @Test("What trying again does not mend is thrown, and a cancelled task ends it")
  func ends() async throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.invalidParameter("app")))
      try peer.awaitClose()
    }
    let socket = scratch.socket
    await #expect(throws: ThemeClientError.self) { try await ThemeCenter().follow(app: "\n", socket: socket) }
    daemon.join()
    let task = Task { try await ThemeCenter().follow(socket: socket) }
    task.cancel()
    try await task.value
  }
}
