internal import ThemeApps
internal import ThemedModel
internal import ThemedSystem

/// An app and its templates: everything that a run of it reads.
struct Recipe: Sendable, Hashable {
  /// A template as it was read.
  enum Source: Sendable, Hashable {
    case template(Template)
    /// The user's own content for each side, instead of the template of the main file.
    case own([ColorScheme: [UInt8]])
    /// The user's own content cannot be read.
    case missing(Problem)
    /// The template cannot be used, for this reason.
    case unusable(String)
  }

  let app: App
  /// The templates that the app names.
  let templates: [Text: Source]
  /// The theme to use if none is chosen.
  let fallback: Theme
  /// The user's choice of the program's own themes, by side.
  var names: [ColorScheme: Text] = [:]
  /// The user's choice of files of their own.
  var own: Source?

  /// Whether it shows the user's own files or themes, and not the colours of the theme.
  var isOwn: Bool { !names.isEmpty || own.map { if case .own = $0 { true } else { false } } ?? false }
}

/// A desktop whose settings are kept in step.
struct DesktopRecipe: Sendable, Hashable {
  let app: App
  let desktop: App.Desktop
  /// Whether the user enabled the app by its name, so that it is used on every desktop.
  var isByName = false
  /// The settings with `each` whose lines could be read.
  var families: Set<Text> = []
  /// The programs of settings that run, by the settings' names in the file.
  var programs: [Text: DesktopDecision.Program] = [:]

  /// The same with the settings that one of these desktops shows.
  func shown(on names: [Text]) -> DesktopRecipe {
    var desktop = desktop
    desktop.settings = desktop.settings.filter { $0.isFor(names) }
    return DesktopRecipe(app: app, desktop: desktop, isByName: isByName, families: families, programs: programs)
  }
}

/// The work for the desktop.
struct DesktopJob: Sendable, Hashable {
  let recipes: [DesktopRecipe]
  let shown: Shown
  /// Whether the settings are kept in step; if not, they get back what was there before.
  let isInStep: Bool
  /// The scheme that the daemon asks for; nil if the desktop shows the right one.
  let target: DesktopTarget?
  /// The preference that the desktop asked for by itself.
  var asked = Preference.unavailable
}

/// A program of the user's that starts at each change.
struct Hook: Sendable, Hashable {
  /// The name in the log: the file's name, after the name of the directory if that is one of darkman's.
  let name: Text
  let path: Text
  /// Whether the hook gets the scheme as its argument.
  let takesScheme: Bool
  /// The scheme that the hook is for; nil for both.
  let scheme: ColorScheme?
  let seconds: Int

  /// Whether the hook runs at each login, even if nothing has changed: as darkman runs its scripts, or because its name
  /// ends in `.login`.
  var isForEachLogin: Bool { name.contains("/") || name.hasSuffix(".login") }
}

/// The enabled apps and hooks, from their files.
struct Setup: Sendable, Hashable {
  /// An enabled app that cannot be used.
  struct Unusable: Sendable, Hashable {
    let name: Text
    let problem: Problem
  }

  var recipes: [Recipe] = []
  var unusable: [Unusable] = []
  var hooks: [Hook] = []
  /// The desktops for which there are app files.
  var desktops: [DesktopRecipe] = []
  /// The desktops whose app files cannot be used now.
  var brokenDesktops: Set<Text> = []
  /// Why the list of enabled apps is unknown; nil if it is known.
  var unknown: Problem?
  /// Whether the settings of hooks and looks, or some hooks, are unknown.
  var hasUnknownSettings = false

  /// Whether nothing is enabled, and nothing is unknown.
  var isEmpty: Bool {
    recipes.isEmpty && unusable.isEmpty && hooks.isEmpty && unknown == nil && !hasUnknownSettings
  }

  /// The same with the last good recipe of each enabled app that cannot be used now, so that an error in a file does not
  /// disable the app.
  func keeping(_ last: Setup?) -> Setup {
    guard let last else { return self }
    var setup = self
    if unknown != nil {
      (setup.recipes, setup.unusable, setup.desktops) = (last.recipes, last.unusable, last.desktops)
    }
    if hasUnknownSettings {
      setup.hooks = last.hooks
      // The file with the settings of hooks also has the user's own looks.
      setup.recipes = setup.recipes.map { recipe in
        last.recipes.first { $0.app.name == recipe.app.name && $0.isOwn } ?? recipe
      }
    }
    setup.desktops += last.desktops.filter { brokenDesktops.contains($0.app.name) }
    setup.recipes += last.recipes.filter { recipe in unusable.contains { $0.name == recipe.app.name } }
    return setup
  }

  /// Whether an app uses its last good recipe, because its file cannot be used.
  func isLastGood(_ app: Text) -> Bool {
    unusable.contains { $0.name == app } && recipes.contains { $0.app.name == app }
  }
}

/// A problem, and what to do about it.
struct Problem: Sendable, Hashable {
  let text: String
  let advice: String
}

/// The name of a lane, which keeps one thing up to date: an app, the terminals of an app, a hook, or the desktop.
struct LaneName: Sendable, Hashable, Comparable {
  enum Kind: Int, Sendable, Hashable, CaseIterable { case desktop, app, terminal, hook }

