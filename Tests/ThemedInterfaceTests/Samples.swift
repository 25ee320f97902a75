import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// Values of every shape that the wire carries.
enum Samples {
  static let overrides: [Override] = [
    Override(), Override(scheme: .dark), Override(app: "org.example.Editor", auto: [.scheme]),
    Override(app: "", highContrast: false), Override(app: "é\n\"/\0", reducedMotion: true),
    Override(accentColor: Color(red: 0.2, green: 0, blue: 1)),
    Override(scheme: .light, expiresAt: .max, untilDesktopChanges: false),
    Override(scheme: .light, expiresAt: 0, untilDesktopChanges: true),
    Override(app: "nvim", lightTheme: "mint", darkTheme: "outrun"),
    Override(app: "nvim", highContrast: true, auto: [.accentColor, .darkTheme], expiresAt: 7),
  ]

  /// Colours as eight bits a component have them, which is what the wire carries.
  static let details: ThemeDetails = {
    var details = ThemeDetails(assets: ["wallpaper": "/a/b.png"], values: ["bat": "x\n\"y\""])
    details.palette["background"] = Color(red: 1, green: 0, blue: 0.2)
    return details
  }()

  static let states: [State] = overrides.enumerated().flatMap { index, override in
    Preference.allCases.map { desktop in
      let reading = Reading(
        scheme: desktop, highContrast: true, reducedMotion: false, accentColor: Color(red: 1, green: 0.4, blue: 0))
      var overrides = Overrides()
      overrides[app: override.app].set(override, until: End(of: override, desktop: desktop))
      let resolution = overrides.resolve(
        app: override.app, reading: index.isMultiple(of: 2) ? reading : Reading(scheme: desktop), defaults: Defaults()
      ) { name, _ in ShownTheme(name: name, title: "Ünïque \"\(name)\"", details: details) }
      return State(instance: "instance \(index)", serial: Int64(index), resolution: resolution)
    }
  }
}

extension Override {
  var text: String { JSON.object(parameters).text }

  /// Reads it as the daemon reads SetOverride's parameter: strictly.
  init(json: String) throws {
    var call = try Parameters(json: #"{"override":\#(json)}"#)
    var override = try call.require(call.structure("override"), "override")
    self = try Override(reading: &override)
    try override.finish()
  }
}

extension State {
  init(json: String) throws { self = try State(Parameters(json: json)) }
}

extension Client {
  init(json: String) throws { self = try Client(Parameters(json: json)) }
}

extension Parameters {
  fileprivate init(json: String) throws {
    guard case .object(let object) = try JSON(parsing: Array(json.utf8)) else { throw Violation.notAnObject }
    self.init(object)
  }
}
