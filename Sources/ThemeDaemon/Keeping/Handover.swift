internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The data that one process of the daemon passes to the next, so that subscribers notice nothing: pure bytes.
///
/// It begins with a line that names its version, and a checksum of the rest. All numbers are little-endian. A block is
/// its length in four bytes, followed by that many bytes. The history comes first, as JSON in a block, followed by each
/// connection.
struct Handover: Hashable {
  /// A connection without its descriptor, which is passed separately.
  struct Connection: Hashable {
    /// The kernel's unique number of the socket (SO_COOKIE), so that descriptors are not mixed up.
    var cookie: UInt64
    var options: ClientOptions
    var progress: ServerConnection.Suspended
  }

  enum Damage: Error, Hashable, CustomStringConvertible {
    case foreign
    case otherVersion
    case damaged

    var description: String {
      switch self {
      case .foreign: "themed did not store them"
      case .otherVersion: "another version of themed stored them"
      case .damaged: "the stored data is damaged"
      }
    }
  }

  var history: History
  var connections: [Connection]

  private static let name = Array("themed handover ".utf8)
  /// Increase it whenever an older daemon would misread the data.
  private static let version = Array("2\n".utf8)

  var encoded: [UInt8] {
    var body = Writer()
    body.block(JSON.object(history.parameters).bytes)
    for connection in connections { connection.write(to: &body) }
    return Self.whole(body.bytes)
  }

  static func whole(_ body: [UInt8]) -> [UInt8] {
    var head = Writer(bytes: name + version)
    head.number(FNV1a().adding(body).value)
    return head.bytes + body
  }
}

extension Handover {
  /// Reads what ``encoded`` made, and trusts nothing in it.
  init(decoding bytes: [UInt8]) throws(Damage) {
    guard bytes.starts(with: Self.name) else { throw .foreign }
    guard bytes.dropFirst(Self.name.count).starts(with: Self.version) else { throw .otherVersion }
    var reader = Reader(rest: bytes.dropFirst(Self.name.count + Self.version.count))
    guard try reader.number(UInt64.self) == FNV1a().adding(reader.rest).value else { throw .damaged }
    guard case .object(let object)? = try? JSON(parsing: Array(reader.block())) else { throw .damaged }
    do throws(VarlinkError) { history = try History(Parameters(object)) } catch { throw .damaged }
    connections = []
    while !reader.rest.isEmpty { connections.append(try Connection(from: &reader)) }
  }
}

extension Handover.Connection {
  private struct Flags: OptionSet {
    let rawValue: UInt8

    static let streaming = Flags(rawValue: 1)
    static let inputEnded = Flags(rawValue: 2)
    static let app = Flags(rawValue: 4)
    static let newest = Flags(rawValue: 8)
    static let details = Flags(rawValue: 16)
    /// The number of the list that is followed, in three bits.
    static let list = Flags(rawValue: 32 + 64 + 128)
    static let all: Flags = [.streaming, .inputEnded, .app, .newest, .details, .list]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ list: FollowedList?) { rawValue = (list?.rawValue ?? 0) << 5 }

