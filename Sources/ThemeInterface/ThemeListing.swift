public import ThemeModel
public import ThemedSystem
public import ThemedVarlink

/// An installed theme as `ListThemes` reports it, with what a list or a chooser shows of it.
public struct ThemeListing: Sendable, Hashable {
  /// The name to choose it by.
  public var name: Text
  /// The path of its file.
  public var path: Text
  /// Its title for people; nil if the file cannot be used.
  public var title: Text?
  /// Some colours of its light side, by the names of their roles; nil if it has no light side.
  public var light: [Text: Color]?
  /// Some colours of its dark side, by the names of their roles; nil if it has no dark side.
  public var dark: [Text: Color]?
  /// Why its file cannot be used.
  public var problem: String?

  /// The roles whose colours a list shows: text and background, the colours that characterise the theme, and those that
  /// programs use to tell things apart.
  public static let swatch: [Role] = [
    .background, .text, .primary, .secondary, .error, .warning, .success, .info,
  ]

  /// A theme with this name and path.
  public init(name: Text, path: Text, problem: String? = nil) {
    self.name = name
    self.path = path
    self.problem = problem
  }

  /// The listing of a theme whose file is at this path.
  public init(_ theme: Theme, path: Text) {
    self.init(name: theme.name, path: path)
    title = theme.title
    for scheme in theme.schemes { self[scheme] = theme.palette(for: scheme).map(Self.colors) }
  }

  /// The colours of one side.
  public subscript(scheme: ColorScheme) -> [Text: Color]? {
    get { scheme == .light ? light : dark }
    set { if scheme == .light { light = newValue } else { dark = newValue } }
  }

  private static func colors(_ palette: Palette) -> [Text: Color] {
    Dictionary(uniqueKeysWithValues: swatch.map { ($0.rawValue, palette[$0]) })
  }

  /// The interface's `ThemeListing`, with the roles in their order.
  public var parameters: JSON.Object {
    func colors(_ side: [Text: Color]?) -> JSON? {
      guard let side else { return nil }
      var object: JSON.Object = [:]
      for role in Self.swatch {
        let name = role.rawValue
        object.append(name, side[name].map { .word($0.hexadecimal) })
      }
      return .object(object)
    }
    return [
      "name": .string(name), "path": .string(path), "title": title.map(JSON.string), "light": colors(light),
      "dark": colors(dark), "problem": problem.map(JSON.word),
    ]
  }

  /// Reads a `ThemeListing`, and keeps roles that are newer than this client.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    name = try parameters.require(parameters.string("name"), "name")
    path = try parameters.require(parameters.string("path"), "path")
    title = try parameters.string("title")
    light = try parameters.map("light", Color.init(hexadecimal:))
    dark = try parameters.map("dark", Color.init(hexadecimal:))
    problem = try parameters.string("problem")?.string
  }
}

/// The installed themes.
public struct ThemeList: Sendable, Hashable {
  /// The first themes by name, as many as fit into one reply.
  public var themes: [ThemeListing]
  /// How many more there are.
  public var omitted: Int64

  /// A list of these themes, with the number of those left out.
  public init(themes: [ThemeListing], omitted: Int64 = 0) {
    self.themes = themes
    self.omitted = omitted
  }

  /// Reads the reply of `ListThemes`.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    themes = try parameters.require(parameters.structures("themes", ThemeListing.init), "themes")
    omitted = try parameters.integer("omitted") ?? 0
  }
}
