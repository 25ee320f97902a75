import Foundation
import ThemedTestSupport
import ThemedText
import Testing

@testable import ThemeApply

/// The rule that ends nobody, with real processes of a program that is called as no other one is.
@Suite(.ownThreads) struct SignalsTests {
  /// A Python of another name: the rule goes by the name of the program's file.
  private func withProgram(_ body: (Session, _ path: String, _ name: Text) throws -> Void) throws {
    try withSession { session in
      let python = URL(fileURLWithPath: try Products.python()).resolvingSymlinksInPath()
      let name = "tells-\(UInt32.random(in: 0 ... .max))"
      let path = session.directory.path(name)
      try FileManager.default.copyItem(atPath: python.path, toPath: path)
      session.environment["PYTHONHOME"] = python.deletingLastPathComponent().deletingLastPathComponent().path
      session.environment["PYTHONUNBUFFERED"] = "1"
      try body(session, path, Text(name))
    }
  }

  @Test func `a process with a handler is told, one without is left alone and lives`() throws {
    try withProgram { session, path, name in
      let handler = """
        import signal
        signal.signal(signal.SIGUSR1, lambda *_: print('told'))
        print('ready')
        while True: signal.pause()
        """
      let ready = try session.spawn(path, ["-c", handler])
      #expect(try ready.line() == "ready")
      let unready = try session.spawn(path, ["-c", "import time; print('ready'); time.sleep(1000)"])
      #expect(try unready.line() == "ready")
      let result = Signals.send(SIGUSR1, toThoseRunning: [name], youngerThan: 0)
      #expect(result.told == [ready.pid] && result.unready == [unready.pid] && result.failed.isEmpty)
      #expect(try ready.line() == "told")
      #expect(unready.isRunning)
      // Another signal is another question.
      #expect(Signals.send(SIGUSR2, toThoseRunning: [name], youngerThan: 0).told.isEmpty)
      #expect(ready.isRunning && unready.isRunning)
    }
  }

  @Test func `blocked in every thread is ready with a descriptor of its own, and blocked in all but one is not`() throws
  {
    try withProgram { session, path, name in
      func blocking(_ threadBlocks: Bool, outlivesExec: Bool = false) -> String {
        """
        import ctypes, os, signal, threading, time
        usr = {signal.SIGUSR1}
        signal.pthread_sigmask(signal.SIG_BLOCK, usr)
        mask = (ctypes.c_uint64 * 16)(1 << signal.SIGUSR1 - 1)
        taken = ctypes.CDLL(None).signalfd(-1, mask, \(outlivesExec ? "0" : "os.O_CLOEXEC"))
        def sleep():
          if not \(threadBlocks ? "True" : "False"): signal.pthread_sigmask(signal.SIG_UNBLOCK, usr)
          print('ready')
          time.sleep(1000)
        threading.Thread(target=sleep).start()
        while signal.SIGUSR1 not in signal.sigpending(): time.sleep(0.01)
        print('SIGUSR1')
        time.sleep(1000)
        """
      }
      let whole = try session.spawn(path, ["-c", blocking(true)])
      #expect(try whole.line() == "ready")
      let torn = try session.spawn(path, ["-c", blocking(false)])
      #expect(try torn.line() == "ready")
      // As script(1) leaves one to the shell that it starts.
      let left = try session.spawn(path, ["-c", blocking(true, outlivesExec: true)])
      #expect(try left.line() == "ready")
      let result = Signals.send(SIGUSR1, toThoseRunning: [name], youngerThan: 0)
      #expect(result.told == [whole.pid] && Set(result.unready) == [torn.pid, left.pid])
      #expect(try whole.line() == "SIGUSR1")
      #expect(torn.isRunning && left.isRunning)
    }
  }

  @Test func `a process at its very start survives, however often it is tried`() throws {
    try withProgram { session, path, name in
      for _ in 0..<20 {
        let process = try session.spawn(path, ["-c", "import time; print('ready'); time.sleep(1000)"])
        for _ in 0..<5 { _ = Signals.send(SIGUSR1, toThoseRunning: [name], youngerThan: 0) }
        #expect(try process.line() == "ready")
        process.stop()
      }
    }
  }

  @Test func `a process that has just started is not told, and is when it is asked again`() throws {
    try withProgram { session, path, name in
      let handler = """
        import signal
        signal.signal(signal.SIGUSR1, lambda *_: print('told'))
        print('ready')
        while True: signal.pause()
        """
      let ready = try session.spawn(path, ["-c", handler])
      #expect(try ready.line() == "ready")
      let first = Signals.send(SIGUSR1, toThoseRunning: [name])
      #expect(first.told.isEmpty && first.unready.isEmpty && first.young.map(\.number) == [ready.pid])
      #expect((1...Limits.youngProcess).contains(first.wait))
      // Others are not told with it.
      let stranger = ProcessIdentity(number: ready.pid, start: 0)
      #expect(Signals.send(SIGUSR1, toThoseRunning: [name], meant: [stranger], youngerThan: 0) == Signals.Result())
      usleep(UInt32(first.wait) * 1000)
      #expect(Signals.send(SIGUSR1, toThoseRunning: [name], meant: first.young).told == [ready.pid])
      #expect(try ready.line() == "told")
    }
  }

  @Test func `a name that a process merely says is another program's`() throws {
    try withProgram { session, _, name in
      let script = "exec -a \(name) python3 -c 'import time; print(1); time.sleep(1000)'"
      let liar = try session.spawn("bash", ["-c", script])
      _ = try liar.line()
      #expect(Signals.send(SIGUSR1, toThoseRunning: [name], youngerThan: 0) == Signals.Result())
      #expect(liar.isRunning)
    }
  }
}
