import Foundation
import Glibc
import ThemedTestSupport

/// Another machine, as far as ssh can tell: a real sshd, run anew for each connection and over no port, whose user has
/// directories of its own.
final class Server {
  /// What `themectl share` is told besides, to reach it.
  let options: [String]
  private unowned let session: Session
  private let directory: String
  private let address: String?

  /// A machine that is called `far`; with an address, it is reached there, once it listens.
  init(_ session: Session, authorized: Bool = true, at address: String? = nil) throws {
    (self.session, self.address) = (session, address)
    directory = try session.directory.directory("far")
    let files = session.directory
    for name in ["run", "home", "bin", "root"] { try files.directory("far/" + name) }
    for key in ["host", "user", "other"] {
      try session.check("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", directory + "/" + key])
    }
    // What runs there outlives the connection: who has started it has to end it.
    try files.write(
      "#!/bin/sh\necho $$ >> \(directory)/processes\nexec \(try Products.path("themed")) \"$@\"\n",
      to: "far/bin/themed")
    _ = unsafe chmod(directory + "/bin/themed", 0o755)
    let known = try String(contentsOfFile: directory + "/host.pub", encoding: .utf8)
    try files.write("far \(known)", to: "far/known")
    try files.write(
      """
      HostKey \(directory)/host
      AuthorizedKeysFile \(directory)/\(authorized ? "user" : "other").pub
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin yes
      PidFile none
      SetEnv XDG_RUNTIME_DIR=\(directory)/run HOME=\(directory)/home XDG_STATE_HOME=\(directory)/state \
      XDG_CONFIG_HOME=\(directory)/config PATH=\(directory)/bin:/usr/bin:/bin

      """, to: "far/sshd_config")
    let sshd = "\(try Self.sshd()) \"$@\" -f \(directory)/sshd_config"
    // As root it wants a user and a directory that only a package would make: it sees them, and nobody else does.
    let passwd = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
    try files.write(passwd + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n", to: "far/passwd")
    try files.directory("far/root/sshd")
    let enter = "mount --bind \(directory)/passwd /etc/passwd && mount --bind \(directory)/root /run"
    let run = geteuid() == 0 ? "exec unshare --mount sh -c '\(enter) && exec \(sshd)' sh \"$@\"" : "exec \(sshd)"
    try files.write("test ! -e \(directory)/down || exit 1\n\(run) 2>> \(directory)/log\n", to: "far/connect")
    try files.write(
      """
      Host far
        \(address.map { "HostName \($0)" } ?? "ProxyCommand sh \(directory)/connect -i")
        HostKeyAlias far
        User \(NSUserName())
        IdentityFile \(directory)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(directory)/known
        StrictHostKeyChecking yes

      """, to: "far/ssh_config")
    options = ["--", "-F", directory + "/ssh_config"]
  }

  deinit { end() }

  /// Begins to share with it, under another program or under none.
  func share(_ words: [String] = [], under wrapper: [String] = []) throws -> ChildProcess {
    let all = try wrapper + [Products.path("themectl"), "share"] + words + ["far"] + options
    return try session.spawn(all[0], Array(all.dropFirst()))
  }

  /// Has it listen at its address, in a network where it is reached there.
  func listen(under wrapper: [String]) throws -> ChildProcess {
    let words = wrapper + ["sh", directory + "/connect", "-D", "-e", "-o", "ListenAddress=\(address ?? "")"]
    let sshd = try session.spawn(words[0], Array(words.dropFirst()))
    try eventually("sshd listens") {
      (try? String(contentsOfFile: directory + "/log", encoding: .utf8))?.contains("Server listening on") == true
    }
    try session.directory.write("", to: "far/log")
    return sshd
  }

  /// Begins to share with it, and waits until it follows.
  func follow(under wrapper: [String] = []) throws -> ChildProcess {
    let share = try share(under: wrapper)
    guard try share.line() == "far follows this machine" else { throw Failure("it does not follow: \(share.errors)") }
    return share
  }

  /// Starts the command there.
  func spawnThemectl(_ words: String...) throws -> ChildProcess {
    try session.spawn(
      "env",
      ["XDG_RUNTIME_DIR=\(directory)/run", "XDG_STATE_HOME=\(directory)/state", Products.path("themectl")] + words)
  }

  /// Runs the command there to its end.
  func themectl(_ words: String...) throws -> Finished {
    try session.run(
      "env",
      ["XDG_RUNTIME_DIR=\(directory)/run", "XDG_STATE_HOME=\(directory)/state", Products.path("themectl")] + words)
  }

  /// Starts a themed there that follows a desktop of its own.
  func startThemed() throws -> ChildProcess {
    try session.spawn(
      "env",
      [
        "XDG_RUNTIME_DIR=\(directory)/run", "XDG_STATE_HOME=\(directory)/state", Products.path("themed"), "--ready-fd",
        "1",
      ])
  }

  /// Makes it another one by its key.
  func changeKey() throws {
    let other = try String(contentsOfFile: directory + "/other.pub", encoding: .utf8)
    try session.directory.write("far \(other)", to: "far/known")
  }

  /// Whether it can be reached.
  func reach(_ isUp: Bool) throws {
    if isUp { unsafe unlink(directory + "/down") } else { try session.directory.write("", to: "far/down") }
  }

  /// Ends what runs there.
  func end() {
    let numbers = (try? String(contentsOfFile: directory + "/processes", encoding: .utf8)) ?? ""
    for pid in numbers.split(separator: "\n").compactMap({ Int32($0) }) {
      let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
      if name == "themed\n" { kill(pid, SIGKILL) }
    }
  }

  private static func sshd() throws -> String {
    let unpacked = (Products.desktop ?? "") + "/usr/sbin/sshd"
    return FileManager.default.isExecutableFile(atPath: unpacked) ? unpacked : try Products.system("sshd")
  }
}

extension ChildProcess {
  /// The process of this name that it has started, and that runs.
  func child(_ name: String) throws -> Int32 {
    try eventually("\(self.name) runs \(name)") {
      let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      return children.split(separator: " ").compactMap { Int32($0) }.first {
        (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == name + "\n"
      }
    }
  }
}
