/// Why a file is not a valid time zone.
public struct ZoneDamage: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason in words.
  public let description: String
}

extension Zone {
  /// Reads a file with time zone information (TZif, RFC 9636), and checks everything in it.
  ///
  /// It drops everything before 1970.
  public init(tzif bytes: [UInt8]) throws(ZoneDamage) {
    var reader = Reader(rest: bytes[...])
    var header = try reader.header()
    var width = 4
    if header.version >= UInt8(ascii: "2") {
      _ = try reader.take(header.length(width: 4))
      header = try reader.header()
      width = 8
    }
    guard header.leapSeconds == 0 else {
      throw ZoneDamage(description: "it counts leap seconds, which clocks do not show")
    }
    guard header.types > 0 else { throw ZoneDamage(description: "it has no offset from UTC") }
    guard header.times <= Self.mostTransitions else {
      throw ZoneDamage(description: "it changes its clocks more than \(Self.mostTransitions) times")
    }
    var times: [Int64] = []
    for _ in 0..<header.times { times.append(try reader.number(width)) }
    let kinds = Array(try reader.take(header.times))
    var offsets: [Int] = []
    for _ in 0..<header.types {
      let offset = Int(try reader.number(4))
      guard abs(offset) < Self.farthestOffset else { throw ZoneDamage(description: "an offset from UTC is impossible") }
      offsets.append(offset)
      _ = try reader.take(2)
    }
    _ = try reader.take(header.rest)
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }), kinds.allSatisfy({ Int($0) < offsets.count }) else {
      throw ZoneDamage(description: "its table is out of order")
    }
    var initial = offsets[0]
    var transitions: [Transition] = []
    for (time, kind) in zip(times, kinds) {
      let offset = offsets[Int(kind)]
      if time < 0 {
        initial = offset
      } else if offset != transitions.last?.offset ?? initial || time == times.last {
        // The last one is kept, because the rule applies only after it.
        transitions.append(Transition(time: time, offset: offset))
      }
    }
    self.init(initial: initial, transitions: transitions, rule: width == 8 ? try reader.footer() : nil)
  }

  /// Reads a value of `TZ` that is not the name of a file but a POSIX rule; nil for anything else.
  public init?(posix bytes: some Collection<UInt8>) {
    guard let rule = PosixZone(bytes) else { return nil }
    self.init(initial: 0, transitions: [], rule: rule)
  }

  private struct Header {
    let version: UInt8
    let leapSeconds: Int
    let times: Int
    let types: Int
    /// The length of the data after the types that is of no interest here.
    let rest: Int

    /// How many bytes follow, with times of this width.
    func length(width: Int) -> Int { times * (width + 1) + types * 6 + rest + leapSeconds * (width + 4) }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func take(_ count: Int) throws(ZoneDamage) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw ZoneDamage(description: "it ends too early") }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// Reads a signed number, highest byte first.
    mutating func number(_ width: Int) throws(ZoneDamage) -> Int64 {
      let bytes = try take(width)
      let bits = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }

    mutating func header() throws(ZoneDamage) -> Header {
      guard try take(4).elementsEqual("TZif".utf8) else {
        throw ZoneDamage(description: "it is not a time zone file (TZif)")
      }
      let version = try take(16).first ?? 0
      var counts: [Int] = []
      for _ in 0..<6 {
        let count = Int(try number(4))
        // No count can be greater than the rest of the file.
        guard (0...rest.count).contains(count) else { throw ZoneDamage(description: "it ends too early") }
        counts.append(count)
      }
      return Header(
        version: version, leapSeconds: counts[2], times: counts[3], types: counts[4],
        rest: counts[5] + counts[1] + counts[0])
    }

    /// Reads the rule after the tables; nil if it is empty.
    mutating func footer() throws(ZoneDamage) -> PosixZone? {
      guard rest.first == UInt8(ascii: "\n"), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n")) else {
        throw ZoneDamage(description: "it ends too early")
      }
      let text = rest[(rest.startIndex + 1)..<end]
      guard !text.isEmpty else { return nil }
      guard let rule = PosixZone(text) else { throw ZoneDamage(description: "its rule for future years is invalid") }
      return rule
    }
  }
}
