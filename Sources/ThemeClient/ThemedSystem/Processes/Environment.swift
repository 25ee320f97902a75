internal import CThemedLinux
internal import Glibc

/// A variable of this process's environment; nil if it is not set or empty, as the XDG specification defines it.
public func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}

/// Why this program cannot read its own command line; nil if it can.
///
/// Swift's runtime reads the command line from /proc. Without /proc even the name of the program is missing, and the
/// command would be taken for one without arguments.
public var missingCommandLine: String? {
  guard CommandLine.argc < 1 else { return nil }
  return "cannot read the command line, because /proc is not mounted; run 'mount -t proc proc /proc'"
}

/// The XDG base directories (XDG Base Directory Specification 0.8).
///
/// A relative path is ignored.
public enum BaseDirectory {
  /// The directory of sockets: `XDG_RUNTIME_DIR`, or else the directory that systemd creates for each user, if it is
  /// ours.
  public static var runtime: String? {
    if let path = absolute("XDG_RUNTIME_DIR") { return path }
    let path = "/run/user/\(geteuid())"
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_uid == geteuid() else { return nil }
    return path
  }

  public static var configuration: String? { absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" } }

  /// The directory for data that programs save between their runs.
  public static var state: String? { absolute("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" } }

  /// The directories for data: first the user's own, then the system's in order.
  public static var data: [String] {
    let own = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
    let system = Text(environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(":")
    return [own].compactMap(\.self) + system.filter { $0.hasPrefix("/") }.map { $0.withoutSlashAtEnd.string }
  }

  public static var home: String? {
    if let path = absolute("HOME") { return path }
    guard let entry = unsafe getpwuid(geteuid()), let path = unsafe entry.pointee.pw_dir else { return nil }
    return unsafe String(cString: path)
  }

  private static func absolute(_ name: String) -> String? {
    guard let path = environment(name), Text(path).hasPrefix("/") else { return nil }
    return Text(path).withoutSlashAtEnd.string
  }
}

extension Text {
  /// The path without a slash at its end: `/usr/share` for `/usr/share/`, so that messages show no `//`.
  public var withoutSlashAtEnd: Text {
    var bytes = Array(utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return Text(decoding: bytes)
  }
}

/// All variables of the environment; call this before another thread can set one.
public func allVariables() -> [Text: Text] {
  var variables: [Text: Text] = [:]
  var entry = unsafe environ
  while let line = unsafe entry.pointee {
    let parts = unsafe Text(String(cString: line)).split("=", maxSplits: 1)
    if parts.count == 2 { variables[parts[0]] = parts[1] }
    unsafe entry += 1
  }
  return variables
}
