public import ThemedSystem

/// The user's own look of a program on each side, shown instead of the theme's colours: a group `[use NAME]` of
/// `themed.conf`.
public struct OwnLook: Sendable, Hashable {
  public let light, dark: Text

  /// Whether both are paths of files in the program's format; otherwise both are names of the program's themes.
  public var isFiles: Bool { light.contains("/") }

  public subscript(scheme: ColorScheme) -> Text { scheme == .light ? light : dark }

  /// Two paths or two names; nil if they are something else.
  public init?(light: Text, dark: Text) {
    guard light.isLook, dark.isLook, light.contains("/") == dark.contains("/") else { return nil }
    (self.light, self.dark) = (light, dark)
  }

  /// The name of the group for an app.
  public static func group(of app: Text) -> Text { "\(prefix)\(app)" }

  private static let prefix: Text = "use "

  /// The groups for apps in a file, each with the name of its app.
  static func groups(of file: KeyFile) -> [(group: Text, app: Text)] {
    var seen: Set<Text> = []
    return file.keys.compactMap { group, _ in
      guard let app = group.dropping(prefix: prefix), seen.insert(group).inserted else { return nil }
      return (group, app)
    }
  }

  /// The look of an app in a file; nil if the file has none.
  public init?(_ file: KeyFile, _ app: Text) throws(ThemeFile.Problem) {
    let group = Self.group(of: app)
    guard Theme.isValidName(app) else {
      throw ThemeFile.Problem(group: group, expected: "[use NAME] with the name of an app: \(Theme.nameExpectation)")
    }
    let sides = ColorScheme.allCases.map { scheme in
      let key = Text(scheme.rawValue)
      return (key: key, value: file.value(group, key).flatMap { $0.isEmpty ? nil : $0 })
    }
    guard sides.contains(where: { $0.value != nil }) else { return nil }
    for (key, value) in sides {
      guard let value else { throw ThemeFile.Problem(group: group, lacks: "\(key)=") }
      guard value.isLook else {
        throw ThemeFile.Problem(
          group: group, key: key, value: value,
          expected: "a path that begins with / or ~/, or the name of a theme of the program's own")
      }
    }
    guard let light = sides[0].value, let dark = sides[1].value, let look = OwnLook(light: light, dark: dark) else {
      throw ThemeFile.Problem(
        group: group, key: "dark", value: sides[1].value, expected: "a path or a name, as light is")
    }
    self = look
  }
}

extension Text {
  /// Whether it is a harmless name of a look: not an option, and without characters that have a meaning in any format.
  public var isPlainName: Bool {
    guard let first = utf8.first, first.isLetterOrDigit, count <= 64 else { return false }
    return utf8.allSatisfy { $0.isLetterOrDigit || " ._+()-".utf8.contains($0) }
  }

  /// Whether it is a path or a name of a look.
  fileprivate var isLook: Bool {
    guard contains("/") else { return isPlainName }
    let isPath = hasPrefix("/") || hasPrefix("~/")
    return isPath && count <= 4095 && !hasSuffix("/") && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
