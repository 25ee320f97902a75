import Foundation
import Testing
import ThemedTestSupport

/// Real Neovim and Vim, which follow by the plugins that are shipped.
@Suite(.ownThreads) struct EditorStories {
  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor is set to what is shown now and after each change, once, and outlives the daemon`(
    kind: Editor.Kind
  ) throws { try EditorTrials.outlivesTheDaemon(kind) }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor calls itself by its name, and is overridden alone`(kind: Editor.Kind) throws {
    try EditorTrials.hasAName(kind)
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor finds themed where a session of ssh does not say`(kind: Editor.Kind) throws {
    try EditorTrials.findsTheUsualPlace(kind)
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor stays as it is while themed knows nothing`(kind: Editor.Kind) throws {
    try EditorTrials.leavesAGuess(kind)
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `a color scheme for one side comes back with that side, and one of the user's own stays`(
    kind: Editor.Kind
  ) throws {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      // The user chooses a color scheme after the editor has written down the fourth state.
      let own = "autocmd User Themed let g:n = get(g:, 'n') + 1 | if g:n == 4 | colorscheme shine | endif\n"
      let editor = try Editor(session, kind, more: "colorscheme desert\n" + own)
      try daemon.awaits("call")
      for (scheme, name) in [
        ("dark", "desert"), ("light", "-"), ("dark", "desert"), ("light", "-"), ("light", "shine"), ("dark", "desert"),
      ] {
        let count = editor.drawings.count
        try daemon.send(DaemonInDisguise.state(scheme))
        try eventually("a drawing") { editor.drawings.count > count }
        #expect(editor.drawings.last?.hasPrefix(name + " ") == true, "\(editor.drawings)")
        #expect(editor.settings.last == scheme)
      }
    }
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor sleeps while what it shows stays the same`(kind: Editor.Kind) throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let editor = try Editor(session, kind)
      try editor.await(["dark"])
      let before = try editor.wakeUps()
      for scheme in Array(repeating: ["light", "dark"], count: 10).flatMap(\.self) {
        _ = try session.themectl("set", scheme, "--app", "another")
      }
      #expect(try editor.wakeUps() == before)
    }
  }

  @Test(arguments: ["", "colorscheme themed\n"])
  func `Neovim draws with the colors of the theme, and as before once there is none`(more: String) throws {
    try EditorTrials.draws(.nvim, more: more, without: "-")
  }

  @Test(arguments: [Editor.Kind.nvim, .vim], EditorTrials.nonsense.keys.sorted())
  func `what is no state changes nothing, and is complained of by an end`(kind: Editor.Kind, reply: String) throws {
    try EditorTrials.isUnmoved(kind, by: reply)
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `a reply in pieces is one, of many the newest counts, and one without an end is given up`(
    kind: Editor.Kind
  ) throws { try EditorTrials.readsPieces(kind) }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `in an ssh session an editor leaves its terminal alone, unless the other machine feeds this one`(
    kind: Editor.Kind
  ) throws { try EditorTrials.leavesAnotherTerminal(kind) }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `an editor says what went wrong with its connection`(kind: Editor.Kind) throws {
    try EditorTrials.saysWhatIsWrong(kind)
  }

  @Test func `what is wrong with its options Neovim says, though its line passes over a file that is gone`() throws {
    try withSession { session in
      let line = try PluginLine.line(in: "nvim").replacing("/usr/share/themed/", with: Products.package + "/share/")
      let path = try session.directory.write("lua \(line)\nlet g:themed = {'app': 7}\n", to: "tmp/init.vim")
      let said = try session.run("nvim", ["--headless", "-n", "-i", "NONE", "-u", path, "+autocmd VimEnter * qa!"])
      #expect(said.errors.contains("themed: the option 'app' has to be a string"), "\(said.errors)")
      #expect(!said.errors.contains("stack traceback"), "\(said.errors)")
    }
  }

  // vim-plug, packer.nvim and an editor's own packages do the same: the directory is in the path, and has its plugin.
  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `a plugin manager can take the plugin's directory as it is`(kind: Editor.Kind) throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let place = kind == .vim ? "home/.vim" : "data/nvim/site"
      let packages = try session.directory.directory("\(place)/pack/x/start")
      try FileManager.default.createSymbolicLink(
        atPath: packages + "/themed", withDestinationPath: "\(Products.package)/share/\(kind.rawValue)")
      let log = session.directory.path("tmp/log")
      try session.directory.write(
        "autocmd User Themed call writefile([&background, len(getcompletion('themed', 'help')) > 5], '\(log)')\n",
        to: kind == .vim ? "home/.vimrc" : "config/nvim/init.vim")
      session.environment["TERM"] = "xterm-256color"
      let command = "stty rows 24 cols 80; exec \(kind.rawValue) -n -i NONE"
      _ = try session.spawn("script", ["--quiet", "--command", command, "/dev/null"], input: [])
      try eventually("dark, and the tags of the help") {
        (try? String(contentsOfFile: log, encoding: .utf8)) == "dark\n1\n"
      }
    }
  }

