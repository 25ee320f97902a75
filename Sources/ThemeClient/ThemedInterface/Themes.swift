public import ThemedModel
public import ThemedSystem
public import ThemedVarlink

/// An installed theme, as a list or a chooser shows it.
///
/// A theme has a light side, a dark side, or both. Each side has the colours and images for the scheme of that name.
public struct ThemeListing: Sendable, Hashable {
  /// The name to choose the theme by.
  public let name: Text
  /// The path of the theme's file; empty if the socket is read-only.
  public var path: Text
  /// The display title; nil if the theme's file cannot be used.
  public var title: Text?
  /// Why the theme's file cannot be used, in words; nil if the file can be used.
  public var problem: String?
  private var swatches: [ColorScheme: [Role: Color]]

  /// Creates a theme with this name and path.
  ///
  /// - Parameters:
  ///   - name: The name to choose the theme by.
  ///   - path: The path of the theme's file.
  ///   - title: The display title.
  ///   - swatches: Some colours of each side that the theme has.
  ///   - problem: Why the theme's file cannot be used.
  public init(
    name: Text, path: Text, title: Text? = nil,
    swatches: [ColorScheme: [Role: Color]] = [:], problem: String? = nil
  ) {
    self.name = name
    self.path = path
    self.title = title
    self.problem = problem
    self.swatches = swatches
  }

  /// The sides that the theme has, light first.
  public var schemes: [ColorScheme] { ColorScheme.allCases.filter { swatches[$0] != nil } }

  /// Some colours of the side for this scheme, by role; nil if the theme does not have that side.
  ///
  /// The roles are ``Role/background``, ``Role/text``, ``Role/primary``, and a few more.
  public func swatch(for scheme: ColorScheme) -> [Role: Color]? { swatches[scheme] }
}

extension ThemeListing {
  /// The roles whose colours a list shows: text and background, the colours that characterise the theme, and those that
  /// programs use to tell things apart.
  public static let swatch: [Role] = [
    .background, .text, .primary, .secondary, .error, .warning, .success, .info,
  ]

  /// The summary of a theme whose file is at this path.
  public init(_ theme: Theme, path: Text) {
    self.init(name: theme.name, path: path, title: theme.title)
    for scheme in theme.schemes {
      swatches[scheme] = theme.palette(for: scheme).map { palette in
        Dictionary(uniqueKeysWithValues: Self.swatch.map { ($0, palette[$0]) })
      }
    }
  }

  /// The interface's `ThemeListing`, with the roles in their order.
  public var parameters: JSON.Object {
    func colors(_ scheme: ColorScheme) -> JSON? {
      guard let side = swatches[scheme] else { return nil }
      var object: JSON.Object = [:]
      for role in Self.swatch { object.append(role.rawValue, side[role].map { .word($0.hexadecimal) }) }
      return .object(object)
    }
    return [
      "name": .string(name), "path": path.isEmpty ? nil : .string(path), "title": title.map(JSON.string),
      "light": colors(.light),
      "dark": colors(.dark), "problem": problem.map(JSON.word),
    ]
  }

  /// Reads a `ThemeListing`, and keeps roles that are newer than this client.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init(
      name: try parameters.require(parameters.string("name"), "name"),
      path: try parameters.string("path") ?? "", title: try parameters.string("title"))
    for scheme in ColorScheme.allCases {
      let colors = try parameters.map(Text(scheme.rawValue), Color.init(hexadecimal:))
      swatches[scheme] = colors.map { Dictionary(uniqueKeysWithValues: $0.map { (Role(rawValue: $0), $1) }) }
    }
    problem = try parameters.string("problem")?.string
  }
}

// Converts themes to and from the interface's parameters. On the wire every colour is `#rrggbb`: a third of the bytes
// of three numbers, and the form that nearly every program wants.

