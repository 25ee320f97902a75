import Foundation
import Glibc

/// An ordinary user with a real systemd user manager, in the usual directories: a home below `/home`, a runtime directory
/// below `/run/user`.
///
/// As root, sandboxes hold less and allow more than where they are meant for, so they are tried as this user.
public final class OrdinaryUser {
  /// A directory that everybody can write to.
  public static let commonDirectory = "/run/common"
  /// Where copies of our programs lie for this user, who may not go where they were built, nor may a service that sees
  /// neither homes nor `/tmp`.
  public static let programs = "/run/programs"
  /// A copy of the program `probe` that runs as root, whoever starts it.
  public static let rootsProbe = "/run/probe"
  /// The user's home.
  public static let home = "/home/" + name
  /// The user's runtime directory.
  public static let runtimeDirectory = "/run/user/1"

  /// The control group that the manager may do with what it likes.
  public let controlGroup: String

  /// Debian's user for what needs no files: number 1, and no more rights than anybody.
  private static let name = "daemon"
  private static let become = ["setpriv", "--reuid=\(name)", "--regid=\(name)", "--clear-groups"]
  private unowned let session: Session
  private var manager: ChildProcess?
  private var units = 0

  /// Starts the manager; without user namespaces, the kernel lets nothing that it starts have one.
  public init(session: Session, userNamespaces: Bool = true) throws {
    self.session = session
    try session.directory.directory("home/.config/systemd/user")
    let groups = try UserManager.newControlGroups(of: 1, in: session)
    controlGroup = groups[0]
    // To a program in a chroot the kernel refuses user namespaces.
    let enter = userNamespaces ? "" : "mount --rbind / /mnt\nset -- chroot /mnt \"$@\""
    let script = """
      set -e
      for group in \(groups.joined(separator: " ")); do
        mkdir -p "$group"
        echo $$ > "$group/cgroup.procs"
        chown -R \(Self.name) "$group"
      done
      mount --make-rprivate /
      mount -t tmpfs tmpfs /run
      mkdir -p /run/systemd/system /run/systemd/unit-root \(Self.runtimeDirectory)
      mkdir -m 1777 \(Self.commonDirectory)
      \(try UserManager.bringDesktop())
      mkdir \(Self.programs)
      install -m 755 \(try Self.files(session)) \(Self.programs)
      install -m 4755 \(Self.programs)/themed-probe \(Self.rootsProbe)
      mount -t tmpfs tmpfs /home
      mkdir \(Self.home)
      chown -R \(Self.name) '\(session.directory.path(""))'
      mount --bind '\(session.directory.path("home"))' \(Self.home)
      mount --bind '\(session.directory.path("run"))' \(Self.runtimeDirectory)
      unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TMPDIR
      export HOME=\(Self.home) XDG_RUNTIME_DIR=\(Self.runtimeDirectory)
      export DBUS_SESSION_BUS_ADDRESS=unix:path=\(Self.runtimeDirectory)/bus
      \(enter)
      exec "$@"
      """
    manager = try session.startNotifying(
      "unshare", ["--mount", "/bin/sh", "-c", script, "sh"] + Self.become + [UserManager.program, "--user"])
  }

  /// Writes a file into a user's home, before the manager starts.
  public static func write(_ text: String, toHome file: String, in session: Session) throws {
    try session.directory.write(text, to: "home/" + file)
  }

  /// Runs a program of the system, or at a path, as this user, who sees what services see.
  public func run(_ program: String, _ arguments: [String]) throws -> Finished {
    let entering = ["--mount=/proc/\(manager?.pid ?? 0)/ns/mnt"]
    return try session.run("nsenter", entering + Self.become + [Products.system(program)] + arguments)
  }

  /// Our programs, and what they need that does not come with the system, as words for a shell.
  private static func files(_ session: Session) throws -> String {
    let programs = try ["themed", "themectl", "themed-probe"].map(Products.path)
    let needed = try session.check("ldd", programs).split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count > 2, words[1] == "=>" else { return nil }
      // A path may have spaces; what follows it has none.
      let path = words[2...].dropLast().joined(separator: " ")
      return path.hasPrefix("/usr/lib") || path.hasPrefix("/lib") ? nil : path
    }
    return (programs + Set(needed).sorted()).map(shellWord).joined(separator: " ")
  }

  /// Runs `systemctl --user`.
  public func systemctl(_ arguments: String...) throws -> Finished {
    try run("systemctl", ["--user"] + arguments)
  }

  /// The value of a unit's property.
  public func property(_ name: String, of unit: String) throws -> String {
    let finished = try systemctl("show", "--value", "--property", name, unit)
    guard finished.status == .exited(0) else { throw Failure("no \(name) of \(unit): \(finished.errors)") }
    return finished.output
  }

  /// What became of something that was tried.
  public enum Outcome: Equatable, Sendable {
    /// It could be done.
    case possible
    /// It was denied.
    case denied
    /// The service could not be started, for the reason that this exit status of systemd's tells.
    case notStarted(Int)
  }

  /// Tries something in a service with these options.
  public func attempt(_ words: [String], with options: [String]) throws -> Outcome {
    units += 1
    let unit = "probe-\(units).service"
    let lines = ["[Service]", "Type=oneshot", "RemainAfterExit=yes"] + options
    let command = "ExecStart=\(Self.programs)/themed-probe \(words.joined(separator: " "))\n"
    try session.directory.write(lines.joined(separator: "\n") + "\n" + command, to: "home/.config/systemd/user/\(unit)")
    _ = try systemctl("start", unit)
    let status = try Int(property("ExecMainStatus", of: unit)) ?? -1
    switch try (property("ExecMainCode", of: unit), status) {
    case ("1", 0): return .possible
    // Or killed for trying.
    case ("1", 1), ("2", Int(SIGSYS)), ("3", Int(SIGSYS)): return .denied
    case ("1", 200...): return .notStarted(status)
    case (let code, _):
      throw Failure(
        "probe \(words) with \(options) ended by \(code) with \(status): \(try systemctl("status", unit).output)")
    }
  }
}
