import Foundation

/// A private session bus: a real dbus-daemon at an address that is known before it starts, and that it returns to.
public final class SessionBus {
  private unowned let session: Session
  private var process: ChildProcess?

  /// A bus that is still to be started.
  public init(_ session: Session) {
    self.session = session
  }

  /// Starts the bus with the session's environment of now, which the services it starts will inherit.
  public func start() throws {
    try session.directory.directory("services")
    // It looks for services beside its configuration.
    let configuration = try String(contentsOfFile: Products.package + "/tools/bus.conf", encoding: .utf8)
    let file = try session.directory.write(configuration, to: "bus.conf")
    let process = try session.spawn(
      "dbus-daemon",
      ["--nofork", "--print-address=1", "--config-file=\(file)", "--address=\(session.busAddress)"])
    self.process = process
    _ = try process.line()
  }

  /// Ends the bus as a crash would, and waits for the services that it had started to follow.
  public func kill() throws {
    process?.send(.kill)
    try process?.wait()
    process = nil
  }

  /// Freezes the bus: it accepts no more, and answers nothing.
  public func freeze() { process?.send(.stop) }

  /// Lets it go on.
  public func thaw() { process?.send(.continue) }

  /// Removes the socket that a crash has left behind.
  public func removeSocket() throws {
    try FileManager.default.removeItem(atPath: session.directory.path("run/bus"))
  }

  /// Lets the bus start the portal, and what it needs, on demand.
  func offerDesktop() throws {
    let services = try TestDesktop.pieces.get().place + "/services"
    for name in try FileManager.default.contentsOfDirectory(atPath: services) {
      try session.directory.write(
        String(contentsOfFile: "\(services)/\(name)", encoding: .utf8), to: "services/\(name)")
    }
  }
}
