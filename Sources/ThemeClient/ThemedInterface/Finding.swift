public import ThemedSystem
internal import ThemedVarlink

/// The result of one check of the user's setup.
public struct Finding: Sendable, Hashable {
  /// The name of the check's result, for programs.
  public let name: Text
  /// The observation, in words.
  public let what: String
  /// Why it matters; nil if nothing is wrong.
  public let why: String?
  public let fix: String?
  public let commands: [String]

  /// A problem, with what to do about it, the commands to run, or both.
  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: String...) {
    self.init(name, what, why: why, fix: fix, type: commands)
  }

  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: [String]) {
    self.name = name
    self.what = what
    self.why = why
    self.fix = fix
    self.commands = commands
  }

  /// A hint: nothing is wrong, but more can follow.
  public init(hint name: Text, _ what: String, fix: String, type commands: [String]) {
    self.name = name
    self.what = what
    why = nil
    self.fix = fix
    self.commands = commands
  }

  /// A fact: nothing is wrong.
  public init(fact name: Text, _ what: String) {
    self.name = name
    self.what = what
    why = nil
    fix = nil
    commands = []
  }

  /// A file that does not respond, such as on a network mount whose server is gone; nothing after it was checked.
  public init(unanswered path: String) {
    self.init(
      Self.unanswered, "\(path) does not answer", why: "programs that read it hang, and the checks stopped here",
      fix: "check its disk or its server; 'umount -l' detaches a mount whose server is gone",
      type: "findmnt")
  }

  /// The name of the problem that a file does not respond.
  public static let unanswered: Text = "no_answer_of_file"

  /// The name of the fact that has the portal's raw answer, for programs to compare.
  public static let portalValue: Text = "portal_value"

  /// The name of the fact that has the addresses of the session bus, like ``Diagnostics/Bus/address``, for programs to
  /// compare.
  public static let busAddress: Text = "bus_address"

  /// The name of the fact that the portal does not run and waits for a graphical session.
  ///
  /// Programs ignore this fact if the running daemon knows of a session.
  public static let portalWaits: Text = "portal_waits"

  /// The name of the problem that the portal is not installed, or does not run although it should.
  public static let missingPortal: Text = "no_portal"

  public var isForPrograms: Bool {
    name == Self.portalValue || name == Self.busAddress || name == PortalChainFacts.finding
  }

  public var isProblem: Bool { why != nil }

  private var isHint: Bool { !isProblem && fix != nil }

  /// The result for people: a line, for a problem a line for why it matters, and for a problem or a hint one line each
  /// for what to do and which commands to run.
  ///
  /// The text is safe for a terminal, whatever a bus or a file contributed to it.
  public var text: String {
    let word = isProblem ? "problem" : isHint ? "hint" : "fine"
    let lines = ["\(word): \(what)", why.map { "  " + $0 }, fix.map { "  do: " + $0 }]
    let all = lines.compactMap(\.self) + commands.map { "  type: " + $0 }
    return all.map { Text($0).shown() }.joined(separator: "\n")
  }

  /// The result as one line of JSON, for programs.
  public var json: String {
    let object: JSON.Object = [
      "name": .string(name), "what": .word(what), "why": why.map(JSON.word), "fix": fix.map(JSON.word),
      "commands": commands.isEmpty ? nil : .array(commands.map(JSON.word)),
    ]
    return JSON.object(object).text
  }

  /// Reads what ``json`` wrote; nil for anything else.
  public init?(json: String) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else { return nil }
    var finding = Parameters(object)
    guard let name = try? finding.string("name"), let what = try? finding.string("what") else { return nil }
    self.name = name
    self.what = what.string
    why = (try? finding.string("why"))?.string
    fix = (try? finding.string("fix"))?.string
    var commands: [String] = []
    if case .array(let words)? = finding.value("commands") {
      for case .string(let word) in words { commands.append(word.string) }
    }
    self.commands = commands
  }
}

