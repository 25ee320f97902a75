import CThemedLinux
import Glibc
import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

@testable import ThemeDaemon

/// What one process leaves to the next: its bytes, and the queue that they go through.
@Suite struct HandoverTests {
  @Test func `what was left is what is found, history and connections`() throws {
    let handover = try sample()
    #expect(try Handover(decoding: handover.encoded) == handover)
    let empty = Handover(history: Core(instance: "x", overrides: Overrides()).history, connections: [])
    #expect(try Handover(decoding: empty.encoded) == empty)
  }

  @Test func `a daemon goes on with its history, tells nothing by itself, and counts on`() throws {
    let history = try sample().history
    var overrides = Overrides()
    overrides[app: "nvim"].set(Override(scheme: .dark), until: End())
    var core = Core(history, overrides: overrides)
    #expect(core.history == history)
    #expect(core.configure(Defaults()).isEmpty)
    #expect(core.history == history)
    #expect(core.handle(.desktop(Reading(scheme: .light))).compactMap(\.change).count == 1)
    #expect(core.state(for: nil).instance == history.instance)
    #expect(core.state(for: nil).serial == history.serial + 1)
  }

  @Test func `what the configuration says is not forgotten between the start and its reading`() throws {
    let defaults = Defaults(noDesktop: .dark)
    var before = Core(instance: "x", overrides: Overrides())
    _ = before.configure(defaults)
    #expect(before.state(for: nil).resolution.scheme == .dark)
    var core = Core(before.history, overrides: Overrides(), defaults: defaults)
    let effects = [.clock(0), .configured(defaults, cause: "restart"), .read(ThemeTable(), number: 1)]
      .flatMap { core.handle($0) }
    #expect(effects.compactMap(\.change).isEmpty)
    #expect(core.history == before.history)
  }

  @Test func `what has changed between two processes is told by the next as a change`() throws {
    let history = try sample().history
    // The override of nvim has ended while no process ran.
    var core = Core(history, overrides: Overrides())
    let changes = core.configure(Defaults())
    try #require(changes.count == 1)
    #expect(changes[0].common == nil)
    #expect(changes[0].state(for: "nvim")?.resolution == history.common.resolution)
    #expect((changes[0].state(for: "nvim")?.serial ?? 0) > history.serial)
  }

