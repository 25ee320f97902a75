import Testing
import Unix

@testable import DBus

@Suite("The session bus's address")
struct BusAddressTests {
  private func addresses(_ variable: String?, _ directory: String? = "/run/user/7") throws -> [String] {
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
      "unix:path=/a%zz", "nonsense",
    ])
  func unsupported(_ address: String) {
    #expect(throws: BusAddress.Problem.unsupported(address)) { try addresses(address) }
  }

  @Test("What libdbus is given is escaped as the specification says, and reads back the same")
  func escaped() throws {
    let address = try SocketAddress(path: "/tmp/a b,c;d=é")
    let text = BusAddress.text(address)
    #expect(text == "unix:path=/tmp/a%20b%2cc%3bd%3d%c3%a9")
    #expect(try addresses(text) == ["/tmp/a b,c;d=é"])
  }
}

@Suite("Trying a bus again")
struct RetryTests {
  @Test("Each wait is twice as long as the one before, and after ten there is none")
  func backoff() {
    var retry = Retry()
    let delays = (0..<12).map { _ in retry.next(willShow: true) }
    #expect(delays == [20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, nil, nil])
  }

  @Test("What would not show in the file system is tried for ever, ever less often")
  func unseen() {
    var retry = Retry()
    let delays = (0..<40).compactMap { _ in retry.next(willShow: false) }
    #expect(delays.count == 40)
    #expect(delays.prefix(20).last == 20 << 19)
    #expect(delays.last == 20 << 25)
  }

  @Test("A new start waits as little as the first one")
  func reset() {
    var retry = Retry()
    _ = (0..<12).map { _ in retry.next(willShow: true) }
    retry.reset()
    #expect(retry.next(willShow: true) == 20)
  }
}