  @Test func `checkhealth says what is not shown, and what to type`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let turned = "autocmd User Themed ++once call timer_start(100, {-> execute('set background=light')})\n"
      let editor = try Editor(
        session, .nvim, palette: true, more: Editor.tellingStatus(session, .nvim) + turned)
      try editor.awaitStatus("although themed says dark")
      try editor.awaitStatus("themectl set theme NAME")
    }
  }

  @Test func `what Neovim is set up with goes before its variable, then and later`() throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      _ = try session.themectl("set", "theme", "mint")
      let editor = try Editor(
        session, .nvim, palette: true, more: "lua require('themed').setup({ palette = false })\n")
      try editor.await(["dark"])
      try editor.await { $0.hasPrefix("-") }
      _ = try session.themectl("set", "light")
      try editor.await(["dark", "light"])
      #expect(editor.drawings.allSatisfy { $0.hasPrefix("-") }, "\(editor.drawings)")
    }
  }

  // As lazy.nvim does, which loads plugins in the place of Neovim, and which the line stands below or above.
  @Test(arguments: ["set noloadplugins runtimepath&\nlua LINE\n", "lua LINE\nset noloadplugins runtimepath&\n"])
  func `Neovim follows by its line alone where it loads no plugins, with what is set below the line`(
    script: String
  ) throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      _ = try session.themectl("set", "theme", "mint")
      let line = try PluginLine.line(in: "nvim").replacing("/usr/share/themed/", with: Products.package + "/share/")
      let editor = try Editor(
        session, .nvim, more: script.replacing("LINE", with: line) + "let g:themed = {'palette': v:true}\n")
      try editor.await { $0.hasPrefix("themed #") }
    }
  }

  @Test func `the line for a plugin that was removed says nothing and fails nothing`() throws {
    let read = ["--headless", "-n", "-i", "NONE", "-u", "NONE", "--cmd", "lua dofile(vim.fn.argv(0))", "--cmd", "qa!"]
    try PluginLine.isSilentWhereGone(in: "nvim", read, stub: "io.stdout:write('read')\n")
  }

  @Test func `what Neovim's terminal says leaves a color scheme that was loaded by hand`() throws {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      // Neovim 0.7 cannot be made to have the event with what the terminal says.
      let hand = """
        lua << END
        local create, answer = vim.api.nvim_create_autocmd, nil
        vim.api.nvim_create_autocmd = function(event, options)
          answer = event == 'TermResponse' and options.callback or answer
          return create(event, options)
        end
        create('User', { pattern = 'Themed', once = true, callback = function()
          vim.cmd('colorscheme desert')
          answer({ data = { sequence = '\\27]11;rgb:0000/0000/0000' } })
        end })
        END

        """
      let editor = try Editor(session, .nvim, palette: true, more: hand)
      try daemon.awaits("call")
      let state = DaemonInDisguise.state("dark", ##","theme":"x","palette":{"background":"#010203"}"##)
      try daemon.send(state)
      try editor.await { $0.hasPrefix("themed #010203") }
      try daemon.send(state)
      try eventually("another drawing") { editor.drawings.count == 2 }
      #expect(editor.drawings.last?.hasPrefix("desert ") == true, "\(editor.drawings)")
    }
  }

  @Test func `a color that is none is no color to Neovim`() throws {
    try EditorTrials.drawsColorsOnly(.nvim)
  }

  @Test(arguments: [Editor.Kind.nvim, .vim])
  func `the help has the tags that the editor makes of it, and is found`(kind: Editor.Kind) throws {
    try withSession { session in
      let plugin = Products.package + "/share/\(kind)"
      let copy = try session.directory.directory("tmp/doc")
      let text = try String(contentsOfFile: plugin + "/doc/themed.txt", encoding: .utf8)
      try session.directory.write(text, to: "tmp/doc/themed.txt")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 78 })
      let found = session.directory.path("tmp/found")
      let words = [
        "-N", "-n", "-i", "NONE", "-u", "NONE", "-es", "+let &runtimepath ..= ',\(plugin)'", "+helptags \(copy)",
        "+help themed-install", "+call writefile([expand('%:p')], '\(found)')", "+qa!",
      ]
      _ = try session.run("\(kind)", words)
      let tags = try String(contentsOfFile: copy + "/tags", encoding: .utf8)
      #expect(try String(contentsOfFile: plugin + "/doc/tags", encoding: .utf8) == tags)
      #expect(try String(contentsOfFile: found, encoding: .utf8) == plugin + "/doc/themed.txt\n")
    }
  }
}

