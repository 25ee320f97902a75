import Foundation
import Glibc
import ThemedSpawning

/// What has been seen of a process.
struct Seen: Sendable {
  var output: Records
  var errors = Records(separator: 10)
  var notifications: [String] = []
  var status: ExitStatus?

  init(separator: UInt8) {
    output = Records(separator: separator)
  }
}

/// Bytes, cut at a separator.
struct Records: Sendable {
  let separator: UInt8
  private(set) var records: [String] = []
  private(set) var ended = false
  private var partial: [UInt8] = []
  private var read = 0

  init(separator: UInt8) {
    self.separator = separator
  }

  var text: String { (records + [String(decoding: partial, as: UTF8.self)]).joined(separator: "\n") }

  mutating func take(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      ended = true
      if !partial.isEmpty { records.append(String(decoding: partial, as: UTF8.self)) }
      partial = []
    }
    partial += bytes
    while let end = partial.firstIndex(of: separator) {
      records.append(String(decoding: partial[..<end], as: UTF8.self))
      partial.removeSubrange(...end)
    }
  }

  mutating func next() -> String? {
    guard read < records.count else { return nil }
    read += 1
    return records[read - 1]
  }
}

/// Waits for the process's end and takes it off the kernel's list under the lock, so that no signal goes astray.
///
/// It is killed where it has not ended after so many seconds.
func reap(_ pid: pid_t, after lifetime: Double, into seen: Watched<Seen>) {
  let process = Descriptor(open_process(pid))
  if process.number >= 0, !wait(for: process, seconds: lifetime) {
    seen.change { $0.errors.take(Array("killed after \(Int(lifetime)) seconds\n".utf8)) }
    _ = kill(pid, SIGKILL)
  }
  var information = unsafe siginfo_t()
  while unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
  seen.change { seen in
    var status: Int32 = 0
    _ = unsafe waitpid(pid, &status, 0)
    let signal = status & 0x7f
    seen.status = signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
  }
}

/// Reads until the end on a thread of its own, so that no process ever waits for a test to read.
func collect(
  from descriptor: Descriptor, into seen: Watched<Seen>, _ take: @escaping @Sendable (inout Seen, [UInt8]) -> Void
) {
  Thread.detachNewThread {
    while true {
      let bytes = descriptor.read()
      seen.change { take(&$0, bytes) }
      if bytes.isEmpty { return }
    }
  }
}
