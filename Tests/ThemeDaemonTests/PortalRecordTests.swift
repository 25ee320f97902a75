import Testing
import ThemedInterface
import ThemedDBus
import ThemedSystem

@testable import ThemeDaemon

@Suite struct PortalRecordTests {
  private let dark = Value.variant(.variant(.uint32(1)))
  private let light = Value.variant(.uint32(2))

  @Test func `an answer is kept as it came, with its time`() {
    var record = PortalRecord()
    record.owner(is: ":1.2")
    record.asked(1)
    let isNew = record.answered(1, dark, now: 9)
    #expect(isNew, "so the version is asked")
    #expect(record.portal.value == "<<uint32 1>>")
    #expect(record.portal.readAt == 9)
    #expect(!record.portal.standsIn)
    record.version(is: .variant(.uint32(2)))
    #expect(record.portal.version == 2)
    record.asked(2)
    let isNewAgain = record.answered(2, dark, now: 10)
    #expect(!isNewAgain, "only once for each portal")
  }

  @Test func `an answer stands in for a portal that is gone, or has not answered yet`() {
    var record = PortalRecord()
    record.owner(is: ":1.2")
    #expect(!record.portal.standsIn, "there is nothing yet that could")
    record.asked(1)
    _ = record.answered(1, dark, now: 9)
    record.owner(is: nil)
    #expect(record.portal.standsIn)
    #expect(record.portal.owner == nil)
    record.owner(is: ":1.3")
    #expect(record.portal.standsIn)
    _ = record.answered(1, light, now: 10)
    #expect(record.portal.value == "<<uint32 1>>", "an answer of the one before is stale")
    record.asked(2)
    _ = record.answered(2, light, now: 11)
    #expect(!record.portal.standsIn)
    #expect(record.portal.readAt == 11)
  }

  @Test func `what an earlier life of the daemon has read stands in until the portal answers`() {
    var record = PortalRecord(hasReading: true)
    #expect(record.portal.standsIn)
    record.owner(is: ":1.2")
    #expect(record.portal.standsIn)
    record.asked(1)
    _ = record.answered(1, dark, now: 9)
    #expect(!record.portal.standsIn)
  }

  @Test func `a signal that the read after it denies is told, and one that it confirms is not`() {
    var record = PortalRecord()
    record.owner(is: ":1.2")
    record.signaled(dark, by: ":1.2")
    record.asked(1)
    _ = record.answered(1, .variant(.uint32(1)), now: 9)
    #expect(record.portal.deniedSignal == nil, "however many variants there are around it")
    record.signaled(light, by: ":1.9")
    record.asked(2)
    _ = record.answered(2, dark, now: 9)
    #expect(record.portal.deniedSignal == nil, "it was not the portal's")
    record.signaled(.variant(.uint32(0)), by: ":1.2")
    record.asked(2)
    _ = record.answered(2, light, now: 9)
    #expect(record.portal.deniedSignal == nil, "without a preference, programs are light, too")
    record.signaled(light, by: ":1.2")
    _ = record.answered(2, dark, now: 9)
    #expect(record.portal.deniedSignal == nil, "that answer may be older than the signal")
    record.asked(3)
    _ = record.answered(3, dark, now: 9)
    #expect(record.portal.deniedSignal == "<uint32 2>")
    record.owner(is: nil)
    #expect(record.portal.deniedSignal == "<uint32 2>", "it may be why the portal was stopped")
    record.owner(is: ":1.4")
    #expect(record.portal.deniedSignal == nil)
  }

  @Test func `what a portal makes up does not fill the memory, and gives no orders to a terminal`() {
    var record = PortalRecord()
    record.owner(is: ":1.2")
    record.asked(1)
    _ = record.answered(1, .string(Text(String(repeating: "x", count: 100_000))), now: 9)
    record.failed(String(repeating: "y", count: 100_000), now: 9)
    #expect(record.portal.value?.utf8.count == Limits.portalText + "…".utf8.count)
    #expect(record.portal.lastError?.utf8.count == Limits.portalText + "…".utf8.count)
    record.asked(2)
    _ = record.answered(2, .string("\u{1B}[2J\u{202E}"), now: 9)
    #expect(record.portal.value == "'?[2J?'")
  }

  @Test(arguments: [
    (Value.variant(.variant(.uint32(1))), "<<uint32 1>>"), (.int32(-1), "-1"), (.string("a"), "'a'"),
    (.structure([.double(0.5), .byte(3)]), "(0.5, byte 3)"), (.array([.boolean(true), .int16(2)]), "[true, int16 2]"),
  ])
  func `a value is written as gdbus prints it`(value: Value, text: String) {
    #expect(value.text(atMost: 500) == text)
  }

  @Test func `of a value no more is written than is shown, however much there is`() {
    let bytes = Value.array(Array(repeating: .byte(1), count: 1_000_000))
    #expect(Value.variant(bytes).text(atMost: 20) == "<[byte 1, byte 1, by…")
    var deep = Value.uint32(1)
    for _ in 0..<64 { deep = .variant(deep) }
    #expect(deep.text(atMost: 10) == "<<<<<<<<<<…")
  }
}
