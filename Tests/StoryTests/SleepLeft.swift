import Foundation
import ThemedTestSupport

/// For how many seconds a process sleeps if nothing happens: infinite where nothing but an event wakes it; nil while a
/// thread of it is awake, or waits in a call whose limit is not known here.
///
/// The kernel tells what each thread waits in, and how long each timer still runs.
func sleepLeft(of process: ChildProcess) throws -> Double? {
  var shortest = Double.infinity
  for task in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/task") {
    // A thread may end between two looks: one that saves a file does.
    guard let words = try? process.kernelFile("task/\(task)/syscall").split(separator: " "), words.count > 6,
      let time = limit(ofCall: words)
    else { return nil }
    shortest = min(shortest, time)
  }
  for file in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fdinfo") {
    let text = (try? process.kernelFile("fdinfo/\(file)")) ?? ""
    guard let value = text.firstMatch(of: /it_value: \((\d+), (\d+)\)/) else { continue }
    let left = (Double(value.1) ?? 0) + (Double(value.2) ?? 0) / 1e9
    // Zero is a timer that is not set.
    if left > 0 { shortest = min(shortest, left) }
  }
  return shortest
}

/// How long a call waits at most: its number, and then its arguments.
private func limit(ofCall words: [Substring]) -> Double? {
  func milliseconds(_ index: Int) -> Double? {
    // A negative int, as the lower half of a register, is no limit.
    UInt64(words[index].dropFirst(2), radix: 16).map { Int32(truncatingIfNeeded: $0) }
      .map { $0 < 0 ? .infinity : Double($0) / 1000 }
  }
  #if arch(x86_64)
    switch words[0] {
    // read, recvfrom, recvmsg: as long as it takes.
    case "0", "45", "47": return .infinity
    // poll; epoll_wait and epoll_pwait.
    case "7": return milliseconds(3)
    case "232", "281": return milliseconds(4)
    default: return nil
    }
  #else
    switch words[0] {
    case "63", "207", "212": return .infinity
    // ppoll, whose limit is behind a pointer.
    case "73": return words[3] == "0x0" ? .infinity : nil
    case "22": return milliseconds(4)
    default: return nil
    }
  #endif
}
