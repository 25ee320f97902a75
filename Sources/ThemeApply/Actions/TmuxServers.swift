internal import CThemedLinux
internal import Glibc
internal import ThemedText
internal import ThemedUnix

/// Has every tmux server of the user read a file.
enum TmuxServers {
  static func read(_ file: String, _ run: Run, _ name: Text, _ outcome: inout Outcome) {
    var told = 0
    // One that hangs keeps no other one from being told.
    var hasFailed = false
    for socket in sockets(run.places) where !run.isEnded {
      do throws(Fault) {
        let command = Command(words: ["tmux", "-S", Text(socket), "source-file", Text(file)], time: Limits.tmux)
        let end = try command.perform(run).end
        if let problem = end.problem("tmux -S \(Text(socket).shown(atMost: 200))", seconds: Limits.tmux / 1000) {
          outcome.fail(name, problem)
          hasFailed = true
          continue
        }
        told += 1
      } catch {
        outcome.fail(name, error.problem, mendsItself: error.mendsItself)
        hasFailed = true
      }
    }
    if hasFailed { return }
    outcome.add(name, told == 0 ? .left : .done, told == 0 ? "no tmux server runs" : "told \(told)")
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
