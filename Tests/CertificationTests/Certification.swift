import ThemedSystem
import ThemedVarlink

/// The rounds of `org.varlink.certification`: what each call has to bring, and what it gets.
struct Certification {
  static let interface = "org.varlink.certification"

  /// One call, by the name of its method.
  struct Round {
    let method: String
    var flag: Call.Flag?
    /// Its parameters besides the client's id.
    var wants: JSON.Object = [:]
    /// What it is answered, each reply but the last with `continues`.
    var replies: [JSON.Object] = [[:]]
  }

  private static let values: JSON.Object = [
    "bool": .bool(false), "int": .integer(2), "float": .number(.pi), "string": .string("a lot of string"),
  ]
  private static let map: JSON = .object(["foo": .string("Foo"), "bar": .string("Bar")])
  private static let words: JSON = .array([.string("one"), .string("two"), .string("three")])
  private static let set: JSON = .object(["one": .object([:]), "two": .object([:]), "three": .object([:])])
  private static let mytype: JSON.Object = [
    "object": .object(["method": .word(interface + ".Test09"), "parameters": .object(["map": map])]),
    "enum": .string("two"), "struct": .object(["first": .integer(1), "second": .string("2")]), "array": words,
    "dictionary": map, "stringset": set,
    "interface": .object([
      "foo": .array([
        .null, .object(["foo": .string("foo"), "bar": .string("bar")]), .null,
        .object(["one": .string("foo"), "two": .string("bar")]),
      ]),
      "anon": .object(["foo": .bool(true), "bar": .bool(false)]),
    ]),
  ]
  private static let lines = (1...10).map { JSON.string("Reply number \($0)") }

  static let rounds = [
    Round(method: "Start"),
    Round(method: "Test01", replies: [["bool": .bool(true)]]),
    Round(method: "Test02", wants: ["bool": .bool(true)], replies: [["int": .integer(1)]]),
    Round(method: "Test03", wants: ["int": .integer(1)], replies: [["float": .number(1)]]),
    Round(method: "Test04", wants: ["float": .number(1)], replies: [["string": .string("ping")]]),
    Round(method: "Test05", wants: ["string": .string("ping")], replies: [values]),
    Round(method: "Test06", wants: values, replies: [["struct": .object(values)]]),
    Round(method: "Test07", wants: ["struct": .object(values)], replies: [["map": map]]),
    Round(method: "Test08", wants: ["map": map], replies: [["set": set]]),
    Round(method: "Test09", wants: ["set": set], replies: [["mytype": .object(mytype)]]),
    Round(
      method: "Test10", flag: .more, wants: ["mytype": .object(mytype)], replies: lines.map { ["string": $0] }),
    Round(method: "Test11", flag: .oneway, wants: ["last_more_replies": .array(lines)]),
    Round(method: "End", replies: [["all_ok": .bool(true)]]),
  ]

  private var next = 0
  private let id = "one of our own"

  /// Answers a call, which has to be exactly the next one.
  mutating func answer(_ call: Call) -> [Reply] {
    let round = Self.rounds[next]
    var wants = round.wants
    if next > 0 { wants["client_id"] = .word(id) }
    let wanted = Call(method: Text(Self.interface + "." + round.method), parameters: wants, flag: round.flag)
    guard call.method == wanted.method, call.flag == wanted.flag,
      same(.object(call.parameters.withoutNulls), .object(wanted.parameters))
    else { return [Reply(Self.error(wants: wanted, got: call))] }
    next = (next + 1) % Self.rounds.count
    guard round.method != "Start" else { return [Reply(["client_id": .word(id)])] }
    return round.replies.enumerated().map { index, reply in
      Reply(reply, continues: index < round.replies.count - 1)
    }
  }

  private static func error(wants: Call, got: Call) -> VarlinkError {
    VarlinkError(
      name: Text(interface + ".CertificationError"),
      parameters: ["wants": .object(wants.parameters), "got": .object(got.parameters)])
  }
}

/// Whether two values mean the same: the order of members says nothing, and a float may be written as an integer.
private func same(_ one: JSON, _ other: JSON) -> Bool {
  switch (one, other) {
  case (.object(let one), .object(let other)):
    one.members.count == other.members.count
      && one.members.allSatisfy { member in other[member.name].map { same(member.value, $0) } ?? false }
  case (.array(let one), .array(let other)): one.count == other.count && zip(one, other).allSatisfy(same)
  case (.integer(let one), .number(let other)): Double(one) == other
  default: one == other
  }
}

extension JSON.Object {
  /// This object, and the structures in it, without the members that are null: those that are optional.
  fileprivate var withoutNulls: JSON.Object {
    var object = self
    for member in members {
      if member.value == .null { object[member.name] = nil }
      if case .object(let inner) = member.value { object[member.name] = .object(inner.withoutNulls) }
    }
    return object
  }
}
