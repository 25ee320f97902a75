import ThemedUnix
import Testing

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
}
