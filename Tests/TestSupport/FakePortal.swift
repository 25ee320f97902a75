/// A portal that misbehaves as it is told, or a stranger on the session's bus.
///
/// `Tests/FakePortal/Script.swift` lists what it can be told.
public final class FakePortal {
  /// The program, to be killed or stopped.
  public let process: ChildProcess
  /// Its unique name on the bus.
  public let uniqueName: String

  init(_ process: ChildProcess) throws {
    self.process = process
    try process.send(line: "name")
    uniqueName = try Self.answer(of: process, to: "name")
  }

  /// Has it do something, and returns what it has to say of that.
  @discardableResult
  public func tell(_ command: String) throws -> String {
    try process.send(line: command)
    return try Self.answer(of: process, to: command)
  }

  /// Waits for the next call whose description contains `text`, such as `ReadOne org.freedesktop.appearance contrast`.
  public func awaitCall(_ text: String) throws {
    try process.errorLine(containing: text)
  }

  /// How many calls have come whose description contains `text`.
  public func calls(_ text: String) -> Int {
    process.errors.split(separator: "\n").count { $0.hasPrefix("call") && $0.contains(text) }
  }

  /// Ends it as a crash would.
  public func crash() throws {
    process.send(.kill)
    try process.wait()
  }

  private static func answer(of process: ChildProcess, to command: String) throws -> String {
    let answer = try process.line()
    guard answer.hasPrefix("ok") else { throw Failure("the fake portal, told to \(command): \(answer)") }
    return String(answer.dropFirst(3))
  }
}

extension Session {
  /// Starts a stranger on the bus, who does nothing yet.
  public func startStranger() throws -> FakePortal {
    let path = try Products.path("themed-fake-portal")
    return try FakePortal(keep(ChildProcess(path, [], environment: environment, input: [])))
  }

  /// Starts a portal that says `scheme` (1 dark, 2 light, 0 no preference) and nothing of other settings.
  public func startFakePortal(scheme: Int, _ commands: String...) throws -> FakePortal {
    let portal = try startStranger()
    try portal.tell("set color-scheme u:\(scheme)")
    for command in commands { try portal.tell(command) }
    try portal.tell("own")
    return portal
  }
}
