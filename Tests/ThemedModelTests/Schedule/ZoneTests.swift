import Foundation
@testable import ThemedModel
import Testing
import ThemedSystem
import ThemedTestSupport

@Suite struct ZoneTests {
  static let directory = "/usr/share/zoneinfo"

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)")))
  }

  static func zone(_ name: String) throws -> Zone { try Zone(tzif: bytes(name)) }

  /// What the C library says of these times, by GNU's date.
  private func offsets(in zone: String, at times: [Int64]) throws -> [Int] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/date")
    process.arguments = ["-f", "-", "+%::z"]
    process.environment = ["TZ": zone, "LC_ALL": "C"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(times.map { "@\($0)\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map { line in
      let parts = line.dropFirst().split(separator: ":").compactMap { Int($0) }
      return (line.hasPrefix("-") ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60 + parts[2])
    }
  }

  @Test("every zone's clocks are those of the C library, from 1970 to 2100, and where they are changed to the second")
  func cLibrary() throws {
    let table = String(decoding: try Self.bytes("zone1970.tab"), as: UTF8.self)
    let names = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.split(separator: "\t")[2]) }
    #expect(names.count > 300)
    var random = SeededGenerator(seed: 1)
    for name in names + ["UTC", "EST5EDT"] {
      let zone = try Self.zone(name)
      var times = (0..<40).map { _ in Int64.random(in: 0...4_102_444_800, using: &random) }
      var next = zone.nextTransition(after: Int64.random(in: 0...2_000_000_000, using: &random))
      while let change = next, times.count < 60 {
        times += [change.time - 1, change.time]
        next = zone.nextTransition(after: change.time)
      }
      #expect(try offsets(in: name, at: times) == times.map { zone.offset(at: $0) }, "\(name)")
    }
  }

  @Test(
    "rules as POSIX writes them are the C library's",
    arguments: [
      "CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "IST-1GMT0,M10.5.0,M3.5.0/1",
      "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "EST5EDT,J60/2,J300/2", "EST5EDT4,59,299/1:30", "UTC0",
      "AAA12BBB,M12.5.6,M2.5.1",
    ])
  func posix(rule: String) throws {
    let zone = try #require(Zone(posix: rule.utf8))
    var random = SeededGenerator(seed: 2)
    let times = (0..<300).map { _ in Int64.random(in: 0...4_102_444_800, using: &random) }
    #expect(try offsets(in: rule, at: times) == times.map { zone.offset(at: $0) })
  }

  @Test("where a summer is named without its days, they are those that the C library assumes since 2007")
  func assumedSummer() throws {
    let zone = try #require(Zone(posix: "CET-1CEST".utf8))
    #expect(zone == Zone(posix: "CET-1CEST,M3.2.0,M11.1.0".utf8))
    // Not at the hour of the change, which the C library takes from a file made for another zone where it has one.
    let times = (0..<50).map { 1_262_304_000 + Int64($0) * 365 * 43_200 }
    #expect(try offsets(in: "CET-1CEST", at: times) == times.map { zone.offset(at: $0) })
    #expect(Set(times.map { zone.offset(at: $0) }) == [3600, 7200])
  }

  @Test(
    "what is no rule is none",
    arguments: [
      "", "C", "CET", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-25",
      "CET-1CEST,M3.5.0,M10.5.0/168", "<>-1", "CET-1CEST,J0,J5", "CET-1CEST,M3.5.0,M10.5.0x",
    ])
  func noRule(text: String) { #expect(Zone(posix: text.utf8) == nil) }

  @Test("a summer that ends as the next one begins never ends")
  func summerForEver() throws {
    let zone = try #require(Zone(posix: "XXX3EDT4,0/0,J365/23".utf8))
    for day in 0..<800 { #expect(zone.offset(at: 1_767_225_600 + Int64(day) * 43_200) == -4 * 3600) }
  }

  @Test("no file, cut or changed anywhere, does worse than be refused")
  func damage() throws {
    let good = try Self.bytes("Europe/Berlin")
    for length in 0..<good.count { #expect(throws: ZoneDamage.self) { try Zone(tzif: Array(good.prefix(length))) } }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let zone = try? Zone(tzif: bytes) else { continue }
      let time = Int64.random(in: .min ... .max, using: &random)
      _ = zone.offset(at: time)
      #expect(zone.nextTransition(after: time).map { $0.time > time } ?? true)
    }
  }

  /// A file of so many transitions, a second apart, between two offsets.
  private func file(_ count: Int, _ offset: (Int) -> UInt8) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func header(_ times: Int, _ types: Int) -> [UInt8] {
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + [0, 0, 0, times, types, 0].flatMap { number($0, 4) }
    }
    let times = (0..<count).flatMap { number(1_800_000_000 + $0, 8) }
    let types = (number(0, 4) + [0, 0]) + (number(1, 4) + [0, 0])
    return header(0, 0) + header(count, 2) + times + (0..<count).map(offset) + types + Array("\n\n".utf8)
  }

  @Test("a file with more changes than any zone's clocks see is refused, and many are searched by halves")
  func manyTransitions() throws {
    #expect(throws: ZoneDamage(description: "it changes its clocks more than 2000 times")) {
      try Zone(tzif: file(2001) { UInt8($0 % 2) })
    }
    let zone = try Zone(tzif: file(2000) { UInt8(($0 + 1) % 2) })
    for index in 0..<2000 {
      let time = 1_800_000_000 + Int64(index)
      #expect(zone.nextTransition(after: time - 1) == Zone.Transition(time: time, offset: (index + 1) % 2))
      #expect(zone.offset(at: time) == (index + 1) % 2)
    }
    #expect(zone.nextTransition(after: 1_800_001_999) == nil)
    // Those that change nothing are not looked at.
    let still = try Zone(tzif: file(2000) { $0 < 1000 ? 0 : 1 })
    #expect(still.nextTransition(after: 0) == Zone.Transition(time: 1_800_001_000, offset: 1))
  }

  @Test("a local time is the first moment at which clocks show it, or what comes behind what they skip")
  func localTimes() throws {
    func time(_ text: String, in zone: Zone) throws -> Int64 { zone.time(ofLocal: try #require(SunTests.time(text))) }
    let berlin = try Self.zone("Europe/Berlin"), apia = try Self.zone("Pacific/Apia")
    #expect(try time("2026-03-29T02:30", in: berlin) == SunTests.time("2026-03-29T01:00"))
    #expect(try time("2026-10-25T02:30", in: berlin) == SunTests.time("2026-10-25T00:30"))
    #expect(try time("2026-10-25T03:00", in: berlin) == SunTests.time("2026-10-25T02:00"))
    // There was no 30th of December 2011.
    #expect(try time("2011-12-30T12:00", in: apia) == SunTests.time("2011-12-30T10:00"))
    #expect(try time("2011-12-31T00:00", in: apia) == SunTests.time("2011-12-30T10:00"))
  }

  @Test("zones lie where the tables say, and names for others are known as such")
  func tables() throws {
    let table = try Self.bytes("zone1970.tab")
    let berlin = try #require(ZoneTable.place(of: "Europe/Berlin", inTable: table))
    #expect(berlin.latitude.text == "52.5" && berlin.longitude.text == "13.366666")
    #expect(ZoneTable.place(of: "America/New_York", inTable: table)?.latitude.text == "40.714166")
    #expect(ZoneTable.place(of: "UTC", inTable: table) == nil)
    #expect(
      ZoneTable.target(of: "Europe/Oslo", inLinks: Array("L Europe/Berlin Europe/Oslo\n".utf8)) == "Europe/Berlin")
    #expect(ZoneTable.target(of: "B", inLinks: Array("# tzdata\nLink\tA/C\t\tB # why\n".utf8)) == "A/C")
    #expect(ZoneTable.target(of: "B", inLinks: Array("Lx A B\nL A\n".utf8)) == nil)
    #expect(ZoneTable.name(ofPath: "/usr/share/zoneinfo/posix/Europe/Berlin") == "Europe/Berlin")
    #expect(ZoneTable.name(ofPath: "/etc/localtime") == nil)
    #expect(!ZoneTable.isName("../../etc/passwd") && !ZoneTable.isName("") && ZoneTable.isName("Etc/GMT+5"))
    for row in ["DE\t+9930+01322\tX", "DE\t+5230\tX", "DE\t+52:0+01322\tX", "DE\t+5230+19000\tX", "DE\t\tX"] {
      #expect(ZoneTable.place(of: "X", inTable: Array(row.utf8)) == nil, "\(row)")
    }
  }

  @Test("degrees are decimal numbers, and written as they were")
  func degrees() {
    for text in ["52.5", "-33.8688", "0", "180", "-0.5", "13.366666"] { #expect(Degrees(Text(text))?.text == text) }
    for text in ["", "-", "1e2", "52,5", "52.", ".5", "+-1", "0x1", "1234", "52.5 ", "٥"] {
      #expect(Degrees(Text(text)) == nil, "\(text)")
    }
  }
}
