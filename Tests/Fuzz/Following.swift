import ThemedModel
@testable import ThemedClientCore

/// Everything that can happen to who follows the daemon, in any order, with any bytes in any pieces.
func fuzzFollowing(_ bytes: [UInt8]) {
  fuzzFollowing(bytes, FollowedState(app: nil, details: false))
  fuzzFollowing(bytes, FollowedCatalog())
}

private func fuzzFollowing<Subject: Followed>(_ bytes: [UInt8], _ subject: Subject) {
  var input = Input(bytes)
  let limit = 256
  var session = FollowingSession(subject, limit: limit)
  var (isConnected, isOver) = (false, false)
  var last: Subject.Value?
  while !input.isEmpty {
    let event: FollowingEvent =
      switch input.byte() % 16 {
      case 0: .started
      case 1, 2: .connected(stranger: input.byte() & 1 == 1 ? 7 : nil)
      case 3: .disconnected
      case 4, 5: .timePassed
      case 6: .socketAppeared
      default: .received(input.slice())
      }
    let action = session.handle(event)
    require(!isOver || action == nil, "it goes on after it gave up")
    switch action {
    case .send: isConnected = true
    case .wait(let pause):
      require(pause >= .milliseconds(100) && pause <= .seconds(5), "it waits \(pause)")
      isConnected = false
    case .giveUp: (isConnected, isOver) = (false, true)
    case .connect, nil: break
    }
    require(session.heldBytes <= (isConnected ? limit : 0), "it keeps \(session.heldBytes) bytes")
    guard let value = session.take() else { continue }
    require(Subject.essence(of: value) != last.map(Subject.essence), "it gives a value twice")
    last = value
  }
}
