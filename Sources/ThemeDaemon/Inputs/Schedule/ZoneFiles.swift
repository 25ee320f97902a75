internal import Glibc
internal import ThemedModel
internal import ThemedSystem

/// A time zone, its name, and its place.
struct LocatedZone: Equatable, Sendable {
  let zone: Zone
  /// Its name; nil if it has none, such as a copy of a zone's file.
  let name: Text?
  var place: Place?
  /// The zone that the place belongs to.
  var placeOrigin: Text?
  /// Why the place could not be looked up, if that is not the fault of the zone.
  var placeProblem: String?

  enum Outcome: Equatable, Sendable {
    case found(LocatedZone)
    /// No zone is set, which means UTC and may surprise the user.
    case nameless(String)
    case failed(String)
    /// It cannot be read for now, because descriptors or memory have run out.
    case short(String)
  }
}

/// Finds the time zone as the C library does: by `TZ`, or else by `/etc/localtime`.
///
/// The files are read on a thread, because any file system may hang.
struct ZoneFiles: Sendable {
  /// The value of `TZ`; nil if it is not set.
  private let variable: Text?
  private let directory: String
  private let localtime: String
  /// The file that names the zone if `localtime` is a copy, which has no name.
  private let timezone: String

  /// The places that the environment names; a relative directory is ignored, because it would depend on where the
  /// daemon is started.
  init(variable: String?, directory: String?, etc: String = "/etc") {
    self.variable = variable.map { Text($0) }.map { $0.dropping(prefix: ":") ?? $0 }
    self.directory = directory.flatMap { Text($0).hasPrefix("/") ? $0 : nil } ?? "/usr/share/zoneinfo"
    (localtime, timezone) = ("\(etc)/localtime", "\(etc)/timezone")
  }

  static var own: ZoneFiles {
    // A variable that is set but empty means UTC.
    let variable = unsafe getenv("TZ").map { unsafe String(cString: $0) }
    return ZoneFiles(variable: variable, directory: environment("TZDIR"))
  }

  /// The files to watch for a change of the zone.
  ///
  /// A link's replacement is only visible in its directory, so every write in /etc wakes the daemon.
  var watched: [String] {
    [file].compactMap(\.self) + (variable == nil ? [timezone] : []) + tables + [links]
  }

  private var tables: [String] { ["zone1970.tab", "zone.tab"].map { "\(directory)/\($0)" } }
  private var links: String { "\(directory)/tzdata.zi" }

  /// The zone's file; nil if `TZ` does not name one.
  private var file: String? {
    guard let variable else { return localtime }
    if variable.hasPrefix("/") { return variable.string }
    return ZoneTable.isName(variable) ? "\(directory)/\(variable)" : nil
  }

  // MARK: Reading

