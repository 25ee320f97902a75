import Foundation
import ThemedTestSupport
import Testing

/// How long tests wait.
@Suite struct AllowanceTests {
  @Test func `a standstill that is longer than the wait does not end it, and time that goes by does`() {
    var allowance = Allowance(seconds: 1.5)
    Thread.sleep(forTimeInterval: 3)
    #expect(allowance.next() != nil)
    var waits = 0
    while let next = allowance.next() {
      // A little longer, since two clocks may differ by a little.
      Thread.sleep(forTimeInterval: next + 0.1)
      waits += 1
    }
    #expect(waits <= 1)
  }
}
