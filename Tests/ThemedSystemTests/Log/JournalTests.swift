import CThemedLinux
@testable import ThemedSystem
import Glibc
import Testing
import ThemedTestSupport

/// The log as the journal gets it: entries in its native protocol, at a socket of the test's own.
@Suite struct JournalTests {
  @Test func `a field is a line, and one that holds a line's end says its length`() {
    var entry = JournalEntry()
    entry.add("MESSAGE", "dark")
    entry.add("THEMED_CAUSE", "two\nlines")
    let length: [UInt8] = [9, 0, 0, 0, 0, 0, 0, 0]
    #expect(entry.bytes == Array("MESSAGE=dark\nTHEMED_CAUSE\n".utf8) + length + Array("two\nlines\n".utf8))
  }

  @Test(arguments: ["", "_PID", "9A", "message", "A B", "A=B", String(repeating: "A", count: 65), "Ä"])
  func `a field that the journal would not take, or would take for its own, is left out`(name: String) {
    var entry = JournalEntry()
    entry.add(name, "x")
    #expect(entry.bytes.isEmpty)
  }

  @Test func `a change has fields of its own, a priority, and one line of text whatever a peer sent`() throws {
    let journald = try Journald()
    var logger = journald.log.logger
    logger.level = .info
    logger.log(.info, "dark\nforged", ["THEMED_SCHEME": "dark"])
    #expect(
      try journald.receive() == "MESSAGE=dark?forged\nPRIORITY=6\nSYSLOG_IDENTIFIER=themed\nTHEMED_SCHEME=dark\n")
    logger.log(.warning, "beware")
    #expect(try journald.receive() == "MESSAGE=beware\nPRIORITY=4\nSYSLOG_IDENTIFIER=themed\n")
    logger.log(.debug, "nothing")
    #expect(try journald.receive() == nil)
  }

  @Test func `a journal that takes nothing holds up nothing, and hears later how much it has missed`() throws {
    let journald = try Journald()
    let logger = journald.log.logger
    for number in 0..<2000 { logger.log(.info, "line \(number)") }
    var received = 0
    while try journald.receive() != nil { received += 1 }
    #expect((1..<2000).contains(received))
    logger.log(.info, "after")
    #expect(
      try journald.receive()?.hasPrefix("MESSAGE=\(2000 - received) lines of the log could not be written\n") == true)
    #expect(try journald.receive()?.hasPrefix("MESSAGE=after\n") == true)
  }

  @Test func `what a stranger names moves nothing in a field of the journal either`() throws {
    let journald = try Journald()
    let logger = journald.log.logger
    logger.log(.info, "dark", ["THEMED_CAUSE": "\u{202E}two\nlines \u{1B}[2J"])
    #expect(try journald.receive()?.hasSuffix("THEMED_CAUSE=?two?lines ?[2J\n") == true)
  }

  @Test func `where journald is gone, lines go to standard error as it reads them`() throws {
    let pipe = try LogPipe()
    let scratch = try ScratchDirectory()
    let journal = Journal(at: scratch.path("none"))
    #expect(journal != nil)
    let logger = StandardErrorLog(journal: journal, descriptor: pipe.writing).logger
    logger.log(.notice, "hello", ["THEMED_SCHEME": "dark"])
    #expect(pipe.readLines(1) == ["<5>hello"])
  }
}

/// A socket in journald's place.
private final class Journald {
  let log: StandardErrorLog
  private let socket: FileDescriptor
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    socket = try datagramSocket(.nonblocking)
    let path = scratch.path("socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    let raw = socket.raw
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw SystemError("bind", errno) }
    log = StandardErrorLog(journal: Journal(at: path))
  }

  /// The next entry; nil where none has come.
  func receive() throws -> String? {
    try receiveMessage(maximum: 65_536, from: socket).map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
