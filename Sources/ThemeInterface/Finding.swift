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
  /// The advice, in words; nil if the commands are enough.
  public let fix: String?
  /// The commands to run, one per element.
  public let commands: [String]

  /// A problem, with what to do about it, the commands to run, or both.
  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: String...) {
    self.init(name, what, why: why, fix: fix, type: commands)
  }

  /// A problem, with what to do about it, the commands to run, or both.
  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: [String]) {
    self.name = name
    self.what = what
    self.why = why
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

  /// Whether only programs need this fact.
  public var isForPrograms: Bool {
    name == Self.portalValue || name == Self.busAddress || name == PortalChainFacts.finding
  }

  /// Whether something is wrong.
  public var isProblem: Bool { why != nil }

  /// The result for people: a line, and for a problem one line each for why it matters, what to do and which commands
  /// to run.
  ///
  /// The text is safe for a terminal, whatever a bus or a file contributed to it.
  public var text: String {
    let lines = [(isProblem ? "problem: " : "fine: ") + what, why.map { "  " + $0 }, fix.map { "  do: " + $0 }]
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
