import Testing
import ThemedTestSupport

/// A daemon that follows a fake portal, and one who watches it.
struct Following {
  let session: Session
  let bus: SessionBus
  let portal: FakePortal
  let themed: ChildProcess
  let watch: VarlinkConnection

  /// Starts all of it, up to the portal's `scheme` having been read.
  init(_ session: Session, scheme: Int = 2, _ command: String = "version 2") throws {
    self.session = session
    bus = try session.startBus()
    portal = try session.startFakePortal(scheme: scheme, command)
    themed = try session.startThemed()
    watch = try session.subscribe()
    let desktop = ["none", "dark", "light"][scheme]
    _ = try watch.frame { $0.desktop == desktop }
  }

  /// Starts all of it, up to the read that confirms the first one.
  static func settled(_ session: Session, scheme: Int = 2) throws -> Following {
    let following = try Following(session, scheme: scheme)
    for _ in 0..<2 { try following.portal.awaitRead() }
    try following.expectNothing()
    return following
  }

  /// Expects nothing to have been broadcast up to now.
  func expectNothing() throws {
    // What goes to one subscriber stays in its order: the next to come has to be what is caused now.
    let connection = try session.connect()
    _ = try connection.call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
    let next = try watch.frame()
    #expect(next.string("parameters.state.origins.scheme.rule") == "override", "\(next.text)")
    _ = try connection.call("ClearOverride")
    _ = try watch.frame { $0.string("parameters.state.origins.scheme.rule") != "override" }
  }

  /// Expects the next broadcast to be that the desktop asks for this.
  func expect(_ desktop: String) throws {
    let frame = try watch.frame()
    #expect(frame.desktop == desktop, "\(frame.text)")
  }
}

extension FakePortal {
  /// Waits for a read of every setting.
  func awaitRead() throws {
    // The last of the four that are asked at once.
    try awaitCall("reduced-motion")
  }
}
