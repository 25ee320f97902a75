import Foundation
import Testing
import ThemedTestSupport

/// What strangers write into files, names and answers, and the real command that shows it, or hands it on.
@Suite(.ownThreads) struct StrangerStories {
  /// A quote and the mark that stands on it are one Character.
  private static let command = "x'\u{0301}$(touch pwned)'\u{0301}"

  private func palette() -> String {
    "palette:\n"
      + (0..<16).map { "  base0\(String($0, radix: 16, uppercase: true)): '3584e4'\n" }.joined()
  }

  /// Fails where anything of this session has run what a text said.
  private func expectNothingRan(_ session: Session, _ place: SourceLocation = #_sourceLocation) throws {
    let found = try session.check("find", [session.directory.path("."), ".", "-maxdepth", "3", "-name", "pwned*"])
    #expect(found == "", sourceLocation: place)
  }

  /// Whether a terminal takes it as it is meant: no orders, and nothing that is hidden or turned.
  private func isFit(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n" || scalar == "\t"
      case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
      case .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
  }

  @Test func `a scheme whose file and names are commands is imported, listed and exported, and nothing is run`() throws
  {
    try withSession { session in
      let file = try session.directory.write(
        "name: \"\(Self.command)\"\nauthor: '; touch pwned #'\n" + palette(), to: "s/\(Self.command).yaml")
      let other = try session.directory.write("name: [a]\n", to: "s/`touch pwned`\u{1B}[31m\u{202E}.yaml")
      let imported = try session.themectl("theme", "import", file, other)
      #expect(imported.lines.map { $0.split(separator: "\t")[0] } == ["x-touch-pwned"])
      #expect(imported.errors.contains("no colours found in this file") && isFit(imported.errors))
      let list = try session.themectl("theme", "list")
      #expect(list.output.utf8.elementsEqual("x-touch-pwned\tdark\t-\t\(Self.command)".utf8))
      let form = try session.themectl("theme", "export", "x-touch-pwned", "--format", "shell").output + "\n"
      let script = try session.directory.write(
        "cd \(session.directory.path("home"))\neval \"$(cat <<'END'\n\(form)END\n)\"\nprintf '%s\\n' \"$THEME_TITLE\"\n",
        to: "script")
      for shell in ["bash", "dash", "zsh"] {
        let told = try session.run(shell, [script])
        #expect(told.output.utf8.elementsEqual(Self.command.utf8) && told.errors == "", "\(shell): \(told)")
      }
      let yaml = try session.directory.write(
        session.themectl("theme", "export", "x-touch-pwned", "--format", "base16").output, to: "again.yaml")
      #expect(try session.themectl("theme", "import", yaml, "--name", "again").status == .exited(0))
      #expect(
        try session.themectl("theme", "list").lines.allSatisfy {
          $0.utf8.suffix(Self.command.utf8.count).elementsEqual(Self.command.utf8)
        })
      try expectNothingRan(session)
    }
  }

  @Test func `what a file, an app or a user is called moves no cursor and turns no line`() throws {
    try withSession { session in
      let daemon = try session.startThemed()
      let odd = "a\u{202E}b\u{2028}c\u{2066}\u{E000}\u{FEFF}"
      for words in [
        ["set", "dark", "--app", odd], ["app"], ["overrides"], ["status"], ["status", "--app", odd],
        ["status", "--verbose"],
        ["config"], ["get", "--app", odd], ["is", "a\u{1B}[31m\u{9B}1mb"], ["set", "\u{1B}]0;x\u{7}"],
        ["set", "theme", "\u{1B}[2J\u{202E}"], ["theme", "check", "/\u{1B}[2J\u{202E}"], ["theme", "new", "\u{9B}x"],
        ["theme", "import", "/\u{1B}[2J\u{202E}.yaml"], ["theme", "preview", "\u{1B}[2J"], ["doctor"],
        ["set", "accent", "\u{1B}[2J"], ["unset", "--app", odd],
        ["theme", "export", "\u{202E}", "--format", "\u{1B}c"],
      ] {
        let finished = try session.themectl(words)
        #expect(isFit(finished.output) && isFit(finished.errors), "\(words): \(finished)")
        #expect(!finished.errors.contains("Fatal"))
      }
      _ = try session.themectl("set", "dark", "--app", odd)
      let apps = try session.themectl("overrides")
      #expect(apps.output.contains("a?b?c???\tdark"))
      // Programs get the name as it is.
      let json = try session.themectl("overrides", "--json")
      let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
      let names = (object?["overrides"] as? [[String: Any]])?.compactMap { $0["app"] as? String }
      #expect(names.map { $0.map { Array($0.utf8) } } == [Array(odd.utf8)])
      daemon.send(.terminate)
      try daemon.wait()
    }
  }

  @Test func `a theme that says odd things is listed, shown and checked in lines`() throws {
    try withSession { session in
      let text =
        "[theme]\ntitle=a\u{202E}b\u{2028}c\nauthor=\u{2066}x\n[dark.values]\nv=\\n\u{1B}[31m\u{9B}\n[\u{202E}\u{1B}]\nx=\u{85}\n"
        .replacingOccurrences(of: "[\u{202E}\u{1B}]\nx", with: "[\u{202E}]\nx")
      try session.directory.write(text, to: "data/themed/themes/odd.theme")
      for words in [["list"], ["show", "odd"], ["check", "odd"]] {
        let finished = try session.themectl(["theme"] + words)
        #expect(isFit(finished.output) && isFit(finished.errors), "\(words): \(finished)")
        #expect(finished.status == .exited(0), "\(words): \(finished)")
      }
      #expect(try session.themectl("theme", "list").output == "odd\tdark\t-\ta?b?c")
    }
  }

  @Test func `a file that is replaced is written through its link, keeps its mode, and harms no other`() throws {
    try withSession { session in
      let themes = session.directory.path("data/themed/themes")
      let target = try session.directory.write("[dark.palette]\n", to: "dotfiles/dusk.theme")
      let bystander = try session.directory.write("mine", to: "data/themed/themes/dusk.theme.new")
      try session.check("chmod", ["640", target])
      try FileManager.default.createSymbolicLink(atPath: themes + "/dusk.theme", withDestinationPath: "../../../middle")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("middle"), withDestinationPath: "dotfiles/dusk.theme")
      let before = try session.check("ls", ["-A", themes])
      #expect(try session.themectl("theme", "new", "dusk", "--force").status == .exited(0))
      #expect(try String(contentsOfFile: target, encoding: .utf8).contains("[light.palette]"))
      #expect(try session.check("stat", ["--format=%a", target]) == "640")
      #expect(try session.check("readlink", [themes + "/dusk.theme"]) == "../../../middle")
      #expect(try String(contentsOfFile: bystander, encoding: .utf8) == "mine")
      #expect(try session.check("ls", ["-A", themes]) == before)
      #expect(try session.check("ls", ["-A", session.directory.path("dotfiles")]) == "dusk.theme")
      // A link that leads nowhere yet is made good, and one that leads to itself is an error.
      try FileManager.default.createSymbolicLink(atPath: themes + "/dawn.theme", withDestinationPath: target + ".dawn")
      #expect(try session.themectl("theme", "new", "dawn").status == .exited(0))
      #expect(FileManager.default.fileExists(atPath: target + ".dawn"))
      try FileManager.default.createSymbolicLink(atPath: themes + "/loop.theme", withDestinationPath: "loop.theme")
      let loop = try session.themectl("theme", "new", "loop", "--force")
      #expect(loop.status == .exited(2) && loop.errors.contains("symbolic links"), "\(loop)")
    }
  }
}