/// What every editor has to do.
enum EditorTrials {
  static func outlivesTheDaemon(_ kind: Editor.Kind) throws {
    try withSession { session in
      // Before there is a daemon.
      let editor = try Editor(session, kind)
      var themed = try session.startThemed()
      _ = try session.themectl("set", "light")
      try editor.await(["light"])
      for (signal, seen) in [(ChildProcess.Signal.terminate, 1), (.kill, 3)] {
        let before = Array(["light", "dark", "light", "dark"].prefix(seen))
        _ = try session.themectl("set", "dark")
        try editor.await(before + ["dark"])
        // What is shown stays the same, and is not set again.
        let drawn = editor.drawings.count
        _ = try session.themectl("set", "accent", seen == 1 ? "#123456" : "#654321")
        try eventually("another state") { editor.drawings.count > drawn }
        themed.send(signal)
        try themed.wait()
        themed = try session.startThemed()
        _ = try session.themectl("set", "light")
        try editor.await(before + ["dark", "light"])
      }
    }
  }

  static func hasAName(_ kind: Editor.Kind) throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      let editor = try Editor(session, kind)
      try editor.await(["dark"])
      #expect(try session.themectl("app", "show", kind.rawValue).output.contains("plugin, connected now"))
      _ = try session.themectl("set", "light", "--app", kind.rawValue)
      try editor.await(["dark", "light"])
      #expect(try session.themectl("get").lines == ["dark"])
    }
  }

  static func findsTheUsualPlace(_ kind: Editor.Kind) throws {
    for socket in [nil, ""] {
      try withSession { session in
        session.environment["THEMED_SOCKET"] = socket
        _ = try session.startThemed()
        _ = try session.themectl("set", "dark")
        let editor = try Editor(session, kind, under: Session.usualPlace)
        try editor.await(["dark"])
        _ = try session.themectl("set", "light")
        try editor.await(["dark", "light"])
      }
    }
  }

  static func leavesAGuess(_ kind: Editor.Kind) throws {
    try withSession { session in
      _ = try session.startThemed()
      let editor = try Editor(session, kind)
      try editor.await { _ in true }
      #expect(editor.settings == [])
      _ = try session.themectl("set", "light")
      try editor.await(["light"])
      _ = try session.themectl("unset")
      _ = try session.themectl("set", "dark")
      try editor.await(["light", "dark"])
    }
  }

  static func leavesAnotherTerminal(_ kind: Editor.Kind) throws {
    try withSession { session in
      let themed = try session.startThemed()
      _ = try session.themectl("set", "dark")
      session.enterSSH()
      let editor = try Editor(session, kind, more: Editor.tellingStatus(session, kind))
      try editor.awaitStatus("says dark, which is not shown in an ssh session")
      #expect(editor.settings == [] && editor.drawings == [])
      // It is the user who says to follow this machine all the same.
      let word =
        switch kind {
        case .nvim, .vim: "let g:themed = {'ssh': v:true}\n"
        case .emacs: "(setq themed-ssh t)"
        }
      try withSession { other in
        other.environment.merge(session.environment) { own, _ in own }
        other.environment["THEMED_SOCKET"] = session.socketPath
        try Editor(other, kind, more: word).await(["dark"])
      }
      themed.send(.terminate)
      try themed.wait()
      try session.check("rm", [session.overridesPath])
      // The same editor, once the other machine feeds this one; an override here is for all who look from there.
      let fed = try session.startFedThemed("light")
      try editor.await(["light"])
      try editor.awaitStatus("says light")
      _ = try session.themectl("set", "dark")
      try editor.await(["light", "dark"])
      #expect(fed.isRunning)
    }
  }

  static func saysWhatIsWrong(_ kind: Editor.Kind) throws {
    try withSession { session in
      let status = Editor.tellingStatus(session, kind)
      session.environment["THEMED_SOCKET"] = session.directory.path("run/nobody")
      let editor = try Editor(session, kind, more: status)
      let words =
        switch kind {
        case .nvim: "ENOENT"
        case .vim: "E902"
        case .emacs: "No such file"
        }
      try editor.awaitStatus("run/nobody" + (kind == .emacs ? " does not answer" : ": "))
      try editor.awaitStatus(words)
    }
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      let editor = try Editor(session, kind, more: Editor.tellingStatus(session, kind))
      try daemon.awaits("call")
      try daemon.send("nonsense\0")
      try editor.awaitStatus("reply is not from themed")
    }
  }

  static func draws(_ kind: Editor.Kind, more: String = "", without own: String) throws {
    try withSession { session in
      try session.bringApps()
      _ = try session.startThemed()
      _ = try session.themectl("set", "light")
      let editor = try Editor(session, kind, palette: true, more: more)
      try editor.await { _ in true }
      for (scheme, theme) in [("light", "mint"), ("dark", "mint"), ("dark", "80s"), ("light", "80s")] {
        _ = try session.themectl("set", scheme)
        _ = try session.themectl("set", "theme", theme)
        let colors = try ["background", "text", "disabled-text"].map {
          try session.themectl("get", "palette.\($0)").output
        }
        try editor.await { $0 == (["themed"] + colors).joined(separator: " ") }
      }
      _ = try session.themectl("unset", "theme")
      try editor.await { $0.hasPrefix(own) }
      #expect(editor.settings.last == "light")
    }
  }

  /// Replies that are no state, by what they are.
  static let nonsense: [String: String] = [
    "nothing": "", "no JSON": "nonsense", "an empty object": "{}",
    "an error": #"{"error":"org.varlink.service.InvalidParameter","parameters":{}}"#,
    "a scheme that is none": #"{"parameters":{"state":{"scheme":"light | call writefile(['x'], 'evil')"}}}"#,
    "a list": #"{"parameters":{"state":[]}}"#, "a scheme that is no word": #"{"parameters":{"state":{"scheme":{}}}}"#,
    "a deep one": String(repeating: "[", count: 100_000),
  ]

  static func isUnmoved(_ kind: Editor.Kind, by reply: String) throws {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      let editor = try Editor(session, kind)
      try daemon.awaits("call")
      try daemon.send(DaemonInDisguise.state("dark"))
      try editor.await(["dark"])
      try daemon.send(try #require(nonsense[reply]) + "\0")
      try daemon.awaits("end")
      #expect(editor.settings == ["dark"] && editor.drawings.count == 1)
    }
  }

  static func readsPieces(_ kind: Editor.Kind) throws {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      let editor = try Editor(session, kind)
      try daemon.awaits("call")
      let (light, dark) = (DaemonInDisguise.state("light"), DaemonInDisguise.state("dark"))
      let pieces: [Substring] = [dark.prefix(1), dark.dropFirst().prefix(40), dark.dropFirst(41).dropLast(), "\0"]
      for piece in pieces {
        try daemon.send(String(piece))
      }
      try editor.await(["dark"])
      try daemon.send(String(repeating: light + dark, count: 20) + light + light.prefix(30))
      try eventually("light at last") { editor.settings.last == "light" }
      try daemon.send(String(light.dropFirst(30)) + dark)
      try eventually("dark at last") { editor.settings.last == "dark" }
      // What has no end is given up, and the daemon is asked again.
      try daemon.flood()
      try daemon.awaits("end")
      try daemon.awaits("call")
      try daemon.send(light)
      try eventually("light after all") { editor.settings.last == "light" }
    }
  }

  static func drawsColorsOnly(_ kind: Editor.Kind) throws {
    try withSession { session in
      let daemon = try DaemonInDisguise(session)
      let editor = try Editor(session, kind, palette: true)
      try daemon.awaits("call")
      let palette = ##""background":"#010203","text":"#aabbcc | quit","disabled-text":"red","x":7,"error":["#000000"]"##
      try daemon.send(DaemonInDisguise.state("dark", #","theme":"x","palette":{\#(palette)}"#))
      try editor.await { $0.hasPrefix("themed #010203") }
      let drawing = try #require(editor.drawings.last)
      #expect(!drawing.contains("aabbcc") && !drawing.contains("red") && !drawing.contains("quit"))
      try daemon.send(DaemonInDisguise.state("light", #","theme":"x","palette":"none""#))
      try eventually("light") { editor.settings.last == "light" }
      try editor.await { !$0.hasPrefix("themed") }
    }
  }
}
