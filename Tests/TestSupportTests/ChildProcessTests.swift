import Glibc
import Testing

@testable import ThemedTestSupport

/// What tests start: it has what it is given, and an end.
@Suite struct ChildProcessTests {
  @Test(.enabled(if: !triesPrograms, "make test-programs has them installed"))
  func `a program that make test does not install is no program to it, though it be here`() throws {
    for name in ["emacs", "kitty"] {
      // Where it is not here, another failure says so.
      let failure = #expect(throws: Failure.self, "\(name)") { try Products.system(name) }
      #expect(failure?.description.contains("it is for make test-programs") == true, "\(name)")
    }
    // Both install this one.
    #expect(try Products.system("tmux").hasSuffix("/tmux"))
  }

  @Test func `a program has the descriptors that it is given, and no other of the tests'`() throws {
    var ends: [Int32] = [-1, -1]
    // As a library opens one.
    #expect(unsafe pipe(&ends) == 0)
    let (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
    try withSession { session in
      // The last is the directory that it reads.
      #expect(try session.run("ls", ["-1", "/proc/self/fd"]).lines == ["0", "1", "2", "3"])
      let given = try ChildProcess(
        Products.system("ls"), ["-1", "/proc/self/fd"], environment: session.environment, descriptors: [writing])
      #expect(try given.wait() == .exited(0))
      #expect(given.lines == ["0", "1", "2", "3", "4"])
    }
    withExtendedLifetime(reading) {}
  }

  @Test func `a program has the signals and the limits that the tests were started with`() throws {
    try TestRun.begin()
    try withSession { session in
      let status = try session.run("cat", ["/proc/self/status"]).lines
      let ignored = status.first { $0.hasPrefix("SigIgn:\t") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
      // But for the two that are glibc's own, which who started us may have left so.
      #expect(ignored.map { $0 & ~(3 << 31) } == 0, "SIGPIPE is ignored here, not there: \(status)")
      #expect(status.contains("SigBlk:\t0000000000000000"))
      let limit = try session.run("sh", ["-c", "ulimit -n"]).output
      #expect(limit == "\(try TestRun.current.get().openFiles)")
    }
  }

  @Test func `to write to a program that has ended is an error, and not the end of the tests`() throws {
    try withSession { session in
      let program = try session.spawn("true", input: [])
      #expect(try program.wait() == .exited(0))
      #expect(throws: Failure.self) { try program.send(line: "hello") }
    }
  }

  @Test func `a program that is not there is an error that names it`() throws {
    try withSession { session in
      let error = #expect(throws: Failure.self) { try session.run("/nowhere/program") }
      #expect(error?.description.contains("/nowhere/program: No such file or directory") == true)
    }
  }

  @Test func `a program that does not end is killed in the end, and says so`() throws {
    let program = try ChildProcess(Products.system("sleep"), ["1000"], environment: [:], lifetime: 0.1)
    #expect(try program.wait() == .signaled(SIGKILL))
    #expect(program.errors.hasPrefix("killed after "))
  }

  @Test(arguments: [("None", true), ("120000", true), ("20000", false)])
  func `a program rests if nothing wakes it for so long`(time: String, rests: Bool) throws {
    try withSession { session in
      let script = "import select, sys; print(flush=True); p = select.poll(); p.register(0); p.poll(\(time))"
      let program = try session.spawn("python3", ["-c", script], input: [])
      _ = try program.line()
      // It is in its call then, or soon.
      try eventually { try program.kernelFile("syscall").contains(" ") }
      if rests { try eventually { try program.rests(forSeconds: 60) } }
      #expect(try program.rests(forSeconds: 60) == rests)
    }
  }
}
