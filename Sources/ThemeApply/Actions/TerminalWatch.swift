internal import CThemedLinux
internal import ThemedSystem

/// Reports new terminals, by watching the directory of devpts.
final class TerminalWatch {
  private let inotify: Inotify
  private var source: Source?

  /// Calls `onEvent` when a terminal was created, with true, or when a program has opened or written to one of those
  /// that ``watch(_:)`` was given, with false.
  init(_ onEvent: @escaping (_ isNew: Bool) -> Void) throws(SystemError) {
    inotify = try Inotify()
    _ = try inotify.add("/dev/pts", UInt32(IN_CREATE))
    source = try EventLoop.main.watch(inotify.descriptor.raw, for: .readable) { [unowned self] _ in
      var isNew = false
      // A lost event may have been a new terminal.
      inotify.read { if $0.mask & UInt32(IN_CREATE | IN_Q_OVERFLOW) != 0 { isNew = true } }
      onEvent(isNew)
    }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { source?.cancel() }

  /// Reports once when a program opens one of these terminals, or writes to it, as programs do when they start.
  func watch(_ signs: [Int: UnopenedTerminals.Sign]) {
    for (number, sign) in signs {
      let mask = UInt32(sign == .opened ? IN_OPEN : IN_OPEN | IN_MODIFY) | UInt32(IN_ONESHOT)
      _ = try? inotify.add("/dev/pts/\(number)", mask)
    }
  }
}

/// Tracks terminals of known programs that no program seems to have opened, and the signs that one has: pure.
struct UnopenedTerminals {
  /// A sign that is a reason to look at a terminal again.
  enum Sign { case openedOrWritten, opened }

  private var looks: [LaneName: [Int: Int]] = [:]

  /// Handles the numbers of unopened terminals, and returns the signs to wait for.
  ///
  /// A terminal with repeated output that still seems unopened, such as that of a program that cannot be inspected, is no
  /// longer checked for output.
  mutating func take(_ numbers: Set<Int>, by lane: LaneName) -> [Int: Sign] {
    let before = looks[lane] ?? [:]
    let now = Dictionary(uniqueKeysWithValues: numbers.map { ($0, (before[$0] ?? 0) + 1) })
    looks[lane] = now.isEmpty ? nil : now
    return now.mapValues { $0 > Limits.looksForOutput ? .opened : .openedOrWritten }
  }

  /// Handles a new terminal, which may have the number of one that is gone.
  mutating func forget() { looks = [:] }
}
