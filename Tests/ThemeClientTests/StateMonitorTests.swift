import Glibc
import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// The blocking way to follow.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct StateMonitorTests {
  @Test("It ends when whoever reads the output has gone, though nothing changes")
  func hangUp() throws {
    let scratch = try Scratch()
    scratch.makeDirectory()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(sample(.dark))
      try peer.awaitClose()
    }
    var ends: [CInt] = [-1, -1]
    unsafe pipe(&ends)
    do {
      var monitor = try StateMonitor(socket: scratch.socket)
      try monitor.connect()
      #expect(try monitor.next(whileOpen: ends[1])?.scheme == .dark)
      close(ends[0])
      #expect(try monitor.next(whileOpen: ends[1]) == nil)
      close(ends[1])
    }
    daemon.join()
  }

  @Test("Connecting early tells that no daemon runs")
  func connect() throws {
    let scratch = try Scratch()
    var monitor = try StateMonitor(socket: scratch.socket)
    let error = caught { () throws(CallError) in try monitor.connect() }
    #expect(error == .noDaemon(path: scratch.socket, reason: "No such file or directory"))
  }
}
