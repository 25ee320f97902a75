import ThemedModel
import ThemedSystem
import ThemedVarlink

extension SchemeFormat {
  /// The text of schemes of the sides of one theme in this format, which ends with a newline.
  ///
  /// - Parameter given: Whether the theme itself gives a role's colour.
  func text(
    of theme: Theme, title: Text, sides shown: [(scheme: ColorScheme, palette: Palette)],
    given: (ColorScheme, Role) -> Bool
  ) -> String {
    var leaves: [Leaf] = []
    func add(_ paths: [Text], _ value: Text?) {
      if let path = paths.first(where: { !$0.hasPrefix("#") }), let value { leaves.append((path, value)) }
    }
    let format = sides(for: shown.count)
    for (path, words) in marks { add([path], Text(words[0])) }
    add(titles, title)
    add(
      authors.map { $0.dropping(prefix: "../") == nil ? $0 : "" }.filter { !$0.isEmpty },
      theme.author ?? (isBase ? "" : nil))
    let schemes = list == nil ? [shown] : shown.map { [$0] }
    for (index, schemes) in schemes.enumerated() {
      var inner: [Leaf] = []
      for (scheme, palette) in schemes {
        let side = format.first { $0.scheme == scheme } ?? format[0]
        if let path = variants.first { inner.append((path, Text(scheme.rawValue))) }
        for (path, role) in writtenOnly { inner += colors(palette[role], at: path) }
        for (role, paths) in side.colors where role != .link || given(scheme, role) {
          inner += colors(palette[role], at: paths[0])
        }
      }
      if let list {
        let name = shown.count == 2 ? Text("\(title) \(schemes[0].scheme == .light ? "Light" : "Dark")") : title
        inner.insert(("name", name), at: 0)
        leaves += inner.map { ("\(list)/\(index)/\($0.path)", $0.value) }
      } else {
        leaves += inner
      }
    }
    // Zed refuses a family of themes without an author.
    if list != nil { leaves.insert(("author", theme.author ?? ""), at: 1) }
    let names = shown.map(\.scheme.rawValue).joined(separator: ", ")
    return syntaxes[0].text(of: leaves, separator: separator, remark: "\(printable(theme.name)), \(names)", theme)
  }

  typealias Leaf = (path: Text, value: Text)

  private func colors(_ color: Color, at path: Text) -> [Leaf] {
    let (red, green, blue) = color.components8
    switch notation {
    case .hash: return [(path, Text(color.hexadecimal))]
    case .bare: return [(path, Text(String(color.hexadecimal.dropFirst())))]
    case .decimal: return [(path, Text("\(red),\(green),\(blue)"))]
    case .components:
      let parts = [("Red", red), ("Green", green), ("Blue", blue)].map { name, value -> Leaf in
        ("\(path)/\(name) Component", Text("\(Double(value) / 255)"))
      }
      return [("\(path)/Color Space", "sRGB")] + parts
    }
  }
}

/// Names and values as they are written, inside each other.
private indirect enum Node {
  case text(Text)
  case members([(name: Text, node: Node)])

  init(_ leaves: [(path: ArraySlice<Text>, value: Text)]) {
    var names: [Text] = []
    var groups: [Text: [(path: ArraySlice<Text>, value: Text)]] = [:]
    for (path, value) in leaves {
      guard let name = path.first else {
        self = .text(value)
        return
      }
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append((path.dropFirst(), value))
    }
    self = .members(names.map { ($0, Node(groups[$0] ?? [])) })
  }

  var members: [(name: Text, node: Node)] { if case .members(let members) = self { members } else { [] } }
  var text: Text? { if case .text(let text) = self { text } else { nil } }
  /// Whether it is a list, whose names are numbers.
  var isList: Bool { members.first?.name == "0" }
}

extension SchemeSyntax {
  fileprivate func text(of leaves: [SchemeFormat.Leaf], separator: Unicode.Scalar, remark: String, _ theme: Theme)
    -> String
  {
    let node = Node(leaves.map { ($0.path.split(separator)[...], $0.value) })
    let author = theme.author.map { "## author: \(printable($0))\n" } ?? ""
    let head = "## name: \(printable(theme.title))\n\(author)"
    switch self {
    case .json: return braces(node, "") + "\n"
    case .yaml: return yaml(node, "")
    case .toml: return "# \(remark)\n" + toml(node, "")
    case .settings: return head + settings(node)
    case .words: return head + node.members.map { "\($0.name) \($0.node.text ?? "")\n" }.joined()
    // A comment ends with its line, unless the line ends with a backslash.
    case .xresources: return "! \(remark)\n" + node.members.map { "*.\($0.name): \($0.node.text ?? "")\n" }.joined()
    case .propertyList:
      let head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n"
      return head + propertyList(node, "") + "</plist>\n"
    case .lua:
      let tables = node.members.map { "M.\($0.name) = \(braces($0.node, ""))\n" }.joined()
      return "-- \(remark)\nlocal M = {}\n\n\(tables)\nreturn M\n"
    }
  }

  /// Objects of JSON, and tables of Lua.
  private func braces(_ node: Node, _ indent: String) -> String {
    if let text = node.text { return JSON.string(text).text }
    let isList = node.isList
    let lines = node.members.map { name, node in
      let start = isList ? "" : self == .json ? "\(JSON.string(name).text): " : "\(name) = "
      return "\(indent)  \(start)\(braces(node, indent + "  "))"
    }
    let (open, close) = isList ? ("[", "]") : ("{", "}")
    return "\(open)\n\(lines.joined(separator: ",\n"))\n\(indent)\(close)"
  }

  private func yaml(_ node: Node, _ indent: String) -> String {
    node.members.map { name, node in
      let value = node.text.map { " \($0.quotedForYAML)\n" } ?? "\n\(yaml(node, indent + "  "))"
      return "\(indent)\(name):\(value)"
    }.joined()
  }

  private func toml(_ node: Node, _ path: String) -> String {
    var (own, groups) = ("", "")
    for (name, node) in node.members {
      if let text = node.text {
        own += "\(name) = \(JSON.string(text).text)\n"
      } else if node.isList {
        own += "\(name) = [\(node.members.map { JSON.string($0.node.text ?? "").text }.joined(separator: ", "))]\n"
      } else {
        groups += toml(node, path.isEmpty ? name.string : "\(path).\(name)")
      }
    }
    return (own.isEmpty || path.isEmpty ? own : "\n[\(path)]\n\(own)") + groups
  }

  private func settings(_ node: Node) -> String {
    node.members.map { name, node in
      if let text = node.text {
        let parts = name.split("=")
        return parts.count == 2 ? "\(parts[0]) = \(parts[1])=\(text)\n" : "\(name) = \(text)\n"
      }
      let lines = node.members.map { name, node in
        "\(name)=\(node.text ?? node.members.compactMap(\.node.text).joined(separator: " "))\n"
      }
      return "\n[\(name)]\n\(lines.joined())"
    }.joined()
  }

  private func propertyList(_ node: Node, _ indent: String) -> String {
    if let text = node.text {
      return Double(text.string) == nil ? "\(indent)<string>\(text)</string>\n" : "\(indent)<real>\(text)</real>\n"
    }
    let members = node.members.map { "\(indent)\t<key>\($0.name)</key>\n\(propertyList($0.node, indent + "\t"))" }
    return "\(indent)<dict>\n\(members.joined())\(indent)</dict>\n"
  }
}
