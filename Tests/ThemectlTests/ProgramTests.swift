import Glibc
import Testing
import ThemedSystem

/// Programs that are run for a limited time.
@Suite struct ProgramTests {
  @Test(arguments: ["exec sleep 1000", "trap '' TERM; while :; do sleep 0.1; done"])
  func `one that takes too long is ended, and told from one that fails, also where it does not heed the first signal`(
    script: String
  ) throws {
    #expect(try #require(Program.run(["sh", "-c", script], atMost: 1)).tookTooLong)
    let failed = try #require(Program.run(["sh", "-c", "exit 3"], atMost: 60))
    #expect(failed.status == 3 && !failed.tookTooLong)
    let killed = try #require(Program.run(["sh", "-c", "kill -KILL $$"]))
    #expect(killed.status == 128 && !killed.tookTooLong)
  }

  @Test(arguments: [nil, 60])
  func `what it leaves in the background is not waited for, though it holds its output`(limit: Int?) throws {
    let words = ["sh", "-c", "sleep 1000 & echo $!; echo 1.2"]
    for run in Program.runAll([words, words], atMost: limit) {
      let run = try #require(run)
      #expect(run.lines.count == 2 && run.lines.last == "1.2")
      #expect(run.status == 0 && !run.tookTooLong)
      let left = try #require(run.lines.first.flatMap { pid_t($0.string) })
      #expect(kill(left, SIGKILL) == 0, "it had gone on")
    }
  }

  @Test func `the limit holds for one that goes on printing, and what it printed is told`() throws {
    let run = try #require(Program.run(["sh", "-c", "echo first; while :; do echo more; done"], atMost: 3))
    #expect(run.tookTooLong)
    #expect(run.lines.first == "first")
  }

  @Test func `of programs that run at the same time none waits for another to be read`() throws {
    // More than a pipe holds, of the last one.
    let words = ["sh", "-c", "read -r line; head -c 300000 /dev/zero | tr '\\0' x; echo"]
    let runs = Program.runAll([["sleep", "2"], words], atMost: 60)
    #expect(runs.allSatisfy { $0?.status == 0 && $0?.tookTooLong == false })
    #expect(runs.last??.lines.first?.utf8.count == 300_000)
  }
}
