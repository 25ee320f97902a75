import ArgumentParser
import ThemeClientCore
import ThemeModel
import ThemedSystem

struct SetField: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Override light or dark, contrast, motion or the accent colour.",
    usage: """
      themectl set light|dark|auto [--app <name>] [--for <time> | --until <time>] [--until-changed]
      themectl set contrast high|normal|auto ...
      themectl set motion reduced|normal|auto ...
      themectl set accent <color>|auto ...
      """,
    discussion: """
      An override wins over the schedule and the desktop until you remove it or it expires. 'themectl unset' \
      removes it.

      'auto' means what the schedule or the desktop asks for. Without --app, 'set auto' removes the override. With --app, \
      it makes the app follow the schedule or the desktop, even if there is an override for all apps.

      For example:
        themectl set dark
        themectl set dark --until sunrise
        themectl set accent '#3584e4' --app nvim
      """)

  /// The possible first words of a setting.
  static let firstWords: [Text] = ["light", "dark", "auto", "contrast", "motion", "accent"]

  /// The meanings of other words, some of which are spelt almost like the opposite setting.
  static let otherWords: [Text: Text] = [
    "night": "dark", "black": "dark", "dim": "dark", "day": "light", "white": "light", "bright": "light",
  ]

  @Argument(
    help: ArgumentHelp("The setting, such as: dark; contrast high; accent '#3584e4'.", valueName: "what"),
    completion: .custom { words, index, _ in wordsToSet(after: words.prefix(max(0, index)).last) })
  var words: [String]

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    _ = try wish(now: wallClock())
  }

  func run() throws {
    let override = try wish(now: wallClock(), asking: daemon)
    try report(
      daemon.change(for: audience) { (theme) throws(ThemeClientError) in try theme.setOverride(override) },
      of: [StateField](words: words.prefix(1).map { Text($0) }) ?? [], as: format)
  }

  private func wish(now: Int64, asking daemon: Daemon? = nil) throws -> Override {
    var override = Override(app: audience.name)
    switch (words.first ?? "", words.dropFirst().first, words.count) {
    case (let word, nil, 1) where Mode(rawValue: word) != nil: override.scheme = Mode(rawValue: word)
    case ("contrast", "auto", 2): override.auto = [.highContrast]
    case ("motion", "auto", 2): override.auto = [.reducedMotion]
    case ("accent", "auto", 2): override.auto = [.accentColor]
    case ("contrast", "high", 2): override.highContrast = true
    case ("contrast", "normal", 2): override.highContrast = false
    case ("motion", "reduced", 2): override.reducedMotion = true
    case ("motion", "normal", 2): override.reducedMotion = false
    case ("accent", let text?, 2):
      guard let color = Color(hexadecimal: Text(text)) else {
        throw ValidationError("invalid colour '\(text)'; try: themectl set accent '#3584e4'")
      }
      override.accentColor = color
    default: throw ValidationError(mistake)
    }
    guard !(ending.isGiven && override.pins && audience.app == nil) else {
      throw ValidationError(
        "'auto' without --app removes the override, so --for, --until and --until-changed cannot be used "
          + "with it; try: themectl set dark --for 2h30m"
      )
    }
    try ending.end(&override, now: now, asking: daemon)
    return override
  }

  /// The message about wrong words, with a suggestion.
  private var mistake: String {
    let words = words.map { Text($0) }
    let text = words.joined(separator: " ")
    if let first = words.first, words.count > 1, Mode(rawValue: first.string) != nil {
      return "unexpected argument '\(words[1])' after '\(first)'; try: themectl set \(first)"
    }
    if words.count == 1, let first = words.first, let value = wordsToSet(after: first.string).first {
      let example = first == "accent" ? "'#3584e4'" : value
      return "missing value for '\(first)'; try: themectl set \(first) \(example)"
    }
    if let meant = meant(by: words) {
      return "unknown setting '\(text)'; did you mean 'themectl set \(meant.map(\.asWord).joined(separator: " "))'?"
    }
    return "unknown setting '\(text)'; "
      + "try: themectl set dark; themectl set contrast high; themectl set accent '#3584e4'"
  }

  /// The words that the user probably meant.
  private func meant(by words: [Text]) -> [Text]? {
    func known(after word: Text) -> [Text] { wordsToSet(after: word.string).map { Text($0) } }
    let first = words.first.map(\.lowercasedASCII).flatMap { word in
      Self.otherWords[word] ?? nearest(to: word, among: Self.firstWords)
    }
    guard let first, 1...2 ~= words.count, known(after: first).isEmpty == (words.count == 1) else { return nil }
    guard words.count == 2 else { return [first] }
    let value =
      nearest(to: words[1].lowercasedASCII, among: known(after: first)) ?? (first == "accent" ? words[1] : nil)
    return value.map { [first, $0] }
  }
}

