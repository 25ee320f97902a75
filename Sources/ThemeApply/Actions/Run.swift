internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

/// A run on its own thread, which may wait; the loop notifies it of changes meanwhile.
final class Run: Sendable {
  /// The outcome of a run, as the loop receives it.
  struct Report: Sendable {
    let lane: LaneName
    let outcome: Outcome
  }

  let lane: LaneName
  private let surroundings: Surroundings
  private let mailbox: Mailbox<Report>
  private let superseded = Atomic(false)
  private let ended = Atomic(false)
  private let bell: Bell
  private let variables = Mutex<[Text: Text]?>(nil)

  init(_ lane: LaneName, _ surroundings: Surroundings, mailbox: Mailbox<Report>) throws(SystemError) {
    self.mailbox = mailbox
    self.lane = lane
    self.surroundings = surroundings
    bell = try Bell()
  }

  /// The directories with which paths begin.
  var places: Places { surroundings.places }
  /// The processes that runs start.
  var children: Children { surroundings.children }
  /// The colours of terminals.
  var terminals: TerminalMemory { surroundings.terminals }
  /// The versions of programs.
  var versions: Versions { surroundings.versions }
  /// How long processes have run their programs.
  var ages: ProgramAge { surroundings.ages }
  /// The process that keeps the pipes of background programs.
  var outputs: OutputKeeper? { surroundings.outputs }
  /// The environment of the programs that it starts; the manager is asked once for each run.
  var environment: [Text: Text] {
    if let known = variables.withLock({ $0 }) { return known }
    let asked = surroundings.session.environment(self)
    return variables.withLock { variables in
      variables = variables ?? asked
      return variables ?? asked
    }
  }

  /// Hears when programs start; nil if it cannot.
  var programs: ProgramWatch? { surroundings.programs }

  /// The memory of the settings of desktops.
  var desktops: DesktopStore { surroundings.desktops }

  /// Readable once the run has to end.
  var descriptor: CInt { bell.descriptor.raw }
  /// Whether a newer run waits for this one.
  var isSuperseded: Bool { superseded.load(ordering: .relaxed) || isEnded }
  /// Whether the run has to end.
  var isEnded: Bool { ended.load(ordering: .relaxed) }

  /// Records that a newer run waits for this one.
  func supersede() { superseded.store(true, ordering: .relaxed) }

  /// Stops the run and everything that it started.
  func end() {
    ended.store(true, ordering: .relaxed)
    bell.ring()
  }

  /// Waits for this many milliseconds; false if the run has to end.
  func pause(_ milliseconds: Int) -> Bool {
    !wait(forReadable: [descriptor], atMostMilliseconds: milliseconds)
  }

  /// Reports the outcome.
  func finish(_ outcome: Outcome) { mailbox.post(Report(lane: lane, outcome: outcome)) }

  /// Writes a line to the log, under the name of the lane; the journal has that as a field, too.
  func log(_ text: String) {
    surroundings.logger.log(.info, "\(lane.words): \(text)", lane.fields)
  }
}

extension LaneName {
  /// The journal's fields for the lane.
  var fields: [String: String] { [kind == .hook ? "THEMED_HOOK" : "THEMED_APP": "\(name.shown())"] }
}

/// The state that all runs share.
struct Surroundings: Sendable {
  let places: Places
  let desktops: DesktopStore
  let children = Children()
  let terminals = TerminalMemory()
  let versions = Versions()
  let ages = ProgramAge()
  let session = SessionVariables()
  let programs = try? ProgramWatch()
  let logger: Logger
  /// The process that keeps the pipes of background programs; nil if they end with this process.
  var outputs: OutputKeeper?

  init(places: Places = Places(), logger: Logger, outputs: OutputKeeper? = nil) {
    (self.places, self.logger, self.outputs) = (places, logger, outputs)
    desktops = DesktopStore(places)
  }
}

/// The directories of apps' paths and of programs' sockets, from the environment.
struct Places: Sendable {
  var directories: AppPath.Directories
  let environment: [Text: Text]

  subscript(name: Text) -> Text? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// The places of this process.
  init() {
    let own = BaseDirectory.self
    directories = AppPath.Directories(
      home: own.home.map { Text($0) }, configuration: own.configuration.map { Text($0) },
      data: own.data.first.map { Text($0) }, state: own.state.map { Text($0) }, runtime: own.runtime.map { Text($0) })
    environment = allVariables()
    directories.variables = AppPath.variables(in: directories) { self[$0] }
  }

  /// Resolves a path in an app file, or throws.
  func path(_ path: AppPath) throws(Fault) -> String {
    guard let path = path.resolved(in: directories) else {
      throw Fault(
        "cannot find '\(path.written.shown(atMost: 200))': a variable is not set",
        "set HOME, or the variable that it begins with")
    }
    return path.string
  }
}

/// Why something could not be done.
struct Fault: Error {
  let problem: Problem
  /// Whether the fault may pass by itself.
  let mendsItself: Bool
  /// Whether nothing has to be done about it, as about a program that is not installed.
  let isHarmless: Bool

  init(_ text: String, _ advice: String, mendsItself: Bool = false, isHarmless: Bool = false) {
    problem = Problem(text: text, advice: advice)
    self.mendsItself = mendsItself
    self.isHarmless = isHarmless
  }
}

extension Text {
  /// The text as a word of a command that a message tells the user to type.
  var typed: String {
    let shown = shown(atMost: 4096)
    // What a terminal would not show as it is cannot be typed as it is.
    return Text(shown) == self ? asWord : shown
  }
}

/// Handles all items at the same time on their own threads, so that one that hangs does not delay others.
func concurrently<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ body: @escaping @Sendable (Item) -> Result
) -> [Result] {
  guard items.count > 1, let gathering = try? Gathering<Result>() else { return items.map(body) }
  for (index, item) in items.enumerated().dropFirst() {
    let work = { @Sendable in gathering.add(body(item), at: index) }
    // Where there is no room for a thread it is done by this one.
    if (try? startThread(work)) == nil { work() }
  }
  gathering.add(body(items[0]), at: 0)
  return gathering.wait(for: items.count)
}

private final class Gathering<Result: Sendable>: Sendable {
  private let results = Mutex<[Int: Result]>([:])
  private let bell: Bell

  init() throws(SystemError) { bell = try Bell() }

  func add(_ result: Result, at index: Int) {
    results.withLock { $0[index] = result }
    bell.ring()
  }

  func wait(for count: Int) -> [Result] {
    while true {
      bell.silence()
      let results = results.withLock { $0 }
      if results.count == count { return results.sorted { $0.key < $1.key }.map(\.value) }
      ThemedSystem.wait(forReadable: [bell.descriptor.raw])
    }
  }
}
