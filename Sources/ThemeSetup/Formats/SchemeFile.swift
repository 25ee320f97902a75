import Glibc
package import ThemedSystem

/// The parts of a scheme's file that importing needs, in any format: members, and members of members.
package struct SchemeFile: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    /// The name; empty if it is not a text.
    package let name: Text
    /// The line, from 1; nil if the reader of the syntax does not tell.
    package let line: Int?
    package var value: Value

    package init(name: Text, line: Int? = nil, value: Value) {
      (self.name, self.line, self.value) = (name, line, value)
    }
  }

  package indirect enum Value: Hashable, Sendable {
    case text(Text)
    case members([Member])
    case list([Value])
    case other

    package var text: Text? { if case .text(let text) = self { text } else { nil } }
  }

  package enum Kind: Sendable {
    /// It looks like a scheme, but has a mistake.
    case mistake
    /// It has no colours in a known format.
    case otherFormat
    /// It is not valid in its syntax.
    case unreadable
  }

  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var line: Int?
    package let text: String
    /// The single mistakes, if it is about several.
    package var parts: [Problem] = []
    package var kind = Kind.mistake

    package init(line: Int? = nil, text: String, parts: [Problem] = [], kind: Kind = .mistake) {
      (self.line, self.text, self.parts, self.kind) = (line, text, parts, kind)
    }

    package var description: String { printable((line.map { "line \($0): " } ?? "") + text) }
  }

  /// More bytes than any scheme needs.
  ///
  /// The longest that is known is Gogh's list of all its schemes, 300 KiB.
  package static let maximumBytes = 1024 * 1024

  /// The members, in order; in most syntaxes, each name once.
  package let members: [Member]

  init(members: [Member]) { self.members = members }

  package static func isStandardInput(_ path: String) -> Bool {
    (["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] as [Text]).contains(Text(path))
  }

  /// The text of these bytes, without a byte order mark.
  package static func text(of bytes: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
    guard bytes.count <= maximumBytes else { throw tooLong }
    guard !bytes.starts(with: "bplist".utf8) else {
      throw Problem(
        text: "the file is a binary property list, which is not supported; convert it to XML with plistutil or plutil")
    }
    guard Text(validating: bytes) != nil else { throw Problem(text: "the file is not UTF-8 text", kind: .otherFormat) }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The paths of the files in a directory and in the directories in it, except hidden ones, in order; also those of
  /// directories that cannot be read.
  ///
  /// A link to a directory in it is not followed, because it may lead to the whole file system.
  package static func paths(inDirectory path: String) -> [String] {
    var visited: Set<FileIdentity> = []
    func paths(_ directory: String) -> [String] {
      guard let identity = FileIdentity(of: directory), visited.insert(identity).inserted else { return [] }
      guard unsafe access(directory, R_OK | X_OK) == 0 else { return [directory] }
      return names(inDirectory: directory).filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
        let path = "\(directory)/\(name)"
        if isDirectory(path) { return isSymbolicLink(path) ? [] : paths(path) }
        return isRegularFile(path) == true ? [path] : []
      }
    }
    return paths(path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path)
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
      guard bytes.count <= maximumBytes else { throw tooLong }
    }
  }

  private static var tooLong: Problem {
    Problem(text: "the file is longer than \(maximumBytes / 1024) KiB, too long for a scheme", kind: .otherFormat)
  }
}

/// The texts of a scheme's file by their paths: the names of the members around a text and its own.
struct SchemeTexts {
  /// The longest path that is read; a file of hostile names would otherwise take the square of its length.
  private static let maximumPath = 255

  /// The paths, in order.
  private(set) var paths: [Text] = []
  /// The names of the outermost members, in order.
  let roots: [Text]
  private var members: [Text: [SchemeFile.Member]] = [:]
  /// The outermost members, which may be no texts.
  private let outer: [Text: SchemeFile.Member]
  private let separator: String

  init(_ members: [SchemeFile.Member], separator: Unicode.Scalar) {
    roots = members.map(\.name)
    outer = Dictionary(members.map { ($0.name, $0) }) { $1 }
    self.separator = String(separator)
    for member in members { add(member, at: member.name) }
  }

  /// The texts at a path, in order, since a file of lines may give one several times.
  subscript(path: Text) -> [SchemeFile.Member] { members[path] ?? [] }

  /// The last member at a path, which is a text unless it is an outermost one.
  func last(at path: Text) -> SchemeFile.Member? { self[path].last ?? outer[path] }

  func line(of path: Text) -> Int? { last(at: path)?.line }

  private mutating func add(_ member: SchemeFile.Member, at path: Text) {
    guard path.count <= Self.maximumPath else { return }
    switch member.value {
    case .text:
      if members[path] == nil { paths.append(path) }
      members[path, default: []].append(member)
    case .members(let inner):
      for member in inner { add(member, at: "\(path)\(separator)\(member.name)") }
    case .list(let values):
      for (index, value) in values.enumerated() {
        add(.init(name: member.name, line: member.line, value: value), at: "\(path)\(separator)\(index)")
      }
    case .other: break
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
