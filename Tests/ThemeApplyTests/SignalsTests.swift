import Foundation
import Testing
import ThemedSystem
import ThemedTestSupport

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

  /// What has a handler that says when it is told.
  private static let handler = """
    import signal
    signal.signal(signal.SIGUSR1, lambda *_: print('told'))
    print('ready')
    while True: signal.pause()
    """

  private func readyProgram(_ session: Session, _ path: String) throws -> ChildProcess {
    let ready = try session.spawn(path, ["-c", Self.handler])
    #expect(try ready.line() == "ready")
    return ready
  }

  @Test func `a process with a handler is told, one without is left alone and lives`() throws {
    try withProgram { session, path, name in
      let ready = try readyProgram(session, path)
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
      let ready = try readyProgram(session, path)
      // However long that took.
      let hour = 3_600_000
      let first = Signals.send(SIGUSR1, toThoseRunning: [name], youngerThan: hour)
      #expect(first.told.isEmpty && first.unready.isEmpty && first.young.map(\.number) == [ready.pid])
      #expect((1...hour).contains(first.wait))
      // Others are not told with it.
      let stranger = ProcessIdentity(number: ready.pid, start: 0)
      #expect(Signals.send(SIGUSR1, toThoseRunning: [name], meant: [stranger], youngerThan: 0) == Signals.Result())
      // Those who are meant are told whatever they seem: they have waited.
      #expect(Signals.send(SIGUSR1, toThoseRunning: [name], meant: first.young, youngerThan: hour).told == [ready.pid])
      #expect(try ready.line() == "told")
    }
  }

  @Test func `a program with which an old process has just begun is not told, and is when it is asked again`()
    throws
  {
    try withProgram { session, path, name in
      // It begins anew with each line, as a script that waits first begins with its last program.
      let script = """
        import os, signal, sys
        signal.signal(signal.SIGUSR1, lambda *_: print('told'))
        print('ready')
        os.read(0, 64)
        os.execv(sys.argv[1], [sys.argv[1], sys.argv[0], sys.argv[1]])
        """
      let file = try session.directory.write(script, to: "again.py")
      let process = try session.spawn(path, [file, path], input: [])
      func begin() throws {
        #expect(try process.line() == "ready")
      }
      try begin()
      let (minimum, ages) = (200, ProgramAge())
      try eventually { try #require(ProcessStat(process.pid)).age >= minimum }
      func send(_ meant: Set<ProcessIdentity> = []) -> Signals.Result {
        Signals.send(SIGUSR1, toThoseRunning: [name], meant: meant, youngerThan: minimum, ages)
      }
      try process.send(line: "again")
      try begin()
      let first = send()
      #expect(first.told.isEmpty && first.young.map(\.number) == [process.pid] && first.wait == minimum)
      try process.send(line: "again")
      try begin()
      let second = send(first.young)
      #expect(second.told.isEmpty && second.young.map(\.number) == [process.pid] && second.young != first.young)
      #expect(send(second.young).told == [process.pid])
      #expect(try process.line() == "told")
      // Who was seen long enough needs not wait.
      try eventually { send().told == [process.pid] }
      #expect(try process.line() == "told")
    }
  }

  @Test func `a program is as old as its oldest other thread, or as it was seen, and an exec begins anew`() {
    let (ages, name) = (ProgramAge(), ["a"] as [Text])
    let one = ProcessIdentity(number: 7, start: 1, stack: 9)
    let other = ProcessIdentity(number: 7, start: 1, stack: 8)
    func age(_ process: ProcessIdentity, _ threads: [Int], _ now: Int) -> Int {
      ages.age(threads: threads, of: process, running: name, now: now)
    }
    #expect(age(one, [200, 900], 1_000) == 900)
    #expect(age(one, [], 1_500) == 500 && age(one, [100], 2_000) == 1_000)
    #expect(age(other, [], 2_000) == 0 && age(other, [], 5_000) == 3_000)
    ages.keep([one], running: name)
    #expect(age(one, [], 6_000) == 5_000 && age(other, [], 6_000) == 0)
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
