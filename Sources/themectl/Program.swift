import ThemedText
import Glibc

/// The daemon's program: beside this one, else the first in PATH.
func themedProgram() -> String? {
  let path = Text(unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin")
  let directories = [ownDirectory].compactMap(\.self) + path.split(":", omittingEmpty: true)
  return directories.lazy.map { "\($0)/themed" }.first { unsafe access($0, X_OK) == 0 }
}

/// Where the program that runs lies.
private var ownDirectory: Text? {
  var target = [CChar](repeating: 0, count: 4096)
  let length = unsafe readlink("/proc/self/exe", &target, target.count)
  let own = Text(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)))
  return own.splitAtLast("/")?.before
}
