import Glibc
package import ThemedSystem

/// The parts of a scheme's file that importing needs, in any format: members, and members of members.
package struct SchemeFile: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    /// The name; empty if it is not a text.
    package let name: Text
    /// The line, from 1.
    package let line: Int
    package let value: Value
  }

  package enum Value: Hashable, Sendable {
    case text(Text)
    case members([Member])
    /// The texts of a list; elements of other types are left out.
    case list([Text])
    case other
  }

  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var line: Int?
    package let text: String
    /// The single mistakes, if it is about several.
    package var parts: [Problem] = []
    package var description: String { printable((line.map { "line \($0): " } ?? "") + text) }
  }

  /// More bytes than any scheme needs.
  package static let maximumBytes = 64 * 1024

  /// The members, in order, each name once.
  package let members: [Member]

  package static func isStandardInput(_ path: String) -> Bool {
    (["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] as [Text]).contains(Text(path))
  }

  /// The text of these bytes, without a byte order mark.
  package static func text(of bytes: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
    guard bytes.count <= maximumBytes else { throw Problem(text: "the file is longer than \(maximumBytes) bytes") }
    guard Text(validating: bytes) != nil else { throw Problem(text: "the file is not UTF-8 text") }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// Reads the file at `path`, which may also be standard input or a pipe, such as a shell's `<(curl …)`.
  package static func bytes(ofFile path: String) throws(Problem) -> [UInt8] {
    FileWaits.begin(isStandardInput(path) ? "standard input" : path, isEndless: isRegularFile(path) != true)
    defer { FileWaits.end() }
    // Standard input may be a socket, or belong to another user, and cannot be opened again.
    let file = isStandardInput(path) ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Problem(errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(file, &buffer, buffer.count)
      if count < 0 {
        guard errno == EINTR else { throw Problem(errno) }
        continue
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= maximumBytes else { throw Problem(text: "the file is longer than \(maximumBytes) bytes") }
    }
  }
}

extension SchemeFile.Problem {
  /// Several mistakes as one, with the first three in words, because a broken file may have dozens.
  package init(_ mistakes: [SchemeFile.Problem]) {
    var parts = Array(mistakes.prefix(3))
    if case let more = mistakes.count - 3, more > 0 {
      let verb = more == 1 ? "mistake is" : "mistakes are"
      parts.append(SchemeFile.Problem(text: "\(more) more \(verb) not shown: correct these first"))
    }
    self.init(text: parts.map(\.description).joined(separator: "; "), parts: parts)
  }

  fileprivate init(_ code: CInt) { self.init(text: unsafe String(cString: strerror(code))) }
}
