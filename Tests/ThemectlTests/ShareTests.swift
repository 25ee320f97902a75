import Testing
import ThemedInterface
import ThemedSystem

@testable import themectl

/// When another machine is connected to, and what may come of that.
@Suite struct ShareTests {
  private static let lost = ShareEnd(.unreachable, "lost")
  private static let refused = ShareEnd(.refused, "no")

  /// A link whose clock the test turns.
  private struct Link {
    var link = ShareLink(patience: 60_000)
    var now: Int64 = 0

    mutating func tell(_ event: ShareLink.Event, after time: Int64 = 0) -> ShareLink.Action? {
      now += time
      return link.handle(event, at: now, chance: 0.5)
    }

    /// Waits until the link's own time has come; how long that was.
    mutating func wait() -> (pause: Int64?, action: ShareLink.Action?) {
      guard let deadline = link.deadline else { return (nil, nil) }
      let pause = deadline - now
      return (pause, tell(.timePassed, after: pause))
    }
  }

  @Test func `pauses double up to five minutes, and are never in step`() {
    var backoff = Backoff()
    let pauses = (0..<12).map { _ in backoff.fail(chance: 0.5) }
    #expect(pauses.prefix(4) == [1_000, 2_000, 4_000, 8_000])
    #expect(pauses.suffix(2) == [300_000, 300_000])
    for chance in [0, 0.3, 0.999] {
      var backoff = Backoff()
      for expected in pauses {
        let pause = Double(backoff.fail(chance: chance))
        #expect((0.75...1.25).contains(pause / Double(expected)))
      }
    }
    for _ in 0..<10_000 { #expect(backoff.fail(chance: 0.999) < 400_000) }
  }

  @Test func `a machine that cannot be reached is tried again, later each time`() {
    var link = Link()
    #expect(link.tell(.started) == .connect)
    for pause: Int64 in [1_000, 2_000, 4_000] {
      #expect(link.tell(.ended(Self.lost), after: 100) == nil)
      let waited = link.wait()
      #expect(waited.pause == pause)
      #expect(waited.action == .connect)
    }
  }

  @Test func `what refuses at first ends it, and once it has worked is waited for`() {
    var link = Link()
    _ = link.tell(.started)
    #expect(link.tell(.ended(Self.refused)) == .end(Self.refused))
    var other = Link()
    _ = other.tell(.started)
    #expect(other.tell(.ready) == nil)
    #expect(other.tell(.ended(Self.refused), after: 60_000) == nil)
    #expect(other.wait().action == .connect)
    var single = Link(link: ShareLink(once: true, patience: 60_000))
    _ = single.tell(.started)
    #expect(single.tell(.ended(Self.lost)) == .end(Self.lost))
    var slept = Link(link: ShareLink(once: true, patience: 60_000))
    _ = slept.tell(.started)
    _ = slept.tell(.ready)
    #expect(slept.tell(.woke, after: 3_600_000) == .disconnect)
    #expect(slept.tell(.ended(Self.lost)) == .end(ShareEnd(.unreachable, "the connection to it ended")))
  }

  @Test func `a network that comes is tried at once, and one that went is a reason to connect anew`() {
    var link = Link()
    _ = link.tell(.started)
    for _ in 0..<10 {
      _ = link.tell(.ended(Self.lost))
      _ = link.wait()
    }
    _ = link.tell(.ended(Self.lost))
    #expect(link.tell(.network([.gained]), after: 10_000) == nil)
    let waited = link.wait()
    #expect(waited.pause == 500)
    #expect(waited.action == .connect)
    #expect(link.tell(.ready) == nil)
    // What comes besides changes nothing; what went may have been the way to it.
    #expect(link.tell(.network([.gained])) == nil)
    #expect(link.tell(.network([.lost])) == nil)
    #expect(link.tell(.network([.gained]), after: 30_000) == .disconnect)
    #expect(link.tell(.ended(Self.lost)) == nil)
    #expect(link.wait().action == .connect)
  }

  @Test func `after an hour of sleep it connects at once`() {
    var link = Link()
    _ = link.tell(.started)
    _ = link.tell(.ready)
    #expect(link.tell(.woke, after: 3_600_000) == .disconnect)
    #expect(link.tell(.ended(Self.lost), after: 10) == nil)
    #expect(link.wait().pause == 0)
  }

  @Test func `a network that flaps makes it try no more often than each second`() {
    var link = Link()
    var tries: [Int64] = []
    _ = link.tell(.started)
    for _ in 0..<1_000 {
      let actions = [
        link.tell(.ready), link.tell(.network([.lost, .gained]), after: 1), link.tell(.ended(Self.lost), after: 1),
        link.tell(.network([.gained]), after: 7), link.tell(.woke), link.tell(.timePassed),
      ]
      if actions.contains(.connect) { tries.append(link.now) }
    }
    #expect(tries.count > 5)
    for (one, next) in zip(tries, tries.dropFirst()) { #expect(next - one >= 1_000) }
  }

  @Test func `a connection that is not made in time is ended, and counts as one that failed`() {
    var link = Link()
    _ = link.tell(.started)
    let waited = link.wait()
    #expect(waited.pause == 60_000)
    #expect(waited.action == .disconnect)
    #expect(link.tell(.ended(Self.lost)) == nil)
    #expect(link.wait().pause == 1_000)
  }

  @Test func `what it says of a connection that it has ended is its own reason, by the machine's name`() {
    var link = Link(link: ShareLink(to: "server", patience: 60_000))
    _ = link.tell(.started)
    _ = link.wait()
    #expect(link.tell(.ended(ShareEnd(.unreachable, "ssh was killed by signal 15"))) == nil)
    #expect(link.link.failure?.words == "server does not answer")
    _ = link.wait()
    _ = link.tell(.ready)
    #expect(link.link.failure == nil)
    // It was well: nothing is to be told.
    #expect(link.tell(.woke) == .disconnect)
    _ = link.tell(.ended(Self.lost))
    #expect(link.link.failure == nil)
    _ = link.wait()
    _ = link.tell(.ended(Self.lost))
    #expect(link.link.failure == Self.lost)
  }

  @Test func `a share that another takes over ends, and does not fight for it`() throws {
    var link = Link()
    _ = link.tell(.started)
    _ = link.tell(.ready)
    guard case .end(let end)? = link.tell(.taken) else { throw ShareFailure.notEnded }
    #expect(end.status == .sharedAlready)
    #expect(link.tell(.timePassed) == nil)
    #expect(link.link.deadline == nil)
  }

  private enum ShareFailure: Error { case notEnded }

  @Test func `who does not read is written the newest state next, and never a part of one`() {
    var outbox = Outbox()
    let messages = (0..<10_000).map { number in Array("state \(number);".utf8) }
    var written: [UInt8] = []
    for (number, message) in messages.enumerated() {
      outbox.offer(message)
      // Five bytes fit, now and then.
      if number % 1_000 == 0 {
        let part = outbox.unwritten.prefix(5)
        written += part
        outbox.wrote(part.count)
      }
    }
    while !outbox.unwritten.isEmpty {
      let part = outbox.unwritten.prefix(5)
      written += part
      outbox.wrote(part.count)
    }
    let states = String(decoding: written, as: UTF8.self).split(separator: ";")
    #expect(states.count < 20)
    #expect(states.allSatisfy { $0.hasPrefix("state ") })
    #expect(states.last == "state 9999")
    outbox.begin()
    #expect(outbox.unwritten == messages.last![...])
  }

  @Test func `of whatever comes from the other side two words are known, and little is kept or shown`() {
    var far = FarSide()
    let junk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
    let call = Array(#"{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"dark"}}}"#.utf8)
    var shown = 0
    for _ in 0..<50 {
      #expect(far.print(junk[...]) == [])
      #expect(far.print((call + [0, 10])[...]) == [])
      shown += far.complain((junk + [10])[...]).count
      shown += far.complain(junk[...]).count
    }
    #expect(shown < 50)
    #expect(far.heldBytes < 16 * 1024)
    #expect(far.print(Array("\nthemed-upstream 1\r\n".utf8)[...]) == [.ready])
    #expect(far.print(Array("themed-upstream 1 and more\nthemed-upstream taken\n".utf8)[...]) == [.taken])
  }

  @Test func `a word counts behind whatever a shell has printed without an end of its line`() {
    var far = FarSide()
    #expect(far.print(Array("\u{1b}]0;me@far: ~\u{7}themed-upstream 1\r\n".utf8)[...]) == [.ready])
    var long = FarSide()
    #expect(long.print([UInt8](repeating: UInt8(ascii: "x"), count: 100_000)[...]) == [])
    for byte in "themed-upstream 1".utf8 { #expect(long.print([byte]) == []) }
    #expect(long.print([10]) == [.ready])
  }

  @Test func `what the other side says counts once, and nobody takes the place of one that is not heard`() {
    var far = FarSide()
    let ready = [[UInt8]](repeating: Array("themed-upstream 1\n".utf8), count: 3_000).joined()
    #expect(far.print(Array("themed-upstream taken\n".utf8)[...]) == [])
    #expect(far.print(Array(ready)[...]) == [.ready])
    #expect(far.print(Array(ready)[...]) == [])
    #expect(!far.isNoisy)
    for _ in 0..<20 { _ = far.print(Array(ready)[...]) }
    #expect(far.isNoisy)
    var complaining = FarSide()
    for _ in 0..<20 { _ = complaining.complain([UInt8](repeating: 0, count: 64 * 1024)[...]) }
    #expect(complaining.isNoisy)
  }

  @Test func `one that sends without end is refused at first, and later tried again as what fails`() throws {
    var link = Link()
    _ = link.tell(.started)
    #expect(link.tell(.noisy) == .disconnect)
    guard case .end(let end)? = link.tell(.ended(Self.lost)) else { throw ShareFailure.notEnded }
    #expect(end.kind == .refused)
    var known = Link()
    _ = known.tell(.started)
    _ = known.tell(.ready)
    for pause: Int64 in [1_000, 2_000, 4_000] {
      #expect(known.tell(.noisy) == .disconnect)
      #expect(known.tell(.noisy) == nil)
      #expect(known.tell(.ended(Self.lost)) == nil)
      #expect(known.wait().pause == pause)
      _ = known.tell(.ready)
    }
  }

  @Test func `an ssh that does not end when it is asked to is killed`() {
    var link = Link()
    _ = link.tell(.started)
    _ = link.tell(.ready)
    #expect(link.tell(.woke) == .disconnect)
    let waited = link.wait()
    #expect(waited.pause == 2_000)
    #expect(waited.action == .kill)
    #expect(link.tell(.ended(Self.lost)) == nil)
    #expect(link.wait().action == .connect)
  }

  @Test func `what went long ago, and harmed nothing, makes no new network a reason to connect anew`() {
    var link = Link()
    _ = link.tell(.started)
    _ = link.tell(.ready)
    #expect(link.tell(.network([.lost])) == nil)
    #expect(link.tell(.network([.gained]), after: 60_000) == nil)
    #expect(link.tell(.network([.lost])) == nil)
    #expect(link.tell(.network([.gained]), after: 59_000) == .disconnect)
  }

  @Test func `a network that changes all the time makes it try a machine that is off no more than each minute`() {
    var link = Link()
    var tries: [Int64] = []
    _ = link.tell(.started)
    _ = link.tell(.ended(Self.lost))
    while link.now < 36_000_000 {
      if link.tell(.timePassed, after: 500) == .connect {
        tries.append(link.now)
        _ = link.tell(.ended(Self.lost))
      }
      _ = link.tell(.network([.gained]))
    }
    #expect(tries.count < 36_000 / 60 + 20)
  }

  @Test func `a connection that has lasted for long has had the failures before it forgotten, however it ends`() {
    var link = Link()
    _ = link.tell(.started)
    for _ in 0..<9 {
      _ = link.tell(.ended(Self.lost))
      _ = link.wait()
    }
    _ = link.tell(.ready)
    #expect(link.tell(.woke, after: 36_000_000) == .disconnect)
    _ = link.tell(.ended(Self.lost))
    _ = link.wait()
    #expect(link.tell(.ended(Self.lost)) == nil)
    #expect(link.wait().pause == 1_000)
  }

  @Test func `what it complains of gives a terminal no orders`() {
    var far = FarSide()
    let lines = far.complain(Array("\u{1b}]0;owned\u{7}\u{202e}olleh\n".utf8)[...])
    #expect(lines == ["?]0;owned??olleh"])
  }

  @Test(arguments: [
    (127, "bash: line 1: exec: themed: not found", ShareEnd.Kind.noThemed, "--remote-command"),
    (64, "error: Unknown option --upstream; try 'themed --help'", .noThemed, "too old"),
    (69, "error: a themed serves this machine", .noThemed, "systemctl --user mask"),
    (
      255, "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.", .refused,
      "ssh-keygen -R"
    ),
    (255, "Host key verification failed.", .refused, "'ssh server' once"),
    (255, "me@server: Permission denied (publickey,password).", .refused, "ssh-copy-id server"),
    (
      255, "ssh: Could not resolve hostname server: Name or service not known", .unreachable,
      "cannot be reached: ssh: Could"
    ),
    (255, "ssh: connect to host server port 22: No route to host", .unreachable, "No route to host"),
    (1, "error: cannot listen: cannot bind /run/x: No space left on device", .refused, "df -h"),
    (1, "error: something", .refused, "something"),
    (
      1, "error: XDG_RUNTIME_DIR is not set, so there is no place for the socket; give a path with --socket", .refused,
      "themectl share --remote-socket ~/.cache/themed.socket server"
    ),
    (
      255, "me@gate: Permission denied (publickey).\nConnection closed by UNKNOWN port 65535", .refused,
      "a machine on the way to server refused: me@gate: Permission denied (publickey). Run 'ssh server'"
    ),
    (255, "Connection closed by UNKNOWN port 65535", .unreachable, "cannot be reached"),
    (0, "", .noThemed, "another command instead of themed"),
    (126, "bash: line 1: /opt/themed: Exec format error", .noThemed, "Exec format error"),
    (255, "bash: /etc/profile: Permission denied", .unreachable, "cannot be reached"),
    (255, "themed: IDENTIFICATION HAS CHANGED", .unreachable, "cannot be reached"),
    (255, "command-line: line 0: Bad configuration option: foo", .refused, "ssh or "),
    (255, "/home/me/.ssh/config: terminating, 1 bad configuration options", .refused, "ssh or "),
    (255, "Bad owner or permissions on /home/me/.ssh/config", .refused, "Bad owner"),
    (255, "Received disconnect from ::1 port 22:2: Too many authentication failures", .refused, "Too many"),
  ])
  func `how ssh ended is told in a sentence that says what to type`(
    status: Int32, complaint: String, kind: ShareEnd.Kind, words: String
  ) {
    let end = ShareEnd(.exited(status), ["noise"] + Text(complaint).split("\n"), host: "server")
    #expect(end.kind == kind)
    #expect(end.words.contains(words), "\(end.words)")
    // Once a themed was heard, nothing of that is the reason.
    #expect(ShareEnd(.exited(status), [Text(complaint)], wasReady: true, host: "server").kind == .unreachable)
  }

  @Test func `ssh is called with the user's options first, for no terminal, and with nothing that it could misread`() {
    let call = ShareCall(host: "me@server", program: "~/my bin/themed", more: ["-p", "2222"], mayAsk: false)
    #expect(call.words.first == "ssh")
    #expect(call.words.contains("-oBatchMode=yes"))
    #expect(call.words.suffix(3) == ["--", "me@server", "exec ~/'my bin/themed' --upstream -"])
    let user = call.words.firstIndex(of: "-p") ?? .max
    #expect(user < call.words.firstIndex(of: "-oServerAliveInterval=15") ?? 0)
    #expect(!call.words.contains("-oControlPath=none"))
    var alone = call
    alone.avoidsShared = true
    #expect(alone.words.firstIndex(of: "-oControlPath=none") ?? .max < alone.words.firstIndex(of: "-p") ?? 0)
    var elsewhere = call
    elsewhere.socket = "~/a b/socket"
    #expect(elsewhere.words.last == "exec ~/'my bin/themed' --upstream - --socket ~/'a b/socket'")
    let asking = ShareCall(host: "server", program: "a'; rm -rf ~", more: [], mayAsk: true)
    #expect(!asking.words.contains("-oBatchMode=yes"))
    #expect(asking.words.last == #"exec 'a'\''; rm -rf ~' --upstream -"#)
    for host: Text in ["-oProxyCommand=x", "", "a b", "a\u{1b}b", "-"] { #expect(!ShareCall.isHost(host)) }
    for host: Text in ["server", "me@server.example", "ssh://me@server:22", "[::1]"] { #expect(ShareCall.isHost(host)) }
  }

  @Test func `each machine has a lock of its own`() {
    let hosts: [Text] = ["a", "b", "a/b", "a%2fb", "..", "me@a", "a:1", "ä"]
    func lock(_ host: Text, _ options: [Text] = [], at socket: Text? = nil) -> String {
      ShareLock.fileName(ShareCall(host: host, program: "themed", socket: socket, more: options, mayAsk: false))
    }
    #expect(Set(hosts.map { lock($0) }).count == hosts.count)
    #expect(hosts.allSatisfy { !lock($0).utf8.contains(UInt8(ascii: "/")) })
    // Also behind one name, which a tunnel to several gives.
    let options: [[Text]] = [
      [], ["-p", "2222"], ["-p", "2223"], ["-p222", "2"], ["-J", "2222"], ["-l", "me"], ["-F", "x"], ["-oHostName=x"],
      ["-Pwork"], ["-oTag=home"], ["-S", "/x"], ["-b", "::1"], ["-oCanonicalDomains=x"], ["-vp", "1", "-lme"],
    ]
    #expect(Set(options.map { lock("localhost", $0) }).count == options.count)
    #expect(Set([nil, "/a", "/b"].map { lock("localhost", at: $0) }).count == 3)
    #expect(lock("a", Array(repeating: "-p1", count: 1_000)).utf8.count < 100)
  }

  @Test(
    "How ssh is told where it goes, and what else it is told, makes no machine another",
    arguments: [
      (["-v"], []), (["-C", "-i", "key"], []), (["-oCompression=yes", "-i", "-p2222"], []), (["-o"], []), (["-"], []),
      (["-o", "="], []), (["-p2222"], ["-p", "2222"]), (["-vp", "2222"], ["-p2222"]),
      (["-v", "-oPort=2222"], ["-p2222"]), (["-o", "port = 2222"], ["-p2222"]), (["-o", "Port\t2222"], ["-p2222"]),
      (["-lme", "-A"], ["-oUser=me"]), (["-p2", "-lme"], ["-lme", "-p", "2"]), (["-p2", "-oPort=3"], ["-p2"]),
      (["-o", "Port=\"2\" "], ["-p2"]), (["-oControlPath=none"], []), (["-Pa"], ["-oTag=a"]),
    ] as [([Text], [Text])])
  func shareWays(_ options: [Text], _ same: [Text]) {
    func way(_ options: [Text]) -> [Text] { ShareCall(host: "a", program: "themed", more: options, mayAsk: false).way }
    #expect(way(options) == way(same))
    #expect(way(options).isEmpty == same.isEmpty)
  }

  // MARK: What the kernel says

  /// A message of rtnetlink: its kind, and what stands behind the head.
  private static func message(_ kind: UInt16, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(16 + body.count)
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      let little = number.littleEndian
      return (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: little >> ($0 * 8)) }
    }
    return bytes(length) + bytes(kind) + [UInt8](repeating: 0, count: 10) + body
  }

  @Test func `addresses and routes that lead somewhere are changes of the network, and nothing else`() {
    let global: [UInt8] = [2, 24, 0, 0, 1, 0, 0, 0]
    let link: [UInt8] = [10, 64, 0, 253, 1, 0, 0, 0]
    let route: [UInt8] = [2, 0, 0, 0, 254, 4, 0, 1, 0, 0, 0, 0]
    let local: [UInt8] = [2, 32, 0, 0, 255, 2, 254, 2, 0, 0, 0, 0]
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    func changes(_ bytes: [UInt8]) -> Set<NetworkChange> { NetworkChange.changes(in: bytes[...]) }
    #expect(changes(Self.message(20, global)) == [.gained])
    #expect(changes(Self.message(21, global)) == [.lost])
    #expect(changes(Self.message(24, route)) == [.gained])
    #expect(changes(Self.message(25, route) + Self.message(24, route)) == [.lost, .gained])
    // What has gone elsewhere than on the way to the other machine is nothing.
    func changes(_ bytes: [UInt8], on interface: UInt32) -> Set<NetworkChange> {
      NetworkChange.changes(in: bytes[...], ofInterface: interface)
    }
    let through = route + [8, 0, 4, 0, 1, 0, 0, 0]
    #expect(changes(Self.message(21, global), on: 1) == [.lost])
    #expect(changes(Self.message(21, global), on: 2) == [])
    #expect(changes(Self.message(20, global), on: 2) == [.gained])
    #expect(changes(Self.message(25, through), on: 1) == [.lost])
    #expect(changes(Self.message(25, through), on: 2) == [])
    #expect(changes(Self.message(25, route), on: 2) == [.lost], "it does not say which")
    #expect(changes(Self.message(20, link) + Self.message(24, local) + Self.message(16, global)) == [])
    // As an interface comes up, and an address that is to last longer.
    let up = Self.message(24, [10, 64, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0] + [20, 0, 1, 0, 0xFE, 0x80] + zeros(14))
    let far = Self.message(24, [10, 64, 0, 0, 254, 2, 0, 1, 0, 0, 0, 0] + [20, 0, 1, 0, 0x20, 0x01] + zeros(14))
    let made: [UInt8] = [20, 0, 6, 0] + zeros(8) + [1, 2, 0, 0, 1, 2, 0, 0]
    let renewed: [UInt8] = [20, 0, 6, 0] + zeros(8) + [1, 2, 0, 0, 9, 9, 0, 0]
    #expect(changes(up) == [])
    #expect(changes(far) == [.gained])
    #expect(changes(Self.message(20, global + [8, 0, 1, 0, 10, 0, 0, 1] + made)) == [.gained])
    #expect(changes(Self.message(20, global + [8, 0, 1, 0, 10, 0, 0, 1] + renewed)) == [])
    // Cut at every place, and damaged.
    let whole = Self.message(21, global) + Self.message(24, route)
    for end in 0...whole.count { #expect(changes(Array(whole[..<end])).count <= 2) }
    #expect(changes([0, 0, 0, 0] + [UInt8](repeating: 0, count: 60)) == [])
    #expect(changes([UInt8](repeating: 255, count: 64)) == [])
  }

  @Test func `a machine that has slept is told from one whose clock was set`() {
    let then = Clocks(withSleep: 50_000, awake: 40_000)
    #expect(Clocks(withSleep: 3_650_500, awake: 40_500).slept(since: then) == 3_600_000)
    #expect(Clocks(withSleep: 53_000, awake: 43_000).slept(since: then) == 0)
  }
}
