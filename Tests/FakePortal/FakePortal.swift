import CThemedDBus
import Glibc

/// A settings portal that misbehaves as it is told, or a stranger on the bus that pretends to be one.
///
/// For tests alone, and never installed. Each line of standard input is a command (see `Script.swift`), answered by one
/// line of standard output; each call that comes is a line of standard error. Where its arguments are commands, as in
/// a service that the bus starts, it asks for no others.
@main
@safe
final class FakePortal {
  static let name = "org.freedesktop.portal.Desktop"
  static let path = "/org/freedesktop/portal/desktop"
  static let interface = "org.freedesktop.portal.Settings"
  static let namespace = "org.freedesktop.appearance"

  /// What becomes of a read.
  enum Manner: Equatable {
    case answered, silent, held
    case refused(String)
    case delayed(Int)
  }

  /// An answer that waits: `due` is milliseconds of the monotonic clock, nil until it is told to go.
  struct Waiting {
    let reply: Outgoing
    let due: Int?
  }

  let bus: Bus
  var values: [String: String] = [:]
  var manner = Manner.answered
  var version = 2
  var hasInterface = true
  var caller = ""
  var waiting: [Waiting] = []
  private var input: [UInt8] = []

  init(bus: Bus) {
    self.bus = bus
  }

  static func main() {
    guard let bus = Bus() else { fail("no session bus") }
    let portal = FakePortal(bus: bus)
    for command in CommandLine.arguments.dropFirst() { say(portal.obey(command)) }
    portal.run()
  }

  /// Serves the bus and the test until one of them is gone.
  private func run() {
    while bus.isConnected {
      while let call = bus.next() { handle(call) }
      sendDue()
      bus.flush()
      // Flushing is where its end may be met first; without a descriptor nothing would wake this.
      guard bus.isConnected else { return }
      var descriptors = [
        pollfd(fd: bus.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: CommandLine.arguments.count > 1 ? -1 : 0, events: Int16(POLLIN), revents: 0),
      ]
      unsafe poll(&descriptors, 2, CInt(timeout))
      if descriptors[1].revents != 0, !readCommands() { return }
      bus.read()
    }
  }

  private var timeout: Int {
    waiting.compactMap(\.due).min().map { max(0, $0 - now()) } ?? -1
  }

  private func sendDue() {
    let time = now()
    for answer in waiting where answer.due.map({ $0 <= time }) == true { bus.send(answer.reply) }
    waiting.removeAll { $0.due.map { $0 <= time } == true }
  }

  private func readCommands() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(0, &bytes, bytes.count)
    guard count > 0 else { return false }
    input += bytes[..<count]
    while let end = input.firstIndex(of: 10) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeSubrange(...end)
      say(obey(line))
      bus.flush()
    }
    return true
  }

  // MARK: Calls

  private func handle(_ call: Incoming) {
    caller = call.sender
    log("call \(call.member) \(call.strings.joined(separator: " ")) from \(call.sender)")
    switch call.member {
    case "Get" where call.strings == [Self.interface, "version"]:
      bus.send(hasInterface ? .reply(to: call, "v:u:\(version)") : unknown(call))
    case "ReadOne", "Read":
      guard hasInterface, call.member == "Read" || version > 1 else { return bus.send(unknown(call)) }
      send(answer(call))
    default: bus.send(unknown(call))
    }
  }

  /// What a portal in order would answer, by the value of now.
  private func answer(_ call: Incoming) -> Outgoing {
    if case .refused(let error) = manner { return .error(to: call, error) }
    guard call.strings.count == 2, call.strings[0] == Self.namespace, let value = values[call.strings[1]] else {
      return .error(to: call, "org.freedesktop.portal.Error.NotFound")
    }
    // A value as it is, without the variants around it, begins with an equals sign.
    if value.hasPrefix("=") { return .reply(to: call, String(value.dropFirst())) }
    let isNested = call.member == "Read" && call.interface == Self.interface
    return .reply(to: call, (isNested ? "v:v:" : "v:") + value)
  }

  private func send(_ reply: Outgoing) {
    switch manner {
    case .answered, .refused: bus.send(reply)
    case .silent: break
    case .held: waiting.append(Waiting(reply: reply, due: nil))
    case .delayed(let delay): waiting.append(Waiting(reply: reply, due: now() + delay))
    }
  }

  private func unknown(_ call: Incoming) -> Outgoing {
    .error(to: call, "org.freedesktop.DBus.Error.UnknownMethod")
  }
}

/// Milliseconds of the monotonic clock.
func now() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

func log(_ line: String) { write(line, to: 2) }

func say(_ line: String) { write(line, to: 1) }

private func write(_ line: String, to descriptor: CInt) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(descriptor, bytes, bytes.count)
}

func fail(_ message: String) -> Never {
  log(message)
  exit(1)
}
