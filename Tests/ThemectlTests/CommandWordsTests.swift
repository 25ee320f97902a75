import Testing
import ThemedSystem

@testable import ThemeSetup
@testable import themectl

/// What a person types, before it is parsed.
@Suite struct CommandWordsTests {
  private func words(_ line: String) -> [Text] { Text(line).split(" ", omittingEmpty: true) }

  @Test(
    "Options before a command are put behind its name",
    arguments: [
      ("--app nvim get", "get --app nvim"), ("--app=nvim --json get", "get --app=nvim --json"),
      ("--app get get", "get --app get"),
      ("--socket /s theme --app nvim show mint", "theme show --socket /s --app nvim mint"),
      ("--json theme", "theme --json"), ("--help set", "set --help"), ("-h theme show", "theme show -h"),
      ("--for 2h set dark --app nvim", "set --for 2h dark --app nvim"),
    ])
  func arranged(_ line: String, _ expected: String) {
    #expect(CommandWords.withOptionsLast(words(line)) == words(expected))
    #expect(CommandWords.mistake(in: words(expected)) == nil)
  }

  @Test(
    "What needs no arranging stays as it is",
    arguments: [
      "", "get", "get --app nvim", "--app nvim", "--app", "--json", "--version", "--", "-- get", "--jsn get",
      "theme show --app list mint", "set --app get dark", "--generate-completion-script bash", "help set", "theme",
      "---completion get -- --app", "status --verbose",
    ])
  func untouched(_ line: String) {
    #expect(CommandWords.withOptionsLast(words(line)) == words(line))
    #expect(CommandWords.mistake(in: words(line)) == nil)
  }

  @Test(
    "The field of set and unset may come first",
    arguments: [
      ("theme set mint --dark", "set theme mint --dark"), ("theme unset", "unset theme"),
      ("theme set --help", "set theme --help"), ("theme list", "theme list"), ("theme", "theme"),
      ("set theme set", "set theme set"),
    ])
  func fieldFirst(_ line: String, _ expected: String) {
    #expect(CommandWords.withFieldLast(words(line)) == words(expected))
  }

  @Test(
    "A time or a latitude below zero is its option's, not an option",
    arguments: [
      ("set dark --for -5m", "set dark --for=-5m"), ("--until -07:30 toggle", "--until=-07:30 toggle"),
      ("get --app -5m", "get --app -5m"),
      ("schedule sun --at -33.9,18.4", "schedule sun --at=-33.9,18.4"), ("set --for -h", "set --for -h"),
      ("set --for", "set --for"), ("-5m", "-5m"),
    ])
  func tied(_ line: String, _ expected: String) {
    #expect(CommandWords.joiningNegativeValues(words(line)) == words(expected))
  }

  @Test(
    "A word that is no command is answered with what it may have meant",
    arguments: [
      ("dark", "themectl set dark"), ("dark --for 2h", "themectl set dark --for 2h"),
      ("--app nvim drak", "themectl set dark --app nvim"), ("contrast high", "themectl set contrast high"),
      ("moniter", "themectl monitor"), ("apps", "themectl app list"), ("stat", "themectl status"),
      ("toggel", "themectl toggle"),
      ("unste contrast", "themectl unset contrast"), ("import a.yaml", "themectl theme import a.yaml"),
      ("theme improt a.yaml", "themectl theme import a.yaml"),
      ("accent #3584e4", "themectl set accent '#3584e4'"), ("ste dark", "themectl set dark"),
      ("night", "themectl set dark"), ("Day", "themectl set light"), ("on", "themectl set dark"),
      ("watch --app nvim", "themectl monitor --app nvim"), ("wacth", "themectl monitor"),
      ("themes", "themectl theme list"), ("why", "themectl status"), ("switch", "themectl toggle"),
      ("switch dark", "themectl set dark"), ("enable kitty foot", "themectl app enable kitty foot"),
      ("enable desktop --yes", "themectl desktop enable --yes"), ("disable portal", "themectl portal disable"),
      ("enable schedule", "themectl schedule sun"), ("sunset", "themectl schedule sun"),
      ("install", "themectl setup"), ("uninstall", "themectl setup --undo"), ("reset", "themectl unset"),
      ("settings", "themectl config"), ("restart now", "systemctl --user restart themed.service"),
      ("choose --dark", "themectl theme choose --dark"), ("preview mint", "themectl theme preview mint"),
      ("scheme dark", "themectl set scheme dark"),
      ("theme use --light a --dark b", "themectl set theme --light a --dark b"),
      ("theme create dusk", "themectl theme new dusk"), ("theme dark", "themectl set dark"),
      ("app remove kitty", "themectl app disable kitty"), ("desktop on", "themectl desktop enable"),
      ("portal off", "themectl portal disable"), ("config list", "themectl config show"),
      ("config mode sun", "themectl config set mode sun"), ("config log.level", "themectl config get log.level"),
    ])
  func meant(_ line: String, _ expected: String) {
    #expect(CommandWords.mistake(in: words(line))?.message.hasSuffix("did you mean '\(expected)'?") == true)
  }

