import Testing
import ThemedModel
import ThemedSystem
import ThemedVarlink

@testable import ThemeDaemon

/// What SetOverride may be asked: strictly read, since whoever is misunderstood would not notice.
@Suite struct OverrideCallTests {
  private func read(_ json: String) throws -> (override: Override, clear: [Field]) {
    guard case .object(let object) = try JSON(parsing: Array(json.utf8)) else { throw Violation.notAnObject }
    var parameters = Parameters(object)
    return try parameters.override()
  }

  @Test(arguments: [
    (#"{}"#, "override"), (#"{"override":{}}"#, "override"), (#"{"override":{"app":"a"}}"#, "override"),
    (#"{"override":{"auto":[]},"clear":[]}"#, "override"), (#"{"override":{},"clear":null}"#, "override"),
    (#"{"override":{"scheme":"dark"},"clear":["scheme"]}"#, "clear"),
    (#"{"override":{"app":"a","auto":["lightTheme"]},"clear":["lightTheme"]}"#, "clear"),
    (#"{"override":{"scheme":"dark"},"clear":["contrast"]}"#, "clear"),
    (#"{"override":{"scheme":"dark"},"clear":"highContrast"}"#, "clear"),
    (#"{"override":{"app":"a","highContrast":true,"auto":["highContrast"]}}"#, "override.auto"),
    (#"{"override":{"app":"a","scheme":"dark","auto":["scheme"]}}"#, "override.auto"),
    (#"{"override":{"app":"a","scheme":"auto"}}"#, "override.scheme"),
    (#"{"override":{"untilDesktopChanges":true},"clear":["scheme"]}"#, "override.untilDesktopChanges"),
    (#"{"override":{"expiresAt":4000000000},"clear":["scheme"]}"#, "override.expiresAt"),
    (#"{"override":{"auto":["highContrast"],"untilDesktopChanges":true}}"#, "override.untilDesktopChanges"),
    (#"{"override":{"auto":["highContrast"],"expiresAt":4000000000}}"#, "override.expiresAt"),
  ])
  func `what says nothing, or says two things of a field, is refused by its name`(call: String, name: String) {
    #expect(throws: VarlinkError.invalidParameter(name)) { try read(call) }
  }

  @Test func `fields are set, pinned and cleared in one call, which may be to clear alone`() throws {
    let whole = try read(
      #"{"override":{"app":"a","scheme":"dark","auto":["accentColor"],"untilDesktopChanges":true},"clear":["darkTheme"]}"#
    )
    #expect(whole.override == Override(app: "a", scheme: .dark, auto: [.accentColor], untilDesktopChanges: true))
    #expect(whole.clear == [.darkTheme])
    let clearing = try read(#"{"override":{"app":"a","expiresAt":null},"clear":["scheme","highContrast"]}"#)
    #expect(clearing.override == Override(app: "a"))
    #expect(clearing.clear == [.scheme, .highContrast])
  }

  @Test func `a theme that several calls ask for counts once, until the last of them is answered`() {
    var asked = AskedThemes()
    asked.add(["one", "two"])
    asked.add(["one"])
    #expect(asked.count(with: ["one"]) == 2)
    #expect(asked.count(with: ["one", "three"]) == 3)
    asked.remove(["one"])
    #expect(asked.count(with: []) == 2)
    asked.remove(["one", "two"])
    #expect(asked.count(with: []) == 0)
  }
}
