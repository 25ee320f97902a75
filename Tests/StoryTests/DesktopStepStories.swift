import Foundation
import Testing
import ThemedTestSupport

/// The desktop's own setting is kept in step with what is shown: the daemon with the real portal, its GTK backend and
/// gsettings, and a writer that does what it is told.
@Suite(.ownThreads) struct DesktopStepStories {
  private static let inStep = "[desktop]\nin-step=yes\n"

  /// Starts the desktop, the daemon and a writer, and waits until the daemon has heard what the desktop asks for.
  private func start(
    _ session: Session, _ setting: Desktop.Setting, _ word: String
  ) throws -> (desktop: Desktop, watch: VarlinkConnection, writer: Writer) {
    try session.configure(Self.inStep)
    let desktop = try session.startDesktop(setting)
    _ = try session.startThemed()
    let watch = try session.subscribe()
    _ = try watch.frame { $0.desktop == word }
    return (desktop, watch, try Writer(session))
  }

  /// Sets dark, and waits until the desktop has turned.
  private func setDark(_ session: Session, _ writer: Writer) throws {
    _ = try session.themectl("set", "dark")
    #expect(try writer.write() == "prefer-dark")
    try session.waitUntilInStep()
  }

  @Test func `an override turns the desktop, its echo is no wish, and unset gives the desktop back what it had`() throws
  {
    try withSession { session in
      try session.configure(Self.inStep)
      let desktop = try session.startDesktop(.none)
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "none" }
      let writer = try Writer(session)
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      #expect(try writer.write() == "prefer-dark")
      try session.waitUntilInStep()
      #expect(try session.themectl("get", "desktop").lines == ["none"], "the echo is not what the desktop asks for")

      // A restart in the middle of an override knows that.
      themed.send(.kill)
      #expect(try themed.wait() == .signaled(9))
      _ = try session.startThemed()
      // A writer that came before the daemon has read the desktop would have to write once more.
      try session.waitUntilInStep()
      let next = try Writer(session)
      #expect(try session.themectl("unset").lines == ["light"])
      #expect(try next.write() == "default", "not prefer-light")
      try session.waitUntilInStep()
      #expect(try desktop.portalAnswer().contains("0"))
    }
  }

  @Test func `the user's own switch ends a contrary override, and becomes what the desktop asks for`() throws {
    try withSession { session in
      let (desktop, watch, writer) = try start(session, .light, "light")
      try setDark(session, writer)
      try desktop.set(.light)
      let switched = try watch.frame { $0.scheme == "light" }
      #expect(switched.string("parameters.state.origins.scheme.rule") == "portal")
      try desktop.set(.dark)
      let dark = try watch.frame { $0.scheme == "dark" }
      #expect(dark.desktop == "dark")
      #expect(dark.string("parameters.state.origins.scheme.rule") == "portal")
    }
  }

  @Test func `an override for a time gives the desktop back, and a switch against the schedule lasts until its next`()
    throws
  {
    try withSession { session in
      let (desktop, watch, writer) = try start(session, .dark, "dark")
      _ = try session.themectl("set", "light", "--for", "2s")
      #expect(try writer.write() == "prefer-light")
      _ = try watch.frame { $0.scheme == "light" }
      _ = try watch.frame { $0.scheme == "dark" }
      #expect(try writer.write() == "prefer-dark")
      try session.waitUntilInStep()

      // It is light by the schedule at any time of the day.
      let hour = Calendar.current.component(.hour, from: Date())
      let (light, dark) = ((hour + 23) % 24, (hour + 6) % 24)
      try session.configure(Self.inStep + "[schedule]\nmode=times\nlight=\(light):00\ndark=\(dark):00\n")
      _ = try watch.frame { $0.scheme == "light" }
      #expect(try writer.write() == "prefer-light")
      try session.waitUntilInStep()
      try desktop.set(.dark)
      let switched = try watch.frame { $0.scheme == "dark" }
      #expect(switched.string("parameters.state.origins.scheme.rule") == "override")
      #expect(switched.bool("parameters.state.origins.scheme.untilDesktopChanges") == true)
      try desktop.set(.light)
      let back = try watch.frame { $0.scheme == "light" }
      #expect(back.string("parameters.state.origins.scheme.rule") == "schedule")
    }
  }

  @Test func `when it is turned off, the desktop gets back what it asked for, and counts again`() throws {
    try withSession { session in
      let (desktop, watch, writer) = try start(session, .light, "light")
      try setDark(session, writer)
      try session.configure("")
      #expect(try writer.write() == "prefer-light")
      try session.waitUntilInStep(false)
      #expect(try session.themectl("get").lines == ["dark"], "the override holds for everything else")
      try desktop.set(.dark)
      _ = try watch.frame { $0.desktop == "dark" }
    }
  }

  @Test func `without a writer nothing is taken for a switch of the user, and status has the reason`() throws {
    try withSession { session in
      try session.configure(Self.inStep)
      _ = try session.startDesktop(.light)
      _ = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame { $0.desktop == "light" }
      _ = try session.themectl("set", "dark")
      let step = try session.connect().call("GetDiagnostics")
      #expect(step.bool("parameters.desktop.inStep") == true)
      #expect(step.string("parameters.desktop.target") == "dark")
      #expect(step.string("parameters.desktop.reported") == "light")
      #expect(step.int("parameters.desktop.writers") == 0)
      let writer = try Writer(session)
      #expect(try writer.fail("gsettings is missing") == "prefer-dark")
      try eventually("the reason is known") {
        try session.connect().call("GetDiagnostics").string("parameters.desktop.problem") == "gsettings is missing"
      }
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }
}

extension Session {
  /// Waits until nothing has to be written.
  ///
  /// Before that, the daemon does not know that the desktop follows, and takes no switch of it for the user's.
  func waitUntilInStep(_ isOn: Bool = true) throws {
    try eventually("the desktop is in step") {
      let step = try connect().call("GetDiagnostics")
      return step.value("parameters.desktop.target") == nil && step.bool("parameters.desktop.inStep") == isOn
    }
  }
}

/// A program that writes what the daemon wants written, by gsettings.
private final class Writer {
  private let session: Session
  private let targets: VarlinkConnection
  private var done = 0

  init(_ session: Session) throws {
    self.session = session
    targets = try session.follow("GetDesktopTarget")
  }

  /// Writes the next target, and returns the value that was written.
  func write() throws -> String {
    let (number, value) = try next()
    try session.check("gsettings", ["set", "org.gnome.desktop.interface", "color-scheme", value])
    _ = try session.connect().call("ReportDesktopTarget", #"{"number":\#(number)}"#)
    return value
  }

  /// Reports that the next target cannot be written, and returns its value.
  func fail(_ reason: String) throws -> String {
    let (number, value) = try next()
    _ = try session.connect().call("ReportDesktopTarget", #"{"number":\#(number),"problem":"\#(reason)"}"#)
    return value
  }

  private func next() throws -> (number: Int, value: String) {
    let frame = try targets.frame { $0.int("parameters.target.number").map { $0 > done } == true }
    done = frame.int("parameters.target.number") ?? 0
    let words = frame.value("parameters.target.preferences") as? [String] ?? []
    let values = ["light": "prefer-light", "dark": "prefer-dark", "none": "default"]
    return (done, values[words.first ?? "", default: "?"])
  }
}
