import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// Messages: what is accepted is written again to the same message, in a frame that holds one NUL, at its end.
func fuzzFrames(_ bytes: [UInt8]) {
  if let call = try? Call(parsing: bytes, in: bytes.indices) {
    require(!call.method.isEmpty, "a call without a method")
    let again = rewritten(call.frame) { try? Call(parsing: $0, in: $1) }
    require(again == call && again?.frame == call.frame, "the call is another one")
    var parameters = Parameters(call.parameters)
    if let override = try? Override(reading: &parameters) {
      var written = Parameters(override.parameters)
      require((try? Override(reading: &written)) == override, "the override is another one")
    }
  }
  if let reply = try? Reply(parsing: bytes, in: bytes.indices) {
    let again = rewritten(reply.frame) { try? Reply(parsing: $0, in: $1) }
    require(again == reply && again?.frame == reply.frame, "the reply is another one")
    if let state = try? State(Parameters(reply.parameters)) {
      require((try? State(Parameters(state.parameters))) == state, "the state is another one")
    }
  }
}

private func rewritten<Message>(_ frame: [UInt8], _ parse: ([UInt8], Range<Int>) -> Message?) -> Message? {
  require(frame.firstIndex(of: 0) == frame.count - 1, "the frame's NUL is not its end")
  return parse(frame, 0..<frame.count - 1)
}