/// The number of seconds that a word of the command line stands for; the message about a mistake has an example.
func lasting(_ text: String, example: String) throws -> Int64 {
  if let seconds = seconds(of: text) { return seconds }
  guard let ahead = Text(text).dropping(prefix: "-"), seconds(of: ahead.string) != nil else {
    if !text.isEmpty, Text(text).utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw ValidationError("'\(text)' has no unit; try \(text)s, \(text)m or \(text)h")
    }
    throw ValidationError("invalid duration '\(text)'; try: \(example)")
  }
  throw ValidationError("the end must be in the future, and '\(text)' is in the past; try --for \(ahead.asWord)")
}

/// The options for the end of an override.
struct Ending: ParsableArguments {
  @Option(
    name: .customLong("for"), help: ArgumentHelp("Keep this for a limited time, such as 2h30m.", valueName: "time"))
  var duration: String?

  @Option(
    help: ArgumentHelp(
      "Keep this until a time (07:30 or '2026-12-24 18:00'), the beginning of a day (tomorrow or 2026-12-24), sunrise or "
        + "sunset.",
      valueName: "time"), completion: .list(["sunrise", "sunset", "tomorrow"]))
  var until: String?

  @Flag(help: "Keep this until the desktop's own setting changes or the schedule switches.")
  var untilChanged = false

  /// Whether it has an end.
  var isGiven: Bool { duration != nil || until != nil || untilChanged }

  /// Gives an override this end; an end by the sun is computed by this daemon, and without a daemon the words are only
  /// checked.
  func end(_ override: inout Override, now: Int64, asking daemon: Daemon? = nil) throws {
    override.expiresAt = try expiry(now: now, daemon)
    override.untilDesktopChanges = untilChanged ? true : nil
  }

  private func expiry(now: Int64, _ daemon: Daemon?) throws -> Int64? {
    let time: Int64
    switch (duration, until) {
    case (nil, nil): return nil
    case (_?, _?):
      throw ValidationError("--for and --until cannot be used together; try: themectl set dark --for 2h30m")
    case (let text?, nil):
      time = now + (try lasting(text, example: "--for 2h30m, --for 45m, --for 1d"))
    case (nil, let text?) where SunTime(word: Text(text)) != nil:
      guard let daemon, let sun = SunTime(word: Text(text)) else { return nil }
      time = try daemon.next(sun)
    case (nil, let text?):
      guard let end = localTime(text, after: now) else {
        throw ValidationError(
          "invalid time '\(text)'; try: --until 07:30, --until tomorrow, --until '2026-12-24 18:00', "
            + "--until sunrise")
      }
      time = end
    }
    guard time > now else {
      throw ValidationError(
        "the end must be in the future, and '\(until ?? "")' is in the past; try: --for 2h30m, --until 07:30")
    }
    guard time - now <= 10 * 365 * 24 * 60 * 60 else {
      throw ValidationError(
        "the end must be within ten years, and '\(duration ?? until ?? "")' is later; try: --for 2h30m")
    }
    return time
  }
}

