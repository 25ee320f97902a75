import Testing
import ThemedInterface
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeClient
@testable import ThemedClientCore

/// The list of themes, followed: by the machine, by the descriptor and by the sequence.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct FollowedCatalogTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  private static let call = #"{"method":"org.themed.theme.ListThemes","more":true}"#

  /// A machine that has connected.
  private func reading() -> FollowingSession<FollowedCatalog> {
    var session = FollowingSession(FollowedCatalog())
    _ = session.handle(.started)
    #expect(session.handle(.connected(stranger: nil)) == .send(Array(Self.call.utf8) + [0]))
    return session
  }

  @Test("The machine gives the newest list, and only if it differs, over a restart too")
  func conflation() {
    var session = reading()
    let frames = [catalog("a"), catalog("a", "b"), catalog("b")].map { frame($0) }
    #expect(session.handle(.received(ArraySlice(frames.joined()))) == nil)
    #expect(session.take() == catalog("b"))
    _ = session.handle(.received(frames[0] + frames[2]))
    #expect(session.take() == nil, "what was given last holds again")
    #expect(session.handle(.disconnected) == .wait(FollowingSession<FollowedCatalog>.shortestPause))
    #expect(session.handle(.timePassed) == .connect)
    _ = session.handle(.connected(stranger: nil))
    _ = session.handle(.received(frames[2]))
    #expect(session.take() == nil)
    _ = session.handle(.received(frames[1]))
    #expect(session.take() == catalog("a", "b"))
  }

  @Test("Directories that do not answer are waited for, ever longer and without an end; a refusal ends it")
  func unanswered() {
    var session = reading()
    let error = Reply(ThemeInterface.themesUnavailable("they do not answer")).frame[...]
    for pause in [100, 200, 400, 800, 1600, 3200, 5000, 5000] {
      #expect(session.handle(.received(error)) == .wait(.milliseconds(pause)))
      #expect(session.handle(.timePassed) == .connect)
      _ = session.handle(.connected(stranger: nil))
    }
    _ = session.handle(.received(frame(catalog("a"))))
    #expect(session.take() == catalog("a"))
    let refusal = Reply(.permissionDenied).frame[...]
    guard case .giveUp(let end)? = session.handle(.received(refusal)) else {
      Issue.record("it asks again")
      return
    }
    #expect(end.code == .refused)
  }

  @Test("The source gives the list now and each that differs, by one descriptor, through restarts and without a daemon")
  func source() throws {
    var source = try CatalogSource(socket: scratch.socket)
    let descriptor = source.descriptor
    #expect(isReadable(descriptor))
    #expect(try source.process() == nil)
    #expect(!isReadable(descriptor), "without a daemon it sleeps")
    for names in [["a"], ["a", "b"], ["b"]] as [[Text]] {
      let list = Catalog(names.flatMap { catalog($0) })
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var peer = try listener.accept()
        #expect(try peer.callText() == Self.call)
        try peer.send(list)
        try peer.send(list)
      }
      #expect(try next(&source) == list)
      #expect(source.descriptor == descriptor)
      daemon.join()
    }
  }

  @Test("What the daemon refuses is thrown by the source, each time, and then the loop is left alone")
  func refused() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.permissionDenied))
      try peer.awaitClose()
    }
    var source = try CatalogSource(socket: scratch.socket)
    for _ in 0..<2 {
      let error = #expect(throws: CallError.self) { _ = try next(&source) }
      #expect(error?.code == .refused && error?.isOfReadOnlySocket == true)
      #expect(error?.description.hasPrefix("this socket is read-only: ") == true)
    }
    #expect(!isReadable(source.descriptor))
    daemon.join()
  }

  @Test("A daemon that cannot read the themes now is reported with the reason")
  func unlisted() throws {
    let error = try #require(CallError(Reply(ThemeInterface.themesUnavailable("a directory does not respond"))))
    #expect(error.code == .themesUnavailable && error.theme == nil)
    #expect(error.description == "themed cannot read the themes: a directory does not respond")
  }

  @Test("A daemon of another version, which does not have a method, is said to be one")
  func anotherVersion() throws {
    for error in [
      VarlinkError.methodNotFound("org.themed.theme.GetDiagnostics"), .interfaceNotFound("org.themed.admin"),
    ] {
      let error = try #require(CallError(Reply(error)))
      #expect(error.code == .refused && error.description.contains("are of different versions"))
    }
  }

  @Test("The sequence starts with the list now, outlives the daemon, and repeats nothing")
  func sequence() async throws {
    let lists = [catalog("a"), catalog("a"), catalog("a", "b")]
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      // The first two end as daemons do.
      for list in lists.dropLast() {
        var peer = try listener.accept()
        #expect(try peer.callText() == Self.call)
        try peer.send(list)
      }
      // Of two lists that come before one is asked for, the first is not told.
      try turns.take()
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(lists[2])
      try peer.awaitClose()
    }
    do {
      var catalogs = AsyncThemeClient(socket: scratch.socket).themeLists().makeAsyncIterator()
      #expect(try await catalogs.next() == lists[0].map { ThemeSummary($0) })
      turns.give()
      #expect(try await catalogs.next() == lists[2].map { ThemeSummary($0) })
    }
    daemon.join()
  }

  @Test("The sequence throws a refusal, and ends with the task")
  func end() async throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(catalog("a"))
      try peer.awaitClose()
      peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.permissionDenied))
      try peer.awaitClose()
    }
    let socket = scratch.socket
    let task = Task {
      var count = 0
      for try await _ in AsyncThemeClient(socket: socket).themeLists() {
        count += 1
        turns.give()
      }
      return count
    }
    try await turns.taken()
    task.cancel()
    #expect(try await task.value == 1)
    var catalogs = AsyncThemeClient(socket: socket).themeLists().makeAsyncIterator()
    await #expect(throws: ThemeError.self) { _ = try await catalogs.next() }
    #expect(try await catalogs.next() == nil)
    daemon.join()
  }
}

/// The next list; waits for it as a loop does.
private func next(_ source: inout CatalogSource) throws -> Catalog {
  while true {
    if let list = try source.process() { return list }
    try awaitReadiness(of: source.descriptor)
  }
}

/// A reply to `ListThemes`, as it goes over the wire.
private func frame(_ list: Catalog) -> ArraySlice<UInt8> { reply(list).frame[...] }

private func reply(_ list: Catalog) -> Reply {
  Reply(
    [
      "themes": .array(list.map { .object($0.parameters) }),
      "omitted": list.omitted > 0 ? .integer(Int64(list.omitted)) : nil,
    ], continues: true)
}

extension Peer {
  fileprivate func send(_ list: Catalog) throws { try send(reply(list)) }
}
