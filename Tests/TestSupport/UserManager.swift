import Foundation
import Glibc

/// A real systemd user manager, as an ordinary process in a mount namespace and a control group of its own.
public final class UserManager {
  private unowned let session: Session

  /// Whether this machine lets a test have one; where THEMED_EXPECT_USER_MANAGER is set, it has to.
  public static var isPossible: Bool {
    let expected = ProcessInfo.processInfo.environment["THEMED_EXPECT_USER_MANAGER", default: ""] != ""
    return expected || (getuid() == 0 && !controlGroups.isEmpty && (try? trial()) != nil)
  }

  /// Starts the manager, with units that were written to the configuration home before; what they write goes to
  /// `journal`, if there is one.
  public init(session: Session, journal: Journald? = nil) throws {
    self.session = session
    // The manager takes every process of the control group that it starts in for its own, and moves it: so it gets a
    // new one, in each hierarchy that it looks at, before it starts.
    let script = """
      set -e
      for group in "$@"; do mkdir -p "$group" && echo $$ > "$group/cgroup.procs"; done
      if [ "$0" = alone ]; then
        mount --make-rprivate /
        mount -t tmpfs tmpfs /run
        mkdir -p /run/systemd/system
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

  /// Names control groups for a new manager of this user's, one in each hierarchy; they are removed with the session.
  static func newControlGroups(of user: uid_t, in session: Session) throws -> [String] {
    // Named as a login's is, so that the journal knows the units of this manager.
    let name = "themed_test_" + UUID().uuidString.prefix(8) + ".slice"
    let slices = controlGroups.map { "\($0)/\(name)" }
    guard !slices.isEmpty else { throw Failure("no control group can be made here") }
    session.whenClosed { slices.forEach(removeControlGroup) }
    return slices.map { $0 + "/user@\(user).service" }
  }

  /// The control groups that this process is in, in the hierarchies that a manager looks at, if they can be written.
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
      groups += mounts.map { $0 + path }.filter { FileManager.default.isWritableFile(atPath: $0 + "/cgroup.procs") }
        .prefix(1)
    }
    return groups
  }

  private static func trial() throws {
    for path in [program, "/usr/lib/systemd/user/dbus.socket"] where !FileManager.default.fileExists(atPath: path) {
      throw Failure("\(path) is not there")
    }
    try withSession { session in
      try session.check("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/run"])
    }
  }
}

/// Removes a control group and those in it, which hold no processes any more.
private func removeControlGroup(_ path: String) {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
    var isDirectory = false
    _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
    if isDirectory { removeControlGroup(path + "/" + name) }
  }
  _ = unsafe rmdir(path)
}
