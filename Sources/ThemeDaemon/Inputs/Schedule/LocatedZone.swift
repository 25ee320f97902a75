internal import Glibc
internal import ThemeSchedule
internal import ThemedText
internal import ThemedUnix

/// A time zone, its name, and where it lies.
struct LocatedZone: Equatable, Sendable {
  let zone: Zone
  /// Its name; nil where it has none, as a copy of its file.
  let name: Text?
  /// Where it lies; nil where the tables do not say.
  let place: Place?
  /// The zone whose place that is.
  let placeOrigin: Text?

  /// What came of reading it.
  enum Outcome: Equatable, Sendable {
    case found(LocatedZone)
    /// No zone is named; what is wrong with that.
    case nameless(String)
    /// It cannot be read: why.
    case failed(String)
  }
}

/// Where the time zone stands: by `TZ`, else by `/etc/localtime`, as the C library looks for it.
///
/// It is read on a thread, whatever it lies on.
struct ZonePlaces: Sendable {
  /// What `TZ` says; nil where it is not set.
  private let variable: Text?
  private let directory: String
  private let localtime: String

  /// The places that the environment names.
  init(variable: String?, directory: String?) {
    self.variable = variable.map { Text($0) }.map { $0.dropping(prefix: ":") ?? $0 }
    self.directory = directory ?? "/usr/share/zoneinfo"
    localtime = "/etc/localtime"
  }

  /// Those of this process.
  static var own: ZonePlaces {
    // Set and empty, it means UTC.
    let variable = unsafe getenv("TZ").map { unsafe String(cString: $0) }
    return ZonePlaces(variable: variable, directory: environment("TZDIR"))
  }

  /// The files by which a change of it is seen.
  var watched: [String] { [file].compactMap(\.self) + tables + [links] }

  private var tables: [String] { ["zone1970.tab", "zone.tab"].map { "\(directory)/\($0)" } }
  private var links: String { "\(directory)/tzdata.zi" }

  /// The zone's file; nil where `TZ` names none.
  private var file: String? {
    guard let variable else { return localtime }
    if variable.hasPrefix("/") { return variable.string }
    return ZoneTable.isName(variable) ? "\(directory)/\(variable)" : nil
  }

  // MARK: Reading

  /// Reads it, and tells `note` what it looks at.
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
      let name = name(of: file, note)
      let located = name.flatMap { place(of: $0, note) }
      return .found(LocatedZone(zone: zone, name: name, place: located?.place, placeOrigin: located?.zone))
    } catch {
      return .failed("\(Text(file).shown(atMost: Limits.shownText)) is no time zone: \(error)")
    }
  }

  private func notRead(_ error: SystemError, _ file: String) -> LocatedZone.Outcome {
    let path = Text(file).shown(atMost: Limits.shownText)
    guard error.code == ENOENT else { return .failed("\(Text("\(error)").shown(atMost: Limits.problem))") }
    if variable != nil {
      if case .found(let zone) = readRule() { return .found(zone) }
      return .failed("TZ names \(path), which is not there: is tzdata installed?")
    }
    guard isSymbolicLink(file) else {
      return .nameless("there is no \(path), so clocks are taken to show UTC: 'timedatectl set-timezone' makes it")
    }
    return .failed("\(path) leads to a file that is not there: is tzdata installed?")
  }

  /// What `TZ` says where it names no file.
  private func readRule() -> LocatedZone.Outcome {
    guard let variable, let zone = Zone(posix: variable.utf8) else {
      return .failed("TZ is '\((variable ?? "").shown(atMost: Limits.shownText))', which is no time zone")
    }
    return .found(LocatedZone(zone: zone, name: nil, place: nil, placeOrigin: nil))
  }

  /// The zone's name, by where its file lies or the links lead that stand for it, or by `/etc/timezone`.
  private func name(of file: String, _ note: (Text) -> Void) -> Text? {
    if let variable, !variable.hasPrefix("/") { return variable }
    var path = Text(file)
    for _ in 0..<Limits.zoneLinks {
      if let name = ZoneTable.name(ofPath: path), name != "localtime" { return name }
      note(path)
      guard let target = linkTarget(of: path.string).map({ Text(decoding: $0) }) else { break }
      path = target.hasPrefix("/") ? target : "\(parent(of: path.string))/\(target)"
    }
    guard variable == nil, let bytes = try? readFile("/etc/timezone", maximum: Limits.shownText) else { return nil }
    let word = Text(decoding: bytes.prefix { $0 > 0x20 })
    return ZoneTable.isName(word) ? word : nil
  }

  /// Where a zone lies: by the tables, or as the zone does that it is another name for.
  private func place(of name: Text, _ note: (Text) -> Void) -> (place: Place, zone: Text)? {
    for table in tables {
      note(Text(table))
      guard let bytes = try? readFile(table, maximum: Limits.zoneFile) else { continue }
      if let place = ZoneTable.place(of: name, inTable: bytes) { return (place, name) }
    }
    note(Text(links))
    guard let bytes = try? readFile(links, maximum: Limits.zoneFile),
      let target = ZoneTable.target(of: name, inLinks: bytes), target != name
    else { return nil }
    for table in tables {
      guard let bytes = try? readFile(table, maximum: Limits.zoneFile) else { continue }
      if let place = ZoneTable.place(of: target, inTable: bytes) { return (place, target) }
    }
    return nil
  }
}
