import Glibc

/// How many seconds any wait may last before it counts as failed; never how long a test takes.
public let patience: Double = 30

/// Time to wait that passes only while the machine goes on.
///
/// A virtual machine whose host takes the processor away for half a minute has let nobody answer: of such a standstill no
/// more than a second counts. Of a moment in which ten programs want each of the processors, or the host keeps nine
/// tenths of them, a tenth counts: nobody whom one waits for got more. Less than a tenth always does, so that what never
/// comes ends on any machine.
public struct Allowance {
  private static let slice = 0.5
  private static let least = 0.1

  private var left: Double
  private var last: Moment

  /// So many seconds.
  public init(seconds: Double = patience) { self.init(seconds: seconds, from: Moment()) }

  init(seconds: Double, from start: Moment) {
    left = seconds
    last = start
  }

  /// For how many seconds to wait next, and then to look; nil where none are left.
  public mutating func next() -> Double? { next(Moment()) }

  mutating func next(_ now: Moment) -> Double? {
    left -= min(now.time - last.time, 2 * Self.slice) * max(Self.least, now.share(since: last))
    last = now
    return left > 0 ? min(left, Self.slice) : nil
  }

  /// The clock, and how the machine fares.
  struct Moment {
    /// Seconds of a clock that never goes back.
    var time: Double
    /// How many threads want to run now, on how many processors.
    var runnable: Double
    var processors: Double
    /// What the processors did since the machine's start, and what of it the host did something else, in one unit.
    var total: Double
    var stolen: Double

    /// What part of the processors one thread got since an earlier moment.
    func share(since earlier: Moment) -> Double {
      let passed = total - earlier.total
      let own = passed > 0 ? 1 - (stolen - earlier.stolen) / passed : 1
      return own * min(1, processors / max(1, runnable))
    }
  }
}

extension Allowance.Moment {
  /// Now.
  init() {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &clock)
    time = Double(clock.tv_sec) + Double(clock.tv_nsec) / 1e9
    // "0.50 0.40 0.30 3/120 4711": three threads want to run, this one among them.
    let load = Self.words(ofFirstLineOf: "/proc/loadavg")
    runnable = load.dropFirst(3).first.flatMap { Double($0.prefix { $0 != "/" }) } ?? 1
    processors = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    // "cpu", then user, nice, system, idle, waiting for disks, two kinds of interrupts, stolen; what follows is in these.
    let times = Self.words(ofFirstLineOf: "/proc/stat").dropFirst().prefix(8).map { Double($0) ?? 0 }
    total = times.reduce(0, +)
    stolen = times.count == 8 ? times[7] : 0
  }

  /// The words of a short file's first line; none where it cannot be read.
  private static func words(ofFirstLineOf path: String) -> [Substring] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard unsafe fgets(&line, Int32(line.count), file) != nil else { return [] }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split { $0 == " " || $0 == "\n" }
  }
}

/// Waits until there is something to be read, or accepted; false where nothing comes.
func isReadable(_ descriptor: Int32) -> Bool {
  var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  var allowance = Allowance()
  while let next = allowance.next() {
    if unsafe Glibc.poll(&poll, 1, Int32(next * 1000)) > 0 { return true }
  }
  return false
}