  @Test(
    "A word that is no field is answered with the nearest",
    arguments: [
      ("get them", "theme"), ("monitor schem", "scheme"), ("get contrast background", "palette.background"),
      ("get --app nvim accnet", "accent"),
    ])
  func field(_ line: String, _ expected: String) {
    #expect(CommandWords.mistake(in: words(line))?.message.hasSuffix("did you mean '\(expected)'?") == true)
  }

  @Test(
    "What is a field, and what belongs to an option, is no mistake", arguments: ["get theme --app them", "get --json"])
  func fields(_ line: String) { #expect(CommandWords.mistake(in: words(line)) == nil) }

  @Test(
    "A word that may mean several commands is answered with all of them",
    arguments: [
      ("list", "'themectl theme list', 'themectl app list' or 'themectl overrides'"),
      ("off", "'themectl set light' or 'themectl unset'"),
      ("next", "'themectl schedule' or 'themectl theme next'"),
    ])
  func several(_ line: String, _ expected: String) {
    #expect(CommandWords.mistake(in: words(line))?.message.hasSuffix("did you mean \(expected)?") == true)
  }

  @Test("Everything that is suggested is a command, except for the programs of systemd")
  func existing() {
    for line in OtherWords.suggestions {
      let words = line.split(" ")
      guard words[0] == "themectl" else {
        #expect(["systemctl", "journalctl"].contains(words[0]))
        continue
      }
      let rest = Array(words.dropFirst())
      #expect(rest[0] == "--version" || CommandWords.command(in: rest).name != "themectl", "\(line)")
      #expect(CommandWords.mistake(in: rest) == nil, "\(line)")
    }
  }

  @Test(
    "An option that is near to one is answered with that, but what follows an option is none",
    arguments: [
      ("set dark --untill 07:30", "--until"), ("set dark --app nvim --untl=07:30", "--until"),
      ("set theme mint --drak x", "--dark"), ("set dark --until-changed", "--until changed"), ("get --jsno", "--json"),
      ("get --app --untill", nil),
      ("get -- --jsno", nil),
      ("get --paint", nil), ("get --app=--jsno", nil), ("get --colour", nil),
      ("theme new foo --json", nil), ("get --foo", nil), ("get --jso", "--json"),
      ("theme list --colour never", "--color"),
    ] as [(String, String?)])
  func options(_ line: String, _ expected: String?) {
    #expect(
      CommandWords.mistake(in: words(line))?.message.hasSuffix("did you mean '\(expected ?? "")'?")
        == expected.map { _ in true })
  }

  @Test(
    "A word that is near to none is answered with where to find them",
    arguments: [
      ("paint", "themectl --help"), ("x", "themectl --help"), ("theme paint", "themectl theme --help"),
      ("app paint", "themectl app --help"), ("portal paint", "themectl portal --help"),
    ])
  func unknown(_ line: String, _ help: String) {
    #expect(CommandWords.mistake(in: words(line))?.message.contains("'\(help)' lists the commands") == true)
  }

