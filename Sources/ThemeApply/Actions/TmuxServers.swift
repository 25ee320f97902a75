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

/// Finds the sockets that the user's programs listen at, by asking the kernel, because no variable reliably names them.
enum ListeningSockets {
  /// The paths of the Unix sockets of processes that run one of these programs or have this title.
  ///
  /// A process with another HOME than `home` is left alone: it belongs to another session, such as that of a test.
  static func paths(ofThoseRunning programs: [Text], called title: Text, home: Text?) -> [String] {
    var paths: [String] = []
    var tables: [Text: [UInt64: Text]] = [:]
    for number in Process.numbers where isMeant(number, programs, title) && Process.hasHome(home, number) {
      guard let process = Process(number) else { continue }
      let inodes = sockets(of: number)
      // A process in a network of its own has a table of its own.
      let network = linkTarget(of: "/proc/\(number)/ns/net").map { Text(decoding: $0) } ?? ""
      let table = tables[network] ?? listening(in: (try? readFile("/proc/\(number)/net/unix", maximum: maximum)) ?? [])
      tables[network] = table
      for path in inodes.compactMap({ table[$0] }) where process.isAlive {
        if path.hasPrefix("/") {
          paths.append(path.string)
        } else if let directory = linkTarget(of: "/proc/\(number)/cwd") {
          paths.append("\(Text(decoding: directory))/\(path)")
        }
      }
    }
    return paths
  }

  /// The longest table of sockets that is read, in bytes.
  private static let maximum = 16 << 20

  private static func isMeant(_ number: pid_t, _ programs: [Text], _ title: Text) -> Bool {
    if let program = linkTarget(of: "/proc/\(number)/exe") {
      let path = Text(decoding: program)
      let name = (path.dropping(suffix: " (deleted)") ?? path).splitAtLast("/")?.behind
      if let name, programs.contains(name) { return true }
    }
    // A wrapped program has another file; the kernel keeps fifteen bytes of what it calls itself.
    let comm = (try? readFile("/proc/\(number)/comm", maximum: 64))?.split(separator: 0x0A).first
    return comm.map { $0.elementsEqual(title.utf8.prefix(15)) } ?? false
  }

  /// The numbers of the sockets that a process has open.
  private static func sockets(of number: pid_t) -> [UInt64] {
    names(inDirectory: "/proc/\(number)/fd").compactMap { name in
      guard let target = linkTarget(of: "/proc/\(number)/fd/\(name)") else { return nil }
      return Text(decoding: target).dropping(prefix: "socket:[")?.dropping(suffix: "]").flatMap { UInt64($0.string) }
    }
  }

  /// The paths of the sockets that a process listens at, by their numbers, from the contents of `/proc/net/unix`.
  static func listening(in table: [UInt8]) -> [UInt64: Text] {
    var paths: [UInt64: Text] = [:]
    for line in table.split(separator: 0x0A).dropFirst() {
      // Num RefCount Protocol Flags Type St Inode Path, and the path may have spaces.
      let words = line.split(separator: 0x20, maxSplits: 7, omittingEmptySubsequences: true)
      // Flags: __SO_ACCEPTCON.
      guard words.count == 8, words[3].elementsEqual("00010000".utf8), words[7].first != UInt8(ascii: "@"),
        let inode = UInt64(Text(decoding: words[6]).string)
      else { continue }
      paths[inode] = Text(decoding: words[7])
    }
    return paths
  }
}
