internal import Glibc
internal import ThemedSystem

/// Decides whose connections are accepted; the rule is the same for both sockets.
///
/// ``Rights`` decides which calls a client may make.
///
/// The kernel reports the user of a connection (SO_PEERCRED) when it was made, as numbered in this daemon's user
/// namespace. Only this daemon's own user is accepted:
///
/// - not root, through sudo or as a service, because overrides belong to one user;
/// - from a container of this user, only the user that is this user outside: usually its root, or with
///   `--userns=keep-id` the user with the same number. Its other users have other numbers outside, and are refused;
/// - anyone that this user's `ssh`, `socat` or the like connects for. They cannot be told apart here; the read-only
///   socket is for them.
///
/// In a user namespace that does not map all users, all strangers have the same number, the overflow number. A daemon
/// that has this number itself could not tell them from its own user, and accepts no connections.
struct PeerRule: Hashable {
  /// The user whose connections are accepted; nil: nobody's.
  let user: UInt32?

  /// Accepts this user.
  init(user: UInt32) {
    self.user = user
  }

  /// Accepts this user of a namespace with this `/proc/self/uid_map`.
  init(user: UInt32, ofMap map: Text, overflow: UInt32) {
    let isWhole = map.split("\n").contains { line in
      line.split(" ", omittingEmpty: true) == ["0", "0", "4294967295"]
    }
    self.user = user == overflow && !isWhole ? nil : user
  }

  /// Accepts this process's effective user; it reads only files in memory.
  static let own = PeerRule(
    user: Peer.ownUser, ofMap: text(of: "/proc/self/uid_map") ?? "",
    overflow: text(of: "/proc/sys/kernel/overflowuid").flatMap { UInt32($0.string) } ?? 65_534)

  private static func text(of path: String) -> Text? {
    guard let bytes = try? readFile(path, maximum: 4096) else { return nil }
    return Text(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
  }

  /// Whether a peer is accepted; nil if the kernel does not name its user.
  func admits(_ peer: UInt32?) -> Bool {
    guard let user else { return false }
    return peer == user
  }
}
