import Foundation
import Testing
import ThemedTestSupport

/// Schemes of others become themes: over several commands, from a pipe, and though nobody reads what is said.
@Suite(.ownThreads) struct ThemeImportStories {
  private func scheme(_ title: String, _ variant: String, background: String = "202020") -> String {
    let slots = (1..<16).map { "base0\(String($0, radix: 16, uppercase: true)): '3584e4'\n" }.joined()
    return "name: '\(title)'\nvariant: \(variant)\nbase00: '\(background)'\n" + slots
  }

  private func write(_ session: Session, _ name: String, _ title: String, _ variant: String) throws -> String {
    try session.directory.write(scheme(title, variant), to: "s/\(name).yaml")
  }

  private func themes(of session: Session) throws -> [String] {
    let directory = session.directory.path("data/themed/themes")
    return ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  private func head(_ session: Session, _ name: String) throws -> [String] {
    try session.themectl("theme", "export", name).lines.filter { $0.hasPrefix("[") || $0.hasPrefix("title=") }
  }

  /// Runs a command whose standard output is a pipe that nobody reads any more; its exit status is printed.
  private func unread(_ session: Session, _ words: [String]) throws -> Finished {
    let script = #"exec 3> >(exit); wait $!; "$0" "$@" >&3; echo $?"#
    return try session.run("bash", ["-c", script, Products.path("themectl")] + words)
  }

  @Test func `all schemes are imported though nobody reads the output, and the status tells of a faulty one`() throws {
    try withSession { session in
      let files = try ["a", "b", "c"].map { try write(session, $0, $0, "dark") }
      let whole = try unread(session, ["theme", "import"] + files)
      #expect(whole.lines == ["0"])
      #expect(whole.errors.hasPrefix("themectl: note: 39 warnings"))
      #expect(try themes(of: session) == ["a.theme", "b.theme", "c.theme"])
      let faulty = try session.directory.write("base00: '12'\n", to: "s/f.yaml")
      let some = try unread(session, ["theme", "import", "--force", files[0], faulty, files[2]])
      #expect(some.lines == ["1"])
      #expect(some.errors.contains("f.yaml"))
    }
  }

  @Test func `a check says by its status what it found though nobody reads it, and a new theme is there`() throws {
    try withSession { session in
      let bad = try session.directory.write("[dark.palette]\ntext=x\n", to: "bad.theme")
      #expect(try unread(session, ["theme", "check", bad]).lines == ["1"])
      #expect(try unread(session, ["theme", "check", bad, "nope"]).lines == ["2"])
      #expect(try unread(session, ["theme", "new", "dusk"]).lines == ["0"])
      #expect(try themes(of: session) == ["dusk.theme"])
    }
  }

  @Test func `doctor and set say by their status how it stands though nobody reads them`() throws {
    try withSession { session in
      #expect(try unread(session, ["doctor"]).lines == ["1"])
      _ = try session.startThemed()
      #expect(try unread(session, ["set", "dark"]).lines == ["0"])
      // Where the file should be, a directory keeps it from being saved.
      try FileManager.default.removeItem(atPath: session.overridesPath)
      try session.directory.write("", to: "state/themed/overrides.json/x")
      let unsaved = try unread(session, ["set", "light"])
      #expect(unsaved.lines == ["4"])
      #expect(unsaved.errors.contains("cannot be saved"))
      #expect(try session.themectl("get").lines == ["light"])
    }
  }

  @Test func `a scheme comes by standard input, as a pipe or a socket, and may need a name`() throws {
    try withSession { session in
      let text = scheme("Café del Mar", "light")
      func pipe(_ words: [String], _ text: String) throws -> Finished {
        let file = try session.directory.write(text, to: "s/input")
        let script = #"cat "$0" | "$@""#
        return try session.run("bash", ["-c", script, file, Products.path("themectl"), "theme", "import"] + words)
      }
      #expect(try pipe(["--name", "x", "-"], text).lines.first?.hasPrefix("x\tlight\t") == true)
      #expect(try pipe(["-"], text).lines.first?.hasPrefix("caf-del-mar\tlight\t") == true)
      #expect(try pipe(["--name", "y", "/dev/stdin"], text).status == .exited(0))
      let wrong = try pipe(["-"], "base00: x\n")
      #expect(wrong.status == .exited(1))
      #expect(wrong.errors.contains("standard input: line 1: base00 is 'x'"), "\(wrong.errors)")
      let program = """
        import socket, subprocess, sys
        one, other = socket.socketpair()
        one.sendall(open(sys.argv[1], "rb").read())
        one.shutdown(socket.SHUT_WR)
        sys.exit(subprocess.run(sys.argv[2:], stdin=other).returncode)
        """
      let words = try [Products.path("themectl"), "theme", "import", "--name", "z", "/dev/stdin"]
      let socket = try session.python(["-c", program, session.directory.write(text, to: "s/input")] + words)
      #expect(socket.status == .exited(0), "\(socket.errors)")
      #expect(try themes(of: session) == ["caf-del-mar.theme", "x.theme", "y.theme", "z.theme"])
    }
  }

  @Test func `links in a directory lead to files, but not to other directories`() throws {
    try withSession { session in
      let manager = FileManager.default
      try session.directory.write(scheme("Far", "dark"), to: "far/far.yaml")
      let near = try session.directory.write(scheme("Near", "dark"), to: "near/near.yaml")
      let directory = session.directory.path("s")
      try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: directory + "/far", withDestinationPath: session.directory.path("far"))
      try manager.createSymbolicLink(atPath: directory + "/near.yaml", withDestinationPath: near)
      #expect(try session.themectl("theme", "import", directory).status == .exited(0))
      #expect(try themes(of: session) == ["near.theme"])
      // From the link alone, nothing was imported.
      try manager.removeItem(atPath: directory + "/near.yaml")
      let nothing = try session.themectl("theme", "import", directory)
      #expect(nothing.status == .exited(1) && nothing.errors.contains("nothing was imported"), "\(nothing)")
    }
  }

