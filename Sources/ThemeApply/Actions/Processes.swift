internal import CThemedLinux
internal import Glibc
internal import Synchronization
internal import ThemedSystem

/// A process, held by a descriptor that shows whether it is alive, so that its number cannot mean another process
/// unnoticed.
struct Process: ~Copyable {
  let number: pid_t
  private let descriptor: FileDescriptor

  /// The process that has this number now, if it is the user's own.
  init?(_ number: pid_t) {
    let raw = themed_pidfd_open(number)
    guard raw >= 0 else { return nil }
    let process = FileDescriptor(owning: raw)
    var status = stat()
    guard unsafe stat("/proc/\(number)", &status) == 0, status.st_uid == Peer.ownUser else { return nil }
    descriptor = process
    self.number = number
  }

  /// Whether it is alive, so that everything that was read about it before was not about a later process of its number.
  var isAlive: Bool {
    !isReadable(descriptor)
  }

  /// The name of the file that it runs, which no argument can fake; also of a file that was replaced meanwhile, as by
  /// an upgrade.
  var program: Text? {
    guard let target = linkTarget(of: "/proc/\(number)/exe") else { return nil }
    let path = Text(decoding: target)
    let name = (path.dropping(suffix: " (deleted)") ?? path).splitAtLast("/")?.behind
    return isAlive ? name : nil
  }

  /// Whether it is ready for a signal, which then does not kill it: it has a handler (SigCgt), or each of its threads
  /// has blocked it (SigBlk), to take it by a descriptor; nil if it has exited.
  func isReady(for signal: CInt) -> Bool? {
    let bit: UInt64 = 1 << UInt64(signal - 1)
    guard let status = Self.status("/proc/\(number)/status"), let caught = Self.number("SigCgt", in: status) else {
      return nil
    }
    if caught & bit != 0 { return true }
    let threads = names(inDirectory: "/proc/\(number)/task")
    guard !threads.isEmpty else { return nil }
    for thread in threads {
      // One that has ended meanwhile says nothing, and takes no signal.
      guard let status = Self.status("/proc/\(number)/task/\(thread)/status") else { continue }
      guard let blocked = Self.number("SigBlk", in: status), blocked & bit != 0 else { return false }
    }
    return takesByDescriptor(bit)
  }

  /// Whether it has a descriptor that takes this signal.
  ///
  /// A process that only started with the signal blocked, as by script, has no such descriptor, and dies once it
  /// unblocks the signal.
  private func takesByDescriptor(_ bit: UInt64) -> Bool {
    for name in names(inDirectory: "/proc/\(number)/fd") {
      guard let target = linkTarget(of: "/proc/\(number)/fd/\(name)"),
        target.elementsEqual("anon_inode:[signalfd]".utf8),
        let lines = Self.status("/proc/\(number)/fdinfo/\(name)"), let taken = Self.number("sigmask", in: lines),
        let flags = Self.number("flags", in: lines, radix: 8)
      else { continue }
      // One that outlives exec may be another program's, as script(1) leaves one, and its mask, to the shell it starts.
      if taken & bit != 0, flags & 0o2000000 != 0 { return true }
    }
    return false
  }

  /// Sends a signal to this process, and to no later one with its number; returns the error if that fails.
  func send(_ signal: CInt) -> CInt? { themed_pidfd_send_signal(descriptor.raw, signal) == 0 ? nil : errno }

  /// Whether a process was started with this variable in its environment.
  static func wasStarted(_ number: pid_t, with variable: Text) -> Bool {
    guard let bytes = try? readFile("/proc/\(number)/environ", maximum: 4 << 20) else { return false }
    return bytes.split(separator: 0).contains { $0.elementsEqual(variable.utf8) }
  }

  /// Whether a process was started with a variable of this name in its environment, or hides what it was started with.
  static func wasStarted(_ number: pid_t, withVariable name: Text) -> Bool {
    guard let bytes = try? readFile("/proc/\(number)/environ", maximum: 4 << 20) else { return true }
    return bytes.split(separator: 0).contains { $0.starts(with: Array(name.utf8) + [UInt8(ascii: "=")]) }
  }

