internal import CThemedLinux
internal import Glibc
internal import ThemedText
internal import ThemedUnix

/// Has every tmux server of the user read a file.
enum TmuxServers {
  static func read(_ file: String, _ run: Run, _ name: Text, _ outcome: inout Outcome) {
    let faults = concurrently(sockets(run.places)) { fault(of: $0, reading: file, run) }
    guard !run.isEnded else { return }
    for fault in faults.compactMap(\.self) { outcome.fail(name, fault.problem, mendsItself: fault.mendsItself) }
    let told = faults.count { $0 == nil }
    guard told == faults.count else { return }
    outcome.add(name, told == 0 ? .left : .done, told == 0 ? "no tmux server runs" : "told \(told)")
  }

  /// What keeps a server from reading a file; nil where it has read it.
  private static func fault(of socket: String, reading file: String, _ run: Run) -> Fault? {
    let command = Command(words: ["tmux", "-S", Text(socket), "source-file", Text(file)], time: Limits.tmux)
    let shown = "tmux -S \(Text(socket).shown(atMost: 200))"
    do throws(Fault) {
      let end = try command.perform(run).end
      if case .tookTooLong = end {
        return Fault(
          "\(shown) did not answer within \(Limits.tmux / 1000) s", "see whether it hangs: '\(shown) list-sessions'",
          mendsItself: true)
      }
      return end.problem(shown, seconds: Limits.tmux / 1000).map { Fault($0.text, $0.advice) }
    } catch { return error }
  }

  /// The sockets of those that run, in a directory that nobody else can have made.
  private static func sockets(_ places: Places) -> [String] {
    let directory = "\(places["TMUX_TMPDIR"] ?? "/tmp")/tmux-\(Peer.ownUser)"
    var status = stat()
    guard unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == Peer.ownUser
    else {
      return []
    }
    let paths = names(inDirectory: directory).map { "\(directory)/\($0)" }
    return Array(paths.filter(isServed).prefix(Limits.tmuxServers))
  }

  /// Whether somebody listens: a server that has ended leaves its socket.
  private static func isServed(_ path: String) -> Bool {
    do throws(SystemError) {
      let socket = try connect(to: SocketAddress(path: path), .nonblocking)
      return Peer(of: socket)?.user == Peer.ownUser
    } catch { return error.code == EAGAIN }
  }
}
