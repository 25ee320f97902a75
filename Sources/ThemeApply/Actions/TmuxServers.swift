internal import CThemedLinux
internal import Glibc
internal import ThemedSystem

/// Makes every tmux server of the user read a file.
enum TmuxServers {
  static func read(_ file: String, _ run: Run, _ name: Text, _ outcome: inout Outcome) {
    let faults = concurrently(sockets(run.environment)) { fault(of: $0, reading: file, run) }
    guard !run.isEnded else { return }
    for fault in faults.compactMap(\.self) { outcome.fail(name, fault.problem, mendsItself: fault.mendsItself) }
    let told = faults.count { $0 == nil }
    guard told == faults.count else { return }
    outcome.add(name, told == 0 ? .left : .done, told == 0 ? "no tmux server is running" : "notified \(told)")
  }

  /// Why a server did not read a file; nil if it did.
  private static func fault(of socket: String, reading file: String, _ run: Run) -> Fault? {
    let command = Command(words: ["tmux", "-S", Text(socket), "source-file", Text(file)], time: Limits.tmux)
    let shown = "tmux -S \(Text(socket).shown(atMost: 200))"
    do throws(Fault) {
      let end = try command.perform(run).end
      if case .tookTooLong = end {
        return Fault(
          "\(shown) did not answer within \(Limits.tmux / 1000) s", "check whether it hangs: '\(shown) list-sessions'",
          mendsItself: true)
      }
      return end.problem(shown, seconds: Limits.tmux / 1000).map { Fault($0.text, $0.advice) }
    } catch { return error }
  }

  /// The sockets of running servers: those of the user's processes, and those in the usual directory, for servers in a
  /// container whose processes cannot be inspected.
  static func sockets(_ environment: [Text: Text]) -> [String] {
    let directory = "\(environment["TMUX_TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")/tmux-\(Peer.ownUser)"
    var status = stat()
    var paths = ListeningSockets.paths(
      ofThoseRunning: ["tmux"], called: "tmux: server", home: environment["HOME"])
    // A directory that nobody else can have made.
    if unsafe lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == Peer.ownUser {
      paths += names(inDirectory: directory).map { "\(directory)/\($0)" }
    }
    var seen: Set<FileNumber> = []
    let different = paths.filter { FileNumber(of: $0).map { seen.insert($0).inserted } ?? false }
    return Array(different.filter(isServed).prefix(Limits.tmuxServers))
  }

  /// Whether a server listens at the socket, which stays when the server exits.
  private static func isServed(_ path: String) -> Bool {
    do throws(SystemError) {
      let socket = try connect(to: SocketAddress(path: path), .nonblocking)
      return Peer(of: socket)?.user == Peer.ownUser
    } catch { return error.code == EAGAIN }
  }
}
