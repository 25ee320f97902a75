internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemeModel
internal import ThemedText
internal import ThemedUnix

/// Colours by sequence, for the terminals of emulators that are known: who holds a terminal's other end decides.
struct Terminals {
  /// What is written to each, in one write.
  let bytes: [UInt8]

  /// The sixteen colours, text, background and cursor, and where all are set the selection.
  init(_ palette: Palette, _ sequences: App.Terminal.Sequences) {
    func hex(_ role: Role) -> String { palette[role].hexadecimal }
    var text = ""
    for (number, role) in Role.ansi.enumerated() { text += "\u{1B}]4;\(number);\(hex(role))\u{1B}\\" }
    var others: [(Int, Role)] = [(10, .text), (11, .background), (12, .cursor)]
    if sequences == .all { others += [(17, .selection), (19, .selectionText)] }
    for (code, role) in others { text += "\u{1B}]\(code);\(hex(role))\u{1B}\\" }
    bytes = Array(text.utf8)
  }

  /// Those that give a terminal the colours of its own settings back.
  init(takingBack sequences: App.Terminal.Sequences) {
    let codes = sequences == .all ? [104, 110, 111, 112, 117, 119] : [104, 110, 111, 112]
    bytes = codes.flatMap { Array("\u{1B}]\($0)\u{1B}\\".utf8) }
  }

  /// Writes to every terminal that one of these programs holds; those that got this already are left out.
  func write(toThoseOf programs: [Text], for app: Text, onlyNew: Bool, _ run: Run) -> Outcome {
    var outcome = Outcome()
    var rest = Terminal.held(by: programs)
    let all = Set(rest.map(\.identity))
    run.terminals.keep(all, of: app)
    if onlyNew { rest.removeAll { run.terminals.has($0.identity, bytes, of: app) } }
    let count = rest.count
    let deadline = monotonicMilliseconds() + Limits.terminal
    var pause = Limits.terminalPause
    while true {
      rest.removeAll { terminal in
        guard terminal.write(bytes) != .full else { return false }
        run.terminals.note(terminal.identity, bytes, of: app)
        return true
      }
      guard !rest.isEmpty, !run.isSuperseded, monotonicMilliseconds() + pause < deadline, run.pause(pause) else {
        break
      }
      pause *= 2
    }
    if rest.isEmpty {
      outcome.add("terminal", count == 0 ? .unchanged : .done, count == 0 ? "no new one" : "coloured \(count)")
    } else {
      let paths = rest.prefix(4).map(\.path).joined(separator: ", ")
      outcome.fail(
        "terminal",
        Problem(
          text: "\(rest.count == 1 ? "a terminal takes" : "\(rest.count) terminals take") nothing: \(paths)",
          advice: "it is stopped: press Ctrl-Q in it; it is tried again"), mendsItself: true)
    }
    return outcome
  }
}

/// Which terminals have which colours of ours, so that one that is new is coloured and the others are let be.
final class TerminalMemory: Sendable {
  private let written = Mutex<[Text: [Text: [UInt8]]]>([:])

  func has(_ terminal: Text, _ bytes: [UInt8], of app: Text) -> Bool {
    written.withLock { $0[app]?[terminal] == bytes }
  }

  func note(_ terminal: Text, _ bytes: [UInt8], of app: Text) {
    written.withLock { $0[app, default: [:]][terminal] = bytes }
  }

  /// Forgets the terminals that are gone.
  func keep(_ terminals: Set<Text>, of app: Text) {
    written.withLock { $0[app] = $0[app]?.filter { terminals.contains($0.key) } }
  }
}

/// A terminal whose other end a known program holds.
struct Terminal {
  enum Written { case all, full, gone }

  let path: String
  /// What tells it from another one that gets its number later.
  let identity: Text

  /// The terminals that processes of the user's hold which run one of these programs.
  static func held(by programs: [Text]) -> [Terminal] {
    var terminals: [Terminal] = []
    let devices = Set(["/dev/ptmx", "/dev/pts/ptmx"].compactMap { device(of: $0) })
    let sessions = Sessions()
    Process.forEach(running: programs) { process in
      for name in names(inDirectory: "/proc/\(process.number)/fd") {
        guard terminals.count < Limits.terminals else { return }
        let link = "/proc/\(process.number)/fd/\(name)"
        // One of a container has a file system of its own, where the number means another terminal.
        guard let target = linkTarget(of: link),
          target.elementsEqual("/dev/ptmx".utf8)
            || target.elementsEqual("/dev/pts/ptmx".utf8), let device = device(of: link), devices.contains(device),
          let number = number(of: "/proc/\(process.number)/fdinfo/\(name)"), sessions.hasOne(atTerminal: number),
          process.isAlive
        else { continue }
        terminals.append(
          Terminal(
            path: "/dev/pts/\(number)",
            identity: "\(process.number):\(sessions.start(of: process.number)):\(name):\(number)"))
      }
    }
    var seen: Set<String> = []
    return terminals.filter { seen.insert($0.path).inserted }
  }

  /// Writes all or nothing, and never waits.
  func write(_ bytes: [UInt8]) -> Written {
    let raw = unsafe open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard raw >= 0 else { return errno == EAGAIN ? .full : .gone }
    let descriptor = FileDescriptor(owning: raw)
    var status = stat()
    guard unsafe fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
      status.st_uid == Peer.ownUser
    else { return .gone }
    let count = unsafe Glibc.write(descriptor.raw, bytes, bytes.count)
    if count == bytes.count { return .all }
    // Half of it, where the buffer had no room for more: all of it comes again.
    return count > 0 || errno == EAGAIN ? .full : .gone
  }

  private static func device(of path: String) -> UInt64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
  }

  private static func number(of path: String) -> Int? {
    guard let bytes = try? readFile(path, maximum: 4096) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let value = Text(decoding: line).dropping(prefix: "tty-index:") {
        return value.split("\t", omittingEmpty: true).first.flatMap { Int($0.string) }
      }
    }
    return nil
  }
}

/// Whose terminal is whose.
///
/// A terminal that no program has opened yet must not be opened and closed by us: its emulator would take that for the
/// program's end.
private struct Sessions {
  private var terminals: Set<Int> = []
  private var starts: [pid_t: Text] = [:]

  init() {
    for number in Process.numbers {
      guard let bytes = try? readFile("/proc/\(number)/stat", maximum: 4096) else { continue }
      // Behind the name, in which anything may stand, and its bracket.
      guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { continue }
      let fields = Text(decoding: bytes[(end + 1)...]).split(" ", omittingEmpty: true)
      guard fields.count > 19, let device = Int(fields[4].string) else { continue }
      starts[number] = fields[19]
      let (major, minor) = ((device >> 8) & 0xFFF, (device & 0xFF) | ((device >> 12) & 0xFFF00))
      if (136...143).contains(major) { terminals.insert((major - 136) << 20 | minor) }
    }
  }

  func hasOne(atTerminal number: Int) -> Bool { terminals.contains(number) }
  func start(of process: pid_t) -> Text { starts[process] ?? "" }
}