/// The facts that `themed --check` found out about our backend of the settings portal, for programs.
public struct PortalChainFacts: Sendable, Hashable {
  /// The name of our backend's file, without the suffix.
  ///
  /// The oldest portals take the first file by name among those that are for no desktop in particular.
  public static let backend: Text = "aaa-themed"
  /// The name of our backend on the bus.
  public static let busName: Text = "org.freedesktop.impl.portal.desktop.themed"
  /// The interface of a backend that answers for settings, which is also its key in `portals.conf`.
  public static let interface: Text = "org.freedesktop.impl.portal.Settings"
  /// The unit that starts our backend.
  public static let unit: Text = "themed-portal.service"
  /// The name of the finding that contains these facts.
  public static let finding: Text = "portal_chain"

  /// Whether our backend is on the bus.
  public var isRunning = false
  /// Whether the portal returned a setting that only our backend has; nil if the portal does not run or did not answer.
  public var isAsked: Bool?
  /// Whether the portal's files put no backend before ours.
  ///
  /// ``isAsked`` does not tell, because the portal finds our setting even if our backend comes last.
  public var isFirst = false
  /// Whether the portal's files know our backend.
  public var hasBackend = false
  /// The backends that the portal would ask without ours, in order, by the names of their files.
  public var others: [Text] = []
  /// Whether this version of the portal reads `portals.conf`.
  public var readsConfiguration = true
  /// Whether a later file can add what the first one does not say.
  public var fallsThrough = false
  /// Whether this version looks for `.portal` files in the user's own directories.
  public var readsUsersBackends = false
  /// Whether the configuration says to ask no backend at all.
  public var isNone = false
  /// The file that decides; nil if there is none.
  public var preference: Text?
  /// The first name of the desktop, as in the name of the desktop's own file: `gnome` for `gnome-portals.conf`; nil if
  /// it has none.
  public var desktop: Text?
  /// The directory of the user's own `portals.conf`.
  public var directory: Text?
  /// The directory of the user's own `.portal` files.
  public var dataDirectory: Text?
  /// The portal's process; nil if it does not run.
  public var process: Int64?

  public init() {}

  /// The backends that the portal would ask without ours, for people.
  public var below: String { others.isEmpty ? "no backend" : others.map { $0.shown() }.joined(separator: ", ") }

  /// Advice to the user if our backend does not run.
  public var offer: String {
    "themed-portal is not running; the portal asks \(below). Run 'themectl portal enable' to set it up"
  }

  public var json: String {
    let object: JSON.Object = [
      "isRunning": .bool(isRunning), "isAsked": isAsked.map(JSON.bool), "isFirst": .bool(isFirst),
      "hasBackend": .bool(hasBackend),
      "others": .array(others.map(JSON.string)), "readsConfiguration": .bool(readsConfiguration),
      "fallsThrough": .bool(fallsThrough), "readsUsersBackends": .bool(readsUsersBackends), "isNone": .bool(isNone),
      "preference": preference.map(JSON.string), "desktop": desktop.map(JSON.string),
      "directory": directory.map(JSON.string),
      "dataDirectory": dataDirectory.map(JSON.string), "process": process.map(JSON.integer),
    ]
    return JSON.object(object).text
  }

  public init?(json: String) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else { return nil }
    var read = Parameters(object, isTolerant: true)
    guard let isRunning = try? read.bool("isRunning"), let hasBackend = try? read.bool("hasBackend"),
      let others = try? read.strings("others"), let readsConfiguration = try? read.bool("readsConfiguration"),
      let fallsThrough = try? read.bool("fallsThrough"), let users = try? read.bool("readsUsersBackends"),
      let isNone = try? read.bool("isNone"), let isFirst = try? read.bool("isFirst")
    else { return nil }
    (self.isRunning, self.hasBackend, self.others) = (isRunning, hasBackend, others)
    (self.readsConfiguration, self.fallsThrough) = (readsConfiguration, fallsThrough)
    (readsUsersBackends, self.isNone, self.isFirst) = (users, isNone, isFirst)
    isAsked = try? read.bool("isAsked")
    preference = try? read.string("preference")
    desktop = try? read.string("desktop")
    directory = try? read.string("directory")
    dataDirectory = try? read.string("dataDirectory")
    process = try? read.integer("process")
  }
}