  /// Whether a process may write to what the kernel calls so, such as `pipe:[123]`.
  ///
  /// A process that only reads it may be a child of ours that is about to start another program.
  static func writes(_ number: pid_t, to name: Text) -> Bool {
    names(inDirectory: "/proc/\(number)/fd").contains { descriptor in
      guard linkTarget(of: "/proc/\(number)/fd/\(descriptor)")?.elementsEqual(name.utf8) == true,
        let lines = status("/proc/\(number)/fdinfo/\(descriptor)"),
        let flags = Self.number("flags", in: lines, radix: 8)
      else { return false }
      return flags & UInt64(O_ACCMODE) != UInt64(O_RDONLY)
    }
  }

  private static func status(_ path: String) -> [ArraySlice<UInt8>]? {
    (try? readFile(path, maximum: 64 << 10))?.split(separator: UInt8(ascii: "\n"))
  }

  private static func number(_ name: Text, in lines: [ArraySlice<UInt8>], radix: Int = 16) -> UInt64? {
    let start = Array("\(name):\t".utf8)
    guard let line = lines.first(where: { $0.starts(with: start) }) else { return nil }
    return UInt64(String(decoding: line.dropFirst(start.count), as: UTF8.self), radix: radix)
  }

  /// The user's processes with the name of one of these programs whose program file is not readable, because it has the
  /// rights of a group, such as urxvt.
  static func undisclosed(among programs: [Text]) -> [(name: Text, number: pid_t)] {
    // The kernel keeps fifteen bytes of a name.
    let short = Dictionary(programs.map { (Array($0.utf8.prefix(15)), $0) }, uniquingKeysWith: { first, _ in first })
    let own = Text("\(Peer.ownUser)")
    return numbers.compactMap { number in
      guard linkTarget(of: "/proc/\(number)/exe") == nil, errno == EACCES,
        let name = (try? readFile("/proc/\(number)/comm", maximum: 64))?.split(separator: 0x0A).first,
        let program = short[Array(name)], let lines = status("/proc/\(number)/status"),
        lines.contains(where: { Text(decoding: $0).split("\t").prefix(2) == ["Uid:", own] })
      else { return nil }
      return (program, number)
    }
  }

  /// The numbers of all processes.
  static var numbers: [pid_t] { names(inDirectory: "/proc").compactMap { pid_t($0.string) }.sorted() }

  /// Calls `body` with each process of the user's whose program has one of these names.
  static func forEach(running programs: [Text], _ body: (borrowing Process) -> Void) {
    for number in numbers {
      // Cheaper than a descriptor for each; what it says is looked at again below.
      guard let target = linkTarget(of: "/proc/\(number)/exe"),
        programs.contains(where: { target.holds($0.utf8) }),
        let process = Process(number), let program = process.program, programs.contains(program)
      else { continue }
      body(process)
    }
  }

  /// Whether one of the user's processes with this HOME runs one of these programs.
  static func isThere(running programs: [Text], home: Text?) -> Bool { youngest(running: programs, home: home) != nil }

  /// The youngest of the user's processes with this HOME that run one of these programs.
  static func youngest(running programs: [Text], home: Text?) -> ProcessStat? {
    var all: [ProcessStat] = []
    forEach(running: programs) { process in
      if hasHome(home, process.number), let stat = ProcessStat(process.number) { all.append(stat) }
    }
    return all.max { $0.start < $1.start }
  }

  /// Whether a process was started with this HOME, as far as is known; another one belongs to another session, such as
  /// that of a test.
  static func hasHome(_ home: Text?, _ number: pid_t) -> Bool {
    guard let home, let bytes = try? readFile("/proc/\(number)/environ", maximum: 4 << 20),
      let entry = bytes.split(separator: 0).first(where: { $0.starts(with: "HOME=".utf8) })
    else { return true }
    let other = Text(decoding: entry.dropFirst(5))
    return other == home || FileIdentity(of: other.string).map { $0 == FileIdentity(of: home.string) } ?? false
  }
}

