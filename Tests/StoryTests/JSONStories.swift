import Foundation
import Testing
import ThemedTestSupport

/// The JSON that commands print, whose members scripts rely on.
@Suite(.ownThreads) struct JSONStories {
  @Test func `docs/json.md has the members of every command that prints JSON`() throws {
    try withSession { session in
      try prepare(session)
      let commands = try commands(session)
      var shapes: [[String]: JSONShape] = [:]
      // Of the commands that say what they change, all print the same.
      let telling: [String] = []
      var tellers: Set<[String]> = []
      for words in Self.samples {
        let command = commands.filter { words.starts(with: $0) }.max { $0.count < $1.count }
        let finished = try session.themectl(words + ["--json"])
        #expect(!finished.output.isEmpty || words == ["portal", "status"], "\(words): \(finished.errors)")
        let owner = finished.output.hasPrefix(#"{"done":"#) ? telling : try #require(command)
        if owner == telling { tellers.insert(try #require(command)) }
        try shapes[owner, default: JSONShape()].add(finished.output)
      }
      for command in tellers { shapes[command] = shapes[telling] }
      // A monitor does not end by itself; it prints what get prints.
      #expect(tellers.count == 10)
      #expect(Set(commands).subtracting(shapes.keys) == [["monitor"], ["theme", "choose"]])
      var page = """
        # JSON

        The JSON of each command that has `--json`. Each line of the output is a complete object. `make goldens` writes
        this page from what the commands print in a test: `name?:` was missing in some of the outputs, and a member without
        a value may be missing in others, too. Later versions may add members, but do not remove any, except in
        `diagnostics`. [org.themed.theme(7)](org.themed.theme.7) explains the states and themes. `monitor` prints what
        `status` and `get` print, and `theme choose` prints what `set` prints. `portal status` prints nothing if no portal
        runs, as in the test. If an object has only `done`, `lines` and `notes`, `done` says whether everything was done,
        `lines` are the lines that the command prints without `--json`, and `notes` are those on standard error.

        """
      // Commands that print the same share a part of the page.
      var parts: [(text: String, names: [String])] = []
      for command in commands {
        guard let shape = shapes[command], !shape.isEmpty else { continue }
        let (text, name) = (shape.text, "themectl \(command.joined(separator: " "))")
        if let place = parts.firstIndex(where: { $0.text == text }) {
          parts[place].names.append(name)
        } else {
          parts.append((text, [name]))
        }
      }
      for part in parts {
        page += "\n## \(part.names.joined(separator: ", "))\n\n```ts\n\(part.text)\n```\n"
      }
      try Golden.expect(page, in: "docs/json.md")
    }
  }

  /// The commands that are run, so that each member occurs.
  private static let samples: [[String]] = [
    ["status"], ["status", "--details"], ["status", "--verbose"], ["get"], ["get", "scheme", "theme", "accent"],
    ["set", "dark"], ["set", "contrast", "high"], ["set", "theme", "mint"],
    ["set", "accent", "#3584e4"], ["get", "theme", "accent"], ["get", "--details"],
    ["set", "light", "--app", "nvim", "--for", "1h"], ["status"], ["status", "--details"], ["toggle"],
    ["unset", "contrast"], ["overrides"], ["schedule"], ["config", "show"],
    ["config", "get", "schedule.mode"], ["config", "set", "transition", "300"], ["config", "unset", "transition"],
    ["theme", "list"], ["theme", "show", "mint"], ["theme", "check"], ["theme", "next"], ["theme", "previous"],
    ["app", "list"], ["app", "show", "cat"], ["app", "check"], ["doctor"], ["setup"], ["desktop", "status"],
    ["portal", "status"], ["app", "enable", "owl", "--print"], ["app", "enable", "owl", "--yes"],
    ["app", "disable", "owl"], ["app", "use", "owl", "--reset"], ["app", "add", "nowhere"],
    ["desktop", "enable", "--print"], ["desktop", "disable", "--print"], ["portal", "enable"], ["portal", "disable"],
    ["theme", "new", "dusk"], ["theme", "import", "nowhere.yaml"],
  ]

  private func prepare(_ session: Session) throws {
    session.environment["THEMED_APPS"] = session.directory.path("share")
    session.environment["TZ"] = "Africa/Lagos"
    try session.hideTheMachine()
    try session.directory.write(
      "[theme]\ntitle=Mint\nauthor=A. Person\n[light.palette]\ntint=26c472\n[dark.palette]\ntint=84ffbf\n"
        + "[light.assets]\nwallpaper=mint.png\n[light.values]\nbat=Nord\n", to: "share/themed/themes/mint.theme")
    try session.directory.write("[light.palette]\n[dark.palette]\n", to: "share/themed/themes/plain.theme")
    try session.directory.write("", to: "share/themed/themes/mint.png")
    try session.directory.write("[dark.palette]\ntext=x\n", to: "share/themed/themes/faulty.theme")
    try session.enableApp(
      "cat", "[write]\ntemplate=cat.mustache\nfile=$XDG_CONFIG_HOME/cat.conf\n",
      template: "bg={{background-hex}}\n")
    try session.directory.write(
      "[write]\ntemplate=cat.mustache\nfile=$XDG_CONFIG_HOME/owl.conf\n", to: "config/themed/apps/owl.app")
    try session.directory.write("[app]\ntitle=Dog\n[write]\nfile=x\n", to: "config/themed/apps/dog.app")
    try session.directory.write("cat\ngone\n", to: "config/themed/apps.enabled")
    try session.addHook("say", "exit 1")
    // Dark at any time of day: what `toggle` leaves of the overrides depends on it. Lagos is an hour ahead of UTC, and has no
    // hour in the year that is left out, which would be warned of.
    let hour = Int(Date().timeIntervalSince1970) % 86_400 / 3600
    try session.configure(
      "[schedule]\nmode=times\ndark=\((hour + 24 - 6) % 24):00\nlight=\((hour + 8) % 24):00\n")
    _ = try session.startThemed()
    _ = try session.startApply()
  }

  /// The words of each command that has `--json`, as the command itself tells them.
  private func commands(_ session: Session) throws -> [[String]] {
    let dump = try session.themectl("--experimental-dump-help").output
    let tree = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
    func all(_ command: [String: Any], _ words: [String]) -> [[String]] {
      let arguments = command["arguments"] as? [[String: Any]] ?? []
      let names = arguments.compactMap { ($0["preferredName"] as? [String: Any])?["name"] as? String }
      let below = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { subcommand in
        all(subcommand, words + [subcommand["commandName"] as? String ?? ""])
      }
      return (names.contains("json") ? [words] : []) + below
    }
    return all(try #require(tree?["command"] as? [String: Any]), [])
  }
}
