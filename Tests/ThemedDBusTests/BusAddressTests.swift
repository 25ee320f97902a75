import Testing
import ThemedSystem

@testable import ThemedDBus

@Suite("The session bus's address")
struct BusAddressTests {
  private func addresses(_ variable: Text?, _ directory: String? = "/run/user/7") throws -> [String] {
    try BusAddress.session(variable: variable, runtimeDirectory: directory).map(\.description)
  }

  @Test("The variable says where the bus is, with its guid ignored")
  func path() throws {
    #expect(try addresses("unix:path=/tmp/bus,guid=0123") == ["/tmp/bus"])
  }

  @Test("An abstract name is taken")
  func abstract() throws {
    #expect(try addresses("unix:abstract=/tmp/dbus-x,guid=0123") == ["@/tmp/dbus-x"])
  }

  @Test("Escaped bytes are unescaped")
  func escapes() throws {
    #expect(try addresses("unix:path=/tmp/a%20b%2cc") == ["/tmp/a b,c"])
  }

  @Test("Several addresses are tried in their order, those of another kind left out")
  func several() throws {
    #expect(try addresses("tcp:host=localhost,port=1;unix:path=/a;autolaunch:;unix:path=/b") == ["/a", "/b"])
  }

  @Test("Without the variable the bus is in the runtime directory")
  func runtimeDirectory() throws {
    #expect(try addresses(nil) == ["/run/user/7/bus"])
  }

  @Test("With neither there is no bus")
  func none() {
    #expect(throws: BusAddress.Problem.none) { try addresses(nil, nil) }
  }

  @Test(
    "An address that would start a program, open the network or is cut short is refused, and named",
    arguments: [
      "autolaunch:", "unixexec:path=/bin/sh", "tcp:host=localhost,port=4", "unix:", "unix:path", "unix:path=/a%2",
      "unix:path=/a%zz", "unix:path=/a%+f", "nonsense",
      "unix:path\u{301}=/a", "unix\u{301}:path=/a", "unix:path=\u{301}/a%2\u{301}0",
    ])
  func unsupported(_ address: Text) {
    #expect(throws: BusAddress.Problem.unsupported(address)) { try addresses(address) }
  }
}
