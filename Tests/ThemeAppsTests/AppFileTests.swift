import Testing
@testable import ThemeApps
import ThemedModel
import ThemedSystem

/// App files: what they may say, and what is said of one that is wrong.
@Suite struct AppFileTests {
  private func file(_ text: String, name: Text = "kitty") -> AppFile { AppFile(name: name, Array(text.utf8)) }

  private func remarks(_ text: String, name: Text = "kitty") -> [String] {
    file(text, name: name).remarks.map { remark in
      (remark.line.map { "\($0): " } ?? "") + (remark.isError ? "" : "warning: ") + remark.text
    }
  }

  private func path(_ text: Text) throws -> AppPath { try #require(AppPath(text)) }

  /// A path of the user's own file, which may name a variable of the program's.
  private func own(_ text: Text) throws -> AppPath { try #require(AppPath(text, byVariables: true)) }

  @Test func `A file says what is written, how the program is told, and what its own file needs`() throws {
    let file = file(
      """
      [app]
      title=kitty, the terminal
      program=kitty;kitty-bin
      note=Needs a line.
      version-command=kitty --version
      [light]
      value=Modus Operandi
      [dark]
      value=Modus Vivendi
      [write]
      template=kitty.mustache
      file=~/.config/kitty/themed.conf
      [write old]
      template=old.mustache
      file=$XDG_CONFIG_HOME/kitty/old.conf
      comment=/* */
      escape=html
      system=base16
      versions=>=0.26 <0.40
      [reload]
      signal=USR1
      process=kitty
      [reload too]
      command=kitty @ set "{value}" '{"a": 1}'
      timeout=7
      [reload bus]
      call=org.kde.konsole-* /Sessions/* org.kde.konsole.Session.setProfile s:{value} b:true i:-1
      [reload watched]
      touch=~/.config/kitty/kitty.conf
      [reload tmux]
      tmux=~/.config/tmux/themed.conf
      [reload sway]
      ipc=sway
      words=reload
      [reload i3]
      ipc=i3
      commands=i3.mustache
      [terminal]
      process=kitty
      sequences=basic
      [setup]
      files=$KITTY_CONFIG_DIRECTORY/kitty.conf;~/.config/kitty/kitty.conf;$ZDOTDIR/kitty.vim
      file=~/.config/kitty/kitty.conf
      by-directory=yes
      reads-all=yes
      optional=yes
      line=include themed.conf
      line.vim=let x = 1
      comment.vim="
      new-file-start=defaults
      shell=zsh
      hides=~/.old
      new-file-hides=~/.older
      new-file-readers=foot
      system-files=$XDG_CONFIG_DIRS/kitty/kitty.conf;/etc/kitty.conf
      system-line=include {system}
      system-copy=yes
      new-file-interpreter=/bin/sh
      if-variable=KITTY_THEME
      hidden-by=colors.*;run *tpm*
      hidden-where=anywhere
      position=before-sections
      [disable]
      command={program} cache "--clear all"
      timeout=9
      """)
    #expect(file.remarks == [])
    var app = App(name: "kitty")
    app.title = "kitty, the terminal"
    app.programs = ["kitty", "kitty-bin"]
    app.note = "Needs a line."
    app.versionCommand = ["kitty", "--version"]
    app.values = [.light: ["value": "Modus Operandi"], .dark: ["value": "Modus Vivendi"]]
    let read = try #require(file.app)
    let range = try #require(read.writes.last).versions
    #expect(range.description == ">=0.26 <0.40")
    app.writes = [
      App.Write(template: "kitty.mustache", file: try path("~/.config/kitty/themed.conf")),
      App.Write(
        name: "old", template: "old.mustache", file: try path("$XDG_CONFIG_HOME/kitty/old.conf"),
        comment: CommentStyle(start: "/*", end: "*/"), escape: .html, system: .base16, versions: range),
    ]
    app.reloads = [
      App.Reload(action: .signal(.user1), processes: ["kitty"]),
      App.Reload(
        name: "too", action: .command(["kitty", "@", "set", "{value}", #"{"a": 1}"#], timeout: 7)),
      App.Reload(
        name: "bus",
        action: .call(
          App.BusCall(
            destination: "org.kde.konsole-*", path: "/Sessions/*", interface: "org.kde.konsole.Session",
            member: "setProfile",
            arguments: [
              .init(type: .string, value: "{value}"), .init(type: .boolean, value: "true"),
              .init(type: .int32, value: "-1"),
            ]))),
      App.Reload(name: "watched", action: .touch(try path("~/.config/kitty/kitty.conf"))),
      App.Reload(name: "tmux", action: .tmux(try path("~/.config/tmux/themed.conf"))),
      App.Reload(name: "sway", action: .ipc(.sway, .words("reload"))),
      App.Reload(name: "i3", action: .ipc(.i3, .template("i3.mustache"))),
    ]
    app.terminal = App.Terminal(processes: ["kitty"], sequences: .basic)
    app.setups = [
      App.Setup(
        files: try ["$KITTY_CONFIG_DIRECTORY/kitty.conf", "~/.config/kitty/kitty.conf", "$ZDOTDIR/kitty.vim"].map(own),
        newFile: try path("~/.config/kitty/kitty.conf"), goesByDirectory: true, line: "include themed.conf",
        dialects: [App.Setup.Dialect(suffix: "vim", line: "let x = 1", comment: CommentStyle(start: "\""))],
        beginning: "defaults", place: .beforeSections, shell: .zsh, hides: [try path("~/.old")],
        hiddenBy: [SettingPattern("colors.*"), SettingPattern("run *tpm*")], hiddenWhere: .anywhere)
    ]
    app.setups[0].readsAll = true
    app.setups[0].isOptional = true
    app.setups[0].newFileHides = [try path("~/.older")]
    app.setups[0].newFileReaders = ["foot"]
    app.setups[0].systemFiles = try ["$XDG_CONFIG_DIRS/kitty/kitty.conf", "/etc/kitty.conf"].map(own)
    app.setups[0].systemLine = "include {system}"
    app.setups[0].copiesSystemFile = true
    app.setups[0].interpreter = "/bin/sh"
    app.setups[0].variable = "KITTY_THEME"
    app.undo = App.Undo(words: ["{program}", "cache", "--clear all"], timeout: 9)
    #expect(read == app)
    #expect(read.undo?.words(program: "kitty-bin") == ["kitty-bin", "cache", "--clear all"])
    #expect(read.templates == ["kitty.mustache", "old.mustache", "i3.mustache"])
  }

  /// A file with one right group, and below it this.
  private func beside(_ text: String) -> [String] {
    remarks("[terminal]\nprocess=foot\n" + text)
  }

  @Test func `Each problem is told with its line, what stands there and what should`() {
    let path =
      "the path of a file, which begins with /, ~/, $XDG_CONFIG_HOME/, $XDG_DATA_HOME/, $XDG_STATE_HOME/, "
      + "$XDG_RUNTIME_DIR/, or another variable that themed.app(5) lists"
    for (text, problems) in [
      ("[write]\ntemplate=a.mustache\n", ["3: [write] needs file=…"]),
      (
        "[write]\ntemplate=../a\nfile=/a\n",
        [
          "4: [write] template is '../a', but should be the name of a template's file, without directories, such as "
            + "kitty.mustache"
        ]
      ),
      ("[write]\ntemplate=a\nfile=a/b\n", ["5: [write] file is 'a/b', but should be \(path)"]),
      ("[write]\ntemplate=a\nfile=$HOME/b\n", ["5: [write] file is '$HOME/b', but should be \(path)"]),
      ("[write]\ntemplate=a\nfile=~/b/\n", ["5: [write] file is '~/b/', but should be \(path)"]),
      (
        "[write]\ntemplate=a\nfile=/b\ncomment=rem\n",
        [
          "6: [write] comment is 'rem', but should be one of: #  //  !  \"  ;  --  %  /* */  <!-- -->  none"
        ]
      ),
      ("[write]\ntemplate=a\nfile=/b\nescape=xml\n", ["6: [write] escape is 'xml', but should be one of: none, html"]),
      (
        "[write]\ntemplate=a\nfile=/b\nsystem=tinted8\n",
        [
          "6: [write] system is 'tinted8', but should be one of: base16, base24"
        ]
      ),
      (
        "[write]\ntemplate=a\nfile=/b\nversions=0.26\n",
        [
          "6: [write] versions is '0.26', but should be comparisons with a version, such as '>=0.26 <0.40'"
        ]
      ),
      (
        "[write]\ntemplate=a\nfile=/b\nversions=>=1\n",
        [
          "[app] needs version-command=…, because another group has versions="
        ]
      ),
      (
        "[write a/b]\ntemplate=a\nfile=/b\n",
        [
          "3: [write a/b] should be named by \(Theme.nameExpectation) after 'write'"
        ]
      ),
      ("[reload]\nprocess=a\n", ["3: [reload] should be one of these: signal, command, call, touch, tmux, ipc"]),
      (
        "[reload]\nsignal=HUP\ntouch=/a\nprocess=a\n",
        [
          "3: [reload] should be one of these: signal, command, call, touch, tmux, ipc"
        ]
      ),
      ("[reload]\nsignal=HUP\n", ["3: [reload] needs process=…"]),
      (
        "[reload]\nsignal=KILL\nprocess=a\n",
        [
          "4: [reload] signal is 'KILL', but should be one of: HUP, USR1, USR2, WINCH, CONT"
        ]
      ),
      (
        "[reload]\nsignal=HUP\nprocess=/bin/a\n",
        [
          "5: [reload] process is '/bin/a', but should be names of programs, without directories, with ';' between them"
        ]
      ),
      (
        "[reload]\ncommand=a \"b\n",
        [
          "4: [reload] command is 'a \"b', but should be a command with every quote closed (no shell runs it)"
        ]
      ),
      (
        "[reload]\ncommand={theme} a\n",
        [
          "4: [reload] command is '{theme} a', but should be a command that begins with a program's name, and "
            + "not with another {name}; write {{ for a brace"
        ]
      ),
      (
        "[reload]\ncommand=a {them}\n",
        [
          "4: [reload] command is 'a {them}', but should be without {them}, which is neither a variable for programs nor a key "
            + "of [light] or [dark]; write {{ for a brace"
        ]
      ),
      ("[disable]\ntimeout=5\n", ["3: [disable] needs command=…"]),
      (
        "[disable]\ncommand=a {background-hex}\n",
        [
          "4: [disable] command is 'a {background-hex}', but should be without {background-hex}, which is neither a variable for "
            + "programs nor a key of [light] or [dark]; write {{ for a brace"
        ]
      ),
      ("[reload]\ncommand=a\ntimeout=61\n", ["5: [reload] timeout is '61', but should be a number from 1 to 60"]),
      (
        "[reload]\ntouch=/a\ntimeout=5\n",
        [
          "5: warning: [reload] timeout should be one of the keys that themed.app(5) lists for this group; it is ignored"
        ]
      ),
      (
        "[reload]\ncall=a /b c.D\n",
        [
          "4: [reload] call is 'a /b c.D', but should be NAME PATH INTERFACE.METHOD, and arguments such as s:{value}; types "
            + "are s, b, i and u"
        ]
      ),
      (
        "[reload]\nipc=sway\n",
        [
          "3: [reload] should be either words, a command, or commands, a template of commands"
        ]
      ),
      ("[reload]\nipc=kwin\nwords=a\n", ["4: [reload] ipc is 'kwin', but should be one of: sway, i3"]),
      (
        "[setup]\nfile=/a\nline=\n",
        [
          "5: [setup] line is '', but should be 1 to 1024 bytes of text without control characters"
        ]
      ),
      (
        "[setup]\nfile=/a\nline=a\\tb\n",
        [
          "5: [setup] line is 'a?b', but should be 1 to 1024 bytes of text without control characters"
        ]
      ),
      (
        "[setup]\nfile=/a\nline=a\ncomment=none\n",
        [
          "6: [setup] comment is 'none', but should be one of: #  //  !  \"  ;  --  %  /* */  <!-- -->"
        ]
      ),
      (
        "[setup]\nfiles=/b;c\nline=a\n",
        ["4: [setup] files is '/b;c', but should be paths of files as in file=, with ';' between them"]
      ),
      ("[setup]\nline=a\n", ["3: [setup] needs files=… or file=…"]),
      ("[setup]\nfiles=/a;/b\nfile=/c\nline=a\n", ["5: [setup] file is '/c', but should be one of files"]),
      (
        "[setup]\nfile=$EDITOR/a\nline=a\n", ["4: [setup] file is '$EDITOR/a', but should be \(path)"]
      ),
      ("[setup]\nfile=/a\nline=a\nsystem-line={system}\n", ["3: [setup] needs system-files=…"]),
      (
        "[setup]\nfile=/a\nline=a\nsystem-files=/b\nsystem-line=include /b\n",
        ["7: [setup] system-line is 'include /b', but should be a line with {system}, such as include {system}"]
      ),
      ("[setup]\nfile=/a\nline=a\nshell=tcsh\n", ["6: [setup] shell is 'tcsh', but should be one of: bash, zsh, fish"]),
      (
        "[light]\na b=c\n",
        [
          "4: [light] a b should be named by 1 to 64 ASCII letters, digits, '.', '_', '+' or '-'"
        ]
      ),
      (
        "[app]\ntitle=\n",
        [
          "4: [app] title is '', but should be 1 to 255 bytes of text without control characters"
        ]
      ),
      ("[follows]\nby=me\n", ["4: [follows] by is 'me', but should be one of: portal, terminal, plugin"]),
      ("[follows]\nneeds=x\n", ["3: [follows] needs by=…"]),
      (
        "[follows]\nby=portal\nversions=>=2\n",
        ["[app] needs version-command=…, because another group has versions="]
      ),
      ("[app]\nproposed=perhaps\n", ["4: [app] proposed is 'perhaps', but should be yes or no"]),
      (
        "[colors]\na=b\n",
        [
          "3: warning: [colors] should be app, light, dark, terminal, disable, desktop, setting with a name, or write, "
            + "reload, setup, hidden, replaced or follows, with or without a name; it is ignored"
        ]
      ),
      (
        "nonsense\n",
        [
          "3: 'nonsense' should be a group in brackets, key=value, or a comment after #"
        ]
      ),
    ] {
      #expect(beside(text) == problems, "\(text.debugDescription)")
    }
  }

  @Test func `A key by its old name is reported with the new one, and is otherwise read as before`() {
    let old = """
      [app]
      version=a
      for=<2
      rest=1
      not-on=X
      unable=never
      [write]
      template=t
      file=/f
      for=<2
      [setup]
      file=/g
      line=a
      or=b
      at=start
      new=c
      new-hides=/h
      system=/s
      system-line={system}
      needs-file=yes
      [desktop]
      on=X
      [setting x]
      write=a
      reset=b
      on=X
      """
    #expect(
      remarks(old) == [
        "2: [app] version is 'a', but should be named version-command=",
        "3: [app] for is '<2', but should be named versions=",
        "4: [app] rest is '1', but should be named debounce=",
        "5: [app] not-on is 'X', but should be named except-desktops=",
        "6: [app] unable is 'never', but should be named unsupported=",
        "10: [write] for is '<2', but should be named versions=",
        "14: [setup] or is 'b', but should be named equivalent=",
        "15: [setup] at is 'start', but should be named position=",
        "16: [setup] new is 'c', but should be named new-file-start=",
        "17: [setup] new-hides is '/h', but should be named new-file-hides=",
        "18: [setup] system is '/s', but should be named system-files=",
        "20: [setup] needs-file is 'yes', but should be named needs-system-file=",
        "22: [desktop] on is 'X', but should be named desktops=",
        "26: [setting x] on is 'X', but should be named desktops=",
      ])
    #expect(remarks("[app]\nrest=1\ndebounce=x\n[terminal]\nprocess=a\n").count == 2, "both keys are wrong")
    let places = "[setup]\nfile=/a\ninstead=/b;/c\nline=x\nunless=y\n"
    #expect(
      remarks(places) == [
        "3: [setup] instead is '/b;/c', but should be part of files=, after the path of file=",
        "5: [setup] unless is 'y', but should be named conflicts=",
      ])
  }

  @Test func `A file that does nothing is wrong, unless its program follows without us`() throws {
    #expect(remarks("") == ["there should be a group [write], [reload], [terminal], [setup], [follows] or [desktop]"])
    #expect(remarks("[follows]\nby=plugin\n") == [])
    let text = "[app]\nversion-command=x -v\n[follows]\nby=portal\n[follows old]\nby=terminal\nversions=<2\n"
    let ways = try #require(file(text).app).ways
    #expect(ways.map(\.means) == [.portal, .terminal] && ways.map(\.name) == ["", "old"])
    #expect(ways.map { $0.versions.contains(Version("2.0")) } == [true, false])
    #expect(
      remarks("[follows]\nby=portal\n", name: "-x") == [
        " is '-x', but should be an app's name, \(Theme.nameExpectation)"
      ])
  }

  @Test func `What a template names is known on both sides, or told with its line`() throws {
    let app = try #require(
      file("[light]\na=1\nvalue=x\n[dark]\nb=2\na=3\n[write]\ntemplate=t\nfile=/f\n").app)
    let template = try Template(parsing: Array("{{a}}{{value}}{{base00-hex}}\n{{b}}\n{{#c}}{{.}}{{/c}}".utf8))
    #expect(
      app.remarks(on: template, named: "t").map { "\($0.line ?? 0) \($0.text)" } == [
        "2 'b' has no value in [light] and is empty there", "3 unknown variable 'c' is empty",
      ])
  }

