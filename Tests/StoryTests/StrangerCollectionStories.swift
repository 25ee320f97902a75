import Foundation
import Testing
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// A collection of strangers' themes, with every odd character in titles, authors, values, paths and files' names, on its
/// whole way through the command: imported, listed, checked, exported in each form, and read by those whom the forms are
/// for.
@Suite(.ownThreads) struct StrangerCollectionStories {
  private static let forms = ["theme", "base16", "base24", "json", "css", "shell", "fish", "xresources"]
  private static let shells = ["bash", "dash", "zsh", "fish"]

  @Test func `schemes of strangers come back from every form as they were, and nothing of them is run`() throws {
    try withSession { session in
      let schemes = try writeSchemes(session)
      let imported = try session.themectl(["theme", "import"] + schemes.map(\.path))
      #expect(imported.status == .exited(0), "\(imported.errors)")
      #expect(imported.lines.count == schemes.count)

      // As it is told to programs, by the command and by the daemon.
      var titles: [Text: JSON] = [:]
      for case .object(let theme) in try list("themes", of: session.themectl("theme", "list", "--json").output) {
        if case .string(let name)? = theme["name"] { titles[name] = theme["title"] }
      }
      #expect(titles == Dictionary(uniqueKeysWithValues: schemes.map { (Text($0.name), .string($0.title)) }))
      let daemon = try session.startThemed()
      var connection = try ThemeConnection(socket: session.socketPath)
      for scheme in schemes { #expect(try connection.call(.theme(named: scheme.name)).theme.title == scheme.title) }
      daemon.send(.terminate)
      try daemon.wait()

      // In each form, and from those that are themes again.
      for scheme in schemes {
        let before = try theme(scheme.name, session)
        #expect(before.title == scheme.title && before.author == scheme.author)
        for form in Self.forms {
          let exported = try session.themectl("theme", "export", scheme.name, "--format", form)
          // A terminal has no slots, and a note says so in one line.
          let notes = exported.errors.split(separator: "\n").count
          let isWhole = notes == 0 || form == "xresources" && notes <= 3
          #expect(exported.status == .exited(0) && isWhole, "\(scheme.name), \(form): \(exported.errors)")
          let path = try session.directory.write(exported.output + "\n", to: "forms/\(form)/\(scheme.name)")
          switch form {
          case "base16", "base24":
            let again = try session.themectl("theme", "import", path, "--name", "again", "--force")
            #expect(again.status == .exited(0), "\(again.errors)")
            expectSame(try theme("again", session), before)
          case "theme":
            try session.directory.write(exported.output + "\n", to: "data/themed/themes/again.theme")
            expectSame(try theme("again", session), before)
          case "css":
            let tokens = try #require(CSSTokens(exported.output))
            #expect(tokens.list.count { $0 == .mark("{") } == 1 && tokens.list.count { $0 == .mark("}") } == 1)
          case "xresources":
            #expect(exported.lines.dropFirst().allSatisfy { $0.wholeMatch(of: #/\*\.\w+: #[0-9a-f]{6}/#) != nil })
          default: break
          }
        }
      }
      for shell in Self.shells {
        let told = try evaluate(schemes.map(\.name), ["TITLE"], by: shell, session)
        #expect(told == schemes.map(\.title), "\(shell)")
      }
      try expectNothingRan(session)
    }
  }

  @Test func `values and images of strangers come back from every form as they were, and nothing of them is run`()
    throws
  {
    try withSession { session in
      // No key file can say a form feed or a vertical tab at the beginning.
      let values = Strangers.texts.filter { $0.first != "\u{B}" && $0.first != "\u{C}" }.map { Text($0) }
      let files = values.filter { !$0.contains("/") && $0.count < 250 && $0 != "..." }
      let themes = session.directory.path("data/themed/themes")
      try session.directory.directory("data/themed/themes/odd")
      for file in files { try #require(FileManager.default.createFile(atPath: "\(themes)/odd/\(file)", contents: nil)) }
      var text = "[dark.palette]\ntint=#84ffbf\n[dark.values]\n"
      for (index, value) in values.enumerated() { text += "v\(index)=\(keyFile(value))\n" }
      text += "[dark.assets]\n"
      for (index, file) in files.enumerated() { text += "a\(index)=\(keyFile(Text("odd/\(file)")))\n" }
      try session.directory.write(text, to: "data/themed/themes/odd.theme")
      let check = try session.themectl("theme", "check", "odd")
      #expect(check.status == .exited(0), "\(check.output)")

      let before = try theme("odd", session)
      #expect(before.values == Dictionary(uniqueKeysWithValues: values.enumerated().map { (Text("v\($0)"), $1) }))
      let paths = files.map { Text("\(themes)/odd/\($0)") }
      #expect(before.assets == Dictionary(uniqueKeysWithValues: paths.enumerated().map { (Text("a\($0)"), $1) }))
      for form in Self.forms {
        let exported = try session.themectl("theme", "export", "odd", "--format", form)
        #expect(exported.status == .exited(0) && exported.errors == "", "\(form): \(exported.errors)")
        try session.directory.write(exported.output + "\n", to: "forms/\(form)/odd")
        if form == "theme" {
          try session.directory.write(exported.output + "\n", to: "data/themed/themes/again.theme")
          expectSame(try theme("again", session), before)
        }
        if form == "css" {
          let urls = try #require(CSSTokens(exported.output)?.urls("--theme-asset-"))
          // What would begin another part of an address is escaped.
          let addresses = paths.map { path -> Text in
            guard path.utf8.contains(where: { "%#?".utf8.contains($0) }) else { return path }
            let bytes = path.utf8.flatMap { byte -> [UInt8] in
              "%#?".utf8.contains(byte) ? Array("%\(String(byte, radix: 16))".utf8) : [byte]
            }
            return "file://\(Text(decoding: bytes))"
          }
          #expect(urls == Dictionary(uniqueKeysWithValues: addresses.enumerated().map { (Text("a\($0)"), [$1]) }))
        }
      }
      let variables = values.indices.map { "VALUE_V\($0)" } + files.indices.map { "ASSET_A\($0)" }
      for shell in Self.shells {
        #expect(try evaluate(["odd"], variables, by: shell, session) == values + paths, "\(shell)")
      }
      try expectNothingRan(session)
    }
  }

  // MARK: What strangers write

  private struct Stranger {
    let name: String
    let title: Text
    let author: Text
    let path: String
  }

  /// Writes a scheme for each two of the titles, the second one as its author, and both in the name of its directory.
  private func writeSchemes(_ session: Session) throws -> [Stranger] {
    let titles = Strangers.titles
    return try stride(from: 0, to: titles.count, by: 2).map { index in
      let (title, author) = (titles[index], titles[(index + 1) % titles.count])
      var text = "name: \(yaml(title))\nauthor: \(yaml(author))\npalette:\n"
      for slot in 0..<16 {
        let digits = String(slot, radix: 16, uppercase: true)
        text += "  base0\(digits): '\(String(0x101418 + 0x0F0E0D * slot, radix: 16))'\n"
      }
      let isName = !title.utf8.contains(UInt8(ascii: "/")) && title.utf8.count < 250
      let path = session.directory.path("s") + (isName ? "/ \(title)" : "")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let file = "\(path)/t\(index).yaml"
      try #require(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
      return Stranger(name: "t\(index)", title: line(title), author: line(author), path: file)
    }
  }

  /// A title as a theme has it: with single blanks, and none at its ends.
  private func line(_ title: String) -> Text {
    let words = title.utf8.split(separator: UInt8(ascii: " "))
    return Text(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])))
  }

  /// A string of YAML that trusts no reader: every scalar by its number.
  private func yaml(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { String(format: "\\U%08X", $0.value) }.joined() + "\""
  }

  /// A value of a key file.
  private func keyFile(_ value: Text) -> String {
    let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", " ": "\\s"]
    return value.string.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }

  // MARK: Who reads them

  /// What a theme says, by the interface's `Theme`.
  private struct Told {
    let title: Text
    let author: Text
    let palette: [Text: Text]
    let values: [Text: Text]
    let assets: [Text: Text]
  }

  // By our own reader: Foundation's takes a byte order mark out of a text that begins with one.
  private func object(_ json: String) throws -> JSON.Object {
    guard case .object(let object) = try JSON(parsing: Array(json.utf8)) else { throw Failure("no object: \(json)") }
    return object
  }

  private func list(_ name: Text, of json: String) throws -> [JSON] {
    guard case .array(let list)? = try object(json)[name] else { throw Failure("no list: \(json)") }
    return list
  }

  private func theme(_ name: String, _ session: Session) throws -> Told {
    var theme = Parameters(try object(session.themectl("theme", "export", name, "--format", "json").output))
    let title = try theme.string("title") ?? ""
    let author = try theme.string("author") ?? ""
    let side = try theme.structure("dark") ?? theme.structure("light")
    guard var side else { throw Failure("\(name) has no side") }
    return Told(
      title: title, author: author, palette: try side.map("palette") { $0 } ?? [:],
      values: try side.map("values") { $0 } ?? [:], assets: try side.map("assets") { $0 } ?? [:])
  }

  private func expectSame(_ one: Told, _ other: Told, _ place: SourceLocation = #_sourceLocation) {
    #expect(one.title == other.title && one.author == other.author, sourceLocation: place)
    #expect(one.palette == other.palette && one.palette.count == Role.all.count, sourceLocation: place)
    #expect(one.values == other.values && one.assets == other.assets, sourceLocation: place)
  }

  /// What variables a shell has after it evaluated each of these themes, in the form that is for it, as the help says.
  private func evaluate(
    _ themes: [String], _ variables: [String], by shell: String, _ session: Session
  ) throws -> [Text] {
    var script = "cd \(session.directory.path("home"))\n"
    for theme in themes {
      let file = session.directory.path("forms/\(shell == "fish" ? "fish" : "shell")/\(theme)")
      script += shell == "fish" ? "cat \(file) | source\n" : "eval \"$(cat \(file))\"\n"
      for variable in variables { script += "printf '%s\\0' \"$THEME_\(variable)\"\n" }
    }
    let program = try session.spawn(shell, [session.directory.write(script, to: "script")], separator: 0)
    #expect(try program.wait() == .exited(0))
    #expect(program.errors == "", "\(shell)")
    return program.lines.map { Text($0) }
  }

  /// Fails where anything of this session has run what a text said.
  private func expectNothingRan(_ session: Session) throws {
    #expect(try session.check("find", [session.directory.path("."), ".", "-maxdepth", "3", "-name", "pwned*"]) == "")
  }
}