  @Test("Help for what is no command is a mistake", arguments: ["help nosuch", "help theme nosuch"])
  func helpless(_ line: String) {
    #expect(
      CommandWords.mistake(in: words(line))?.message == "unknown command 'nosuch'; 'themectl --help' lists the commands"
    )
    #expect(CommandWords.mistake(in: words("help theme show")) == nil)
  }

  @Test("The nearest is the one with the fewest slips, however long the word is")
  func nearestOnes() {
    let candidates: [Text] = ["light", "dark", "auto"]
    for word: Text in ["drak", "dar", "darkk", "dark", "dask"] {
      #expect(nearest(to: word, among: candidates) == "dark")
    }
    for word: Text in ["", "d", "da", "krad", "daemon", "caf\u{E9}"] {
      #expect(nearest(to: word, among: candidates) == nil)
    }
    let long = Text(String(repeating: "e\u{301}", count: 100_000))
    #expect(nearest(to: long, among: candidates) == nil)
  }
}

struct NamedCommandTests {
  @Test(
    "A mistake is shown with the usage of the command that was meant",
    arguments: [
      (["theme", "lst"], "list"), (["get", "--detials"], "get"), (["theme", "show", "--side"], "show"),
      (["paint"], "themectl"), (["theme", "paint"], "theme"), (["watch"], "monitor"), (["theme", "use", "a"], "set"),
      (["list"], "themectl"), (["stop"], "themectl"), (["help", "paint"], "themectl"),
    ] as [([Text], Text)])
  func named(words: [Text], name: Text) {
    #expect(CommandWords.mistake(in: words)?.command.name == name)
  }
}

struct PlainMessageTests {
  @Test(
    "A message of the parser begins in lower case and is one sentence, and what it quotes stays",
    arguments: [
      ("Error: Unknown option '--Colour'\nUsage: themectl", "Error: unknown option '--Colour'\nUsage: themectl"),
      (
        "Error: The value 'a.b.' is invalid for '<x>'. Please provide one of 'c' or 'd'.",
        "Error: the value 'a.b.' is invalid for '<x>'; use 'c' or 'd'"
      ),
      (
        "Error: The value 'b' is invalid for '<x>'. Please provide one of 'c' and 'd'.",
        "Error: the value 'b' is invalid for '<x>'; use 'c' or 'd'"
      ),
      (
        "Error: The value 'a' is invalid for '<x>'. Please provide one of the following:\n  - c",
        "Error: the value 'a' is invalid for '<x>'; use one of the following:\n  - c"
      ),
      ("USAGE: themectl", "USAGE: themectl"), ("", ""),
    ])
  func plain(message: String, said: String) {
    #expect(plainMessage(message) == said)
  }

  @Test("The line of a mistake is shown with its number, short, and without control characters")
  func quoting() {
    let bytes = Array("a=1\n\tb\u{1B}[2J\r\n\n\(String(repeating: "c", count: 500))".utf8)
    #expect(quotedLine(1, of: bytes) == "  1 | a=1")
    #expect(quotedLine(2, of: bytes) == "  2 |  b?[2J")
    #expect((quotedLine(4, of: bytes) ?? "").count < 140)
    for line in [nil, 0, 3, 5, -1, Int.max, Int.min + 1] { #expect(quotedLine(line, of: bytes) == nil, "\(line ?? 0)") }
  }

  @Test(
    "y and yes mean yes in letters of any case, with blanks around them, and nothing else does",
    arguments: [
      ("y", true), ("Y", true), ("yes", true), ("Yes", true), ("YES", true), ("", false), ("n", false), ("yess", false),
      ("y ", true), (" Y", true), ("yes\r", true), ("\tyes\r\n", true), (" ", false), ("y n", false),
      ("\u{A0}y", false),
    ])
  func answers(answer: String, meansYes: Bool) { #expect(isYes(answer) == meansYes) }
}
