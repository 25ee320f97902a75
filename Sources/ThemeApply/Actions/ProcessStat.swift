internal import Glibc
internal import ThemedSystem

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
