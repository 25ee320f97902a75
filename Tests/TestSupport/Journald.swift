import Foundation

/// A real journald, with a run directory of its own, which a user manager can share.
public final class Journald {
  let process: ChildProcess
  private unowned let session: Session

  /// Starts journald, and waits until it receives; as root, where a user manager is possible.
  public init(session: Session) throws {
    self.session = session
    let script = """
      set -e
      mount --make-rprivate /
      mount -t tmpfs tmpfs /run
      mkdir -p /run/systemd/system /run/systemd/journal /run/log/journal
      \(try UserManager.bringDesktop())
      exec /lib/systemd/systemd-journald
      """
    process = try session.startNotifying("unshare", ["--mount", "/bin/sh", "-c", script])
  }

  /// The words before those of a program that is to run where this journal is.
  var entering: [String] { ["--mount=/proc/\(process.pid)/ns/mnt"] }

  /// The entries that match these words of journalctl's, as objects.
  public func entries(_ words: String...) throws -> [[String: Any]] {
    // What was sent is written by then.
    try session.check("nsenter", entering + ["journalctl", "--quiet", "--sync"])
    let arguments = ["journalctl", "--quiet", "--no-pager", "--output=json"] + words
    return try session.check("nsenter", entering + arguments).split(separator: "\n").map { line in
      guard let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        throw Failure("no entry: \(line)")
      }
      return entry
    }
  }

  /// Does something while it stands still.
  public func whileFrozen(_ body: () throws -> Void) throws {
    process.send(.stop)
    defer { process.send(.continue) }
    try body()
  }
}

extension Session {
  /// Starts the daemon with this journal as its standard error, and waits until it says that it is ready.
  public func startThemed(in journald: Journald) throws -> ChildProcess {
    try startThemed(under: ["nsenter"] + journald.entering + ["systemd-cat"])
  }
}
