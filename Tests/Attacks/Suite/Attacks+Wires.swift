import Foundation
import ThemedTestSupport

extension Attack {
  /// By strangers on the session's bus.
  static let bus: [Attack] = [
    toBus("a stranger's signal whose namespace has 460,000 combining marks", "namespace"),
    toBus("a stranger's signal whose key has 460,000 combining marks", "key"),
    toBus("a stranger's signal whose value has 460,000 combining marks", "value"),
    toBus("a stranger's signals of 1 MB of bytes each", "bytes"),
    toBus("a stranger's calls with 1 MB of bytes each", "call-of-bytes"),
    toBus("a stranger's messages that are longer than any of a portal", "too-long"),
    toBus("a stranger's messages with descriptors attached", "descriptors"),
    toBus("calls of the daemon, which serves nothing on the bus", "calls"),
    toBus("a stranger's word for the bus's, that the portal's owner has changed", "owners"),
    toBus("a stranger's replies to calls that were made to others", "replies"),
    running("the portal's name changing hands as fast as the bus goes along") { world, seconds in
      let count = try world.attack(["bus", "flip", "0"], seconds: seconds) { _ in }
      try world.portal.tell("own")
      try world.changePortal()
      return count
    },
    own("a bus that hangs up after it has greeted", seconds: 3) { session, seconds in
      let bus = try session.spawnAttacker(["bus", "hang-up", session.directory.path("run/bus"), "\(seconds)"])
      try bus.errorLine(containing: "listening")
      let themed = try session.startThemed()
      let count = try bus.count()
      // It was 24 times a second, for ever.
      guard Double(count) <= 5 * seconds else { throw Failure("it was dialled \(count) times in \(seconds) s") }
      try session.expectServed(by: themed)
      return count
    },
  ]

  /// By the portal itself.
  static let portal: [Attack] = [
    running("values of every wrong type, from the portal itself") { world, seconds in
      let values = [
        "i:1", "x:1", "t:1", "y:1", "n:1", "q:1", "s:dark", "b:true", "d:1.0", "d:nan", "a:", "c:0.1,0.2,0.3",
        "c:9,9,9", "v:u:1", "v:v:u:1", "v:v:v:v:v:v:u:1", "u:7", "u:4294967295", "i:-1", "x:-9223372036854775808",
        "=u:1", "z:1000", "z:900000",
      ]
      let keys = ["color-scheme", "contrast", "accent-color", "reduced-motion"]
      let end = Date(timeIntervalSinceNow: seconds)
      var count = 0
      repeat {
        for key in keys {
          for value in values {
            try world.portal.tell("set \(key) \(value)")
            try world.portal.tell("emit \(key) \(value)")
            count += 1
          }
          try world.portal.tell("unset \(key)")
        }
      } while Date() < end
      try world.portal.tell("set color-scheme u:1")
      try world.changePortal()
      return count
    },
    running("a portal that signals without end, back and forth") { world, seconds in
      let end = Date(timeIntervalSinceNow: seconds)
      var count = 0
      repeat {
        try world.portal.tell("burst 200 color-scheme u:0 u:1 u:2")
        count += 200
      } while Date() < end
      try world.changePortal()
      return count
    },
  ]

  /// By clients of the socket.
  static let socket: [Attack] = [
    toSocket("calls with seventeen members, one of them named by 32,000 combining marks", "members"),
    toSocket("such calls, pipelined", "pipelined"),
    toSocket("calls of a method named by combining marks", "method"),
    toSocket("calls of an interface named by combining marks", "interface"),
    toSocket("calls with a flag named by combining marks", "flag"),
    toSocket("calls for an app named by combining marks", "app"),
    toSocket("calls for a theme named by combining marks", "theme"),
    toSocket("calls with a word of combining marks where one of a few is meant", "word"),
    toSocket("calls with a field named by combining marks", "fields"),
    toSocket("connections by the hundred thousand, which say nothing, half a call, or one, and are gone", "connects"),
    toSocket("two hundred messages that are begun and not finished", "half"),
    toSocket("a thousand subscribers that do not read", "stalled"),
    toSocket("fifty clients that call and do not read", "slow"),
    toSocket("rude bytes", "rude"),
    toSocket("descriptors sent over the socket", "descriptors"),
    toSocket("calls of arrays within arrays", "nested"),
    toSocket("six fields each for 240 apps, and their removal", "overrides"),
    own("apps whose names look alike and differ in bytes") { session, _ in
      let themed = try session.startThemed()
      let connection = try session.connect()
      let names = [#"caf\u00e9"#, #"cafe\u0301"#]
      for (name, scheme) in zip(names, ["dark", "light"]) {
        _ = try connection.call("SetOverride", #"{"override":{"app":"\#(name)","scheme":"\#(scheme)"}}"#)
      }
      for (name, scheme) in zip(names, ["dark", "light"]) {
        let shown = try connection.call("GetState", #"{"app":"\#(name)"}"#).scheme
        guard shown == scheme else { throw Failure("\(name) has the other's override") }
      }
      try session.expectServed(by: themed)
      return names.count
    },
  ]

  private static func toBus(_ description: String, _ kind: String) -> Attack {
    flood(description) { world in ["bus", kind, "\(world.themed.pid)"] }
  }

  private static func toSocket(_ description: String, _ kind: String) -> Attack {
    flood(description) { world in ["socket", kind, world.session.socketPath] }
  }
}

extension Session {
  /// Expects a daemon to answer, and to end when it is told to.
  func expectServed(by themed: ChildProcess) throws {
    guard try connect().call("GetState").scheme != nil else { throw Failure("no state") }
    themed.send(.terminate)
    let status = try themed.wait()
    guard status == .exited(0) else { throw Failure("it ended with \(status): \(themed.account)") }
  }
}