  @Test func `sides that come one after the other become one theme, and what is no side of it stays apart`() throws {
    try withSession { session in
      let light = try write(session, "ayu-light", "Ayu Light", "light")
      let dark = try write(session, "ayu-dark", "Ayu Dark", "dark")
      #expect(try session.themectl("theme", "import", light).lines.first?.hasPrefix("ayu-light\tlight\t") == true)
      let second = try session.themectl("theme", "import", dark)
      #expect(second.lines.first?.hasPrefix("ayu\tlight, dark\t") == true)
      let first = session.directory.path("data/themed/themes/ayu-light.theme")
      #expect(second.errors.contains("\(first)"), "what is not needed any more is named: \(second.errors)")
      #expect(try head(session, "ayu") == ["[theme]", "title=Ayu", "[light.palette]", "[dark.palette]"])
      let again = try session.themectl("theme", "import", dark)
      #expect(again.status == .exited(1))
      #expect(again.errors.contains("--force") && again.errors.contains("--name"), "\(again.errors)")
      // Another dark one is no light one's other side.
      for name in ["sea-dark", "sea"] {
        _ = try session.themectl("theme", "import", try write(session, name, "Sea", "dark"))
      }
      #expect(try themes(of: session) == ["ayu-light.theme", "ayu.theme", "sea-dark.theme", "sea.theme"])
    }
  }

  @Test func `a side that is imported again belongs to the theme that it became`() throws {
    try withSession { session in
      let light = try write(session, "ayu-light", "Ayu Light", "light")
      let dark = try write(session, "ayu-dark", "Ayu Dark", "dark")
      _ = try session.themectl("theme", "import", light, dark)
      let again = try session.themectl("theme", "import", dark)
      #expect(again.status == .exited(1))
      #expect(again.errors.contains("'ayu' already has this side; use --force"), "\(again.errors)")
      #expect(try themes(of: session) == ["ayu.theme"])
      let path = session.directory.path("data/themed/themes/ayu.theme")
      let before = try String(contentsOfFile: path, encoding: .utf8)
      let own = "[dark.assets]\nwallpaper=/night.png\n[dark.values]\nbat=Nord\n"
      try session.directory.write(before + "\n" + own, to: "data/themed/themes/ayu.theme")
      try session.directory.write(scheme("Ayu Dark", "dark", background: "101010"), to: "s/ayu-dark.yaml")
      let forced = try session.themectl("theme", "import", "--force", dark)
      #expect(forced.lines.first?.hasPrefix("ayu\tlight, dark\t") == true, "\(forced.errors)")
      #expect(try themes(of: session) == ["ayu.theme"])
      let after = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!before.contains("101010") && after.contains("101010") && after.contains("[light.palette]"))
      #expect(after.contains("\nwallpaper=/night.png\n") && after.contains("\nbat=Nord\n"), "\(after)")
    }
  }

  @Test func `a name adds the side that a theme of that name has not, behind what somebody wrote`() throws {
    try withSession { session in
      let latte = try write(session, "latte", "Latte", "light")
      let mocha = try write(session, "mocha", "Mocha", "dark")
      _ = try session.themectl("theme", "import", "--name", "cat", latte)
      let added = try session.themectl("theme", "import", "--name", "cat", mocha)
      #expect(added.lines.first?.hasPrefix("cat\tlight, dark\t") == true, "\(added.errors)")
      #expect(added.errors.hasPrefix("themectl: note: 26 warnings"))
      #expect(try head(session, "cat") == ["[theme]", "title=cat", "[light.palette]", "[dark.palette]"])
      let own = "# Mine, and precious.\n[light.palette]\ntint=#ff0000 "
      let path = try session.directory.write(own, to: "data/themed/themes/dog.theme")
      let second = try session.themectl("theme", "import", "--name", "dog", mocha)
      #expect(second.lines.first?.hasPrefix("dog\tlight, dark\t") == true, "\(second.errors)")
      let both = try String(contentsOfFile: path, encoding: .utf8)
      #expect(both.hasPrefix(own + "\n\n[dark.palette]\n") && both.hasSuffix("base0F=#3584e4\n"), "\(both)")
      #expect(try session.themectl("theme", "check", "dog").status == .exited(0))
      for name in ["cat", "dog"] {
        #expect(try session.themectl("theme", "import", "--name", "\(name).theme", mocha).status == .exited(64))
        let twice = try session.themectl("theme", "import", "--name", name, mocha)
        #expect(twice.status == .exited(1) && twice.errors.contains("--force"), "\(twice)")
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == both)
    }
  }

  @Test func `a side that would make a file wrong is not added to it`() throws {
    try withSession { session in
      let mocha = try write(session, "mocha", "Mocha", "dark")
      let own = "[both.palette]\ntint=leaf\n[light.colors]\nleaf=#00ff00\n[light.palette]\ntext=#000000\n"
      let path = try session.directory.write(own, to: "data/themed/themes/dog.theme")
      let refused = try session.themectl("theme", "import", "--name", "dog", mocha)
      #expect(refused.status == .exited(1))
      #expect(refused.errors.contains("cannot add a side to \(path): [both.palette] tint is 'leaf'"), "\(refused)")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == own)
    }
  }
}
