import Glibc
import ThemedSystem

/// The daemon's program: beside this one, else the first in PATH.
func themedProgram() -> String? { program("themed", in: [ownDirectory].compactMap(\.self) + pathDirectories) }

/// The program of this name in PATH.
func programInPath(_ name: Text) -> String? { program(name, in: pathDirectories) }

private func program(_ name: Text, in directories: [Text]) -> String? {
  directories.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
}

private var pathDirectories: [Text] {
  let path = Text(unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin")
  return path.split(":", omittingEmpty: true)
}

/// The directory of the running program.
private var ownDirectory: Text? {
  var target = [CChar](repeating: 0, count: 4096)
  let length = unsafe readlink("/proc/self/exe", &target, target.count)
  let own = Text(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)))
  return own.splitAtLast("/")?.before
}
