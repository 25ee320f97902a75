internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemedClientCore
internal import ThemedModel
internal import ThemedSystem

/// A terminal whose emulator is a known program.
struct Terminal {
  enum Written { case all, full, gone }

  /// The terminals of programs with some names.
  struct Held {
    var terminals: [Terminal] = []
    /// The numbers of terminals that no program has opened yet.
    var unopened: Set<Int> = []
    /// The programs that cannot be inspected.
    var undisclosed: [(name: Text, number: pid_t)] = []
  }

  let number: Int
  /// The identity, which distinguishes the terminal from a later one with the same number.
  let identity: Text
  /// The file in which the kernel names the terminal of the emulator's end.
  private let holder: String

  var path: String { "/dev/pts/\(number)" }

  /// The terminals of the user's processes that run one of these programs.
  ///
  /// A terminal that no program has opened yet must not be opened and closed here, because its emulator would take that for
  /// the exit of the program. An emulator that holds both ends, such as Konsole, is not affected, so its terminals need no
  /// sign of a program, which may only open `/dev/tty`.
  static func held(by programs: [Text]) -> Held {
    var held = Held()
    var seen: Set<Int> = []
    let devices = Set(["/dev/ptmx", "/dev/pts/ptmx"].compactMap { device(of: $0) })
    // Read before the programs' descriptors: terminals that are opened meanwhile are reported, and searched again.
    let opened = Set(Process.numbers.compactMap { ProcessStat($0)?.terminal })
    Process.forEach(running: programs) { process in
      var masters: [(number: Int, descriptor: Text, holder: String)] = []
      var opened = opened
      for name in names(inDirectory: "/proc/\(process.number)/fd") {
        let link = "/proc/\(process.number)/fd/\(name)"
        let holder = "/proc/\(process.number)/fdinfo/\(name)"
        guard let path = linkTarget(of: link).map(Text.init(decoding:)), let part = path.dropping(prefix: "/dev/"),
          part == "ptmx" || part.hasPrefix("pts/")
        else { continue }
        // A container has a devpts of its own, where the number means another terminal.
        guard let device = device(of: link), devices.contains(device) else { continue }
        if let number = part.dropping(prefix: "pts/").flatMap({ Int($0.string) }) {
          opened.insert(number)
        } else if let number = Self.number(of: holder) {
          masters.append((number, name, holder))
        }
      }
      for (number, descriptor, holder) in masters where held.terminals.count < Limits.terminals {
        guard let start = ProcessStat(process.number)?.start, process.isAlive, seen.insert(number).inserted else {
          continue
        }
        guard opened.contains(number) else {
          held.unopened.insert(number)
          continue
        }
        held.terminals.append(
          Terminal(number: number, identity: "\(process.number):\(start):\(descriptor):\(number)", holder: holder))
      }
    }
    held.undisclosed = Process.undisclosed(among: programs)
    return held
  }

  /// Writes everything or nothing, and never waits.
  func write(_ bytes: [UInt8]) -> Written {
    let raw = unsafe open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard raw >= 0 else { return errno == EAGAIN || errno == EBUSY ? .full : .gone }
    let descriptor = FileDescriptor(owning: raw)
    var status = stat()
    // While the terminal is open, no other terminal can get its number, so check now whose it is.
    guard unsafe fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
      status.st_uid == Peer.ownUser, Self.number(of: holder) == number
    else { return .gone }
    let count = unsafe Glibc.write(descriptor.raw, bytes, bytes.count)
    if count == bytes.count { return .all }
    // The buffer had room for a part only, so everything is written again.
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

/// Remembers which terminals have which of our colours, so that only new terminals are coloured, and only coloured ones
/// reset.
final class TerminalMemory: Sendable {
  private struct Entry {
    var palette: Palette
    /// When a new terminal got its colours first; nil if it has got them a second time.
    ///
    /// For example, Konsole applies its own settings up to half a second after it opens a terminal.
    var newSince: Int?
  }

  private let written = Mutex<[Text: [Text: Entry]]>([:])

  /// Whether a terminal has these colours, and does not need them a second time now.
  func has(_ terminal: Text, _ palette: Palette, of app: Text, now: Int) -> Bool {
    written.withLock { written in
      guard let entry = written[app]?[terminal] else { return false }
      return entry.palette == palette && entry.newSince.map { now < $0 + Limits.secondColors } ?? true
    }
  }

  /// The colours that a terminal has from us.
  func palette(of terminal: Text, _ app: Text) -> Palette? { written.withLock { $0[app]?[terminal]?.palette } }

  /// Records the colours that were written.
  func note(_ terminal: Text, _ palette: Palette, of app: Text, now: Int, isNew: Bool) {
    written.withLock { written in
      let old = written[app]?[terminal]
      let since = old.map(\.newSince) ?? (isNew ? now : nil)
      let isOver = since.map { now >= $0 + Limits.secondColors } ?? true
      written[app, default: [:]][terminal] = Entry(palette: palette, newSince: isOver ? nil : since)
    }
  }

  /// The time until a new terminal needs its colours a second time; nil if none does.
  ///
  /// Terminals that accept no output do not count, because they are tried again separately.
  func nextAgain(of app: Text, now: Int, except stopped: Set<Text> = []) -> Int? {
    written.withLock { written in
      let due = written[app]?.compactMap { stopped.contains($0.key) ? nil : $0.value.newSince }
      return due?.min().map { max(0, $0 + Limits.secondColors - now) }
    }
  }

  /// Forgets a terminal to which we no longer write.
  func forget(_ terminal: Text, of app: Text) { written.withLock { _ = $0[app]?.removeValue(forKey: terminal) } }

  /// Forgets the terminals that are gone.
  func keep(_ terminals: Set<Text>, of app: Text) {
    written.withLock { written in
      written[app] = terminals.isEmpty ? nil : written[app]?.filter { terminals.contains($0.key) }
    }
  }
}

/// The progress of terminals from one palette to the next: pure.
struct TerminalFade: Sendable, Hashable {
  let start: Int
  /// The duration in milliseconds; 0 for at once.
  let duration: Int

  /// The fade to a state from a time on; none if motion is reduced, or the state has no transition.
  init(to state: State, at start: Int) {
    self.start = start
    let isOn = state.reducedMotion != true
    duration = isOn ? min(max(0, state.resolution.transition ?? 0), Limits.fade) : 0
  }

  /// The progress at a time, below 1; nil at the end.
  func fraction(at now: Int) -> Double? {
    guard duration > 0, now < start + duration else { return nil }
    return Double(max(0, now - start)) / Double(duration)
  }
}