struct Toggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle",
    abstract: "Switch from light to dark or from dark to light; run it again to switch back.",
    discussion: """
      The second toggle restores what was shown before. If that was an override with an end, it still ends when it \
      would have ended without the toggles. With --for, --until or --until-changed, you give the toggle an end: themed \
      then switches back by itself.
      """)

  @OptionGroup var ending: Ending
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    _ = try end()
  }

  func run() throws {
    let end = try end(asking: daemon)
    let change = try daemon.change(for: audience) { (theme) throws(ThemeClientError) in
      try theme.toggle(
        app: audience.app, expiresAt: end.expiresAt, untilDesktopChanges: end.untilDesktopChanges == true)
    }
    try report(change, as: format)
  }

  private func end(asking daemon: Daemon? = nil) throws -> Override {
    var override = Override()
    try ending.end(&override, now: wallClock(), asking: daemon)
    return override
  }
}

/// The possible next words, for the shell to complete.
private func wordsToSet(after word: String?) -> [String] {
  switch word {
  case "set": SetField.firstWords.map(\.string)
  case "contrast": ["high", "normal", "auto"]
  case "motion": ["reduced", "normal", "auto"]
  case "accent": ["auto"]
  default: []
  }
}

struct Unset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove the overrides set for all apps, or those of one app.",
    discussion: """
      Without --app, this removes the overrides set for all apps. The overrides of individual apps stay. To remove those \
      of one app, use --app; to remove those of every app as well, use --all-apps. Chosen themes also stay: to remove \
      them, use 'themectl theme unset'.
      """)

  /// The users' names of the fields.
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case scheme, contrast, motion, accent

    var field: Field {
      switch self {
      case .scheme: .scheme
      case .contrast: .highContrast
      case .motion: .reducedMotion
      case .accent: .accentColor
      }
    }
  }

  @Argument(help: "The overrides to remove; without a name, all except chosen themes.")
  var names: [Name] = []

  @Flag(help: "Also remove the overrides of individual apps.")
  var allApps = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws { try audience.validate(besides: allApps, of: "unset") }

  func run() throws {
    let fields = (names.isEmpty ? Name.allCases : names).map(\.field)
    let change = try daemon.clear(fields, for: audience, everyApp: allApps) { ["unset"] + names.map(\.rawValue) }
    try report(change, of: names.compactMap { StateField(argument: $0.rawValue) }, as: format)
  }
}

extension Audience {
  /// Refuses --app together with --all-apps.
  func validate(besides allApps: Bool, of command: String) throws {
    guard !allApps || app == nil else {
      throw ValidationError("--app and --all-apps cannot be used together; try: themectl \(command) --app nvim")
    }
  }
}

extension Daemon {
  /// Removes overrides, and notes which apps keep theirs, with the command that removes those too.
  func clear(
    _ fields: [Field], for audience: Audience, everyApp: Bool, words: () -> [String]
  ) throws -> Changed {
    var rest: [Text] = []
    let change = try change(for: audience, isRemoval: true) { (theme) throws(ThemeClientError) in
      let change = try theme.clearOverride(app: audience.app, fields: fields, everyApp: everyApp)
      if audience.app == nil { rest = try theme.listOverrides().apps(overriding: fields) }
      return change
    }
    if !rest.isEmpty {
      let keep =
        rest.count == 1 ? "1 app keeps its own override" : "\(rest.count) apps keep their own overrides"
      let command = (["themectl"] + words() + ["--all-apps"]).joined(separator: " ")
      complain("note: \(keep) (\(rest.few)); '\(command)' removes \(rest.count == 1 ? "it" : "them") too")
    }
    return change
  }
}

/// Prints the new values of the fields that were changed, as `get` does.
private func report(_ change: Changed, of fields: [StateField] = [], as format: Format) throws {
  try say(format.json ? change.json : fields.line(of: change.state, json: false))
  try requireSaved(change)
}

extension Changed {
  /// The reply as JSON, as in the interface.
  var json: String { #"{"state":\#(state.json),"saved":\#(saved)}"# }
}

/// If a change could not be saved, complains and exits.
func requireSaved(_ change: Changed) throws {
  guard !change.saved else { return }
  complain(
    "the change applies now, but cannot be saved, so it is lost when themed exits; run 'themectl doctor' to see why")
  throw ExitCode.notSaved
}