  /// The lane of the desktop's settings.
  static let desktop = LaneName(kind: .desktop, name: "desktop")

  let kind: Kind
  let name: Text

  static func < (one: LaneName, other: LaneName) -> Bool {
    (one.kind.rawValue, one.name) < (other.kind.rawValue, other.name)
  }

  /// The name in the log.
  var words: String {
    switch kind {
    case .app: name.shown()
    case .terminal: "terminals of \(name.shown())"
    case .hook: "hook \(name.shown())"
    case .desktop: "desktop settings"
    }
  }
}

/// A process, distinct from a later one with the same number, and from the program that it ran before an exec.
struct ProcessIdentity: Sendable, Hashable {
  let number: Int32
  /// The start time, in ticks since the system started.
  let start: UInt64
  /// The address of its stack, which each exec changes.
  var stack: UInt64 = 0
}

/// The job of a run.
enum Job: Sendable, Hashable {
  /// Write an app's files and notify the program; with `young`, notify only those processes, which were too young before.
  case app(Recipe, Shown, young: Set<ProcessIdentity> = [])
  /// Colour the terminals of an app; with `onlyNew`, only those that have not got these colours from us.
  case terminals(Recipe, Shown, onlyNew: Bool)
  /// Give the terminals their own colours back.
  case takeBack(Recipe)
  /// Start a hook.
  case hook(Hook, Shown)
  /// Read and write the desktop's settings.
  case desktop(DesktopJob)

  /// The state that the job shows; nil for the terminals' own colours.
  var shown: Shown? {
    switch self {
    case .app(_, let shown, _), .terminals(_, let shown, _), .hook(_, let shown): shown
    case .desktop(let job): job.shown
    case .takeBack: nil
    }
  }

  /// The same only for what has not got it yet.
  var forNew: Job {
    if case .terminals(let recipe, let shown, _) = self { .terminals(recipe, shown, onlyNew: true) } else { self }
  }

  /// The same for all.
  var forAll: Job {
    switch self {
    case .terminals(let recipe, let shown, _): .terminals(recipe, shown, onlyNew: false)
    case .app(let recipe, let shown, _): .app(recipe, shown)
    case .takeBack, .hook, .desktop: self
    }
  }

  /// The pause of the app after the job, in milliseconds.
  var restTime: Int { if case .app(let recipe, _, _) = self { recipe.app.debounce } else { 0 } }

  /// The part of the job that is left after a run with this outcome.
  func rest(_ outcome: Outcome) -> Job {
    if case .app(let recipe, let shown, _) = self { .app(recipe, shown, young: outcome.young) } else { forNew }
  }

  /// Whether this is only a part of a job.
  var isPart: Bool { self != forAll }
}

/// The desktop's settings as they are known after a run.
struct DesktopReport: Sendable, Hashable {
  /// A setting, and its value now and for each side.
  struct Row: Sendable, Hashable {
    let app, name: Text
    let memory: SettingMemory
  }

  /// The app files that are used on this desktop.
  var apps: [Text] = []
  var rows: [Row] = []
  /// The signals after which the settings are read again.
  var signals: Set<App.BusSignal> = []
  /// Whether anything is remembered.
  var keepsMemory = false
}

/// The outcome of a run.
struct Outcome: Sendable, Hashable {
  /// One action of a run.
  struct Action: Sendable, Hashable {
    /// The result of the action, as in `status.json`.
    enum State: String, Sendable, Hashable {
      /// The action was done.
      case done
      /// There was nothing to do.
      case unchanged
      /// The action is for other versions of the program.
      case skipped
      /// A process was not notified, or is not running.
      case left
      /// The action failed.
      case failed
    }

    let name: Text
    let state: State
    /// Details, safe for a terminal; empty if there are none.
    var detail = ""
    /// The problem, if the action failed.
    var problem: Problem?
  }

  var actions: [Action] = []
  /// The processes that were too young to be notified.
  var young: Set<ProcessIdentity> = []
  /// After how many milliseconds another run is needed; nil for none.
  var comesAgain: Int?
  /// The terminals of a known program that no program has opened yet.
  var unopened: Set<Int> = []
  /// The first problem.
  var problem: Problem? { actions.lazy.compactMap(\.problem).first }
  /// Whether the problem may pass by itself.
  var mendsItself = false
  /// The desktop's settings.
  var desktop: DesktopReport?

  /// Records a problem.
  mutating func fail(_ name: Text, _ problem: Problem, mendsItself: Bool = false) {
    if self.problem == nil { self.mendsItself = mendsItself }
    actions.append(Action(name: name, state: .failed, detail: problem.text, problem: problem))
  }

  /// The outcome of a part, with the results from `whole` for the actions that the part does not have.
  func completing(_ whole: Outcome?) -> Outcome {
    var outcome = self
    let new = Set(actions.map(\.name))
    outcome.actions = (whole?.actions.filter { !new.contains($0.name) } ?? []) + actions
    return outcome
  }

  /// Adds the actions of another part of the run.
  mutating func add(_ other: Outcome) {
    if problem == nil { mendsItself = other.mendsItself }
    actions += other.actions
  }

  mutating func add(_ name: Text, _ state: Action.State, _ detail: String = "") {
    actions.append(Action(name: name, state: state, detail: detail))
  }
}