  @Test func `A stranger's words that could end a string of the program's language are told`() throws {
    let template = try Template(parsing: Array("// {{scheme-author}}\nx = \"{{scheme-name}}\"\n".utf8))
    func remarks(_ keys: String) throws -> [String] {
      let app = try #require(file("[write]\ntemplate=t\nfile=/f\ncomment=//\n" + keys).app)
      return app.remarks(on: template, named: "t").map { "\($0.line ?? 0) \($0.isError) \($0.text)" }
    }
    #expect(
      try remarks("") == [
        "2 false 'scheme-name' is text from the theme: use it only in a comment that runs to the end of the line, or set escape=html in "
          + "the app file"
      ])
    #expect(try remarks("escape=html\n") == [])
    let bracketed = try Template(parsing: Array("/* {{scheme-name}} */\n".utf8))
    let css = try #require(file("[write]\ntemplate=t\nfile=/f\ncomment=/* */\n").app)
    #expect(css.remarks(on: bracketed, named: "t").count == 1, "they may end it")
  }

  @Test func `A stranger's words stand in no line of commands for a window manager, but in its comments`() throws {
    let template = try Template(parsing: Array("  # {{scheme-author}}\nclient.focused {{scheme-name}}\n".utf8))
    let reload = "[reload]\nipc=sway\ncommands=t\n"
    for write in ["", "[write]\ntemplate=t\nfile=/f\n", "[write]\ntemplate=t\nfile=/f\nescape=html\n"] {
      let app = try #require(file(write + reload).app)
      #expect(
        app.remarks(on: template, named: "t").map { "\($0.line ?? 0) \($0.isError) \($0.text)" } == [
          "2 true 'scheme-name' is text from the theme: use it only in a comment that runs to the end of the line, which is not sent"
        ])
    }
  }

  @Test func `Two groups write one file only where they are for different versions`() {
    let two = "[app]\nversion-command=a\n[write]\ntemplate=t\nfile=/f\n[write more]\ntemplate=u\nfile=/f\n"
    #expect(remarks(two) == ["8: [write more] file is '/f', but should be another file than that of [write]"])
    let versions = two.replacing("t\nfile", with: "t\nversions=<2\nfile").replacing("u\n", with: "u\nversions=>=2\n")
    #expect(remarks(versions) == [])
  }

  @Test func `A stranger's words are no part of what a program is told`() {
    for name in ["scheme-name", "scheme-author", "scheme-description"] {
      #expect(beside("[reload]\ncommand=a {\(name)}\n").count == 1)
      #expect(beside("[reload]\ncall=a.b /c d.e.F s:{\(name)}\n").count == 1)
      #expect(beside("[reload]\nipc=sway\nwords=a {\(name)}\n").count == 1)
    }
    #expect(beside("[reload]\nipc=i3\nwords=bar {theme} {base00-hex}\n") == [])
    #expect(beside("[reload]\ncommand=a {theme} {scheme} {scheme-slug} {base00-hex} {file}\n") == [])
  }

  @Test func `A command may be the program that is installed, where the file names programs`() throws {
    let command = "[reload]\ncommand={program} cache --build\n"
    #expect(beside(command).count == 1)
    let app = try #require(file("\(command)[app]\nprogram=bat;batcat\n").app)
    #expect(app.reloads.map(\.action) == [.command(["{program}", "cache", "--build"], timeout: 5)])
    #expect(remarks("[app]\nprogram=bat\n[reload]\ncommand=a{program}\n").count == 1)
  }

  @Test func `A file for some versions is for one that nobody tells, too`() throws {
    #expect(beside("[app]\nversions=<2\n").count == 1, "somebody has to tell the version")
    let app = try #require(file("[app]\nversion-command=a\nversions=<2\n[write]\ntemplate=t\nfile=/f\n").app)
    #expect(app.isFor(nil) && app.isFor(Version("1.9")) && !app.isFor(Version("2")))
    #expect(app.serves(Version("1.9")) && !app.serves(Version("2")) && app.serves(nil))
  }

  @Test func `A program that tells no version follows only where what it reads and what is written are for any`() throws
  {
    func serves(_ write: String, _ setup: String) throws -> Bool {
      let head = "[app]\nversion-command=a\n[write]\ntemplate=t\nfile=/f\n"
      return try #require(file("\(head)\(write)[setup]\nfile=~/a\nline=b\n\(setup)").app).serves(nil)
    }
    #expect(try serves("", ""))
    #expect(try !serves("versions=>=2\n", "") && !serves("", "versions=>=2\n"))
  }

  @Test func `A file for some versions depends on the version`() throws {
    let app = try #require(file("[app]\nversion-command=a\nversions=<2\n[write]\ntemplate=t\nfile=/f\n").app)
    #expect(app.dependsOnVersion && app.writes.allSatisfy(\.versions.isAll))
  }

  @Test func `Hostile bytes are refused in a line that is fit for a terminal`() {
    let hostile: [[UInt8]] = [
      Array("[write]\nfile=\u{1B}]0;x\u{7}\ntemplate=\u{202E}\n".utf8), [0xFF, 0xFE],
      Array("[app]\ntitle=".utf8) + [0xC3, 0x28],
      [UInt8](repeating: 0x5B, count: 70_000), Array(String(repeating: "[a]\n", count: 20_000).utf8),
      Array((0..<400).map { "[write \($0)]\n" }.joined().utf8),
      Array("[light]\n".utf8) + Array((0..<400).map { "k\($0)=\n" }.joined().utf8),
    ]
    for bytes in hostile {
      let file = AppFile(name: "x", bytes)
      #expect(file.app == nil)
      #expect(!file.remarks.filter(\.isError).isEmpty)
      for remark in file.remarks { #expect(Text(remark.text).shown() == remark.text) }
    }
  }
}
