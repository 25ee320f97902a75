internal import Glibc
internal import ThemedText
internal import ThemedUnix

/// Who is let in: one rule, for both sockets.
///
/// What he may do there is another question (``Rights``).
///
/// The kernel says of which user a connection is (SO_PEERCRED), in the numbers of this daemon's own user namespace, and
/// as it was when the connection was made. This daemon's user is let in, and nobody else:
///
/// - not root, by sudo or as a service, since what is overridden is one user's;
/// - out of a container of this user's, whoever is this user outside: its root, mostly, or with `--userns=keep-id` the
///   user of the same number. Its other users have numbers of their own outside, and are refused;
/// - whoever this user's `ssh`, `socat` or the like speaks for. Who that is cannot be told from here, which is what the
///   socket for reading only is for.
///
/// In a user namespace that does not know all users, strangers have one number for all, the overflow number. A daemon that
/// has the same one could not tell itself from them, and lets nobody in.
struct PeerRule: Hashable {
  /// Whose connections are let in; nil: nobody's.
  let user: UInt32?

  /// Lets in this user.
  init(user: UInt32) {
    self.user = user
  }

  /// Lets in this user of a namespace, whose `/proc/self/uid_map` says so much.
  init(user: UInt32, ofMap map: Text, overflow: UInt32) {
    let isWhole = map.split("\n").contains { line in
      line.split(" ", omittingEmpty: true) == ["0", "0", "4294967295"]
    }
    self.user = user == overflow && !isWhole ? nil : user
  }

  /// Lets in the user whom this process acts as; what it reads lies in memory.
  static let own = PeerRule(
    user: Peer.ownUser, ofMap: text(of: "/proc/self/uid_map") ?? "",
    overflow: text(of: "/proc/sys/kernel/overflowuid").flatMap { UInt32($0.string) } ?? 65_534)

  private static func text(of path: String) -> Text? {
    guard let bytes = try? readFile(path, maximum: 4096) else { return nil }
    return Text(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
  }

  /// Whether somebody is let in; nil where the kernel does not say of which user he is.
  func admits(_ peer: UInt32?) -> Bool {
    guard let user else { return false }
    return peer == user
  }
}
