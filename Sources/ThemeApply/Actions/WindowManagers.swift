internal import Glibc
internal import ThemeApps
internal import ThemedSystem
internal import ThemedVarlink

/// Sends commands to sway and i3 by the i3 protocol: `i3-ipc`, a length, a type, and the text.
enum WindowManagers {
  private static let magic = Array("i3-ipc".utf8)
  private static let headerSize = 14

  /// Makes each window manager of this kind run these commands.
  static func tell(_ kind: App.WindowManager, _ commands: [Text], _ run: Run, _ name: Text, _ outcome: inout Outcome) {
    let sockets = sockets(of: kind, run)
    var told = 0
    // One that hangs keeps no other one from being told.
    var hasFailed = false
    for socket in sockets where !run.isEnded {
      do throws(Fault) {
        for command in commands { try send(command, to: socket, kind) }
        told += 1
      } catch {
        if error.problem.text.isEmpty { continue }
        outcome.fail(name, error.problem, mendsItself: error.mendsItself)
        hasFailed = true
      }
    }
    if hasFailed { return }
    outcome.add(name, told == 0 ? .left : .done, told == 0 ? "\(kind.rawValue) is not running" : "notified \(told)")
  }

  /// The sockets of running window managers: that in the environment, and those in the usual directory.
  private static func sockets(of kind: App.WindowManager, _ run: Run) -> [String] {
    var paths: [Text] = []
    if let named = run.environment[kind == .sway ? "SWAYSOCK" : "I3SOCK"], !named.isEmpty { paths.append(named) }
    if let runtime = run.places.directories.runtime {
      switch kind {
      case .sway:
        let start = "sway-ipc.\(Peer.ownUser)." as Text
        paths += names(inDirectory: runtime.string).filter { $0.hasPrefix(start) }.map { "\(runtime)/\($0)" }
      case .i3:
        paths += names(inDirectory: "\(runtime)/i3").filter { $0.hasPrefix("ipc-socket.") }
          .map { "\(runtime)/i3/\($0)" }
      }
    }
    var seen: Set<FileNumber> = []
    return paths.map(\.string).filter { FileNumber(of: $0).map { seen.insert($0).inserted } ?? false }
      .prefix(Limits.windowManagers).map { $0 }
  }

  private static func send(_ command: Text, to path: String, _ kind: App.WindowManager) throws(Fault) {
    let shown = Text(path).shown(atMost: 200)
    let advice = "try it by hand: '\(kind == .sway ? "swaymsg" : "i3-msg") -s \(shown) -t get_version'"
    let deadline = monotonicMilliseconds() + Limits.windowManager
    let socket: FileDescriptor
    do throws(SystemError) {
      socket = try connect(to: SocketAddress(path: path), .nonblocking)
    } catch {
      // One that has ended has left its socket.
      if error.code == ECONNREFUSED || error.code == ENOENT { throw Fault("", "") }
      throw Fault("cannot connect to \(shown): \(SystemError.text(error.code))", advice, mendsItself: true)
    }
    guard Peer(of: socket)?.user == Peer.ownUser else {
      throw Fault("\(shown) belongs to another user", "remove it, or log in as that user")
    }
    func require(_ bytes: [UInt8]?) throws(Fault) -> [UInt8] {
      guard let bytes else {
        throw Fault("\(kind.rawValue) at \(shown) did not answer in time", advice, mendsItself: true)
      }
      return bytes
    }
    let body = Array(command.utf8)
    let frame = magic + bytes(UInt32(body.count)) + bytes(0) + body
    guard transfer(frame, to: socket, until: deadline) else { _ = try require(nil); return }
    let header = try require(take(headerSize, from: socket, until: deadline))
    let length = header[6..<10].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard header.starts(with: magic), length <= Limits.windowManagerReply else {
      throw Fault("the program that listens at \(shown) does not speak the i3 protocol", advice)
    }
    let reply = try require(take(length, from: socket, until: deadline))
    guard case .array(let results)? = try? JSON(parsing: reply) else {
      throw Fault("\(kind.rawValue) at \(shown) sent an invalid answer", advice)
    }
    for case .object(let result) in results where result["success"] != .bool(true) {
      let said = if case .string(let text)? = result["error"] { text } else { "no reason given" as Text }
      throw Fault(
        "\(kind.rawValue) refused '\(command.shown(atMost: 200))': \(said.shown(atMost: 300))",
        "correct the app file or its template")
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    // The byte order of the machine: both ends are on the same.
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }

  private static func wait(for condition: CInt, of socket: borrowing FileDescriptor, until deadline: Int) -> Bool {
    var entry = pollfd(fd: socket.raw, events: Int16(condition), revents: 0)
    return unsafe poll(&entry, 1, CInt(clamping: max(0, deadline - monotonicMilliseconds()))) > 0
  }

  private static func transfer(_ bytes: [UInt8], to socket: borrowing FileDescriptor, until deadline: Int) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch ThemedSystem.send(rest, to: socket) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: guard wait(for: POLLOUT, of: socket, until: deadline) else { return false }
      case .end, .failed: return false
      }
    }
    return true
  }

  /// Reads this many bytes; nil if they do not arrive.
  private static func take(_ count: Int, from socket: borrowing FileDescriptor, until deadline: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: min(4096, count - bytes.count))
      switch ThemedSystem.receive(into: &buffer, from: socket) {
      case .bytes(let received): bytes += buffer[..<received]
      case .wouldBlock: guard wait(for: POLLIN, of: socket, until: deadline) else { return nil }
      case .end, .failed: return nil
      }
      guard monotonicMilliseconds() < deadline else { return nil }
    }
    return bytes
  }
}
