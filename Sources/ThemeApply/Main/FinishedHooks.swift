internal import ThemedSystem

/// The hooks that have finished, by name, in a file of lines `HASH16 NAME`.
///
/// The hash is that of the state that the hook was run for. After a crash, themed-apply does not run it again for the
/// same state. A regular exit removes the file.
enum FinishedHooks {
  static let maximumSize = 64 << 10

  static func bytes(_ finished: [Text: UInt64]) -> [UInt8] {
    finished.sorted { $0.key < $1.key }.flatMap { name, hash in
      // A name that is no line is not kept: its hook runs again.
      name.contains("\n") ? [] : Array("\(FNV1a(value: hash).digits) \(name)\n".utf8)
    }
  }

  static func reading(_ bytes: [UInt8]) -> [Text: UInt64] {
    let lines = Text(decoding: bytes).split("\n", omittingEmpty: true)
    return lines.reduce(into: [:]) { finished, line in
      let words = line.split(" ", maxSplits: 1)
      if words.count == 2, let hash = UInt64(words[0].string, radix: 16) { finished[words[1]] = hash }
    }
  }
}
