import Testing
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemedClientCore

/// Another project's suite, the PyPI package `varlink`, drives our protocol from both ends.
@Suite(.ownThreads) struct CertificationTests {
  @Test func `our server passes the suite's client`() throws {
    try withSession { session in
      let path = session.directory.path("certification")
      let server = try CertificationServer(path: path, description: description(session))
      defer { server.close() }
      let client = try session.python(suite + ["--client", "--varlink=unix:" + path])
      #expect(client.status == .exited(0), "\(client.errors)")
      #expect(client.lines.last == "Certification passed")
    }
  }

  @Test func `our server tells a client that does not pass what it wanted`() throws {
    try withSession { session in
      let path = session.directory.path("certification")
      let server = try CertificationServer(path: path, description: description(session))
      defer { server.close() }
      var channel = try Channel(path: path, until: .test)
      let reply = try channel.call("Test01", ["client_id": .string("x")])
      #expect(reply.error == "org.varlink.certification.CertificationError")
    }
  }

  @Test func `our client passes the suite's server`() throws {
    try withSession { session in
      let path = session.directory.path("certification")
      let server = try session.spawnPython(suite + ["--varlink=unix:" + path])
      #expect(try server.line().hasPrefix("Listening on"))
      var channel = try Channel(path: path, until: .test)
      #expect(try channel.certify() == ["all_ok": .bool(true)])
    }
  }

  private let suite = ["-m", "varlink.tests.test_certification"]

  /// The interface's text, from the suite.
  private func description(_ session: Session) throws -> String {
    let program = """
      import os, varlink.tests as tests
      print(open(os.path.join(os.path.dirname(tests.__file__), "org.varlink.certification.varlink")).read())
      """
    let finished = try session.python(["-c", program])
    #expect(finished.status == .exited(0), "\(finished.errors)")
    return finished.output + "\n"
  }
}

extension Deadline {
  fileprivate static var test: Deadline { Deadline(after: .seconds(30)) }
}

extension Channel {
  /// Makes each call with what the one before it returned; returns what the last one did.
  fileprivate mutating func certify() throws -> JSON.Object {
    let id = try call("Start").parameters
    var returned: JSON.Object = [:]
    for number in 1...9 { returned = try call("Test0\(number)", id.merging(returned)).parameters }
    try send("Test10", id.merging(returned), flag: .more)
    var lines: [JSON] = []
    while true {
      let reply = try next()
      #expect(reply.error == nil, "\(reply)")
      if let line = reply.parameters["string"] { lines.append(line) }
      guard reply.continues else { break }
    }
    #expect(lines.count == 10)
    try send("Test11", id.merging(["last_more_replies": .array(lines)]), flag: .oneway)
    return try call("End", id).parameters
  }

  fileprivate mutating func call(_ method: String, _ parameters: JSON.Object = [:]) throws -> Reply {
    try send(method, parameters)
    let reply = try next()
    #expect(!reply.continues)
    return reply
  }

  private func send(_ method: String, _ parameters: JSON.Object, flag: Call.Flag? = nil) throws {
    let call = Call(method: "org.varlink.certification.\(method)", parameters: parameters, flag: flag)
    try send(call.frame, until: .test)
  }

  private mutating func next() throws -> Reply { try reply(until: .test) }
}

extension JSON.Object {
  fileprivate func merging(_ other: JSON.Object) -> JSON.Object {
    var merged = self
    for member in other.members { merged[member.name] = member.value }
    return merged
  }
}
