import Foundation
import Glibc
public import Testing

/// A real systemd user manager, as an ordinary process in a mount namespace and a control group of its own.
public final class UserManager {
  private unowned let session: Session

  /// Whether this process may have one on this machine; for root it has to where THEMED_EXPECT_USER_MANAGER is set.
  public static let isPossible: Bool = {
    guard getuid() == 0 else { return false }
    let expected = ProcessInfo.processInfo.environment["THEMED_EXPECT_USER_MANAGER", default: ""] != ""
    return expected || (try? trial.get()) != nil
  }()

  /// What is missing where ``isPossible`` is false.
  public static let need: Comment = {
    guard getuid() == 0 else { return "needs root, on a machine that lets a test have a systemd user manager" }
    guard case .failure(let error) = trial else { return "needs a systemd user manager" }
    return Comment(rawValue: "needs a systemd user manager, which a test cannot have here: \(error)")
  }()

  /// Starts the manager, with units that were written to the configuration home before; what they write goes to
  /// `journal`, if there is one.
  public init(session: Session, journal: Journald? = nil) throws {
    self.session = session
    try Self.trial.get()
    // The manager takes every process of the control group that it starts in for its own, and moves it: so it gets a
    // new one, in each hierarchy that it looks at, before it starts.
    let script = """
      set -e
      for group in "$@"; do mkdir -p "$group" && echo $$ > "$group/cgroup.procs"; done
      if [ "$0" = alone ]; then
        mount --make-rprivate /
        mount -t tmpfs tmpfs /run
        mkdir -p /run/systemd/system
        \(try Self.bringDesktop())
      fi
      exec \(Self.program) --user
      """
    let groups = try Self.newControlGroups(of: getuid(), in: session)
    if let journal {
      _ = try session.startNotifying("nsenter", journal.entering + ["/bin/sh", "-c", script, "journal"] + groups)
    } else {
      _ = try session.startNotifying("unshare", ["--mount", "/bin/sh", "-c", script, "alone"] + groups)
    }
  }

  /// Writes a user unit.
  public static func write(_ text: String, as name: String, in session: Session) throws {
    try session.directory.write(text, to: "config/systemd/user/" + name)
  }

  /// Runs `systemctl --user`, which has to succeed, and returns what it printed.
  @discardableResult
  public func systemctl(_ arguments: String...) throws -> String {
    try systemctl(arguments)
  }

  /// Runs `systemctl --user`, which has to succeed, and returns what it printed.
  @discardableResult
  public func systemctl(_ arguments: [String]) throws -> String {
    try session.check("systemctl", ["--user"] + arguments)
  }

  /// The value of a unit's property.
  public func property(_ name: String, of unit: String) throws -> String {
    try systemctl("show", "--value", "--property", name, unit)
  }

  static let program = "/lib/systemd/systemd"

  /// What a shell does in a mount namespace with a `/run` of its own, so that what was unpacked for a desktop lies in
  /// its usual places.
  static func bringDesktop() throws -> String {
    let unpacked = Products.unpackedDirectory
    guard FileManager.default.fileExists(atPath: unpacked + "/usr") else { return ":" }
    // What is installed holds, but for what was made of installed and unpacked files together.
    return """
      mkdir /run/desktop /run/together
      mount --bind \(shellWord(unpacked)) /run/desktop
      mount --bind \(shellWord(try TestDesktop.pieces.get().place)) /run/together
      mount -t overlay -o lowerdir=/run/together/usr:/usr:/run/desktop/usr overlay /usr
      """
  }

  /// Names control groups for a new manager of this user's, one in each hierarchy; they are removed with the session.
  static func newControlGroups(of user: uid_t, in session: Session) throws -> [String] {
    // Named as a login's is, so that the journal knows the units of this manager.
    let name = "themed_test_" + UUID().uuidString.prefix(8) + ".slice"
    let slices = controlGroups.map { "\($0)/\(name)" }
    guard !slices.isEmpty else { throw Failure("no control group can be made here") }
    let run = try TestRun.current.get()
    for slice in slices { try run.remove(controlGroup: slice) }
    session.whenClosed { slices.forEach(removeControlGroup) }
    return slices.map { $0 + "/user@\(user).service" }
  }

  /// In each hierarchy that a manager looks at, the group that another can be made in: the root, if it can be written,
  /// else the one that this process is in.
  ///
  /// The journal knows a user's unit by its path from the root; below the scope of a login's shell it does not.
  private static var controlGroups: [String] {
    let lines = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
    var groups: [String] = []
    for line in lines.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3 else { continue }
      let path = fields[2] == "/" ? "" : fields[2]
      let mounts: [String]
      switch fields[1] {
      case "": mounts = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]
      case "name=systemd": mounts = ["/sys/fs/cgroup/systemd"]
      default: continue
      }
      groups += mounts.flatMap { [$0, $0 + path] }
        .filter { FileManager.default.isWritableFile(atPath: $0 + "/cgroup.procs") }.prefix(1)
    }
    return groups
  }

  /// Whether a manager could be started, and if not, why.
  private static let trial = Result {
    for (package, path) in [("systemd", program), ("dbus-user-session", "/usr/lib/systemd/user/dbus.socket")] {
      let places = [path, Products.unpackedDirectory + path]
      guard places.contains(where: FileManager.default.fileExists(atPath:)) else {
        throw Failure("no \(path) (package \(package)), neither installed nor below \(Products.unpackedDirectory)")
      }
    }
    guard !controlGroups.isEmpty else { throw Failure("no control group can be made here") }
    try withSession { session in
      let script = "set -e; mount -t tmpfs tmpfs /run\n" + (try bringDesktop())
      try session.check("unshare", ["--mount", "/bin/sh", "-c", script])
    }
  }
}

/// A word for a shell, whatever is in it.
public func shellWord(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }

/// Removes a control group and those in it, which hold no processes any more.
private func removeControlGroup(_ path: String) {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
    var isDirectory = false
    _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
    if isDirectory { removeControlGroup(path + "/" + name) }
  }
  _ = unsafe rmdir(path)
}
