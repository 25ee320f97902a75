import Varlink

@testable import ThemeDaemon

/// What one process leaves to the next, under a right sum: what is accepted is kept as it is, and can be gone on with.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Input.all(start, count)
  _ = try? Handover(decoding: bytes)
  guard let handover = try? Handover(decoding: Handover.whole(bytes)) else { return 0 }
  guard let again = try? Handover(decoding: handover.encoded) else { fatalError("what was written cannot be read") }
  require(again == handover, "what was written is something else")
  for connection in handover.connections {
    guard var machine = ServerConnection(resuming: connection.progress, limits: Limits.connection) else { continue }
    require(machine.suspended == connection.progress, "a connection goes on elsewhere than it was left")
    while case .call = machine.next() { machine.reply([0]) }
    while machine.wantsToSend { machine.didSend(1) }
  }
  return 0
}
