import ThemedVarlink

@testable import ThemeDaemon

/// What one process leaves to the next, under a right sum: what is accepted is kept as it is, and can be gone on with.
func fuzzHandover(_ bytes: [UInt8]) {
  _ = try? Handover(decoding: bytes)
  guard let handover = try? Handover(decoding: Handover.whole(bytes)) else { return }
  guard let again = try? Handover(decoding: handover.encoded) else { fatalError("what was written cannot be read") }
  require(again == handover, "what was written is something else")
  for connection in handover.connections {
    guard var machine = ServerConnection(resuming: connection.progress, limits: Limits.connection) else { continue }
    require(machine.suspended == connection.progress, "a connection goes on elsewhere than it was left")
    while case .call = machine.next() { machine.reply([0]) }
    while machine.wantsToSend { machine.didSend(1) }
  }
}