/// The public facts about a process: `/proc/PID/stat`.
struct ProcessStat {
  /// The process that started it, or has become its parent since.
  let parent: pid_t
  /// The number of its process group.
  let group: pid_t
  /// The letter of its state, such as `Z` for a zombie.
  private let state: UInt8?
  /// The number of its terminal below `/dev/pts`; nil if it has none.
  let terminal: Int?
  /// When it was started, in ticks since the system started.
  let start: UInt64
  /// The address of its stack, which changes with each exec; 0 if it is not readable.
  let stack: UInt64

  init?(_ number: pid_t) {
    guard let bytes = try? readFile("/proc/\(number)/stat", maximum: 4096) else { return nil }
    self.init(bytes)
  }

  init?(_ bytes: [UInt8]) {
    // Behind the name, in which anything may stand, and its bracket.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = Text(decoding: bytes[(end + 1)...]).split(" ", omittingEmpty: true)
    guard fields.count > 25, let parent = pid_t(fields[1].string), let group = pid_t(fields[2].string),
      let device = Int(fields[4].string), let start = UInt64(fields[19].string),
      let stack = UInt64(fields[25].string)
    else { return nil }
    (self.parent, self.group, state) = (parent, group, fields[0].utf8.first)
    (self.start, self.stack) = (start, stack)
    let (major, minor) = ((device >> 8) & 0xFFF, (device & 0xFF) | ((device >> 12) & 0xFFF00))
    terminal = (136...143).contains(major) ? (major - 136) << 20 | minor : nil
  }

  /// Whether it has exited, although its parent has not waited for it yet.
  var isDead: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

  /// Whether it cannot start a program until it is continued: it is stopped, waits for the kernel, or is dead.
  var isStill: Bool { isDead || state.map { "TtD".utf8.contains($0) } == true }

  /// How long ago this process or thread began, in milliseconds.
  var age: Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &now)
    let ticks = max(1, sysconf(CInt(_SC_CLK_TCK)))
    let started = Int(clamping: start.multipliedReportingOverflow(by: 1000).partialValue / UInt64(ticks))
    return max(0, now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - started)
  }
}

/// How long processes have been running their current program, at least.
///
/// The kernel does not report it, because an exec, as at the end of a script, keeps a process's start time. An exec ends
/// the other threads, so the oldest other thread is younger than the exec. Without other threads, the age counts from when
/// the same stack address was first seen, which an exec changes; a process that was never seen may just have started.
final class ProgramAge: Sendable {
  private let seen = Mutex<[[Text]: [ProcessIdentity: Int]]>([:])

  /// How long this process has run this program at a time, in milliseconds.
  func age(of process: ProcessStat, _ identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let threads = names(inDirectory: "/proc/\(identity.number)/task").filter { $0 != Text("\(identity.number)") }
    let ages = threads.compactMap { name in
      (try? readFile("/proc/\(identity.number)/task/\(name)/stat", maximum: 4096)).flatMap { ProcessStat($0)?.age }
    }
    return min(process.age, age(threads: ages, of: identity, running: programs, now: now))
  }

  /// The same from the age of its other threads, and from what was seen before.
  func age(threads: [Int], of identity: ProcessIdentity, running programs: [Text], now: Int) -> Int {
    let since = seen.withLock { seen in
      let since = seen[programs]?[identity] ?? now
      seen[programs, default: [:]][identity] = since
      return since
    }
    return max(threads.max() ?? 0, now - since)
  }

  /// Forgets processes of these programs that are gone.
  func keep(_ processes: Set<ProcessIdentity>, running programs: [Text]) {
    seen.withLock { seen in
      seen[programs] = processes.isEmpty ? nil : seen[programs]?.filter { processes.contains($0.key) }
    }
  }
}
