import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// What it takes to follow the daemon, as folds over what happens.
@Suite struct FollowingSessionTests {
  private typealias Session = FollowingSession<FollowedState>

  /// A session that has connected.
  private func reading(stranger: UInt32? = nil) -> Session {
    var session = Session(FollowedState(app: nil, details: false))
    _ = session.handle(.started)
    _ = session.handle(.connected(stranger: stranger))
    return session
  }

  @Test("It connects, asks to be told, and gives what it is told")
  func plain() {
    var session = Session(FollowedState(app: "a", details: true))
    #expect(session.handle(.started) == .connect)
    let call = #"{"method":"org.themed.theme.Monitor","parameters":{"app":"a","details":true},"more":true}"#
    #expect(session.handle(.connected(stranger: nil)) == .send(Array(call.utf8) + [0]))
    #expect(session.take() == nil)
    #expect(session.handle(.received(frame(sample(.light)))) == nil)
    #expect(session.take() == sample(.light))
    #expect(session.take() == nil)
  }

  @Test("Bytes may come in any pieces")
  func pieces() {
    let bytes = frame(sample(.light)) + frame(sample(.dark, serial: 2))
    for length in 1...bytes.count {
      var session = reading()
      var states: [State] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        #expect(session.handle(.received(bytes[start..<min(start + length, bytes.count)])) == nil)
        if let state = session.take() { states.append(state) }
      }
      #expect(states.last == sample(.dark, serial: 2))
      #expect((1...2).contains(states.count))
    }
  }

  @Test("Of those that came since it was asked, the newest state is given, and only if it differs")
  func conflation() {
    var session = reading()
    let frames = [sample(.light), sample(.dark, serial: 2), sample(.light, serial: 3)].map { frame($0) }
    #expect(session.handle(.received(ArraySlice(frames.joined()))) == nil)
    #expect(session.take()?.serial == 3)
    _ = session.handle(.received(frame(sample(.dark, serial: 4))))
    _ = session.handle(.received(frame(sample(.light, serial: 5))))
    #expect(session.take() == nil, "what was given last holds again")
  }

  @Test("A daemon that was restarted says nothing new by saying the same")
  func restart() {
    var session = reading()
    _ = session.handle(.received(frame(sample(.light))))
    #expect(session.take() != nil)
    #expect(session.handle(.disconnected) == .wait(Session.shortestPause))
    #expect(session.handle(.timePassed) == .connect)
    _ = session.handle(.connected(stranger: nil))
    _ = session.handle(.received(frame(sample(.light, instance: "two"))))
    #expect(session.take() == nil)
  }

  @Test("Each failure doubles the pause, up to five seconds; one that ends before it delivers is a failure")
  func backoff() {
    for connects in [false, true] {
      var session = Session(FollowedState(app: nil, details: false))
      _ = session.handle(.started)
      for pause in [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000] {
        if connects { _ = session.handle(.connected(stranger: nil)) }
        #expect(session.handle(.disconnected) == .wait(.milliseconds(pause)))
        #expect(session.handle(.timePassed) == .connect)
      }
    }
  }

  @Test("After a state, and with a new socket, the pauses start anew")
  func reset() {
    var session = reading()
    for pause in [100, 200, 400] {
      #expect(session.handle(.disconnected) == .wait(.milliseconds(pause)))
      _ = session.handle(.timePassed)
    }
    _ = session.handle(.connected(stranger: nil))
    _ = session.handle(.received(frame(sample(.dark))))
    #expect(session.handle(.disconnected) == .wait(.milliseconds(100)))
    _ = session.handle(.timePassed)
    #expect(session.handle(.disconnected) == .wait(.milliseconds(200)))
    #expect(session.handle(.socketAppeared) == .connect)
    #expect(session.handle(.disconnected) == .wait(.milliseconds(100)))
  }

  @Test("A last reply is a state too, and then there is a pause")
  func lastReply() {
    var session = reading()
    #expect(session.handle(.received(frame(sample(.dark), continues: false))) == .wait(.milliseconds(100)))
    #expect(session.take() == sample(.dark))
  }

  @Test(
    "What is no protocol is borne twice, and a state between makes it forgotten",
    arguments: ["[]\0", "\0", "{}\0", #"{"parameters":{"state":{}},"continues":true}"# + "\0", "{\"par"])
  func violation(text: String) throws {
    var session = reading()
    func violate() -> FollowingAction? {
      let action = session.handle(.received(ArraySlice(text.utf8)))
      return action ?? session.handle(.disconnected)
    }
    for round in 0..<2 {
      for _ in 0..<2 {
        guard case .wait? = violate() else { throw Failure("gave up in round \(round)") }
        _ = session.handle(.timePassed)
        _ = session.handle(.connected(stranger: nil))
      }
      if round == 0 { _ = session.handle(.received(frame(sample(.dark)))) }
    }
    guard case .giveUp(let error)? = violate() else { throw Failure("a third one was borne") }
    #expect(error.code == .protocolViolation)
    #expect(session.handle(.timePassed) == nil)
    #expect(session.handle(.started) == nil)
  }

  @Test("What the daemon refuses ends it: asking again would not help")
  func refused() {
    var session = reading()
    let error = CallError.refused(error: "org.varlink.service.InvalidParameter", parameter: "app")
    #expect(session.handle(.received(Reply(.invalidParameter("app")).frame[...])) == .giveUp(error))
    #expect(session.handle(.disconnected) == nil)
  }

  @Test("Another user's daemon that closes before it answers ends it; one that answers does not")
  func stranger() {
    var session = reading(stranger: 7)
    #expect(session.handle(.disconnected) == .giveUp(.otherUser(7)))
    session = reading(stranger: 7)
    _ = session.handle(.received(frame(sample(.dark))))
    #expect(session.handle(.disconnected) == .wait(.milliseconds(100)))
  }

  @Test("A reply without an end is not kept for ever")
  func bounded() {
    var session = FollowingSession(FollowedState(app: nil, details: false), limit: 1000)
    _ = session.handle(.started)
    _ = session.handle(.connected(stranger: nil))
    for _ in 0..<10 {
      #expect(session.handle(.received([UInt8](repeating: 0x20, count: 100)[...])) == nil)
    }
    #expect(session.heldBytes == 1000)
    #expect(session.handle(.received([0x20])) == .wait(.milliseconds(100)))
    #expect(session.heldBytes == 0)
  }
}

/// A reply to `Monitor`, as it goes over the wire.
func frame(_ state: State, continues: Bool = true) -> ArraySlice<UInt8> {
  Reply(["state": .object(state.parameters)], continues: continues).frame[...]
}
