internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedLog
internal import ThemedText
internal import ThemedUnix

/// A run on a thread of its own, which may wait; the loop tells it what it should know meanwhile.
final class Run: Sendable {
  let lane: LaneName
  private let surroundings: Surroundings
  private let mailbox: Mailbox
  private let superseded = Atomic(false)
  private let ended = Atomic(false)
  private let bell: Bell
  private let variables = Mutex<[Text: Text]?>(nil)

  init(_ lane: LaneName, _ surroundings: Surroundings, mailbox: Mailbox) throws(SystemError) {
    self.mailbox = mailbox
    self.lane = lane
    self.surroundings = surroundings
    bell = try Bell()
  }

  /// Where its paths begin.
  var places: Places { surroundings.places }
  /// Those whom it starts.
  var children: Children { surroundings.children }
  /// Which terminals have which colours.
  var terminals: TerminalMemory { surroundings.terminals }
  /// Which versions programs have.
  var versions: Versions { surroundings.versions }
  /// How long programs run.
  var ages: ProgramAge { surroundings.ages }
  /// Keeps what programs write to after it.
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

  /// Readable once it is to end.
  var descriptor: CInt { bell.descriptor.raw }
  /// Whether something newer waits for it.
  var isSuperseded: Bool { superseded.load(ordering: .relaxed) || isEnded }
  /// Whether it is to end.
  var isEnded: Bool { ended.load(ordering: .relaxed) }

  /// Something newer waits for it.
  func supersede() { superseded.store(true, ordering: .relaxed) }

  /// Has it end, with all that it has started.
  func end() {
    ended.store(true, ordering: .relaxed)
    bell.ring()
  }

  /// Waits so many milliseconds; whether nobody had it end.
  func pause(_ milliseconds: Int) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, CInt(clamping: milliseconds)) == 0
  }

  /// Hands over what came of it.
  func finish(_ outcome: Outcome) { mailbox.post(.ended(lane, outcome)) }

  /// Writes a line to the log, under the name of the lane; the journal has that as a field, too.
  func log(_ text: String) {
    surroundings.logger.log(.info, "\(lane.words): \(text)", lane.fields)
  }
}

extension LaneName {
  /// What the journal keeps apart of a line about it.
  var fields: [String: String] { [kind == .hook ? "THEMED_HOOK" : "THEMED_APP": "\(name.shown())"] }
}

/// What all runs share.
struct Surroundings: Sendable {
  var places = Places()
  let children = Children()
  let terminals = TerminalMemory()
  let versions = Versions()
  let ages = ProgramAge()
  let session = SessionVariables()
  let logger: Logger
  /// Keeps what programs in the background write to; nil: that ends with this process.
  var outputs: OutputKeeper?
}

/// Where the paths of apps begin, and where programs leave their sockets: as the environment says.
struct Places: Sendable {
  var directories: AppPath.Directories
  let environment: [Text: Text]

  subscript(name: Text) -> Text? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Those of this process.
  init() {
    let own = BaseDirectory.self
    directories = AppPath.Directories(
      home: own.home.map { Text($0) }, configuration: own.configuration.map { Text($0) },
      data: own.data.first.map { Text($0) }, state: own.state.map { Text($0) }, runtime: own.runtime.map { Text($0) })
    environment = allVariables()
  }

  /// A path of an app's file, or what is wrong with it.
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
  /// Whether it may go well later without anybody's doing.
  let mendsItself: Bool

  init(_ text: String, _ advice: String, mendsItself: Bool = false) {
    problem = Problem(text: text, advice: advice)
    self.mendsItself = mendsItself
  }
}
