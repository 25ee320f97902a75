public import ThemedModel
public import ThemedSystem
public import ThemedVarlink

// Converts states and overrides to and from the interface's parameters. The daemon reads calls strictly. A client reads
// replies tolerantly, because a newer daemon may send more.

extension Parameters {
  /// A colour in the only form that the interface allows: `#rrggbb`.
  public mutating func color(_ name: Text) throws(VarlinkError) -> Color? {
    guard let text = try string(name) else { return nil }
    guard text.count == 7, text.hasPrefix("#"), let color = Color(hexadecimal: text) else { return try passOver(name) }
    return color
  }

  /// A list of the names of fields that can be overridden; a tolerant reader ignores unknown names.
  public mutating func fields(_ name: Text) throws(VarlinkError) -> [Field]? {
    // Not with `list`, which works for elements of any type: this runs for each change that a client follows.
    guard let value = value(name) else { return nil }
    guard case .array(let elements) = value else { return try passOver(name) }
    var fields: [Field] = []
    for element in elements {
      if case .string(let word) = element, let field = Field(word: word) {
        fields.append(field)
      } else if !isTolerant {
        throw invalid(name)
      }
    }
    return fields
  }
}

extension Override {
  /// The interface's `Override` as one line of JSON.
  public var json: String { JSON.object(parameters).text }

  /// The interface's `Override`, without the fields that are null.
  public var parameters: JSON.Object {
    var object = JSON.Object()
    object.append("app", app.map(JSON.string))
    object.append("scheme", scheme.map { .word($0.rawValue) })
    object.append("highContrast", highContrast.map(JSON.bool))
    object.append("reducedMotion", reducedMotion.map(JSON.bool))
    object.append("accentColor", accentColor.map { .word($0.hexadecimal) })
    object.append("lightTheme", lightTheme.map(JSON.string))
    object.append("darkTheme", darkTheme.map(JSON.string))
    let pinned = Field.allCases.filter(auto.contains).map { JSON.word($0.rawValue) }
    object.append("auto", pinned.isEmpty ? nil : .array(pinned))
    object.append("expiresAt", expiresAt.map(JSON.integer))
    object.append("untilDesktopChanges", untilDesktopChanges.map(JSON.bool))
    return object
  }

  /// Reads an `Override`, and leaves the members that it does not know in `parameters`.
  public init(reading parameters: inout Parameters) throws(VarlinkError) {
    // In one call: assigning the fields one by one made the runtime look up types to release the old values. That took
    // a fifth of the time of a command that asks for the state.
    self.init(
      app: try parameters.string("app"), scheme: try parameters.word("scheme", of: ColorScheme.self),
      highContrast: try parameters.bool("highContrast"), reducedMotion: try parameters.bool("reducedMotion"),
      accentColor: try parameters.color("accentColor"), lightTheme: try parameters.string("lightTheme"),
      darkTheme: try parameters.string("darkTheme"), auto: Set(try parameters.fields("auto") ?? []),
      expiresAt: try parameters.integer("expiresAt"), untilDesktopChanges: try parameters.bool("untilDesktopChanges"))
  }
}

extension Origin {
  /// Adds the members of the interface's `Origin`, without the fields that are null.
  fileprivate func write(to object: inout some JSONMembers) {
    object.append("rule", .string(rule.rawValue))
    object.append("pinned", isPinned ? .bool(true) : nil)
    object.append("remembered", isRemembered ? .bool(true) : nil)
    object.append("expiresAt", expiresAt.map(JSON.integer))
    object.append("untilDesktopChanges", untilDesktopChanges ? .bool(true) : nil)
  }

  init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init(
      Rule(rawValue: try parameters.require(parameters.string("rule"), "rule")),
      isPinned: try parameters.bool("pinned") ?? false, isRemembered: try parameters.bool("remembered") ?? false,
      expiresAt: try parameters.integer("expiresAt"),
      untilDesktopChanges: try parameters.bool("untilDesktopChanges") ?? false)
  }
}

extension State {
  /// The interface's `State`, without the fields that are null.
  public var parameters: JSON.Object {
    var object = JSON.Object(reserving: 12)
    append(to: &object, details: true)
    return object
  }

  /// The interface's `State` as one line of JSON.
  public var json: String { JSON.object(parameters).text }

  /// Adds the members of the interface's `State`, with or without the theme's details.
  public func append(to object: inout some JSONMembers, details: Bool) {
    object.append("instance", .string(instance))
    object.append("serial", .integer(serial))
    object.append("scheme", .word(resolution.scheme.rawValue))
    object.append("desktop", .word(resolution.desktop.rawValue))
    object.append("highContrast", resolution.highContrast.map(JSON.bool))
    object.append("reducedMotion", resolution.reducedMotion.map(JSON.bool))
    object.append("accentColor", resolution.accentColor.map { .word($0.hexadecimal) })
    object.append("origins") { object in
      for origin in resolution.origins { object.append(origin.key) { origin.value.write(to: &$0) } }
    }
    object.append("theme", resolution.theme.map { .string($0.name) })
    object.append("themeTitle", resolution.theme.map { .string($0.title) })
    object.append("transitionMilliseconds", resolution.transition.map { .integer(Int64($0)) })
    object.append("nextSwitch", resolution.nextSwitch.map { .object($0.parameters) })
    if details, let details = resolution.theme?.details {
      for member in details.parameters.members { object.append(member.name, member.value) }
    }
  }

  /// Reads a `State` and ignores fields that are newer than this version.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    let instance = try parameters.require(parameters.string("instance"), "instance")
    let serial = try parameters.require(parameters.integer("serial"), "serial")
    let scheme = try parameters.require(parameters.word("scheme", of: ColorScheme.self), "scheme")
    var resolution = Resolution(
      scheme: scheme, desktop: try parameters.require(parameters.word("desktop", unknown: Preference.none), "desktop"))
    resolution.highContrast = try parameters.bool("highContrast")
    resolution.reducedMotion = try parameters.bool("reducedMotion")
    resolution.accentColor = try parameters.color("accentColor")
    if let origins = try parameters.structuresByName("origins", Origin.init) { resolution.origins = Origins(origins) }
    if let name = try parameters.string("theme") {
      let title = try parameters.string("themeTitle") ?? name
      resolution.theme = ShownTheme(name: name, title: title, details: try ThemeDetails(reading: &parameters))
    }
    resolution.transition = try parameters.integer("transitionMilliseconds").map(Int.init(clamping:))
    resolution.nextSwitch = try parameters.structure("nextSwitch", Switch.init)
    self.init(instance: instance, serial: serial, resolution: resolution)
  }
}

/// Whether `name` is valid as the name of a client: 1 to 255 bytes without control characters.
public func isAppName(_ name: Text) -> Bool {
  guard (1...255).contains(name.count) else { return false }
  let hasControls = name.string.unicodeScalars.contains { $0.properties.generalCategory == .control }
  return !hasControls
}
