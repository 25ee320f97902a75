import ArgumentParser
import ThemedClientCore
import ThemedModel
import ThemeSetup
import ThemedSystem

struct SetField: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Override light or dark, contrast, motion, the accent colour or the theme.",
    usage: """
      themectl set light|dark|auto [--app <name>] [--for <time>] [--until <time>]
      themectl set contrast high|normal|auto ...
      themectl set motion reduced|normal|auto ...
      themectl set accent <color>|auto ...
      themectl set theme <theme>|auto [--light | --dark] ...
      themectl set theme --light <theme>|auto --dark <theme>|auto ...
      """,
    discussion: """
      An override wins over the schedule and the desktop until you remove it or it expires. 'themectl unset' \
      removes it. The desktop itself turns, too, once 'themectl desktop enable' has been run.

      'auto' means what the schedule or the desktop asks for, and for a theme the one in themed.conf. Without --app, \
      'set auto' removes the override. With --app, it makes the app follow the schedule or the desktop, even if there \
      is an override for all apps.

      For example:
        themectl set dark
        themectl set dark --until sunrise
        themectl set dark --until changed
        themectl set accent '#3584e4' --app nvim
        themectl set theme mint                       each side that mint has
        themectl set theme mint --dark                only the dark side
        themectl set theme --light mint --dark outrun
        themectl set theme outrun --app nvim --until 07:30

      You can give the path of a theme's file instead of its name, if the file is in a directory that themed searches for \
      themes.
      """)

  static let firstWords: [Text] = ["light", "dark", "auto", "scheme", "contrast", "motion", "accent", "theme"]

  @Argument(
    help: ArgumentHelp(
      "The setting, such as: dark; contrast high; accent '#3584e4'; theme mint.", valueName: "what"),
    completion: .custom { words, index, _ in wordsToSet(after: Array(words.prefix(max(0, index)))) })
  var words: [String] = []

  @Flag(help: "The side to choose a theme for; otherwise each side that the theme has.")
  var sides: [ColorScheme] = []

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws { _ = try requestedOverride(now: wallClock()) }

  /// The words after 'theme'; nil if another setting is named.
  private var themes: ThemeWords? {
    get throws { words.first.map { Text($0) } == "theme" ? try ThemeWords(Array(words.dropFirst()), for: sides) : nil }
  }

  func run() throws {
    let override = try requestedOverride(now: wallClock(), asking: daemon)
    if let themes = try themes { return try themes.choose(override, daemon, as: format) }
    try report(
      daemon.change(for: audience) { (theme) throws(CallError) in try theme.call(.setOverride(override)) },
      of: [StateField](words: words.prefix(1).map { Text($0) }) ?? [], json: format.json)
  }

  private func requestedOverride(now: Int64, asking daemon: Daemon? = nil) throws -> Override {
    var override = Override(app: audience.name)
    let themes = try themes
    if let sided = sides.first, themes == nil {
      let meant = words.isEmpty ? sided.rawValue : "theme --\(sided.rawValue) \(Text(words[0]).asWord)"
      throw ValidationError("--\(sided.rawValue) is for themes; did you mean 'themectl set \(meant)'?")
    }
    switch (words.first ?? "", words.dropFirst().first, words.count) {
    case ("theme", _, _): override.auto = themes?.pins ?? []
    case ("auto", nil, 1), ("scheme", "auto", 2): override.auto = [.scheme]
    case (let word, nil, 1) where ColorScheme(rawValue: word) != nil: override.scheme = ColorScheme(rawValue: word)
    case ("scheme", let word?, 2) where ColorScheme(rawValue: word) != nil:
      override.scheme = ColorScheme(rawValue: word)
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
    guard !(ending.isGiven && !override.auto.isEmpty && audience.app == nil) else {
      throw ValidationError(
        "'auto' without --app removes the override, so --for and --until cannot be used with it; "
          + "try: themectl set dark --for 2h30m")
    }
    try ending.end(&override, now: now, asking: daemon)
    return override
  }

  private var mistake: String {
    let words = words.map { Text($0) }
    let text = words.joined(separator: " ")
    if words.count == 3, words[1] == "theme", ColorScheme(word: words[0]) != nil {
      return "unexpected argument 'theme'; did you mean 'themectl set theme \(words[2].asWord) --\(words[0])'?"
    }
    if let first = words.first, words.count > 1, values(of: "scheme").contains(first.string) {
      let isEnd = words.count == 3 && ["for", "until"].contains(words[1])
      let rest = isEnd ? " --\(words[1]) \(words[2].contains(" ") ? words[2].asWord : words[2].string)" : ""
      return "unexpected argument '\(words[1])' after '\(first)'; try: themectl set \(first)\(rest)"
    }
    if words.isEmpty { return "missing setting; try: themectl set dark; themectl set theme mint" }
    if words.count == 1, let first = words.first, let value = values(of: first).first {
      let example = first == "accent" ? "'#3584e4'" : value
      return "missing value for '\(first)'; try: themectl set \(first) \(example)"
    }
    if words.count == 2, values(of: "scheme").contains(words[1].string), OtherWords.isApp(words[0]) {
      return "unknown setting '\(words[0])'; did you mean 'themectl set \(words[1]) --app \(words[0].asWord)'?"
    }
    let key: Text? = words.first == "fade" ? "transition" : words.first
    if words.count == 2, let key, OtherWords.isConfigurationKey(key) {
      return "'\(key)' is a setting of themed.conf; did you mean 'themectl config set \(key) \(words[1].asWord)'?"
    }
    if let meant = meant(by: words) {
      return "unknown setting '\(text)'; did you mean 'themectl set \(meant.map(\.asWord).joined(separator: " "))'?"
    }
    return "unknown setting '\(text)'; "
      + "try: themectl set dark; themectl set contrast high; themectl set accent '#3584e4'; themectl set theme mint"
  }

  private func meant(by words: [Text]) -> [Text]? {
    let first = words.first.flatMap { word in
      OtherWords.schemes[word.lowercasedASCII] ?? nearest(to: word.lowercasedASCII, among: Self.firstWords)
    }
    if let first, 1...2 ~= words.count, values(of: first).isEmpty == (words.count == 1) {
      guard words.count == 2 else { return [first] }
      let known = values(of: first).map { Text($0) }
      let isFree = first == "accent" || first == "theme"
      let value = nearest(to: words[1].lowercasedASCII, among: known) ?? (isFree ? words[1] : nil)
      if let value { return [first, value] }
    }
    guard words.count == 1, InstalledThemes.ofUser.place(of: words[0]) != nil else { return nil }
    return ["theme", words[0]]
  }
}

/// The words that may follow a field; none for a word that needs none.
private func values(of word: Text) -> [String] {
  switch word {
  case "scheme": ["light", "dark", "auto"]
  case "contrast": ["high", "normal", "auto"]
  case "motion": ["reduced", "normal", "auto"]
  case "accent", "theme": ["auto"]
  default: []
  }
}

/// The words to offer after those of a command line.
private func wordsToSet(after words: [String]) -> [String] {
  let last = words.last.map { Text($0) } ?? ""
  if last == "set" { return SetField.firstWords.map(\.string) }
  guard words.contains(where: { Text($0) == "theme" }) else { return values(of: last) }
  let side = ColorScheme.allCases.first { Text($0.rawValue) == last.dropping(prefix: "--") }
  return InstalledThemes.candidates(after: words, with: side) + values(of: "theme")
}
