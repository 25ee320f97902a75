import Foundation
import Testing
import ThemedTestSupport

/// Real shells that follow by the plugins of `share`: what they show in a terminal, and what it costs.
@Suite(.ownThreads) struct ShellPluginStories {
  @Test func `zsh follows at once without a key pressed, once for each state, and outlives the daemon`() throws {
    try withSession { session in
      try session.bringApps()
      try session.writeZshrc(socket: nil)
      let themed = try session.startThemed()
      try session.show("dark")
      let zsh = try TypedShell(session, "zsh -i")
      try zsh.await("<dark///1> ")
      try session.show("light")
      try zsh.await("<light///2> ")
      try session.check(Products.path("themectl"), ["set", "theme", "mint"])
      let primary = try session.check(Products.path("themectl"), ["get", "palette.primary"])
      try zsh.await("<light/mint/\(primary)/3> ")
      // A variable that was there stays as it was, one that was not is exported.
      try zsh.type(#"echo "[$LOOK $HERE $last ${own:+own}]" $(env | grep -E "^(LOOK|HERE)=") "#)
      try zsh.await("[day day light own] LOOK=day")
      // A name that the plugin's own functions have, too.
      try zsh.type(#"echo "[$theme $chunk]" $(env | grep "^theme=") "#)
      try zsh.await("[day day] theme=day")
      // Nothing that it starts is connected to the daemon.
      try zsh.type("echo sockets: $(command ls -l /proc/self/fd | grep -c socket:)")
      try zsh.await("sockets: 0")

      // A change while a command runs is there with the next prompt.
      let fifo = session.directory.path("tmp/fifo")
      try session.check("mkfifo", [fifo])
      try zsh.type("cat \(fifo); echo o''ver")
      try session.show("dark")
      try Data("go on\n".utf8).write(to: URL(filePath: fifo))
      try zsh.await("over")
      try zsh.await("<dark/mint/")
      try session.check(Products.path("themectl"), ["set", "light", "--app", "zsh"])
      try zsh.await("<light/mint/")
      try session.check(Products.path("themectl"), ["unset", "--all-apps"])
      try session.show("dark")
      try zsh.await("<dark/mint/")

      themed.send(.terminate)
      _ = try themed.wait()
      let next = try session.startThemed()
      try session.show("light")
      try zsh.await("<light/mint/")
      // A daemon that hangs holds no prompt up for long, and is heard once it goes on.
      next.send(.stop)
      for word in ["one", "two", "three"] {
        try zsh.type("echo \(word): $(( 1 + 1 ))")
        try zsh.await("\(word): 2")
      }
      next.send(.continue)
      try session.show("dark")
      try zsh.await("<dark/mint/")
      try zsh.type("themed_plugin_unload; echo left: ${(k)parameters[(I)_themed*]} ${(k)functions[(I)*themed*]}.")
      try zsh.await("left: .")
    }
  }

  @Test func `zsh follows without a word under each of its options, with aliases and in other shells' ways`() throws {
    try withSession { session in
      let listed = try session.check("zsh", ["-fc", "setopt ksh_option_print; setopt"]).split(separator: "\n")
      var settings: [String: String] = [:]
      for line in listed {
        let words = line.split(separator: " ").map(String.init)
        let name = try #require(words.first)
        // What cannot be set, ends the shell or reads no settings, and what turns the editor of lines off.
        guard !["exec", "noexec", "interactive", "shinstdin", "singlecommand", "restricted", "zle"].contains(name)
        else {
          continue
        }
        settings[name] = (words.last == "on" ? "unsetopt " : "setopt ") + name
      }
      #expect(settings.count > 150)
      settings["sh"] = "emulate sh"
      settings["ksh"] = "emulate ksh"
      settings["aliases"] = """
        for name in local typeset builtin zle return export source emulate sysread syswrite zsocket zstyle case true; do
          alias $name="echo ALIAS"
        done
        alias -g app=ALIAS hook=ALIAS
        """
      settings["functions"] = "export() { echo FUNCTION }; true() { echo FUNCTION }; print() { echo FUNCTION }"
      settings["widget"] = "setopt sh_glob; zle-line-init() { own=1 }; zle -N zle-line-init"
      _ = try session.startThemed()
      try session.follow(
        settings, talkative: ["xtrace", "verbose", "sourcetrace"],
        start: { "env ZDOTDIR='\($0)' zsh -i" }, file: ".zshrc", by: session.show,
        rest: { log in
          """
          \\source \(session.plugin(of: "zsh"))
          PS1='> '
          \\typeset -A themed_light themed_dark
          themed_light=(LOOK day NAILED day)
          themed_dark=(LOOK night NAILED night)
          \\typeset -r NAILED=x
          noted() { \\builtin print -r -- $1 $LOOK >>| '\(log)'; }
          themed_functions+=(noted)

          """
        })
    }
  }

  @Test func `bash follows without a word under each option that it has, and with aliases and traps`() throws {
    try withSession { session in
      var settings: [String: String] = [:]
      for (list, on, off) in [("set -o", "set -o", "set +o"), ("shopt", "shopt -s", "shopt -u")] {
        for line in try session.check("bash", ["-c", list]).split(separator: "\n") {
          let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
          let name = try #require(words.first)
          guard !["onecmd", "noexec", "privileged", "restricted_shell", "login_shell"].contains(name) else { continue }
          settings[name] = (words.last == "on" ? off : on) + " " + name
        }
      }
      #expect(settings.count > 70)
      settings["separator"] = "IFS=:"
      settings["no-separator"] = "IFS="
      settings["array"] = "PROMPT_COMMAND=(true :)"
      settings["trap"] = "trap 'echo TRAP' ERR; PROMPT_COMMAND=:"
      settings["trap-everywhere"] = "set -eE; trap 'echo TRAP' ERR"
      settings["aliases"] =
        "for n in local declare printf mapfile export builtin return; do alias $n='echo ALIAS'; done"
      settings["functions"] = "printf() { echo F; }; mapfile() { echo F; }; export() { echo F; }; true() { echo F; }"
      settings["read-only"] = "readonly line=1 scheme=2 theme=3 palette=4"
      settings["all"] = "set -euf -o pipefail -o noclobber -o posix; shopt -s nullglob failglob nocasematch; IFS=x"
      func show(_ scheme: String) throws {
        try session.directory.write("scheme \(scheme)\ntheme x\ncolor text #000000\n", to: "state/themed/bash")
      }
      try session.follow(
        settings, talkative: ["xtrace", "verbose"],
        start: { "bash --noprofile --rcfile '\($0)/bashrc' -i" }, file: "bashrc", by: show,
        rest: { log in
          """
          . \(session.plugin(of: "bash"))
          PS1='> '
          themed_light=([LOOK]=day [NAILED]=day)
          themed_dark=([LOOK]=night [NAILED]=night)
          NAILED=x
          readonly NAILED
          noted() { \\command printf '%s\\n' "$1 $LOOK" >> '\(log)'; }
          themed_functions+=(noted)

          """
        })
    }
  }

  @Test func `bash says that it cannot follow where what makes the prompt is read-only`() throws {
    try withSession { session in
      try session.directory.write(
        "readonly PROMPT_COMMAND=:\n. \(session.plugin(of: "bash"))\nPS1='<$?> '\n", to: "home/.bashrc")
      try TypedShell(session, "bash -i").await("themed: cannot follow: PROMPT_COMMAND is read-only")
    }
  }

  @Test func `a trap for failures hears of the user's own alone, and the rest of the prompt sees the status`() throws {
    try withSession { session in
      try session.directory.write(
        """
        trap 'echo "trap $?"' ERR
        PROMPT_COMMAND=('echo "sees $?"')
        . \(session.plugin(of: "bash"))
        PS1='<$?> '

        """, to: "home/.bashrc")
      let bash = try TypedShell(session, "bash -i")
      try bash.await("sees 0")
      try bash.type("(exit 7)")
      try bash.await("sees 7")
      try bash.await("<7> ")
      #expect(bash.shown.matches(of: /trap \d/).count == 1, "\(bash.shown)")
    }
  }

  @Test func `fish follows with functions of the user's that are called as what the plugin uses`() throws {
    try withSession { session in
      _ = try session.directory.directory("data/fish/generated_completions")
      try session.directory.write("scheme light\ntheme x\n", to: "state/themed/fish")
      try session.directory.write(
        """
        source \(session.plugin(of: "fish"))
        for name in string functions emit commandline cat
            function $name
                echo FUNCTION
            end
        end
        set -g themed_light_LOOK day
        function seen --on-event themed
            set -g seen $argv
        end
        function fish_prompt
            echo -n "<$themed_scheme/$themed_theme/$LOOK/$seen> "
        end

        """, to: "config/fish/config.fish")
      try TypedShell(session, "fish -i").await("<light/x/day/light> ")
    }
  }

  @Test(arguments: ["zsh", "bash", "fish"], [false, true])
  func `in an ssh session a shell leaves its terminal alone, unless the other machine feeds this one`(
    shell: String, sameText: Bool
  ) throws {
    try withSession { session in
      _ = try session.directory.directory("data/fish/generated_completions")
      let themed = try session.startThemed()
      session.environment["PATH"] = try Products.directory() + ":" + (session.environment["PATH"] ?? "")
      func show(_ scheme: String) throws {
        try session.show(scheme)
        try session.directory.write("scheme \(scheme)\ntheme x\n", to: "state/themed/\(shell)")
      }
      try show("dark")
      let prompt = "'<$themed_scheme> '"
      let plugin = session.plugin(of: shell)
      try session.directory.write(
        "source \(plugin)\nsetopt prompt_subst\nPS1=\(prompt)\n[[ -z $FOLLOW ]] || zstyle ':themed:' ssh yes\n",
        to: "home/.zshrc")
      try session.directory.write(". \(plugin)\nPS1=\(prompt)\nthemed_ssh=$FOLLOW\n", to: "home/.bashrc")
      try session.directory.write(
        """
        source \(plugin)
        set -g themed_ssh $FOLLOW
        function fish_prompt
            echo -n "<$themed_scheme> "
        end

        """, to: "config/fish/config.fish")
      session.enterSSH()
      session.environment["FOLLOW"] = "yes"
      try TypedShell(session, "\(shell) -i").await("<dark> ")
      session.environment["FOLLOW"] = ""
      let followed = try TypedShell(session, "\(shell) -i")
      try followed.await("<> ")
      try followed.type("echo a''nswered")
      try followed.await("answered")
      try followed.await("<> ")

      themed.send(.terminate)
      _ = try themed.wait()
      try session.check("rm", [session.overridesPath])
      let fed = try session.startFedThemed("light")
      // What was refused before stands there still: to bash and fish only the share is new.
      if sameText { #expect(session.text("state/themed/\(shell)") == "scheme dark\ntheme x\n") }
      if !sameText { try session.directory.write("scheme light\ntheme y\n", to: "state/themed/\(shell)") }
      let shown = sameText && shell != "zsh" ? "dark" : "light"
      try eventually(shown) {
        // As themed-apply does.
        try followed.type(shell == "fish" && !sameText ? "kill -WINCH $fish_pid" : "")
        return followed.shown.contains("<\(shown)> ")
      }
      #expect(!followed.shown.contains("<\(shown == "dark" ? "light" : "dark")>") && fed.isRunning)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the line for a plugin that was removed says nothing and fails nothing`(shell: String) throws {
    try PluginLine.isSilentWhereGone(in: shell, stub: "echo read\n")
  }

  @Test func `a zsh that waits does nothing while nothing changes for it`() throws {
    try withSession { session in
      try session.writeZshrc(socket: nil)
      _ = try session.startThemed()
      try session.show("dark")
      let zsh = try TypedShell(session, "zsh -i")
      try zsh.await("<dark///1> ")
      try zsh.type("echo number: $$.")
      let number = try #require(Int32(zsh.await(/number: (\d+)\./)))
      // What it asks for at this prompt has been answered when it is told of a change.
      try session.show("light")
      try zsh.await("<light///2> ")
      // Until it has drawn its prompt.
      var before = -1
      try eventually("zsh asleep") {
        before = try Editor.switches(of: number)
        Thread.sleep(forTimeInterval: 0.3)
        return try areAsleep(threadsOf: number) && Editor.switches(of: number) == before
      }
      for scheme in ["light", "dark", "light"] {
        try session.check(Products.path("themectl"), ["set", scheme, "--app", "another"])
      }
      #expect(try areAsleep(threadsOf: number) && Editor.switches(of: number) == before)
      try session.show("dark")
      try zsh.await("<dark///3> ")
    }
  }

  @Test func `zsh evaluates nothing that it hears, and takes what looks as it should`() throws {
    try withSession { session in
      let (socket, evil) = (session.directory.path("run/socket"), session.directory.path("tmp/evil"))
      try session.writeZshrc(socket: socket)
      let run = "$(touch \(evil))`touch \(evil)`"
      let answers = [
        // The words of a text are no members, whatever they look like.
        ##"{"parameters":{"state":{"instance":"a","serial":1,"scheme":"dark","origins":{"scheme":{"rule":"x"}},"##
          + ##""theme":"\##(run)","themeTitle":"\",\"scheme\":\"light\",\"palette\":{\"primary\":\"#fff000\"}","##
          + ##""palette":{"primary":"#00ff00","text":"\##(run)","\##(run)":"#123456","x]=1;y":"#123456","a":"#1"}}},"##
          + ##""continues":true}"##,
        ##"{"parameters":{"state":{"instance":"a","serial":2,"scheme":"\##(run)"}},"continues":true}"##,
        #"{"error":"org.varlink.service.MethodNotFound","parameters":{}}"#,
        "nothing of the kind", "",
      ]
      let file = try session.directory.write(answers.map { $0 + "\0" }.joined(), to: "tmp/answers")
      _ = try session.spawn("socat", ["UNIX-LISTEN:\(socket),fork", "SYSTEM:cat \(file); cat > /dev/null"])
      try eventually("a socket") { FileManager.default.fileExists(atPath: socket) }
      // One frame alone is taken of several that came at once: the newest, which says nothing here.
      let zsh = try TypedShell(session, "zsh -i")
      try zsh.await("<///0> ")
      try Data((answers[0] + "\0").utf8).write(to: URL(filePath: file))
      try zsh.type("")
      try zsh.await("<dark//#00ff00/1> ")
      try zsh.type("echo keys: ${(k)themed_palette}.")
      try zsh.await("keys: primary.")
      #expect(!FileManager.default.fileExists(atPath: evil))
    }
  }

  @Test func `bash follows at its next prompt, for which it starts no process`() throws {
    try withSession { session in
      try session.bringApps()
      try session.bringPlugin(of: "bash")
      let own = """
        declare -A themed_light=([LOOK]=day [HERE]=day [no-name]=x [theme]=day [line]=day)
        declare -A themed_dark=([LOOK]=night [HERE]='$(touch evil)' [theme]=night [line]=night)
        HERE=before count=0
        counting() { count=$((count + 1)) last=$1; }
        themed_functions+=(counting)
        PS1='<$?/$themed_scheme/$themed_theme/${themed_palette[primary]}/$count> '
        PROMPT_COMMAND='other=$((other + 1))'

        """
      let following = try FollowingApp(session, "bash", own: ["home/.bashrc": own])
      let trace = session.directory.path("tmp/trace")
      let bash = try TypedShell(session, "strace --trace=process --output=\(trace) bash -i")
      try bash.await("<0/light/default/")
      func started() throws -> Int {
        try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").count { $0.contains("clone") }
      }
      let before = try started()
      try following.follow { palette in
        try bash.type("")
        return bash.shown.hasSuffix("/\(palette["primary"] ?? "")/\(bash.count)> ")
      }
      #expect(try started() == before)
      #expect(bash.count == 5)
      try bash.type(#"echo "[$LOOK $HERE $last ${other:+others}]" ${LOOK@a} ${HERE@a}."#)
      try bash.await("[day day light others] x .")
      // A name that the plugin's own functions have, too.
      try bash.type(#"echo "[$theme $line]" ${theme@a}"#)
      try bash.await("[day day] x")
      // The status of a command is what the prompt is told.
      try bash.type("(exit 7)")
      try bash.await("<7/light/")
      try session.show("dark")
      try session.check(Products.path("themectl"), ["set", "light", "--app", "bash"])
      try session.check(Products.path("themectl"), ["set", "theme", "mint", "--app", "bash"])
      try eventually("bash's own") {
        try bash.type("")
        return bash.shown.contains("/light/mint/")
      }
      try following.disable()
    }
  }

  @Test func `every fish follows at once`() throws {
    try withSession { session in
      try session.bringApps()
      try session.bringPlugin(of: "fish")
      // Else it begins to make completions of all the manual pages, for minutes, and outlives the test.
      _ = try session.directory.directory("data/fish/generated_completions")
      let own = """
        set -g fish_greeting
        set -g themed_light_LOOK day
        set -g themed_dark_LOOK night
        set -g themed_light_name day
        set -g themed_dark_name night
        set -g themed_light_fish_color_command blue --bold
        set -g themed_dark_fish_color_command yellow
        set -g count 0
        function counting --on-event themed
            set -g count (math $count + 1)
            set -g last $argv
        end
        function fish_prompt
            echo -n "<$themed_scheme/$themed_theme/$themed_color_primary/$count> "
        end

        """
      let following = try FollowingApp(session, "fish", own: ["config/fish/config.fish": own])
      let shells = try (0..<2).map { _ in try TypedShell(session, "fish -i") }
      for fish in shells { try fish.await("<light/default/") }
      try following.follow { palette in
        shells.allSatisfy { $0.shown.contains("/\(palette["primary"] ?? "")/\($0.count)> ") }
      }
      for fish in shells {
        #expect(fish.count == 5)
        try fish.type(#"echo "[$LOOK $last $fish_color_command]" (env | grep ^LOOK=)"#)
        try fish.await("[day light blue --bold] LOOK=day")
        try fish.type(#"echo "[$name]" (env | grep ^name=)"#)
        try fish.await("[day] name=day")
      }
      try session.check(Products.path("themectl"), ["set", "dark", "--app", "fish"])
      for fish in shells { try fish.await("<dark/default/") }
      try following.disable()
    }
  }

  @Test func `a fish that is told while it reads its settings follows with all of them`() throws {
    try withSession { session in
      _ = try session.directory.directory("data/fish/generated_completions")
      try session.directory.write("scheme light\ntheme default\n", to: "state/themed/fish")
      try session.directory.write(
        """
        source \(session.plugin(of: "fish"))
        kill -WINCH $fish_pid
        set -g themed_light_LOOK day
        set -g count 0
        function counting --on-event themed
            set -g count (math $count + 1)
        end
        function fish_prompt
            echo -n "<$themed_scheme/$LOOK/$count> "
        end

        """, to: "config/fish/config.fish")
      try TypedShell(session, "fish -i").await("<light/day/1> ")
    }
  }

  @Test(arguments: ["bash", "fish"])
  func `evaluates nothing of a state that somebody else has written`(shell: String) throws {
    try withSession { session in
      let evil = session.directory.path("tmp/evil")
      let run = "$(touch \(evil))`touch \(evil)`(touch \(evil))"
      try session.directory.write(
        """
        # Not ours.
        scheme dark
        scheme \(run)
        theme \(run)
        color \(run) #000000
        color text \(run)
        color a[\(run)] #000000
        color primary #00ff00
        \(run)
        color secondary #00ff00; touch \(evil)

        """, to: "state/themed/\(shell)")
      let plugin = session.plugin(of: shell)
      _ = try session.directory.directory("data/fish/generated_completions")
      try session.directory.write(
        "PS1='<$themed_scheme/$themed_theme/${!themed_palette[*]}> '\n. \(plugin)\n", to: "home/.bashrc")
      try session.directory.write(
        """
        source \(plugin)
        function fish_prompt
            echo -n "<$themed_scheme/$themed_theme/"(set --names | string replace --filter themed_color_ '')"> "
        end

        """, to: "config/fish/config.fish")
      try TypedShell(session, "\(shell) -i").await("<dark//primary> ")
      #expect(!FileManager.default.fileExists(atPath: evil))
    }
  }
}

/// A shell that a test types at, and what its terminal has shown.
final class TypedShell {
  private let process: ChildProcess
  private let log: String
  private var found = 0

  init(_ session: Session, _ command: String) throws {
    log = session.directory.path("tmp/typed-" + UUID().uuidString)
    session.environment["TERM"] = "xterm"
    session.environment["ZDOTDIR"] = session.directory.path("home")
    process = try session.spawn(
      "script", ["--quiet", "--flush", "--command", "stty rows 40 cols 200; exec " + command, log], input: [])
  }

  /// All that it has shown, without what sets colours and the place.
  var shown: String {
    let text = (try? Data(contentsOf: URL(filePath: log))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.replacing(/\u{1B}(\[[0-9;?>=]*[A-Za-z]|\][^\u{07}]*\u{07}|[()][A-Z0-9]|[=>])/, with: "")
  }

  /// The number that its newest prompt tells.
  var count: Int {
    shown.matches(of: #//(\d+)> /#).last.flatMap { Int($0.1) } ?? -1
  }

  /// Ends its terminal, and with that the shell, which would not heed a polite signal.
  func end() { process.send(.kill) }

  /// Types this, and Enter.
  func type(_ line: String) throws { try process.send(line: line) }

  /// Waits until it has shown this, after what was waited for before.
  func await(_ text: String) throws {
    _ = try self.await(Regex<Substring>(verbatim: text)) { _ in "" }
  }

  /// Waits until it has shown this, and returns its first part.
  func await(_ pattern: Regex<(Substring, Substring)>) throws -> String {
    try self.await(pattern) { String($0.1) }
  }

  private func await<Match>(_ pattern: Regex<Match>, _ part: (Match) -> String) throws -> String {
    do {
      return try eventually {
        let shown = shown
        guard let match = shown.dropFirst(found).firstMatch(of: pattern) else { return nil }
        found = shown.distance(from: shown.startIndex, to: match.range.upperBound)
        return part(match.output)
      }
    } catch { throw Failure("\(error); after \(found) it showed: \(shown.dropFirst(found))") }
  }
}

extension Session {
  /// Has a shell with each of these settings follow, beside some others: it calls a function of the user's once for light
  /// and once for dark, has set a variable by then, and its terminal shows nothing but the prompt.
  fileprivate func follow(
    _ settings: [String: String], talkative: Set<String>, start: (String) -> String, file: String,
    by show: (String) throws -> Void, rest: (String) -> String
  ) throws {
    var names = settings.keys.sorted()[...]
    while !names.isEmpty {
      let batch = names.prefix(24)
      names = names.dropFirst(24)
      try show("light")
      let shells = try batch.map { name in
        let place = try directory.directory("tmp/\(name)")
        let log = place + "/log"
        try directory.write((settings[name] ?? "") + "\n" + rest(log), to: "tmp/\(name)/\(file)")
        return (name, log, try TypedShell(self, start(place)))
      }
      func expect(_ expected: String) throws {
        for (name, log, shell) in shells {
          func noted() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
          do { try eventually("\(name)") { noted() == expected } } catch {
            throw Failure("\(settings[name] ?? ""): \(noted()); \(shell.shown)")
          }
        }
      }
      try expect("light day\n")
      try show("dark")
      for (_, _, shell) in shells { try shell.type("") }
      try expect("light day\ndark night\n")
      for (name, _, shell) in shells where !talkative.contains(name) {
        // Behind the line of script, the prompt, and what zsh shows in the place of a line's end.
        let words = shell.shown.drop { !$0.isNewline }.filter { !$0.isWhitespace && !">%#\u{8}".contains($0) }
        #expect(words == "", "\(settings[name] ?? ""): \(shell.shown)")
        shell.end()
      }
    }
  }

  /// Overrides the scheme for all apps.
  fileprivate func show(_ scheme: String) throws {
    try check(Products.path("themectl"), ["set", scheme])
  }

  /// Where the plugin of a shell lies.
  fileprivate func plugin(of shell: String) -> String {
    let name = shell == "fish" ? "conf.d/themed.fish" : "themed.plugin.\(shell)"
    return "\(Products.package)/share/\(shell)/\(name)"
  }

  /// Gives the user an app file as it is where the plugin is installed: in the place of the one that is shipped.
  func bringPlugin(of shell: String) throws {
    let shipped = try String(contentsOfFile: "\(Products.package)/share/apps/\(shell).app", encoding: .utf8)
    let own = shipped.replacing("/usr/share/themed/", with: Products.package + "/share/")
    try directory.write(own, to: "config/themed/apps/\(shell).app")
  }

  /// What a user of zsh has, with the plugin first, as a plugin manager would load it.
  func writeZshrc(socket: String?) throws {
    if let socket { environment["THEMED_SOCKET"] = socket }
    try directory.write(
      """
      source \(plugin(of: "zsh"))
      setopt prompt_subst
      PROMPT='<${themed_scheme}/${themed_theme}/${themed_palette[primary]}/${count}> '
      typeset -A themed_light=(LOOK day HERE day no-name x theme day chunk day)
      typeset -A themed_dark=(LOOK night HERE night theme night chunk night)
      HERE=before
      integer count=0
      counting() { (( count += 1 )); last=$1 }
      themed_functions+=(counting)
      zle-line-init() { own=1 }
      zle -N zle-line-init

      """, to: "home/.zshrc")
  }
}
