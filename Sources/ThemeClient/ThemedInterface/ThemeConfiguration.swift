public import ThemedSystem
public import ThemedVarlink

/// The configuration that the daemon uses.
public struct ThemeConfiguration: Sendable, Hashable {
  /// The path of the configuration file; nil if the daemon does not know it.
  public let path: String?
  /// The problem with the file, in words; nil if there is no problem.
  ///
  /// Until the user corrects the file, the daemon uses the settings from before the mistake.
  public let problem: String?
  /// All settings.
  public let settings: [Setting]
  /// The keys in the file that the daemon does not know and ignores.
  public let unknown: [Text]

  public init(reading reply: inout Parameters) throws(VarlinkError) {
    path = try reply.string("path")?.string
    problem = try reply.string("problem")?.string
    settings = try reply.require(reply.structures("settings", Setting.init), "settings")
    unknown = try reply.strings("unknown") ?? []
  }

  /// Reads only the settings with these names, and nothing about the file.
  public init(reading reply: inout Parameters, of names: [Text]) throws(VarlinkError) {
    (path, problem, unknown) = (nil, nil, [])
    guard case .array(let elements)? = reply.value("settings") else { throw reply.invalid("settings") }
    var settings: [Setting] = []
    for case .object(let object) in elements {
      guard case .string(let name)? = object["name"], names.contains(name) else { continue }
      if let setting = try? Setting(Parameters(object, isTolerant: true)) { settings.append(setting) }
    }
    self.settings = settings
  }

  /// The reply of the interface's method `GetConfiguration`, as one line of JSON.
  public var json: String {
    let settings = JSON.array(settings.map { .object($0.parameters) })
    return JSON.object([
      "path": path.map(JSON.word), "problem": problem.map(JSON.word), "settings": settings,
      "unknown": unknown.isEmpty ? nil : .array(unknown.map(JSON.string)),
    ]).text
  }

  /// A setting of the daemon.
  public struct Setting: Sendable, Hashable {
    /// The name: `[group] key` in the file, or `--option` on the command line.
    public let name: Text
    /// The value that the daemon uses.
    public let value: Text
    /// The source of the value: `default`, the path of the file, or `command line`.
    public let origin: Text

    /// The name of the setting that says which daemon is followed in place of the desktop; it is absent if the desktop
    /// is followed.
    public static var upstream: Text { "--upstream" }

    public init(name: Text, value: Text, origin: Text) {
      (self.name, self.value, self.origin) = (name, value, origin)
    }

    public var parameters: JSON.Object {
      ["name": .string(name), "value": .string(value), "origin": .string(origin)]
    }

    public init(_ parameters: Parameters) throws(VarlinkError) {
      var parameters = parameters
      name = try parameters.require(parameters.string("name"), "name")
      value = try parameters.require(parameters.string("value"), "value")
      origin = try parameters.require(parameters.string("origin"), "origin")
    }
  }
}
