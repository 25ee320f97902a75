import Glibc
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// What the service manager is told next, and what it never hears.
@Suite struct NotificationsTests {
  private var notifications = Notifications()

  @Test mutating func `readiness is alone in its datagram, whatever the status quotes`() {
    notifications.ready()
    notifications.status(String(repeating: "x", count: 1_000_000))
    let told = tellAll()
    #expect(told.first == "READY=1")
    #expect(told.count == 2)
    #expect(told[1].utf8.count < 600)
  }

  @Test mutating func `a status is one line without orders to a terminal`() {
    notifications.status("a\nREADY=1\u{2028}\u{1B}[2J\r\nb")
    #expect(tellAll() == ["STATUS=a?READY=1??[2J??b"])
  }

  @Test mutating func `however often it reloads while nobody listens, the newest pair waits`() {
    notifications.ready()
    for time in 1...1000 {
      notifications.reloading(at: Int64(time))
      notifications.ready()
      notifications.status("\(time)")
    }
    #expect(tellAll() == ["RELOADING=1\nMONOTONIC_USEC=1000", "READY=1", "STATUS=1000"])
  }

  @Test mutating func `while it reloads it is not ready, also where it was before and that was not told`() {
    notifications.ready()
    notifications.reloading(at: 7)
    #expect(tellAll() == ["RELOADING=1\nMONOTONIC_USEC=7"])
    notifications.ready()
    #expect(tellAll() == ["READY=1"])
  }

  @Test mutating func `from its end on it is neither ready nor reloading nor alive`() {
    notifications.removeStored("x")
    notifications.reloading(at: 1)
    notifications.ready()
    notifications.alive()
    notifications.stopping()
    notifications.reloading(at: 2)
    notifications.ready()
    notifications.alive()
    #expect(tellAll() == ["FDSTOREREMOVE=1\nFDNAME=x", "STOPPING=1"])
  }

  @Test mutating func `a sign of life comes before a status, and once for many that were due`() {
    notifications.status("dark")
    notifications.alive()
    notifications.alive()
    #expect(tellAll() == ["WATCHDOG=1", "STATUS=dark"])
  }

  @Test func `a manager that never answers is waited for a bounded time, whether it reads or not`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("notify")
    // A datagram socket that nobody reads.
    let socket = try datagramSocket(.blocking)
    #expect(bindSocket(socket.raw, path))
    let manager = ServiceManager(at: try SocketAddress(path: path))
    // The first ones find room in its queue and no answer, the later ones no room.
    for _ in 0..<20 {
      #expect(throws: SystemError.self) {
        try manager.store(FileDescriptor(owning: dup(socket.raw)), as: "x", withinMilliseconds: 20)
      }
    }
  }

  @Test(arguments: [EAGAIN, ENOBUFS, ENOMEM, EMFILE, ENFILE])
  func `what is short now may not be later`(code: CInt) {
    #expect(SystemError("sending", code).isTemporary)
  }

  private mutating func tellAll() -> [String] {
    var told: [String] = []
    while let (kind, assignments) = notifications.next {
      told.append(assignments)
      notifications.wasTold(kind)
    }
    return told
  }
}

private func bindSocket(_ socket: CInt, _ path: String) -> Bool {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
  return unsafe withUnsafePointer(to: &address) { address in
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
}
