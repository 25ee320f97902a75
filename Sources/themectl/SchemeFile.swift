import ArgumentParser
import ThemeClient
import Varlink

/// A file of YAML as `themectl-yaml` has read it.
struct YAMLFile: Hashable {
  /// A member of a mapping.
  struct Member: Hashable {
    let name: String
    let line: Int
    let value: Value
  }

  /// What a member holds.
  enum Value: Hashable {
    case text(String)
    case members([Member])
    /// A list, or something deeper.
    case other
  }

  /// Why a file is none: where, and what is wrong.
  struct Problem: Error, Hashable, CustomStringConvertible {
    var line: Int?
    let text: String
    var description: String { printable((line.map { "line \($0): " } ?? "") + text) }
  }

  /// The members, in order.
  let members: [Member]

  /// A file of these members.
  init(members: [Member]) {
    self.members = members
  }

  /// Reads a line that `themectl-yaml` printed.
  init(json line: String) throws(Problem) {
    guard case .object(let answer)? = try? JSON(parsing: Array(line.utf8)) else { throw .noAnswer }
    if case .string(let problem)? = answer["problem"] { throw Problem(line: answer["line"]?.line, text: problem) }
    guard case .array(let members)? = answer["members"] else { throw .noAnswer }
    self.members = members.compactMap(Member.init)
  }
}

extension YAMLFile.Problem {
  /// The reader has ended without a word.
  static let noAnswer = YAMLFile.Problem(text: "it cannot be read as YAML")
}

extension YAMLFile.Member {
  fileprivate init?(_ json: JSON) {
    guard case .object(let object) = json, case .string(let name)? = object["name"] else { return nil }
    self.name = name
    line = object["line"]?.line ?? 0
    value =
      switch object["value"] {
      case .string(let text)?: .text(text)
      case .array(let members)?: .members(members.compactMap(YAMLFile.Member.init))
      default: .other
      }
  }
}

extension JSON {
  fileprivate var line: Int? {
    guard case .integer(let number) = self else { return nil }
    return Int(number)
  }
}

/// Reads files of YAML by the program `themectl-yaml`; in the order of `paths`.
func readYAML(_ paths: [String]) throws -> [Result<YAMLFile, YAMLFile.Problem>] {
  guard let reader = ownProgram("themectl-yaml") else {
    complain("the program 'themectl-yaml', which reads schemes, is not where themectl looks; install it: make install")
    throw ExitCode.failed
  }
  var answers: [Result<YAMLFile, YAMLFile.Problem>] = []
  // So many fit on a command line, however long their names are.
  for start in stride(from: 0, to: paths.count, by: 16) {
    answers += readYAML(Array(paths[start..<min(start + 16, paths.count)]), by: reader)
  }
  return answers
}

private func readYAML(_ paths: [String], by reader: String) -> [Result<YAMLFile, YAMLFile.Problem>] {
  let lines = Program.run([reader] + paths)?.lines ?? []
  // One of them has kept it busy for too long: which one, it shows alone.
  guard lines.count == paths.count || paths.count == 1 else { return paths.flatMap { readYAML([$0], by: reader) } }
  return paths.indices.map { index in
    Result { () throws(YAMLFile.Problem) in
      guard index < lines.count else { throw .noAnswer }
      return try YAMLFile(json: lines[index])
    }
  }
}
