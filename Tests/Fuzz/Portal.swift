import ThemedModel
import ThemedSystem

@testable import ThemedDBus
@testable import ThemeDaemon

/// Values as they come over D-Bus, and everything that can happen to a portal, in any order.
func fuzzPortal(_ bytes: [UInt8]) {
  var run = Run(Input(bytes))
  while !run.input.isEmpty { run.step() }
}

private struct Run {
  var input: Input
  var follower = PortalFollower(settleTime: 100)
  /// The reads that were asked for and may be answered, late ones too.
  var reads: [PortalFollower.Read] = []
  var isAwaited = false
  var published = Reading()
  var warnings = 0

  init(_ input: Input) { self.input = input }

  mutating func step() {
    switch input.byte() % 8 {
    case 0: handle(.owner([nil, ":1.1", ":1.2"][Int(input.byte() % 3)]))
    case 1, 2: handle(.signal(sender: [nil, ":1.1", ":1.2"][Int(input.byte() % 3)], setting(), value()))
    case 3, 4, 5: answer()
    case 6 where input.byte() & 3 == 0: handle(input.byte() & 1 == 0 ? .signOfLife : .reload)
    case 6:
      guard isAwaited else { return }
      isAwaited = false
      handle(.woken)
    default: handle(.owner(nil))
    }
  }

  private mutating func answer() {
    guard !reads.isEmpty else { return }
    let read = reads[input.number(below: reads.count)]
    switch input.byte() % 4 {
    case 0: handle(.answer(read.id, setting(), .failure(Failure(name: failure(), message: Text(input.text())))))
    case 1: for setting in Setting.allCases { handle(.answer(read.id, setting, .success(value()))) }
    default: handle(.answer(read.id, setting(), .success(value())))
    }
  }

  private mutating func handle(_ event: PortalFollower.Event) {
    let actions = follower.handle(event)
    require(actions.count <= 16, "\(actions.count) actions at once")
    for action in actions {
      switch action {
      case .read(let read):
        require(reads.allSatisfy { $0.id < read.id }, "an old read's number is used again")
        reads = reads.suffix(3) + [read]
      case .wake(let delay):
        require(0...Limits.portalSlowRetries.upperBound ~= delay, "asleep for \(delay) ms")
        isAwaited = true
      case .sleep: isAwaited = false
      case .publish(let reading, _):
        require(reading != published, "published again")
        published = reading
      case .settle: require(published.scheme != .unavailable, "settled before anything was heard")
      case .warn:
        warnings += 1
        require(warnings <= 32, "more warnings than anybody reads")
      }
    }
    require(follower.reading == published, "read and not published")
  }

  private mutating func setting() -> Setting { Setting.allCases[Int(input.byte() % 4)] }

  private mutating func failure() -> Text {
    let known: [Text] = ["org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.portal.Error.NotFound", "a.b.C"]
    return known[Int(input.byte() % 3)]
  }

  // MARK: Values

  private mutating func value() -> Value {
    input.byte() & 1 == 0 ? made(depth: 0) : marshalled() ?? .other
  }

  /// A value as libdbus reads it from the bytes of a message, whatever its signature.
  private mutating func marshalled() -> Value? {
    let bytes = message(signature: Array(input.slice()), body: Array(input.slice()))
    let value = Message(bytes)?.arguments().first
    if let value { require(value.text(atMost: 100).utf8.count <= 103, "a text that is too long") }
    return value
  }

  private mutating func made(depth: Int) -> Value {
    switch input.byte() % 16 {
    case 0: return .byte(input.byte())
    case 1: return .boolean(input.byte() & 1 == 1)
    case 2: return .int16(Int16(truncatingIfNeeded: input.word()))
    case 3: return .uint16(UInt16(truncatingIfNeeded: input.word()))
    case 4: return .int32(Int32(truncatingIfNeeded: input.word()))
    case 5: return .uint32(UInt32(input.byte()))
    case 6: return .int64(Int64(truncatingIfNeeded: input.word()))
    case 7: return .uint64(input.word())
    case 8: return .double(Double(bitPattern: input.word()))
    case 9: return .double(Double(input.byte()) / 200)
    case 10: return .string(Text(input.text()))
    case 11, 12: return depth < 70 ? .variant(made(depth: depth + 1)) : .other
    case 13: return .structure((0..<3).map { _ in .double(Double(input.byte()) / 200) })
    case 14, 15:
      guard depth < 8 else { return .other }
      let parts = (0..<input.number(below: 5)).map { _ in made(depth: depth + 1) }
      return input.byte() & 1 == 0 ? .array(parts) : .structure(parts)
    default: return .other
    }
  }
}

/// A message of the D-Bus specification's format, little-endian: a method's return with this signature and body.
private func message(signature: [UInt8], body: [UInt8]) -> [UInt8] {
  func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
  // The fields: reply serial (5, u), and the signature (8, g).
  var fields: [UInt8] = [5, 1, UInt8(ascii: "u"), 0] + word(1)
  fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(signature.count)] + signature + [0]
  var message = [UInt8(ascii: "l"), 2, 0, 1] + word(body.count) + word(1) + word(fields.count) + fields
  while !message.count.isMultiple(of: 8) { message.append(0) }
  return message + body
}
