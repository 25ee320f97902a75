import Testing
import ThemedSystem
import ThemedVarlink

/// What every Varlink service answers.
@Suite struct IntrospectionTests {
  private let service = Introspection(
    vendor: "Vendor", product: "Product", version: "1", url: "https://example.org",
    interfaces: [("org.example.thing", "interface org.example.thing\n")])

  @Test("GetInfo says who it is and lists every interface, its own first")
  func info() throws {
    let reply = try #require(try service.answer(Call(method: "org.varlink.service.GetInfo")))
    #expect(
      JSON.object(reply.parameters).text
        == #"{"vendor":"Vendor","product":"Product","version":"1","url":"https://example.org","#
        + #""interfaces":["org.varlink.service","org.example.thing"]}"#)
    #expect(reply.error == nil)
    #expect(!reply.continues)
  }

  @Test("GetInterfaceDescription gives the text of each interface")
  func descriptions() throws {
    func description(_ name: Text) throws -> JSON? {
      let parameters: JSON.Object = ["interface": .string(name)]
      return try service.answer(
        Call(method: "org.varlink.service.GetInterfaceDescription", parameters: parameters))?.parameters["description"]
    }
    #expect(try description("org.example.thing") == .string("interface org.example.thing\n"))
    guard case .string(let own)? = try description("org.varlink.service") else {
      Issue.record("no description of its own")
      return
    }
    for word in ["method GetInfo(", "method GetInterfaceDescription(", "error ExpectedMore ("] {
      #expect(own.string.contains(word))
    }
    #expect(throws: VarlinkError.interfaceNotFound("org.example.other")) { try description("org.example.other") }
  }

  @Test("A call of another interface here is the caller's to answer")
  func others() throws {
    #expect(try service.answer(Call(method: "org.example.thing.Method")) == nil)
    #expect(try service.answer(Call(method: "org.example.thing.")) == nil)
  }

  @Test(
    "A call of what is not here is refused by name",
    arguments: [
      (Call(method: "org.example.other.Method"), .interfaceNotFound("org.example.other")),
      (Call(method: "org.example.thing.sub.Method"), .interfaceNotFound("org.example.thing.sub")),
      (Call(method: "org.varlink.service.Unknown"), .methodNotFound("org.varlink.service.Unknown")),
      (Call(method: "org.varlink.service."), .methodNotFound("org.varlink.service.")),
      (Call(method: "Method"), .methodNotFound("Method")),
      (Call(method: ".Method"), .interfaceNotFound("")),
      (Call(method: "org.varlink.service.getinfo"), .methodNotFound("org.varlink.service.getinfo")),
      (Call(method: "org.varlink.service.GetInfo", parameters: ["x": .null]), .invalidParameter("x")),
      (Call(method: "org.varlink.service.GetInterfaceDescription"), .invalidParameter("interface")),
      (
        Call(method: "org.varlink.service.GetInterfaceDescription", parameters: ["interface": .integer(1)]),
        .invalidParameter("interface")
      ),
      (
        Call(
          method: "org.varlink.service.GetInterfaceDescription",
          parameters: ["interface": .string("org.varlink.service"), "x": .bool(true)]),
        .invalidParameter("x")
      ),
    ] as [(Call, VarlinkError)])
  func refusals(call: Call, error: VarlinkError) {
    #expect(throws: error) { try service.answer(call) }
  }
}
