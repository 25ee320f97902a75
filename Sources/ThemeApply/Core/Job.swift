internal import ThemeApps
internal import ThemeModel
internal import ThemeResolution
internal import ThemedText

/// An app with what it is made of: all that a run of it reads.
struct Recipe: Sendable, Hashable {
  /// A template as it was read.
  enum Source: Sendable, Hashable {
    case template(Template)
    /// It cannot be used, for this reason.
    case unusable(String)
  }

  let app: App
  /// The templates that it names.
  let templates: [Text: Source]
  /// What is drawn with where no theme is chosen.
  let fallback: Theme
}

/// A program of the user's that is started at each change.
struct Hook: Sendable, Hashable {
  /// What it is called in the log: its file's name, with its directory before it where that is darkman's.
  let name: Text
  let path: Text
  /// Whether it gets the scheme as its argument.
  let takesScheme: Bool
  /// The scheme that it is for; nil: both.
  let scheme: ColorScheme?
  let seconds: Int
}

/// What is enabled, as its files say.
struct Setup: Sendable, Hashable {
  /// An app that is enabled and cannot be used.
  struct Unusable: Sendable, Hashable {
    let name: Text
    let problem: Problem
  }

  var recipes: [Recipe] = []
  var unusable: [Unusable] = []
  var hooks: [Hook] = []
  /// Why it is not known which apps are enabled; nil where it is.
  var unknown: Problem?
  /// Whether something keeps us from knowing all hooks.
  var hasUnknownHooks = false

  /// Whether there is nothing to do, ever.
  var isEmpty: Bool {
    recipes.isEmpty && unusable.isEmpty && hooks.isEmpty && unknown == nil && !hasUnknownHooks
  }

  /// The same with the last good recipe of each app that is enabled and cannot be used now: what is wrong with a file is
  /// no reason to let go of what it asked for.
  func keeping(_ last: Setup?) -> Setup {
    guard let last else { return self }
    var setup = self
    if unknown != nil { (setup.recipes, setup.unusable) = (last.recipes, last.unusable) }
    if hasUnknownHooks { setup.hooks = last.hooks }
    setup.recipes += last.recipes.filter { recipe in unusable.contains { $0.name == recipe.app.name } }
    return setup
  }

  /// Whether an app's last good recipe stands in the place of its file, which cannot be used.
  func isLastGood(_ app: Text) -> Bool {
    unusable.contains { $0.name == app } && recipes.contains { $0.app.name == app }
  }
}

/// What is wrong, and what to do or to type.
struct Problem: Sendable, Hashable {
  let text: String
  let advice: String
}

/// One who is kept up to date: an app, the terminals of an app, or a hook.
struct LaneName: Sendable, Hashable, Comparable {
  enum Kind: Int, Sendable, Hashable, CaseIterable { case app, terminal, hook }

  let kind: Kind
  let name: Text

  static func < (one: LaneName, other: LaneName) -> Bool {
    (one.kind.rawValue, one.name) < (other.kind.rawValue, other.name)
  }

  /// As the log has it.
  var words: String {
    switch kind {
    case .app: name.shown()
    case .terminal: "terminals of \(name.shown())"
    case .hook: "hook \(name.shown())"
    }
  }
}

/// A process, told from another one that gets its number later, and from what it ran before an exec.
struct ProcessIdentity: Sendable, Hashable {
  let number: Int32
  /// In ticks since the system was started.
  let start: UInt64
  /// Where its stack begins, which each exec draws anew.
  var stack: UInt64 = 0
}

/// What a run is to do.
enum Job: Sendable, Hashable {
  /// Write an app's files, and tell the program; with `young`, tell those processes alone, which were too young before.
  case app(Recipe, Shown, young: Set<ProcessIdentity> = [])
  /// Colour the terminals of an app; only those that have not got these colours from us where `onlyNew`.
  case terminals(Recipe, Shown, onlyNew: Bool)
  /// Give them their own colours back.
  case takeBack(Recipe)
  /// Start a hook.
  case hook(Hook, Shown)

  /// What is shown by it; nil where that is the terminals' own.
  var shown: Shown? {
    switch self {
    case .app(_, let shown, _), .terminals(_, let shown, _), .hook(_, let shown): shown
    case .takeBack: nil
    }
  }

  /// The same for those alone that did not get it.
  var forNew: Job {
    if case .terminals(let recipe, let shown, _) = self { .terminals(recipe, shown, onlyNew: true) } else { self }
  }

  /// The same for all.
  var forAll: Job {
    switch self {
    case .terminals(let recipe, let shown, _): .terminals(recipe, shown, onlyNew: false)
    case .app(let recipe, let shown, _): .app(recipe, shown)
    case .takeBack, .hook: self
    }
  }

  /// How long an app is let be after it, in milliseconds.
  var restTime: Int { if case .app(let recipe, _, _) = self { recipe.app.rest } else { 0 } }

  /// What of it is left to do later, after a run that came to this.
  func rest(_ outcome: Outcome) -> Job {
    if case .app(let recipe, let shown, _) = self { .app(recipe, shown, young: outcome.young) } else { forNew }
  }

  /// Whether it is a part only.
  var isPart: Bool { self != forAll }
}

/// What came of a run.
struct Outcome: Sendable, Hashable {
  /// One thing of a run.
  struct Action: Sendable, Hashable {
    /// What became of it, as `status.json` says it.
    enum State: String, Sendable, Hashable {
      /// It was done.
      case done
      /// There was nothing to do.
      case unchanged
      /// It is for other versions of the program.
      case skipped
      /// Somebody was left alone, or is not there.
      case left
      /// It could not be done.
      case failed
    }

    let name: Text
    let state: State
    /// More about it, in words fit for a terminal; none where there is nothing to say.
    var detail = ""
    /// What is wrong, where it failed.
    var problem: Problem?
  }

  var actions: [Action] = []
  /// The processes that were too young to be told.
  var young: Set<ProcessIdentity> = []
  /// After how many milliseconds somebody has to be told still; nil where nobody has.
  var comesAgain: Int?
  /// The terminals of a known program that no program has opened yet.
  var unopened: Set<Int> = []
  /// What went wrong first.
  var problem: Problem? { actions.lazy.compactMap(\.problem).first }
  /// Whether that may go well later without anybody's doing.
  var mendsItself = false

  /// Takes note of something that went wrong.
  mutating func fail(_ name: Text, _ problem: Problem, mendsItself: Bool = false) {
    if self.problem == nil { self.mendsItself = mendsItself }
    actions.append(Action(name: name, state: .failed, detail: problem.text, problem: problem))
  }

  /// The same with what `whole` said of those actions of which this one, of a part, says nothing: what failed there has
  /// not gone well since.
  func completing(_ whole: Outcome?) -> Outcome {
    var outcome = self
    let new = Set(actions.map(\.name))
    outcome.actions = (whole?.actions.filter { !new.contains($0.name) } ?? []) + actions
    return outcome
  }

  mutating func add(_ name: Text, _ state: Action.State, _ detail: String = "") {
    actions.append(Action(name: name, state: state, detail: detail))
  }
}
