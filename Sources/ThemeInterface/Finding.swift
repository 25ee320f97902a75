public import ForeignText
internal import Varlink

/// Something that a check of a user's setup has found.
public struct Finding: Sendable, Hashable {
  /// What it is called, for programs.
  public let name: Text
  /// What was found.
  public let what: String
  /// Why it matters, where something is wrong.
  public let why: String?
  /// What to type or to do about it, where something is wrong.
  public let fix: String?

  /// Something that is wrong.
  public init(_ name: Text, _ what: String, why: String, fix: String) {
    self.name = name
    self.what = what
    self.why = why
    self.fix = fix
  }

  /// Something that is as it is.
  public init(fact name: Text, _ what: String) {
    self.name = name
    self.what = what
    why = nil
    fix = nil
  }

  /// The portal's raw answer, for programs to compare: a fact of this name is not for people.
  public static let portalValue: Text = "portal_value"

  /// Whether something is wrong.
  public var isProblem: Bool { fix != nil }

  /// One line for people.
  ///
  /// Whatever a bus or a file has put into it, it is fit for a terminal.
  public var text: String {
    let line = isProblem ? "problem: \(what); \(why ?? ""); try: \(fix ?? "")" : "fine: \(what)"
    return Text(line).shown()
  }

  /// One line for programs.
  public var json: String {
    let object: JSON.Object = [
      "name": .string(name), "what": .word(what), "why": why.map(JSON.word), "fix": fix.map(JSON.word),
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
  }
}
