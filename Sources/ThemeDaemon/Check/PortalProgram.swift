internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The portal's program, seen from outside: its environment, its process and its version.
struct PortalProgram {
  typealias Version = (Int, Int, Int)

  /// The environment that it runs in or would run in; nil if it is not known.
  let environment: [Text: Text]?
  let version: Version?

  /// The portal that runs as `process`, or the installed one; `manager` as for ``environment(ofPortal:manager:)``.
  init(process: UInt32?, manager: [Text: Text]?) {
    environment = Self.environment(ofPortal: process, manager: manager)
    version = Self.path(process).flatMap(Self.version(ofProgram:))
  }

  /// The environment of the portal that runs as `process`.
  ///
  /// If it may not be read, as in a sandbox, this is the environment that the user manager gives to services, because
  /// the manager started the portal; without a manager, it is that of this program. This program may be older than the
  /// session, which passes its variables to the manager. If the manager has not answered (nil), nothing is known; a
  /// manager that is not there gives an empty environment.
  static func environment(ofPortal process: UInt32?, manager: [Text: Text]?) -> [Text: Text]? {
    process.flatMap { environment(of: "\($0)") } ?? manager.map { $0.isEmpty ? own : $0 }
  }

  /// The assumed version if the program does not tell it: version 2 of the interface came with 1.17.1.
  static func version(ofInterface version: UInt32?) -> Version { version == 1 ? (1, 16, 0) : (.max, 0, 0) }

  static var own: [Text: Text] { environment(of: "self") ?? [:] }

  static func dictionary(_ assignments: [Text]) -> [Text: Text] {
    assignments.reduce(into: [:]) { result, assignment in
      let parts = assignment.split("=", maxSplits: 1)
      if parts.count == 2 { result[parts[0]] = parts[1] }
    }
  }

  /// The environment of a process; nil if it may not be read.
  static func environment(of process: String) -> [Text: Text]? {
    guard let bytes = try? readFile("/proc/\(process)/environ", maximum: Limits.file) else { return nil }
    return dictionary(bytes.split(separator: 0).map { Text(decoding: $0) })
  }

  /// The program's file: the running one, or else the one that the bus would start.
  private static func path(_ process: UInt32?) -> String? {
    if let process { return "/proc/\(process)/exe" }
    let directories = (own["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(":", omittingEmpty: true)
    for directory in directories {
      let path = "\(directory)/dbus-1/services/\(SettingsPortal.desktop.name).service"
      guard let text = try? readFile(path, maximum: Limits.file), let file = try? KeyFile(strict: text) else {
        continue
      }
      return file.value("D-BUS Service", "Exec")?.split(" ", omittingEmpty: true).first?.string
    }
    return nil
  }

  /// The version that the program itself prints, such as `xdg-desktop-portal 1.16.0`.
  ///
  /// No other program is started, because a test's fake portal can be anything. If the file of a running process was
  /// replaced, as by an upgrade, the process's own file is asked, not the new one.
  private static func version(ofProgram path: String) -> Version? {
    let file = linkTarget(of: path).map { Text(decoding: $0) } ?? Text(path)
    let original = file.dropping(suffix: " (deleted)")
    guard (original ?? file).hasSuffix("/xdg-desktop-portal") else { return nil }
    return Program.run([original == nil ? file.string : path, "--version"], atMost: Limits.versionSeconds)?.lines.first
      .flatMap(parse)
  }

  /// The numbers in a version's text; the third may be missing.
  static func parse(_ text: Text) -> Version? {
    let numbers = (text.split(" ", omittingEmpty: true).last ?? "").split(".").map { Int($0.string) }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    return (major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
  }
}

extension PortalChainFacts {
  /// Adds what is installed and configured, for a portal of this version with this environment.
  ///
  /// If the version is not known (nil), no feature of newer versions is assumed.
  mutating func learn(
    _ backends: PortalBackends, _ environment: [Text: Text], _ version: PortalProgram.Version?
  ) {
    hasBackend = backends.capable.contains { $0.busName == PortalBackends.ours && $0.name == Self.backend }
    isFirst = backends.chosen.first?.busName == PortalBackends.ours
    let without = backends.withoutOurs
    others = without.chosen.map(\.name)
    readsConfiguration = backends.rule != .all
    fallsThrough = version.map { $0 >= (1, 21, 1) } ?? false
    readsUsersBackends = version.map { $0 >= (1, 20, 1) } ?? false
    isNone = backends.preferences.contains { preference in
      (preference.lists[PortalBackends.settings] ?? preference.lists["default"] ?? []).contains("none")
    }
    preference = backends.preferences.first.map { Text($0.path) }
    desktop = backends.desktops.first?.asciiLowercased
    let places = PortalBackends.Places(environment)
    directory = places.configuration.first
    dataDirectory = places.backends.first
  }
}
