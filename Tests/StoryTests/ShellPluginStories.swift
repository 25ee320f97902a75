import Foundation
import ThemedTestSupport
import Testing

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
      try session.check(Products.path("themectl"), ["theme", "set", "mint"])
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
      try session.check(Products.path("themectl"), ["theme", "set", "mint", "--app", "bash"])
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
