@testable import ThemedDBus

/// What a bus sends, from its first answer on: cut at any place, it says the same, and nothing of it is read beyond its
/// end.
func fuzzBus(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let (first, second) = (Int(input.byte()) + 1, Int(input.byte()) + 1)
  let rest = input.rest
  require(events(in: rest, by: first) == events(in: rest, by: second), "where it is cut matters")
  require(answer(to: rest, by: first) == answer(to: rest, by: second), "where it is cut matters")
}

/// What comes of it where so many bytes come at a time.
private func events(in bytes: [UInt8], by length: Int) -> [MessageReader.Event] {
  var reader = MessageReader(maximum: 256)
  var events: [MessageReader.Event] = []
  for start in stride(from: 0, to: bytes.count, by: length) {
    reader.append(bytes[start..<min(start + length, bytes.count)])
    while let event = reader.next() {
      events.append(event)
      switch event {
      case .message(let bytes):
        guard let message = Message(bytes) else { return events }
        _ = (message.kind, message.sender, message.path, message.failure, message.reply, message.arguments())
      case .passedOver: break
      case .broken: return events
      }
    }
  }
  return events
}

private func answer(to bytes: [UInt8], by length: Int) -> Authentication.Step {
  var authentication = Authentication()
  for start in stride(from: 0, to: bytes.count, by: length) {
    let step = authentication.receive(bytes[start..<min(start + length, bytes.count)])
    if step != .wait { return step }
  }
  return .wait
}
