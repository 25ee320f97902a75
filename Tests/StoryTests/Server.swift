import Foundation
import Glibc
import ThemedTestSupport

/// Another machine, as far as ssh can tell: a real sshd, run anew for each connection and over no port, whose user has
/// directories of its own.
final class Server {
  /// What `themectl share` is told besides, to reach it.
  let options: [String]
  /// What it is called.
  let name: String
  private unowned let session: Session
  private let directory: String
  private let address: String?
  /// How ssh reaches it, as lines of its configuration.
  private let route: String

  /// What the password of ``Door/password`` is.
  static let password = "correct-horse"

  /// Who is let in.
  enum Door { case key, password, nobody }

  /// A machine of this name; with an address, it is reached there, once it listens.
  ///
  /// - Parameters:
  ///   - jump: Another one, through which it is reached.
  ///   - configuration: More lines of ssh's configuration, for it.
  ///   - preparation: What a shell does before its sshd runs, as root in a mount namespace of its own.
  init(
    _ session: Session, name: String = "far", door: Door = .key, at address: String? = nil, through jump: Server? = nil,
    configuration: [String] = [], preparation: String = ":"
  ) throws {
    (self.session, self.address, self.name) = (session, address, name)
    directory = try session.directory.directory(name)
    let files = session.directory
    for part in ["run", "home", "bin", "root"] { try files.directory(name + "/" + part) }
    for key in ["host", "user", "other"] where !FileManager.default.fileExists(atPath: directory + "/" + key) {
      try session.check("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", directory + "/" + key])
    }
    // What runs there outlives the connection: who has started it has to end it.
    try files.write(
      "#!/bin/sh\necho $$ >> \(directory)/processes\nexec \(shellWord(try Products.path("themed"))) \"$@\"\n",
      to: name + "/bin/themed")
    _ = unsafe chmod(directory + "/bin/themed", 0o755)
    // By the run's directory, which this lies below, the tests find what ssh starts, too.
    let mark = directory.split(separator: "/").prefix(2).map { "/" + $0 }.joined()
    let known = try String(contentsOfFile: directory + "/host.pub", encoding: .utf8)
    try files.write("\(name) \(known)", to: name + "/known")
    try files.write(
      """
      HostKey \(directory)/host
      AuthorizedKeysFile \(directory)/\(door == .key ? "user" : "other").pub
      StrictModes no
      UsePAM no
      PasswordAuthentication \(door == .password ? "yes" : "no")
      KbdInteractiveAuthentication no
      PermitRootLogin yes
      PidFile none
      SetEnv XDG_RUNTIME_DIR=\(directory)/run HOME=\(directory)/home XDG_STATE_HOME=\(directory)/state \
      XDG_CONFIG_HOME=\(directory)/config PATH=\(directory)/bin:/usr/bin:/bin \
      THEMED_TEST_RUN=\(mark)

      """, to: name + "/sshd_config")
    let sshd = "\(shellWord(try Self.sshd())) \"$@\" -f \(directory)/sshd_config"
    // As root it wants a user and a directory that only a package would make: it sees them, and nobody else does.
    let passwd = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
    try files.write(passwd + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n", to: name + "/passwd")
    try files.directory(name + "/root/sshd")
    // Of the word above.
    let hash = "$6$themedtest$Bib.cy91XyIkhSPEXqWsYzxsACmOX3t16qaavp25qU0q1LZIaQSxPvq68BRkv7ZYqu0ZMWldnobU1rZVkvsS9."
    try files.write("\(NSUserName()):\(hash):19000:0:99999:7:::\n", to: name + "/shadow")
    let place = directory
    let binds = ["passwd /etc/passwd", "shadow /etc/shadow", "root /run"].map { "mount --bind \(place)/\($0)" }
    let enter = (binds + [preparation]).joined(separator: " && ")
    let run =
      geteuid() == 0 ? "exec unshare --mount sh -c \(shellWord("\(enter) && exec \(sshd)")) sh \"$@\"" : "exec \(sshd)"
    try files.write("test ! -e \(directory)/down || exit 1\n\(run) 2>> \(directory)/log\n", to: name + "/connect")
    route = """
      Host \(name)
        \(address.map { "HostName \($0)" } ?? "ProxyCommand sh \(directory)/connect -i")
        HostKeyAlias \(name)
        User \(NSUserName())
        IdentityFile \(directory)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(directory)/known
        StrictHostKeyChecking yes
        \((configuration + (jump.map { ["ProxyJump \($0.name)"] } ?? [])).joined(separator: "\n  "))

      """
    try files.write(route + (jump?.route ?? ""), to: name + "/ssh_config")
    options = ["--", "-F", directory + "/ssh_config"]
  }

