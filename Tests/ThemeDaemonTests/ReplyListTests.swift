import Testing
import ThemedInterface
import ThemedSystem
import ThemedVarlink

@testable import ThemeDaemon

/// A list as a reply, and when it is told again.
@Suite struct ReplyListTests {
  @Test("The reply is what it would be if it were written at once")
  func bytes() throws {
    let clients = [Client(app: "a\"\n", processID: 1), Client(app: nil, processID: 2)]
    for continues in [false, true] {
      for count in 0...2 {
        let objects = clients.prefix(count).map(\.parameters)
        let list = ReplyList("clients", objects)
        let reply = Reply(["clients": .array(objects.map(JSON.object))], continues: continues)
        #expect(list.frame(continues: continues) == reply.frame)
      }
    }
    var list = ReplyList("clients", clients.map(\.parameters))
    list.omit(3)
    let reply = Reply(["clients": .array(clients.map { .object($0.parameters) }), "omitted": .integer(3)])
    #expect(list.frame(continues: false) == reply.frame)
  }

  @Test("A list of clients says how many more there are than one reply has room for, whatever their names hold")
  func crowd() throws {
    let clients = (0..<16_384).map { Client(app: Text(String(repeating: "\"", count: 255)), processID: $0) }
    let reply = ReplyList("clients", clients.lazy.map(\.parameters))
    let list = try reply.read("clients", Client.init)
    #expect(list.count + list.omitted == clients.count)
    #expect(Array(list) == Array(clients.prefix(list.count)))
    // Not needlessly few, and below what clients take.
    #expect(900_000...1 << 20 ~= reply.frame(continues: true).count)
  }

  @Test("A shorter element than one that did not fit is not listed in its place")
  func order() {
    var list = ReplyList("a")
    list.append([UInt8](repeating: UInt8(ascii: "1"), count: Limits.list))
    list.append([UInt8(ascii: "2")])
    #expect(list.omitted == 2 && list.isFull)
  }

  @Test("A list that changes is told at once, and then so seldom, however often it changes")
  func pace() {
    var pace = ListPace()
    #expect(pace.changed(now: 1_000) == 0)
    #expect(pace.changed(now: 1_000) == nil, "it is on its way")
    pace.told(now: 1_001)
    #expect(pace.changed(now: 1_011) == Limits.listPause - 10)
    #expect(pace.changed(now: 1_012) == nil)
    pace.told(now: 1_001 + Limits.listPause)
    #expect(pace.changed(now: 5_000) == 0, "after a while without a change")
  }
}