  /// Reads the zone; `note` is called with each path before it is accessed.
  func read(_ note: (Text) -> Void) -> LocatedZone.Outcome {
    if let variable, variable.isEmpty || ["UTC", "UTC0", "Etc/UTC"].contains(variable) {
      return .found(LocatedZone(zone: .utc, name: "UTC", place: nil, placeOrigin: nil))
    }
    guard let file else { return readRule() }
    note(Text(file))
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try readFile(file, maximum: Limits.zoneFile)
    } catch {
      return notRead(error, file)
    }
    do throws(ZoneDamage) {
      let zone = try Zone(tzif: bytes)
      let name = name(of: file, bytes, note)
      var located = LocatedZone(zone: zone, name: name, place: nil, placeOrigin: nil)
      guard let name else { return .found(located) }
      do throws(SystemError) {
        if let found = try place(of: name, note) { (located.place, located.placeOrigin) = (found.place, found.zone) }
      } catch {
        let problem = Text("\(error)").shown(atMost: Limits.problem)
        located.placeProblem = "cannot look up the place of \(name.shown()): \(problem); is tzdata installed?"
      }
      return .found(located)
    } catch {
      return .failed("\(Text(file).shown(atMost: Limits.shownText)) is not a time zone: \(error)")
    }
  }

  private func notRead(_ error: SystemError, _ file: String) -> LocatedZone.Outcome {
    let path = Text(file).shown(atMost: Limits.shownText)
    guard error.code == ENOENT else {
      let problem = Text("\(error)").shown(atMost: Limits.problem)
      return error.isTemporary ? .short(problem) : .failed(problem)
    }
    if variable != nil {
      if case .found(let zone) = readRule() { return .found(zone) }
      return .failed("TZ names \(path), which does not exist; is tzdata installed?")
    }
    guard isSymbolicLink(file) else {
      return .nameless("\(path) does not exist, so the schedule uses UTC; set one with 'timedatectl set-timezone'")
    }
    return .failed("\(path) is a link to a missing file; is tzdata installed?")
  }

  /// Reads the rule in `TZ` if that does not name a file.
  private func readRule() -> LocatedZone.Outcome {
    guard let variable, let zone = Zone(posix: variable.utf8) else {
      return .failed("TZ is '\((variable ?? "").shown(atMost: Limits.shownText))', which is not a time zone")
    }
    return .found(LocatedZone(zone: zone, name: nil, place: nil, placeOrigin: nil))
  }

  /// The zone's name, by the path of its file or of the links to it, or by `/etc/timezone`.
  private func name(of file: String, _ bytes: [UInt8], _ note: (Text) -> Void) -> Text? {
    if let variable, !variable.hasPrefix("/"), let name = ZoneTable.name(ofFile: variable), name != "localtime" {
      return name
    }
    var path = Text(file)
    for _ in 0..<Limits.zoneLinks {
      if let name = ZoneTable.name(ofPath: path), name != "localtime" { return name }
      note(path)
      guard let target = linkTarget(of: path.string).map({ Text(decoding: $0) }) else { break }
      path = target.hasPrefix("/") ? target : "\(parent(of: path.string))/\(target)"
    }
    return variable == nil ? statedName(bytes, note) : nil
  }

  /// The name in `/etc/timezone`, if it is the same zone: one of the two files is always written first.
  private func statedName(_ bytes: [UInt8], _ note: (Text) -> Void) -> Text? {
    note(Text(timezone))
    guard let text = try? readFile(timezone, maximum: Limits.zoneName) else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n")).map { $0.filter { $0 > 0x20 } }
    guard let line = lines.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }) else { return nil }
    let word = Text(decoding: line)
    guard ZoneTable.isName(word) else { return nil }
    let file = "\(directory)/\(word)"
    note(Text(file))
    guard let named = try? readFile(file, maximum: Limits.zoneFile), named == bytes else { return nil }
    return word
  }

  /// The place of a zone by the tables, if need be through the zone that it is another name for; nil if the tables do
  /// not list it.
  private func place(of name: Text, _ note: (Text) -> Void) throws(SystemError) -> (place: Place, zone: Text)? {
    let tables = try readTables(note)
    func find(_ zone: Text) -> Place? { tables.lazy.compactMap { ZoneTable.place(of: zone, inTable: $0) }.first }
    if let place = find(name) { return (place, name) }
    note(Text(links))
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try readFile(links, maximum: Limits.zoneFile)
    } catch {
      // Not every system has this file.
      guard error.code == ENOENT else { throw error }
    }
    guard let target = ZoneTable.target(of: name, inLinks: bytes), target != name else { return nil }
    return find(target).map { ($0, target) }
  }

  /// The existing tables; one of them is enough.
  private func readTables(_ note: (Text) -> Void) throws(SystemError) -> [[UInt8]] {
    var read: [[UInt8]] = []
    var failure: SystemError?
    for table in tables {
      note(Text(table))
      do throws(SystemError) {
        read.append(try readFile(table, maximum: Limits.zoneFile))
      } catch {
        // A table that exists but cannot be read might list more.
        if failure == nil || error.code != ENOENT { failure = error }
      }
    }
    if let failure, read.isEmpty || failure.code != ENOENT { throw failure }
    return read
  }
}