  deinit { end() }

  /// What is set there, and not here.
  var variables: [String] { ["XDG_RUNTIME_DIR=\(directory)/run", "XDG_STATE_HOME=\(directory)/state"] }

  /// A place for a file of its.
  func path(_ file: String) -> String { directory + "/" + file }

  /// Begins to share with it, under another program or under none.
  func share(_ words: [String] = [], under wrapper: [String] = []) throws -> ChildProcess {
    let all = try wrapper + [Products.path("themectl"), "share"] + words + [name] + options
    return try session.spawn(all[0], Array(all.dropFirst()))
  }

  /// Has it listen at its address, in a network where it is reached there.
  func listen(under wrapper: [String]) throws -> ChildProcess {
    let words = wrapper + ["sh", directory + "/connect", "-D", "-e", "-o", "ListenAddress=\(address ?? "")"]
    let sshd = try session.spawn(words[0], Array(words.dropFirst()))
    try eventually("sshd listens") {
      (try? String(contentsOfFile: directory + "/log", encoding: .utf8))?.contains("Server listening on") == true
    }
    try session.directory.write("", to: name + "/log")
    return sshd
  }

  /// Begins to share with it, and waits until it follows.
  func follow(under wrapper: [String] = []) throws -> ChildProcess {
    let share = try share(under: wrapper)
    let line = try share.line()
    guard line == "\(name) follows this machine" else { throw Failure("it does not follow: \(share.errors)") }
    return share
  }

  /// Starts the command there.
  func spawnThemectl(_ words: String...) throws -> ChildProcess {
    try session.spawn("env", variables + [Products.path("themectl")] + words)
  }

  /// Runs the command there to its end, under another program or under none.
  func themectl(under wrapper: [String] = [], _ words: String...) throws -> Finished {
    let all = wrapper + ["env"] + variables + [try Products.path("themectl")] + words
    return try session.run(all[0], Array(all.dropFirst()))
  }

  /// Starts a themed there that follows a desktop of its own.
  func startThemed() throws -> ChildProcess {
    try session.spawn("env", variables + [Products.path("themed"), "--ready-fd", "1"])
  }

  /// How often somebody was let in, as its sshd says.
  func entries() throws -> Int {
    try String(contentsOfFile: directory + "/log", encoding: .utf8).components(separatedBy: "Accepted ").count - 1
  }

  /// Makes it another one by its key.
  func changeKey() throws {
    let other = try String(contentsOfFile: directory + "/other.pub", encoding: .utf8)
    try session.directory.write("\(name) \(other)", to: name + "/known")
  }

  /// Whether it can be reached.
  func reach(_ isUp: Bool) throws {
    if isUp { unsafe unlink(directory + "/down") } else { try session.directory.write("", to: name + "/down") }
  }

  /// The processes of the themeds that ssh has started there.
  func processes() throws -> [Int32] {
    try String(contentsOfFile: directory + "/processes", encoding: .utf8).split(separator: "\n").compactMap {
      Int32($0)
    }
  }

  /// Ends what runs there.
  func end() {
    for pid in (try? processes()) ?? [] {
      let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
      if name == "themed\n" { kill(pid, SIGKILL) }
    }
  }

  private static func sshd() throws -> String { try Products.unpackable("sshd", at: "/usr/sbin/sshd") }
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

  /// The processes that it has started, and those that these have, that still belong to it.
  func descendants(of parent: Int32? = nil) throws -> [Int32] {
    let parent = parent ?? pid
    let children = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
      .split(separator: " ").compactMap { Int32($0) }
    return try children + children.flatMap { try descendants(of: $0) }
  }
}
