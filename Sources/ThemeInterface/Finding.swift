public import ThemedText
internal import ThemedVarlink

/// Something that a check of a user's setup has found.
public struct Finding: Sendable, Hashable {
  /// What it is called, for programs.
  public let name: Text
  /// What was found.
  public let what: String
  /// Why it matters, where something is wrong.
  public let why: String?
  /// What to do about it, in words; nil where what to type says it all.
  public let fix: String?
  /// What to type then, each a command of its own.
  public let commands: [String]

  /// Something that is wrong, and what to do about it, or to type, or both.
  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: String...) {
    self.init(name, what, why: why, fix: fix, type: commands)
  }

  /// Something that is wrong, and what to do about it, or to type, or both.
  public init(_ name: Text, _ what: String, why: String, fix: String? = nil, type commands: [String]) {
    self.name = name
    self.what = what
    self.why = why
    self.fix = fix
    self.commands = commands
  }

  /// Something that is as it is.
  public init(fact name: Text, _ what: String) {
    self.name = name
    self.what = what
    why = nil
    fix = nil
    commands = []
  }

  /// A file that does not answer, as on a network mount whose server is gone: nothing after it was looked at.
  public init(unanswered path: String) {
    self.init(
      Self.unanswered, "\(path) does not answer", why: "whoever reads it waits, and nothing after it was looked at",
      fix: "see whether its disk or its server is there; 'umount -l' takes away a mount whose server is gone",
      type: "findmnt")
  }

  /// A file does not answer.
  public static let unanswered: Text = "no_answer_of_file"

  /// The portal's raw answer, for programs to compare.
  public static let portalValue: Text = "portal_value"

  /// The addresses of the session bus, as ``Diagnostics/Bus/address`` has them, for programs to compare.
  public static let busAddress: Text = "bus_address"

  /// The portal does not run, and no graphical session is seen that it would start with: a fact of this name is none
  /// where the running daemon knows of one.
  public static let portalWaits: Text = "portal_waits"

  /// The portal does not run, and should, or is not installed.
  public static let missingPortal: Text = "no_portal"

  /// Whether it is a fact that is not for people.
  public var isForPrograms: Bool {
    name == Self.portalValue || name == Self.busAddress || name == PortalChainFacts.finding
  }

  /// Whether something is wrong.
  public var isProblem: Bool { why != nil }

  /// For people: a line, and below it, where something is wrong, a line each for why it matters, what to do and what to
  /// type.
  ///
  /// Whatever a bus or a file has put into it, it is fit for a terminal.
  public var text: String {
    let lines = [(isProblem ? "problem: " : "fine: ") + what, why.map { "  " + $0 }, fix.map { "  do: " + $0 }]
    let all = lines.compactMap(\.self) + commands.map { "  type: " + $0 }
    return all.map { Text($0).shown() }.joined(separator: "\n")
  }

  /// One line for programs.
  public var json: String {
    let object: JSON.Object = [
      "name": .string(name), "what": .word(what), "why": why.map(JSON.word), "fix": fix.map(JSON.word),
      "commands": commands.isEmpty ? nil : .array(commands.map(JSON.word)),
    ]
    return JSON.object(object).text
  }

  /// Reads what ``json`` wrote; nil where it is something else.
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