    /// The list with the number in these bits.
    var list: FollowedList? { FollowedList(rawValue: intersection(.list).rawValue >> 5) }
  }

  /// The maximum number of bytes that it takes in a handover.
  var size: Int {
    33 + (options.app?.utf8.count ?? 0) + progress.input.count + progress.unsent.count + (progress.newest?.count ?? 0)
  }

  fileprivate func write(to writer: inout Writer) {
    var flags = Flags(options.list)
    if progress.isStreaming { flags.insert(.streaming) }
    if progress.inputEnded { flags.insert(.inputEnded) }
    if options.app != nil { flags.insert(.app) }
    if progress.newest != nil { flags.insert(.newest) }
    if options.wantsDetails { flags.insert(.details) }
    writer.number(cookie)
    writer.number(options.rights.rawValue)
    writer.number(flags.rawValue)
    if let app = options.app { writer.block(Array(app.utf8)) }
    writer.block(progress.input)
    writer.block(progress.unsent)
    if let newest = progress.newest { writer.block(newest) }
  }

  fileprivate init(from reader: inout Reader) throws(Handover.Damage) {
    cookie = try reader.number()
    // A connection without rights may do nothing.
    guard let rights = Rights(rawValue: try reader.number()) else { throw .damaged }
    let flags = Flags(rawValue: try reader.number())
    guard flags.isSubset(of: .all) else { throw .damaged }
    var app: Text?
    if flags.contains(.app) {
      guard let name = Text(validating: try reader.block()), isAppName(name) else { throw .damaged }
      app = name
    }
    options = ClientOptions(rights: rights, app: app, wantsDetails: flags.contains(.details), list: flags.list)
    if let list = options.list {
      guard flags.contains(.streaming), options.isPlain, rights.allows(list) else { throw .damaged }
    }
    progress = .init(isStreaming: flags.contains(.streaming), inputEnded: flags.contains(.inputEnded))
    progress.input = Array(try reader.block())
    progress.unsent = Array(try reader.block())
    if flags.contains(.newest) { progress.newest = Array(try reader.block()) }
  }
}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func number<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func block(_ block: [UInt8]) {
    number(UInt32(block.count))
    bytes += block
  }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Handover.Damage) -> Number {
    let bytes = try take(Number.bitWidth / 8)
    return bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func block() throws(Handover.Damage) -> ArraySlice<UInt8> {
    try take(Int(number(UInt32.self)))
  }

  private mutating func take(_ count: Int) throws(Handover.Damage) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damaged }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The states that subscribers received last; with them, another process can continue as if it were the same.
struct History: Hashable {
  var instance: Text
  var serial: Int64
  var reading: Reading
  /// The record of the desktop's step; nil if the desktop is not kept in step.
  var desktop: DesktopSync.Record?
  var scheduled = Scheduled.unknown
  /// The state for clients without a name and for apps without rules.
  var common: State
  /// The states of the apps that have rules.
  var apps: [Text: State]
}

extension History {
  /// The longest name of an instance, in bytes.
  private static let longestInstance = 64
  /// Higher serials are damage: no daemon runs long enough for them.
  private static let highestSerial: Int64 = 1 << 53

  var parameters: JSON.Object {
    let apps = apps.sorted { $0.key < $1.key }.map { app, state in
      JSON.object(["app": .string(app), "state": .object(state.parameters)])
    }
    return [
      "instance": .string(instance), "serial": .integer(serial), "reading": .object(reading.parameters),
      "desktop": desktop.map { .object($0.parameters) }, "schedule": scheduled.parameters.map(JSON.object),
      "common": .object(common.parameters), "apps": .array(apps),
    ]
  }

  init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    instance = try parameters.require(parameters.string("instance"), "instance")
    serial = try parameters.require(parameters.integer("serial"), "serial")
    reading = try Reading(parameters.require(parameters.structure("reading"), "reading"))
    desktop = try parameters.structure("desktop", DesktopSync.Record.init)
    scheduled = try parameters.structure("schedule", Scheduled.init) ?? .unknown
    common = try State(parameters.require(parameters.structure("common"), "common"))
    apps = [:]
    guard case .array(let members)? = parameters.value("apps") else { throw parameters.invalid("apps") }
    for member in members {
      guard case .object(let object) = member else { throw parameters.invalid("apps") }
      var entry = Parameters(object)
      let app = try entry.require(entry.string("app"), "app")
      apps[app] = try State(entry.require(entry.structure("state"), "state"))
    }
    guard !instance.isEmpty, instance.count <= Self.longestInstance else { throw parameters.invalid("instance") }
    guard (1...Self.highestSerial).contains(serial) else { throw parameters.invalid("serial") }
    for state in [common] + apps.values {
      guard state.instance == instance, (1...serial).contains(state.serial) else { throw parameters.invalid("serial") }
    }
  }
}

extension Scheduled {
  /// The parts of the schedule that another process needs; nil if the schedule is not known.
  fileprivate var parameters: JSON.Object? {
    switch self {
    case .unknown: nil
    case .off: [:]
    case .by(let scheme, let next): ["scheme": .word(scheme.rawValue), "next": next.map { .object($0.parameters) }]
    }
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    guard let scheme = try parameters.word("scheme", of: ColorScheme.self) else {
      self = .off
      return
    }
    self = .by(scheme, next: try parameters.structure("next", Switch.init))
  }
}
