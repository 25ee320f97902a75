import Foundation
import Testing
import ThemedTestSupport

/// A cable between two network namespaces, each held by a process: between machines that share nothing else of a network.
struct Cable {
  /// Where the far side is reached.
  let farAddress: String
  let near: ChildProcess
  let far: ChildProcess
  private let session: Session
  private let net: String
  /// What the near end of the cable is called.
  private let plug: String

  /// What it takes.
  static let need: Comment = "needs root, on a machine that lets a test lay a cable between two network namespaces"

  /// Whether this process may lay one on this machine; for root it has to where THEMED_EXPECT_USER_MANAGER is set.
  static let isPossible: Bool = {
    guard geteuid() == 0 else { return false }
    let expected = ProcessInfo.processInfo.environment["THEMED_EXPECT_USER_MANAGER", default: ""] != ""
    let trial = Process()
    trial.executableURL = URL(filePath: "/bin/sh")
    trial.arguments = ["-c", "unshare --net ip link add near type veth peer name far"]
    (trial.standardOutput, trial.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard !expected, (try? trial.run()) != nil else { return expected }
    trial.waitUntilExit()
    return trial.terminationStatus == 0
  }()

  /// A cable from a machine of its own, or from one that is at the far end of another cable.
  init(_ session: Session, from cable: Cable? = nil) throws {
    self.session = session
    near = try cable?.far ?? Self.namespace(session)
    far = try Self.namespace(session)
    (net, plug) = cable == nil ? ("10.99.0", "near") : ("10.99.1", "onward")
    farAddress = net + ".2"
    try session.check(
      "ip",
      ["link", "add", plug, "netns", "\(near.pid)", "type", "veth", "peer", "name", "far", "netns", "\(far.pid)"])
    try run(far, "ip addr add \(farAddress)/24 dev far && ip link set far up && ip link set lo up")
    try run(near, "ip addr add \(net).1/24 dev \(plug) && ip link set \(plug) up && ip link set lo up")
  }

  /// The words before those of a program that is to run on one side.
  func enter(_ side: ChildProcess) -> [String] { ["nsenter", "--net", "--target", "\(side.pid)"] }

  func plug(_ isIn: Bool) throws { try run(near, "ip link set \(plug) \(isIn ? "up" : "down")") }

  /// Gives the near side another address, in the place of the one that it has.
  func readdress() throws {
    try run(near, "ip addr del \(net).1/24 dev \(plug) && ip addr add \(net).3/24 dev \(plug)")
  }

  /// Runs a shell's command on one side.
  func run(_ side: ChildProcess, _ script: String) throws {
    let words = enter(side) + ["sh", "-c", script]
    try session.check(words[0], Array(words.dropFirst()))
  }

  private static func namespace(_ session: Session) throws -> ChildProcess {
    let process = try session.spawn("unshare", ["--net", "sh", "-c", holder])
    guard try process.line() == "there" else { throw Failure("no network namespace") }
    return process
  }

  /// What holds one until it is ended, and then ends whatever is in it: an sshd whose cable was pulled would wait there
  /// for minutes, and nobody knows it any more.
  private static let holder = #"""
    trap 'number=$(readlink /proc/$$/ns/net | tr -dc 0-9)
      all=$(find /proc/[0-9]*/ns/net -lname "net:?$number?" ! -path "/proc/$$/*" 2> /dev/null)
      for one in $all; do one=${one#/proc/}; kill -9 ${one%%/*} 2> /dev/null; done
      exit 0' TERM
    echo there
    sleep infinity &
    wait
    """#
}