extension ThemeDetails {
  /// The details that programs draw with on one side of a theme, with a colour for every role.
  ///
  /// - Parameters:
  ///   - side: The side as the theme defines it.
  ///   - scheme: Which side it is.
  ///   - assetPath: Returns the absolute path for the text that the theme gives for an asset.
  public init(_ side: Side, for scheme: ColorScheme, assetPath: (Text) -> Text) {
    self.init(assets: side.assets.mapValues(assetPath), values: side.values)
    for (role, color) in Palette(side.colors, for: scheme).all { palette[role.rawValue] = color }
  }

  /// The palette for the side of `scheme`; missing roles are derived.
  public func palette(for scheme: ColorScheme) -> Palette {
    Palette(Dictionary(uniqueKeysWithValues: palette.map { (Role(rawValue: $0), $1) }), for: scheme)
  }

  /// The members `palette`, `assets` and `values`: roles in their order, the others sorted by name.
  var parameters: JSON.Object {
    var colors: JSON.Object = [:]
    for name in Role.ordered(palette.keys.map(Role.init)).map(\.rawValue) {
      colors.append(name, palette[name].map { .word($0.hexadecimal) })
    }
    return ["palette": .object(colors), "assets": .object(JSON.Object(assets)), "values": .object(JSON.Object(values))]
  }

  /// Reads the members `palette`, `assets` and `values`; nil if none of them is present.
  init?(reading parameters: inout Parameters) throws(VarlinkError) {
    let palette = try parameters.map("palette", Color.init(hexadecimal:))
    let assets = try parameters.map("assets") { $0 }
    let values = try parameters.map("values") { $0 }
    guard palette != nil || assets != nil || values != nil else { return nil }
    self.init(palette: palette ?? [:], assets: assets ?? [:], values: values ?? [:])
  }
}

extension Role {
  /// The roles in the order of ``all``, followed by those that this version does not know, by name.
  fileprivate static func ordered(_ roles: some Collection<Role>) -> [Role] {
    let known = Set(all)
    let given = Set(roles)
    return all.filter(given.contains) + given.subtracting(known).sorted { $0.rawValue < $1.rawValue }
  }
}

/// A theme as `GetTheme` returns it.
public struct InstalledTheme: Sendable, Hashable {
  /// The theme, with the absolute paths of its assets.
  public var theme: Theme
  public var path: Text
  /// The problem with the file or an image, described in words.
  ///
  /// If the file has become invalid, the theme is its last valid version.
  public var problem: String?

  public init(theme: Theme, path: Text, problem: String? = nil) {
    (self.theme, self.path, self.problem) = (theme, path, problem)
  }

  public var parameters: JSON.Object {
    [
      "name": .string(theme.name), "title": .string(theme.title), "author": theme.author.map(JSON.string),
      "path": path.isEmpty ? nil : .string(path), "problem": problem.map(JSON.word), "light": side(.light),
      "dark": side(.dark),
    ]
  }

  private func side(_ scheme: ColorScheme) -> JSON? {
    guard let side = theme[scheme] else { return nil }
    var object = ThemeDetails(side, for: scheme) { $0 }.parameters
    object["given"] = .array(Role.ordered(side.colors.keys).map { .string($0.rawValue) })
    return .object(object)
  }

  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    let name = try parameters.require(parameters.string("name"), "name")
    theme = Theme(name: name, title: try parameters.string("title"), author: try parameters.string("author"))
    path = try parameters.string("path") ?? ""
    problem = try parameters.string("problem")?.string
    for scheme in ColorScheme.allCases {
      guard var side = try parameters.structure(Text(scheme.rawValue)) else { continue }
      let given = try side.require(side.strings("given"), "given")
      let details = try ThemeDetails(reading: &side) ?? ThemeDetails()
      theme[scheme] = Side(assets: details.assets, values: details.values)
      for name in given { theme[scheme]?.colors[Role(rawValue: name)] = details.palette[name] }
    }
  }
}

extension JSON.Object {
  /// The strings by name, sorted.
  fileprivate init(_ strings: [Text: Text]) {
    self.init()
    for (name, value) in strings.sorted(by: { $0.key < $1.key }) { self[name] = .string(value) }
  }
}
