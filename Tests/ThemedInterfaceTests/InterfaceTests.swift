import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// The texts of both interfaces, against the types that implement them.
@Suite struct InterfaceTests {
  /// The lines of this interface's text.
  private static func lines(of name: Text) -> [String] {
    ThemeInterface.interfaces.filter { $0.name == name }.flatMap { interface in
      interface.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private let lines = lines(of: ThemeInterface.name)
  private let adminLines = lines(of: ThemeInterface.adminName)

  @Test("The texts are those of the interfaces by their names, and can be parsed")
  func name() throws {
    #expect(ThemeInterface.interfaces.map(\.name) == ["org.themed.theme", "org.themed.admin"])
    for (name, description) in ThemeInterface.interfaces {
      #expect(try Text(InterfaceText(parsing: description.utf8).name) == name)
    }
  }

  @Test("The second interface says at once that it is not stable")
  func unpromised() {
    #expect(adminLines.prefix(4).joined().contains("not stable"))
    #expect(!lines.joined().contains("not stable"))
  }

  @Test("Every method stands in the text, with its documentation above it", arguments: ThemeInterface.Method.allCases)
  func methods(method: ThemeInterface.Method) throws {
    let lines = Self.lines(of: method.interface)
    let index = try #require(lines.firstIndex { $0.hasPrefix("method \(method.rawValue)(") })
    #expect(lines[index - 1].hasPrefix("# "))
  }

  @Test("The text has no method that is not implemented")
  func noOtherMethods() {
    let named = (lines + adminLines).filter { $0.hasPrefix("method ") }.map { $0.dropFirst(7).prefix { $0 != "(" } }
    #expect(named.map(String.init).sorted() == ThemeInterface.Method.allCases.map(\.rawValue).sorted())
  }

  @Test("Every type and error is documented")
  func documentation() {
    let lines = lines + adminLines
    for (index, line) in lines.enumerated() where ["type ", "error ", "interface "].contains(where: line.hasPrefix) {
      #expect(lines[index - 1].hasPrefix("#"), "\(line)")
    }
  }

  @Test("The streaming method says so in systemd's words")
  func more() throws {
    let index = try #require(lines.firstIndex { $0.hasPrefix("method Monitor(") })
    #expect(lines[index - 1].contains("[Requires 'more' flag]"))
  }

  @Test("The enumerations have the words of the types")
  func enumerations() {
    for lines in [lines, adminLines] {
      #expect(lines.contains("type Scheme (\(ColorScheme.allCases.map(\.rawValue).joined(separator: ", ")))"))
      #expect(lines.contains("type Preference (\(Preference.allCases.map(\.rawValue).joined(separator: ", ")))"))
    }
  }

  @Test("The structures have the fields that are sent")
  func structures() {
    let color = Color(red: 0, green: 0, blue: 0)
    let override = Override(
      app: "a", scheme: .dark, highContrast: true, reducedMotion: true, accentColor: color, lightTheme: "a",
      darkTheme: "b", auto: [.highContrast], expiresAt: 1, untilDesktopChanges: true)
    var resolution = Resolution(scheme: .dark, desktop: .dark, highContrast: true, reducedMotion: true)
    resolution.accentColor = color
    let origin = Origin(.override, isPinned: true, isRemembered: true, expiresAt: 1, untilDesktopChanges: true)
    resolution.origins = ["scheme": origin]
    (resolution.theme, resolution.transition) = (ShownTheme(name: "a", title: "A", details: ThemeDetails()), 1)
    resolution.nextSwitch = Switch(time: 1, scheme: .light)
    let state = State(instance: "i", serial: 1, resolution: resolution)
    #expect(fields(of: "Override") == override.parameters.members.map(\.name.string))
    #expect(fields(of: "State") == state.parameters.members.map(\.name.string))
    let forecast = ForecastTests.full.parameters
    #expect(adminResults(of: "GetSchedule") == forecast.members.map(\.name.string))
    #expect(adminFields(of: "Coordinates") == names(forecast["coordinates"]))
    #expect(adminFields(of: "Switch") == names(elements(forecast["switches"]).first))
    #expect(fields(of: "Switch") == names(state.parameters["nextSwitch"]))
    #expect(fields(of: "Origin") == origins(state.parameters["origins"]).first)
    let client = Client(app: "a", processID: 1, isReadOnly: true)
    #expect(adminFields(of: "Client") == client.parameters.members.map(\.name.string))
    let diagnostics = DiagnosticsTests.full.parameters
    #expect(adminResults(of: "GetDiagnostics") == diagnostics.members.map(\.name.string))
    for (type, field) in [
      ("Bus", "bus"), ("Portal", "portal"), ("File", "configuration"), ("File", "state"), ("File", "socket"),
      ("ReadOnlySocket", "readOnlySocket"), ("Upstream", "upstream"), ("DesktopStep", "desktop"),
    ] as [(String, Text)] {
      #expect(adminFields(of: type) == names(diagnostics[field]), "\(type)")
    }
    #expect(adminFields(of: "Change") == names(elements(diagnostics["changes"]).last))
    let setting = ThemeConfiguration.Setting(name: "n", value: "v", origin: "o")
    #expect(adminFields(of: "Setting") == setting.parameters.members.map(\.name.string))
    let target = DesktopTarget(number: 1, scheme: .dark, preferences: [.dark])
    let duty = DesktopDuty(isInStep: true, asked: .light, target: target).parameters
    #expect(adminResults(of: "GetDesktopTarget") == duty.members.map(\.name.string))
    #expect(adminFields(of: "DesktopTarget") == names(duty["target"]))
    let theme = Theme(name: "n", author: "a", light: Side(), dark: Side())
    var listing = ThemeListing(theme, path: "/p")
    listing.problem = "p"
    #expect(fields(of: "ThemeListing") == listing.parameters.members.map(\.name.string))
    let installed = InstalledTheme(theme: theme, path: "/p", problem: "p").parameters
    #expect(fields(of: "Theme") == installed.members.map(\.name.string))
    #expect(fields(of: "ThemeSide").sorted() == names(installed["dark"]).sorted())
    // Nothing is equal to nothing: each of them was found.
    for type in ["Override", "Origin", "Switch", "State", "ThemeListing", "Theme", "ThemeSide"] {
      #expect(!fields(of: type).isEmpty, "\(type)")
    }
    for type in [
      "Client", "Setting", "Switch", "Coordinates", "Bus", "Portal", "Upstream", "File", "ReadOnlySocket", "Change",
      "DesktopStep", "DesktopTarget",
    ] {
      #expect(!adminFields(of: type).isEmpty, "\(type)")
    }
  }

  @Test("The names keep to what every code generator takes")
  func names() {
    for name in [ThemeInterface.name, ThemeInterface.adminName] {
      #expect(name.string.allSatisfy { $0 == "." || $0.isLowercase })
    }
    #expect(
      (lines + adminLines).allSatisfy { $0.utf8.count <= 80 && !$0.contains("\t") && $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test("A call's method is told by its full name alone")
  func fullNames() {
    for method in ThemeInterface.Method.allCases {
      #expect(ThemeInterface.Method(fullName: method.fullName) == method)
      #expect(ThemeInterface.Method(fullName: Text(method.rawValue)) == nil)
      #expect(ThemeInterface.Method(fullName: "\(method.fullName)x") == nil)
    }
    for name: Text in [
      "", ".", "org.themed.theme", "org.themed.theme.", "org.themed.themeGetState", "org.themed.theme.getState",
      "org.themed.admin.GetState", "org.themed.theme.GetDiagnostics",
    ] {
      #expect(ThemeInterface.Method(fullName: name) == nil)
    }
  }

  @Test("The socket is where the variable says, else in the runtime directory")
  func socket() {
    #expect(ThemeInterface.socketPath(override: "/s", runtimeDirectory: "/run/user/1") == "/s")
    #expect(
      ThemeInterface.socketPath(override: nil, runtimeDirectory: "/run/user/1")
        == "/run/user/1/themed/org.themed.theme")
    #expect(ThemeInterface.socketPath(override: nil, runtimeDirectory: nil) == nil)
  }

  @Test("The error names the limit")
  func tooMany() {
    #expect(
      String(decoding: Reply(ThemeInterface.tooManyOverrides(maximum: 256)).frame.dropLast(), as: UTF8.self)
        == #"{"error":"org.themed.theme.TooManyOverrides","parameters":{"maximum":256}}"#)
  }

  /// The names of each origin's fields, in order.
  private func origins(_ value: JSON?) -> [[String]] {
    if case .object(let object)? = value { object.members.map { names($0.value) } } else { [] }
  }

  /// The names of a structure's fields, in order.
  private func names(_ value: JSON?) -> [String] {
    if case .object(let object)? = value { object.members.map(\.name.string) } else { [] }
  }

  private func elements(_ value: JSON?) -> [JSON] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private func fields(of type: String) -> [String] { names(after: "type \(type) (", in: lines) }

  private func adminFields(of type: String) -> [String] { names(after: "type \(type) (", in: adminLines) }

  private func adminResults(of method: String) -> [String] { names(after: "method \(method)() -> (", in: adminLines) }

  private func names(after beginning: String, in lines: [String]) -> [String] {
    let text = lines.filter { !$0.hasPrefix("#") }.joined(separator: " ")
    guard let start = text.range(of: beginning) else { return [] }
    let body = text[start].dropFirst(beginning.count).prefix { $0 != ")" }
    return body.split(separator: ",").map { field in
      String(field.prefix { $0 != ":" }.drop { $0 == " " })
    }
  }
}

extension String {
  /// Where `other` first stands.
  fileprivate func range(of other: String) -> PartialRangeFrom<Index>? {
    indices.first { self[$0...].hasPrefix(other) }.map { $0... }
  }
}
