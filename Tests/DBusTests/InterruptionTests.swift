import Glibc
import Testing
import Unix

@Suite("A call whose waits are interrupted")
struct InterruptionTests {
  /// As under valgrind, which delivers a signal some time after it was sent.
  @Test("leaves a process that survives an alarm which arrives late")
  func lateAlarm() {
    #expect(interruptingWaits { 7 } == 7)
    // Not caught, it would end the process, and this test with it.
    #expect(raise(SIGALRM) == 0)
  }
}
