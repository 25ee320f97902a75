import Glibc

/// Another program, run to its end.
struct Program {
  /// What it printed, line by line.
  let lines: [String]
  /// Its exit status; 128 where a signal ended it.
  let status: Int32

  /// Runs a program with its arguments; nil where no process can be made.
  ///
  /// Its complaints are not shown: what it prints says enough.
  static func run(_ words: [String]) -> Program? {
    let command = words.map {
      "'\($0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
    let line = "exec \(command.joined(separator: " ")) 2>/dev/null </dev/null"
    guard let stream = unsafe popen(line, "re") else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    let status = unsafe pclose(stream)
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    return Program(lines: lines, status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128)
  }
}

/// The daemon's program: beside this one, else the first in PATH.
func themedProgram() -> String? {
  let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin"
  let directories = [ownDirectory].compactMap(\.self) + path.split(separator: ":").map(String.init)
  return directories.lazy.map { $0 + "/themed" }.first(where: isProgram)
}

/// A program that only this one runs: beside it, where it was built, or below its prefix, where it was installed.
func ownProgram(_ name: String) -> String? {
  guard let directory = ownDirectory else { return nil }
  return ["\(directory)/\(name)", "\(directory)/../libexec/themed/\(name)"].first(where: isProgram)
}

private func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

/// Where the program that runs lies.
private var ownDirectory: String? {
  var target = [CChar](repeating: 0, count: 4096)
  let length = unsafe readlink("/proc/self/exe", &target, target.count)
  let own = String(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  return own.lastIndex(of: "/").map { String(own[..<$0]) }
}
