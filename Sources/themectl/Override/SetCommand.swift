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

  static let firstWords: [Text] = ["light", "dark", "auto", "contrast", "motion", "accent"]

  /// The meanings of other words, some of which are spelt almost like the opposite setting.
  static let otherWords: [Text: Text] = [
    "night": "dark", "black": "dark", "dim": "dark", "day": "light", "white": "light", "bright": "light",
  ]

  @Argument(
    help: ArgumentHelp("The setting, such as: dark; contrast high; accent '#3584e4'.", valueName: "what"),
    completion: .custom { words, index, _ in wordsToSet(after: words.prefix(max(0, index)).last) })
  var words: [String]

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws { _ = try requestedOverride(now: wallClock()) }

  func run() throws {
    let override = try requestedOverride(now: wallClock(), asking: daemon)
    try report(
      daemon.change(for: audience) { (theme) throws(ThemeClientError) in try theme.setOverride(override) },
      of: [StateField](words: words.prefix(1).map { Text($0) }) ?? [], as: format)
  }

  private func requestedOverride(now: Int64, asking daemon: Daemon? = nil) throws -> Override {
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

private func wordsToSet(after word: String?) -> [String] {
  switch word {
  case "set": SetField.firstWords.map(\.string)
  case "contrast": ["high", "normal", "auto"]
  case "motion": ["reduced", "normal", "auto"]
  case "accent": ["auto"]
  default: []
  }
}
