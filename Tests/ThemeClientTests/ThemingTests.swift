import ThemedText
import ThemedTestSupport
import Testing
import ThemeClient
import ThemedVarlink

/// Everything that is drawn by the theme, told how to look.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct ThemingTests {
  /// Keeps what it was told.
  private final class View: Themeable {
    var looks: [Look] = []
    var onApply: (Look) -> Void = { _ in }

    func apply(_ look: Look) {
      looks.append(look)
      onApply(look)
    }
  }

  private let light = Look(.light)
  private let dark = Look(.dark)

  @Test("Who registers is told at once, if there is something to tell, and at each change")
  func register() {
    let theming = Theming()
    let (early, late) = (View(), View())
    theming.register(early)
    #expect(early.looks == [])
    theming.show(light)
    theming.register(late)
    #expect(late.looks == [light])
    theming.show(dark)
    #expect(early.looks == [light, dark])
    #expect(late.looks == [light, dark])
    #expect(theming.look == dark)
  }

  @Test("What nobody else holds is forgotten")
  func weakly() {
    let theming = Theming(light)
    var view: View? = View()
    weak var held: View?
    held = view
    if let view { theming.register(view) }
    #expect(theming.count == 1)
    view = nil
    #expect(held == nil)
    theming.show(dark)
    #expect(theming.count == 0)
  }

  @Test("Registering twice tells once, and who has gone is told no more")
  func twice() {
    let theming = Theming()
    let view = View()
    theming.register(view)
    theming.register(view)
    theming.show(light)
    #expect(view.looks == [light])
    theming.unregister(view)
    theming.show(dark)
    #expect(view.looks == [light])
  }

  @Test("Who is told may register others, and leave")
  func nested() {
    let theming = Theming()
    let (parent, child) = (View(), View())
    parent.onApply = { [unowned theming, unowned parent] _ in
      theming.register(child)
      theming.unregister(parent)
    }
    theming.register(parent)
    theming.show(light)
    theming.show(dark)
    #expect(parent.looks == [light])
    #expect(child.looks == [light, dark])
  }

  @Test("Who is told and shows another look has everybody end with that one, told once each")
  func newestWins() {
    let theming = Theming()
    let (first, second, third) = (View(), View(), View())
    second.onApply = { [unowned theming, dark] look in if look != dark { theming.show(dark) } }
    for view in [first, second, third] { theming.register(view) }
    theming.show(light)
    #expect(theming.look == dark)
    #expect(first.looks == [light, dark])
    #expect(second.looks == [light, dark])
    #expect(third.looks == [dark])
  }

  @Test("Who is unregistered while others are told is told no more")
  func leavesMeanwhile() {
    let theming = Theming()
    let (first, second) = (View(), View())
    first.onApply = { [unowned theming, unowned second] _ in theming.unregister(second) }
    theming.register(first)
    theming.register(second)
    theming.show(light)
    #expect(first.looks == [light])
    #expect(second.looks == [])
    // Who comes back is told, as anybody who comes.
    theming.register(second)
    #expect(second.looks == [light])
  }

  // MARK: With a daemon

  private func themed(_ scheme: ColorScheme, _ serial: Int64, transition: Int) -> State {
    var state = sample(scheme, serial: serial)
    state.resolution.theme = ShownTheme(
      name: "mint", title: "Mint", details: ThemeDetails(Side(), for: scheme) { $0 })
    state.resolution.transition = transition
    return state
  }

  private func send(_ state: State, to peer: borrowing Peer) throws {
    try peer.send(Reply(["state": .object(state.parameters(details: true))], continues: true))
  }

  /// A daemon that tells one who asks with details of a state, and of the others when it is its turn.
  private func daemon(
    at scratch: Scratch, telling first: State, then others: [State], in turns: Turns
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
      #expect(try await looks.next() == Look(first))
      turns.give()
      var seen: [Look] = []
      while seen.count < 5, let look = try await looks.next() { seen.append(look) }
      #expect(seen.map(\.darkness) == seen.map(\.darkness).sorted())
      #expect(Set(seen.map(\.darkness)).count == 5)
      #expect(seen.allSatisfy { $0.scheme == .dark && $0 != Look(second) })
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
      #expect(try await looks.next() == Look(first))
      turns.give()
      var seen: [Look] = []
      while seen.last != Look(second), let look = try await looks.next() { seen.append(look) }
      #expect(seen.last == Look(second))
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
      #expect(try await looks.next() == Look(first))
      turns.give()
      #expect(try await looks.next() == Look(second))
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
      renewed.resolution.override = Override(scheme: .light, expiresAt: Int64(serial))
      return renewed
    }
    let daemon = try daemon(at: scratch, telling: first, then: renewed + [last], in: turns)
    do {
      var looks = ThemeLooks(socket: scratch.socket, framesPerSecond: framesPerSecond).makeAsyncIterator()
      #expect(try await looks.next() == Look(first))
      turns.give()
      #expect(try await looks.next() == Look(last))
    }
    daemon.join()
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
    await #expect(throws: ThemeClientError.self) { try await Theming().follow(app: "\n", socket: socket) }
    daemon.join()
    let task = Task { try await Theming().follow(socket: socket) }
    task.cancel()
    try await task.value
  }
}
