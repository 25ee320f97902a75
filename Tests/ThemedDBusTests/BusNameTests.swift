import Testing
import ThemedSystem

@testable import ThemedDBus

@Suite("Names on the bus")
struct BusNameTests {
  @Test("What a bus gives as an owner is called only where it can be one", arguments: [":1.42", "org.themed.theme"])
  func names(name: Text) {
    #expect(Value.string(name).busName == name)
    _ = Message.call(name, "/", "a.b", "C").bytes(serial: 1)
  }

  @Test(
    "What no name can be is none: libdbus would end the process",
    arguments: ["", "one", "1.2", ":1..2", "a.b c", "a.b\n", "a.é", Text(String(repeating: "a.", count: 200) + "a")]
  )
  func others(name: Text) {
    #expect(Value.string(name).busName == nil)
  }

  @Test("What is no string is no name")
  func kinds() {
    #expect(Value.uint32(1).busName == nil)
    #expect(Value.array([.string(":1.1")]).busName == nil)
  }
}