  @Test func `bytes that are cut, lengthened or changed anywhere are refused`() throws {
    let bytes = try sample().encoded
    for count in bytes.indices {
      #expect(throws: Handover.Damage.self) { try Handover(decoding: Array(bytes[..<count])) }
    }
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        #expect(throws: Handover.Damage.self) { try Handover(decoding: damaged) }
      }
    }
    #expect(throws: Handover.Damage.damaged) { try Handover(decoding: bytes + [0]) }
  }

  @Test func `bytes of a stranger and of another version are told apart from damage`() throws {
    #expect(throws: Handover.Damage.foreign) { try Handover(decoding: []) }
    #expect(throws: Handover.Damage.foreign) { try Handover(decoding: Array("hello".utf8)) }
    let text = Array("themed handover 2\n".utf8)
    #expect(throws: Handover.Damage.damaged) { try Handover(decoding: text) }
    #expect(throws: Handover.Damage.otherVersion) {
      try Handover(decoding: Array("themed handover 1\n".utf8) + [1, 2, 3])
    }
  }

  @Test func `a connection that says nobody's rights, or follows what it may not, is refused`() throws {
    let history = try sample().history
    func encoded(_ options: ClientOptions) -> [UInt8] {
      let connection = Handover.Connection(
        cookie: 1, options: options, progress: .init(isStreaming: options.list != nil))
      return Handover(history: history, connections: [connection]).encoded
    }
    let head = Array("themed handover 2\n".utf8).count + 8
    let bytes = encoded(.usual(.reading))
    // Behind the connection's cookie; its flags, and the lengths of two empty blocks, come after it.
    let place = bytes.count - 4 - 4 - 1 - 1
    #expect(bytes[place] == Rights.reading.rawValue)
    for rights in 0...255 as ClosedRange<UInt8> {
      var body = Array(bytes[head...])
      body[place - head] = rights
      let forged = Array("themed handover 2\n".utf8) + sum(of: body) + body
      guard let known = Rights(rawValue: rights) else {
        #expect(throws: Handover.Damage.damaged) { try Handover(decoding: forged) }
        continue
      }
      #expect(try Handover(decoding: forged).connections.map(\.options.rights) == [known])
    }
    for list in FollowedList.allCases {
      let handover = encoded(ClientOptions(rights: .reading, app: nil, wantsDetails: false, list: list))
      if list == .themes {
        #expect(throws: Never.self) { try Handover(decoding: handover) }
      } else {
        #expect(throws: Handover.Damage.damaged) { try Handover(decoding: handover) }
      }
    }
  }

  /// A forger knows the sum.
  @Test func `bytes that are wrong under a right sum are refused, or are some handover`() throws {
    var generator = SeededGenerator(seed: 7)
    let bytes = try sample().encoded
    let head = Array("themed handover 2\n".utf8).count + 8
    var accepted = 0
    for _ in 0..<3_000 {
      var body = Array(bytes[head...])
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: body.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: body[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: body.remove(at: place)
        case 2: body.insert(0, at: place)
        default: body[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        }
      }
      let forged = Array("themed handover 2\n".utf8) + sum(of: body) + body
      guard let handover = try? Handover(decoding: forged) else { continue }
      accepted += 1
      #expect(try Handover(decoding: handover.encoded) == handover)
      for connection in handover.connections {
        var machine = ServerConnection(resuming: connection.progress, limits: Limits.connection)
        _ = machine?.next()
      }
    }
    #expect(accepted > 0)
  }

  @Test(arguments: [
    ("instance", JSON.string("")), ("serial", .integer(0)), ("serial", .integer(.max)), ("apps", .null),
  ])
  func `a history that no daemon has is refused`(name: String, value: JSON) throws {
    var parameters = try sample().history.parameters
    #expect(throws: Never.self) { try History(Parameters(parameters)) }
    parameters[Text(name)] = value
    #expect(throws: VarlinkError.self) { try History(Parameters(parameters)) }
  }

  @Test func `who may only read leaves room for others, however much waits for him and however late these came`() throws
  {
    let waiting = ServerConnection.Suspended(isStreaming: true, unsent: [UInt8](repeating: 7, count: 1024 * 1024))
    var others: [Held] = []
    func connection(_ token: UInt64, _ rights: Rights) throws -> ClientConnection {
      let pair = try Pair()
      others.append(pair.other)
      let end = FileDescriptor(owning: fcntl(pair.one.descriptor.raw, F_DUPFD_CLOEXEC, 0))
      let peer = Peer(of: end)
      let machine = try #require(ServerConnection(resuming: waiting, limits: Limits.connection))
      return ClientConnection(
        token: token, peer: try #require(peer), options: .usual(rights), descriptor: end, machine: machine)
    }
    let readers = try (1...70).map { try connection($0, .reading) }
    let last = try (71...118).map { try connection($0, .all) }
    let (handover, descriptors) = Takeover.gather(try sample().history, readers + last)
    let kept = handover.connections.map(\.options.rights)
    #expect(kept.filter { $0 == .all }.count == last.count)
    #expect(kept.filter { $0 == .reading }.count == 15, "a quarter, of which their numbers take some")
    let first = last.map { $0.descriptor.raw }
    #expect(Array(descriptors.prefix(last.count)) == first)
  }

  @Test func `a queue holds a thousand connections, and gives back each by its number`() throws {
    // As the daemon does for itself: so many descriptors may be open, and on their way, as an ordinary user.
    try TestRun.begin()
    let pairs = try (0..<1000).map { _ in try Pair() }
    let bytes = [UInt8](repeating: 7, count: 300_000)
    let queue = Held(try HandoverQueue.filled(bytes, pairs.map { $0.one.descriptor.raw }))
    let content = try #require(queue.content)
    #expect(content.bytes == bytes)
    for (number, pair) in pairs.enumerated() {
      let cookie = cookie(of: content, number)
      #expect(cookie != nil)
      #expect(cookie == pair.one.cookie)
      #expect(self.cookie(of: content, number) == nil, "it was taken")
    }
    #expect(cookie(of: content, 1000) == nil)
    #expect(queue.content == nil, "it is empty now")
  }

  @Test func `whatever else is stored under the name is refused`() throws {
    let pair = try Pair(SOCK_SEQPACKET)
    let name = Array("themed handover".utf8)
    #expect(pair.one.content == nil, "it is empty")
    try sendMessage(name, from: pair.other.descriptor, to: nil)
    #expect(pair.one.content == nil, "no file came with it")
    try sendMessage(Array("hello".utf8), passing: [pair.one.descriptor.raw], from: pair.other.descriptor, to: nil)
    #expect(pair.one.content == nil)
    try sendMessage(
      [UInt8](repeating: 1, count: 5000), passing: [pair.one.descriptor.raw], from: pair.other.descriptor, to: nil)
    #expect(pair.one.content == nil)
    // A file that its writer can still change.
    let scratch = try ScratchDirectory()
    let file = Held(FileDescriptor(owning: unsafe open(scratch.path("file"), O_RDWR | O_CREAT, 0o600)))
    try sendMessage(name, passing: [file.descriptor.raw], from: pair.other.descriptor, to: nil)
    #expect(pair.one.content == nil)
    #expect(file.content == nil)
    #expect(Held(FileDescriptor(owning: unsafe open("/dev/null", O_RDWR))).content == nil)
    let stream = try Pair(SOCK_STREAM)
    try sendMessage(name, passing: [file.descriptor.raw], from: stream.other.descriptor, to: nil)
    #expect(stream.one.content == nil)
  }

  @Test(
    arguments: [
      ("1000000", "7", 500), ("1000000", nil, 500), ("1", "7", 1), ("0", "7", nil), ("x", "7", nil), (nil, "7", nil),
      ("1000000", "8", nil),
    ] as [(String?, String?, Int?)])
  func `signs of life are given twice in the time that the manager asks of this process`(
    time: String?, process: String?, interval: Int?
  ) {
    #expect(Supervision.watchdogInterval(time: time, process: process, own: 7) == interval)
  }

  private func cookie(of content: HandoverQueue.Content, _ number: Int) -> UInt64? {
    guard let descriptor = content.take(number) else { return nil }
    return socketCookie(of: descriptor)
  }

  private func sample() throws -> Handover {
    var overrides = Overrides()
    overrides[app: "nvim"].set(Override(scheme: .dark), until: End())
    let color = Color(red: 0.2, green: 1, blue: 0)
    let reading = Reading(scheme: .dark, highContrast: true, accentColor: color)
    var core = Core(instance: "abc", overrides: overrides, reading: reading)
    _ = core.handle(.desktop(Reading(scheme: .none, highContrast: true, accentColor: color)))
    return Handover(
      history: core.history,
      connections: [
        .init(cookie: 1, options: .usual(.all), progress: .init()),
        .init(
          cookie: .max, options: ClientOptions(rights: .all, app: "nvim", wantsDetails: false, list: nil),
          progress: .init(isStreaming: true, unsent: [1, 0, 2], newest: [3])),
        .init(
          cookie: 77, options: ClientOptions(rights: .all, app: "é", wantsDetails: true, list: nil),
          progress: .init(isStreaming: true)),
        .init(
          cookie: 78, options: ClientOptions(rights: .all, app: nil, wantsDetails: false, list: .themes),
          progress: .init(isStreaming: true)),
        .init(cookie: 79, options: .usual(.reading), progress: .init()),
        .init(
          cookie: 80, options: ClientOptions(rights: .reading, app: "x", wantsDetails: true, list: nil),
          progress: .init(isStreaming: true)),
        .init(
          cookie: 81, options: ClientOptions(rights: .reading, app: nil, wantsDetails: false, list: .themes),
          progress: .init(isStreaming: true)),
        .init(
          cookie: 3, options: .usual(.all),
          progress: .init(input: Array(#"{"meth"#.utf8), inputEnded: true, unsent: [0xFF])),
      ])
  }

  private func sum(of body: [UInt8]) -> [UInt8] {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in body { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return unsafe withUnsafeBytes(of: sum.littleEndian) { unsafe Array($0) }
  }
}

extension Log {
  static var silent: Log {
    let log = Log()
    log.logger.level = .error
    return log
  }
}
