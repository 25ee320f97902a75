import ArgumentParser
import Glibc
import ThemedClientCore
internal import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

/// The command 'set' with light or dark and no option.
func set(_ scheme: ColorScheme) throws {
  try report(
    callDaemon(at: nil, .toChange) { (theme) throws(CallError) in try theme.call(.setOverride(Override(scheme: scheme)))
    })
}

/// The command 'toggle' without an option.
func toggle() throws {
  try report(callDaemon(at: nil, .toChange) { (theme) throws(CallError) in try theme.call(.toggle()) })
}

struct Toggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle",
    abstract: "Switch from light to dark or from dark to light; run it again to switch back.",
    discussion: """
      The second toggle restores what was shown before. If an override with an end comes back in this way, its end stays the same. \
      With --for or --until, themed switches back by itself at that end.
      """)

  @OptionGroup var ending: OverrideEnd
  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    var end = Override()
    try ending.end(&end, now: wallClock(), asking: daemon)
    let change = try daemon.change(for: audience) { (theme) throws(CallError) in
      try theme.call(
        .toggle(app: audience.app, expiresAt: end.expiresAt, untilDesktopChanges: end.untilDesktopChanges == true))
    }
    try report(change, json: format.json)
  }
}

struct Unset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove the overrides set for all apps, or those of one app.",
    discussion: """
      Without --app, this removes the overrides set for all apps. The overrides of individual apps stay. To remove those \
      of one app, use --app; to remove those of every app as well, use --all-apps. Chosen themes stay unless you name \
      'theme'; without a chosen theme, the one in themed.conf is shown.
      """)

  enum Name: String, CaseIterable {
    case scheme, contrast, motion, accent, theme

    func fields(on sides: [ColorScheme]) -> [Field] {
      switch self {
      case .scheme: [.scheme]
      case .contrast: [.highContrast]
      case .motion: [.reducedMotion]
      case .accent: [.accentColor]
      case .theme: (sides.isEmpty ? ColorScheme.allCases : sides).map(Field.theme)
      }
    }
  }

  @Argument(
    help: ArgumentHelp(
      "The overrides to remove: scheme, contrast, motion, accent, theme; without a field, all except chosen themes.",
      valueName: "fields"),
    completion: .list(Name.allCases.map(\.rawValue)))
  var words: [String] = []

  @Flag(help: "The side to remove the chosen theme of; otherwise both.")
  var sides: [ColorScheme] = []

  @Flag(help: "Also remove the overrides of individual apps.")
  var allApps = false

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func validate() throws {
    try audience.validate(besides: allApps, of: "unset")
    guard let side = sides.first, try !names.contains(.theme) else { return }
    throw ValidationError("--\(side.rawValue) is for themes; try: themectl unset theme --\(side.rawValue)")
  }

  func run() throws {
    let names = try names
    let fields = (names.isEmpty ? Name.allCases.filter { $0 != .theme } : names).flatMap { $0.fields(on: sides) }
    let change = try daemon.clear(fields, for: audience, everyApp: allApps) {
      ["unset"] + words + sides.map { "--\($0.rawValue)" }
    }
    try report(change, of: names.compactMap { StateField(argument: $0.rawValue) }, json: format.json)
  }

  private var names: [Name] {
    get throws(ValidationError) {
      try words.map { (word) throws(ValidationError) in
        guard let name = Name(word: Text(word)) else { throw ValidationError(mistake(Text(word))) }
        return name
      }
    }
  }

  private func mistake(_ word: Text) -> String {
    if word == "auto" || ColorScheme(word: word) != nil {
      return words.contains { Text($0) == "theme" }
        ? "unexpected argument '\(word)'; name a side with --light or --dark; try: themectl unset theme --dark"
        : "unknown field '\(word)'; did you mean 'themectl unset scheme'?"
    }
    let known = Name.allCases.map { Text($0.rawValue) }
    if let meant = nearest(to: word, among: known) {
      return "unknown field '\(word)'; did you mean 'themectl unset \(meant)'?"
    }
    return "unknown field '\(word)'; use scheme, contrast, motion, accent or theme"
  }
}

extension Audience {
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
  ) throws -> OverrideChange {
    var rest: [Text] = []
    let change = try change(for: audience, isRemoval: true) { (theme) throws(CallError) in
      let change = try theme.call(
        everyApp ? .clearEveryOverride(fields: fields) : .clearOverride(app: audience.app, fields: fields))
      if audience.app == nil { rest = try theme.call(.overrides).apps(overriding: fields) }
      return change
    }
    if !rest.isEmpty {
      let keep = rest.count == 1 ? "1 app keeps its own override" : "\(rest.count) apps keep their own overrides"
      let command = (["themectl"] + words() + ["--all-apps"]).joined(separator: " ")
      complain("note: \(keep) (\(rest.few)); '\(command)' removes \(rest.count == 1 ? "it" : "them") too")
    }
    return change
  }
}

/// Prints the new values of the fields that were changed, as `get` does.
func report(_ change: OverrideChange, of fields: [StateField] = [], json: Bool = false) throws {
  try say(json ? change.json : fields.line(of: change.state, json: false))
  try requireSaved(change)
}

extension OverrideChange {
  var json: String { #"{"state":\#(state.json),"saved":\#(isSaved)}"# }
}

func requireSaved(_ change: OverrideChange) throws {
  guard !change.isSaved else { return }
  complain(
    "the change applies now, but cannot be saved, so it is lost when themed exits; run 'themectl doctor' to see why")
  throw ExitCode.notSaved
}

struct ListOverrides: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overrides",
    abstract: "List the overrides, the app that each is for, and when it ends.",
    discussion: """
      Prints the app, what is overridden, and when that ends, or a hyphen ('-') if it has no end. Overrides for all apps \
      come first. If several overrides of one app end at the same time, they share a line. Outside a terminal, tabs \
      separate the columns. If nothing is overridden, the command prints nothing and exits with 0.

      For example:
        themectl overrides --app nvim    only the overrides of this app
      """)

  @OptionGroup var daemon: Daemon
  @OptionGroup var audience: Audience
  @OptionGroup var format: Format

  func run() throws {
    let (all, next) = try daemon.call { (theme) throws(CallError) in
      (try theme.call(.overrides), try theme.call(.state()).resolution.nextSwitch)
    }
    let overrides = all.filter { audience.name == nil || $0.app == audience.name }
    if format.json { return try say(#"{"overrides":[\#(overrides.map(\.json).joined(separator: ","))]}"#) }
    let now = wallClock()
    if overrides.isEmpty, isatty(STDERR_FILENO) == 1 { complain("nothing is overridden") }
    for line in lines(of: overrides.map { $0.row(now: now, nextSwitch: next) }, Style(ofOutput: .auto)) {
      try say(line)
    }
  }
}

extension Override {
  /// The app, what is overridden, and the end, as ``words(now:nextSwitch:)`` says it.
  func row(now: Int64, nextSwitch: Switch? = nil) -> [String] {
    var endless = self
    (endless.expiresAt, endless.untilDesktopChanges) = (nil, nil)
    let end = Override(expiresAt: expiresAt, untilDesktopChanges: untilDesktopChanges)
      .words(now: now, nextSwitch: nextSwitch)
    return [app.map { printable($0) } ?? "(all apps)", endless.words(now: now), end.isEmpty ? "-" : end]
  }
}
