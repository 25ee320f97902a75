import ThemedSystem

@testable import ThemeDaemon

/// Everything that a bus and a user manager can tell of a session, in any order.
func fuzzSession(_ bytes: [UInt8]) {
  var input = Input(bytes)
  var session = GraphicalSession(hasOwnDisplay: input.byte() & 1 == 1)
  var (now, asked, warnings) = (0, 0, 0)
  var starts: [Int] = []
  var cameAt: Int?
  while !input.isEmpty {
    now += input.number(below: 1 << 16)
    let event: GraphicalSession.Event =
      switch input.byte() % 8 {
      case 0: .manager(isThere: input.byte() & 1 == 1)
      case 1: .portal(isThere: input.byte() & 1 == 1)
      case 2: .changed
      case 3: .signOfLife
      case 4: .reload
      case 5: .busLost
      case 6: .told(input.byte() & 1 == 1 ? asked : Int(input.byte()), nil)
      default: .told(input.byte() & 3 > 0 ? asked : Int(input.byte()), manager(&input))
      }
    if case .reload = event { starts = [] }
    if case .busLost = event { cameAt = nil }
    if case .portal(let isThere) = event, isThere != (cameAt != nil) {
      if let cameAt, now - cameAt >= Limits.portalStays { starts = [] }
      cameAt = isThere ? now : nil
    }
    let before = session.isUp
    let actions = session.handle(event, now: now)
    // Another session, or what may be one.
    if before != true, session.isUp == true { starts = [] }
    for action in actions {
      switch action {
      case .ask(let question):
        require(question == asked + 1, "a question's number is used again")
        asked = question
      case .startPortal:
        require(session.isUp == true, "the portal is started without a session")
        starts = starts.filter { now - $0 <= Limits.portalStartsWithin } + [now]
        require(starts.count <= Limits.portalStarts, "the portal is started again and again")
      case .warn: warnings += 1
      }
    }
  }
  require(warnings <= bytes.count, "more warnings than events")
}

private func manager(_ input: inout Input) -> GraphicalSession.Manager {
  let targets: [Text] = ["active", "inactive", "activating", "failed", ""]
  var displays: Set<Text> = []
  for _ in 0..<input.byte() % 3 { displays.insert(Text(decoding: input.slice())) }
  return GraphicalSession.Manager(
    displays: displays, target: targets[Int(input.byte() % 5)], hasJob: input.byte() & 1 == 1,
    wentDown: UInt64(input.byte() % 4), hasPortalJob: input.byte() & 7 == 0)
}
