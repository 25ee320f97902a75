import Testing
import ThemedSystem
import ThemedVarlink

/// The golden bytes of calls and replies, and what breaks the protocol.
@Suite struct MessageTests {
  @Test(
    "A call's frame holds what applies, and nothing else",
    arguments: [
      (Call(method: "a.B"), #"{"method":"a.B"}"#),
      (Call(method: "a.B", parameters: ["x": .integer(1)]), #"{"method":"a.B","parameters":{"x":1}}"#),
      (Call(method: "a.B", flag: .more), #"{"method":"a.B","more":true}"#),
      (Call(method: "a.B", flag: .oneway), #"{"method":"a.B","oneway":true}"#),
      (
        Call(method: "a.B", parameters: ["x": .null], flag: .upgrade),
        #"{"method":"a.B","parameters":{"x":null},"upgrade":true}"#
      ),
    ])
  func callFrames(call: Call, text: String) throws {
    #expect(call.frame == Array(text.utf8) + [0])
    #expect(try parsedCall(text) == call)
  }

  @Test(
    "A reply's frame holds what applies, and nothing else",
    arguments: [
      (Reply(), #"{"parameters":{}}"#),
      (Reply(["path": .string("/a/b")]), #"{"parameters":{"path":"/a/b"}}"#),
      (Reply(["x": .integer(1)], continues: true), #"{"parameters":{"x":1},"continues":true}"#),
      (Reply(.expectedMore), #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
      (
        Reply(.invalidParameter("a.b")),
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"a.b"}}"#
      ),
    ])
  func replyFrames(reply: Reply, text: String) throws {
    #expect(reply.frame == Array(text.utf8) + [0])
    #expect(try parsedReply(text) == reply)
  }

  @Test(
    "Absent, null and empty parameters are the same, and a flag that is false is none",
    arguments: [
      #"{"method":"a.B"}"#, #"{"method":"a.B","parameters":null}"#, #"{"method":"a.B","parameters":{}}"#,
      #" { "method" : "a.B" } "#, #"{"more":false,"method":"a.B","oneway":false,"upgrade":false}"#,
      #"{"method":"a.B","com.vendor.extension":[1]}"#, #"{"method":"a.B",".":null}"#,
    ])
  func sameCalls(text: String) throws {
    #expect(try parsedCall(text) == Call(method: "a.B"))
  }

  @Test(
    "A call that breaks the protocol is refused, and told why",
    arguments: [
      ("[]", .notAnObject), ("null", .notAnObject), ("\"a\"", .notAnObject), ("1", .notAnObject),
      ("{}", .noMethod), (#"{"parameters":{}}"#, .noMethod), (#"{"method":""}"#, .noMethod),
      (#"{"method":null}"#, .wrongType(member: "method")), (#"{"method":1}"#, .wrongType(member: "method")),
      (#"{"method":"a.B","parameters":[]}"#, .wrongType(member: "parameters")),
      (#"{"method":"a.B","parameters":"x"}"#, .wrongType(member: "parameters")),
      (#"{"method":"a.B","more":null}"#, .wrongType(member: "more")),
      (#"{"method":"a.B","more":1}"#, .wrongType(member: "more")),
      (#"{"method":"a.B","oneway":"true"}"#, .wrongType(member: "oneway")),
      (#"{"method":"a.B","upgrade":{}}"#, .wrongType(member: "upgrade")),
      (#"{"method":"a.B","more":true,"oneway":true}"#, .moreThanOneFlag),
      (#"{"upgrade":true,"method":"a.B","more":true}"#, .moreThanOneFlag),
      (#"{"method":"a.B","id":1}"#, .unknownMember("id")),
      (#"{"method":"a.B","Method":"a.B"}"#, .unknownMember("Method")),
      (#"{"method":"a.B","":1}"#, .unknownMember("")),
      (#"{"method":"a.B","a\nb\u0000":1}"#, .unknownMember("a?b?")),
    ] as [(String, Violation)])
  func callViolations(text: String, violation: Violation) {
    #expect(throws: violation) { try parsedCall(text) }
  }

  @Test(
    "What is not JSON is refused with the reason",
    arguments: ["", " ", "{", "x", "{}{}", #"{"method":"a","method":"a"}"#])
  func notJSON(text: String) {
    #expect {
      try parsedCall(text)
    } throws: { error in
      guard case Violation.notJSON(let reason)? = error as? Violation else { return false }
      return reason.contains("at byte")
    }
  }

  @Test("A name in a violation is short and fit for a log")
  func longNames() {
    let name = String(repeating: "n", count: 5000)
    #expect(throws: Violation.unknownMember(String(repeating: "n", count: 64) + "…")) {
      try parsedCall(#"{"method":"a.B","\#(name)":1}"#)
    }
  }

  @Test(
    "A reply of another service may write what does not apply as null",
    arguments: [#"{"error":null,"parameters":null,"continues":null}"#, #"{"continues":false}"#, "{}"])
  func replyNulls(text: String) throws {
    #expect(try parsedReply(text) == Reply())
  }

  @Test(
    "A reply that breaks the protocol is refused",
    arguments: [
      ("[]", .notAnObject), (#"{"error":1}"#, .wrongType(member: "error")),
      (#"{"parameters":[]}"#, .wrongType(member: "parameters")),
      (#"{"continues":"yes"}"#, .wrongType(member: "continues")), (#"{"result":{}}"#, .unknownMember("result")),
    ] as [(String, Violation)])
  func replyViolations(text: String, violation: Violation) {
    #expect(throws: violation) { try parsedReply(text) }
  }

  @Test("Each violation has words of its own")
  func descriptions() {
    let violations: [Violation] = [
      .notJSON("x"), .notAnObject, .wrongType(member: "x"), .noMethod, .moreThanOneFlag, .unknownMember("x"),
      .tooLong(maximum: 1), .ended, .unfinished, .newline, .unexpectedReply,
    ]
    #expect(Set(violations.map(\.description)).count == violations.count)
  }
}

func parsedCall(_ text: String) throws(Violation) -> Call {
  // Amid other messages, as in a connection's input.
  let bytes = Array("{\"a\":1}\0\(text)\0{}".utf8)
  return try Call(parsing: bytes, in: 8..<(8 + text.utf8.count))
}

func parsedReply(_ text: String) throws(Violation) -> Reply {
  try Reply(parsing: Array(text.utf8), in: 0..<text.utf8.count)
}
