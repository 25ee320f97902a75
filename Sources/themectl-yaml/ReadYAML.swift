import Foundation
import Glibc
import Varlink
import Yams

/// Reads YAML for `themectl theme import`: for each file of its arguments it prints what the file says as a line of JSON.
///
/// The line is `{"members":[{"name":…,"line":…,"value":…}, …]}`, where a value is a string, another list of members, or
/// null for what is neither; or `{"problem":…,"line":…}`. What the members mean is for themectl to say.
@main
enum ReadYAML {
  /// What a scheme never needs.
  private static let maximumBytes = 64 * 1024
  private static let maximumSeconds: rlim_t = 2

  static func main() {
    // A text of a few lines can keep a reader busy for ever: keys that refer to keys that refer to keys.
    var limit = rlimit(rlim_cur: maximumSeconds, rlim_max: maximumSeconds)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    for path in CommandLine.arguments.dropFirst() {
      // At once: the next one may take the time that is left.
      FileHandle.standardOutput.write(Data((JSON.object(answer(for: path)).text + "\n").utf8))
    }
  }

  private static func answer(for path: String) -> JSON.Object {
    do {
      guard let mapping = try root(of: path)?.mapping else {
        return problem("there should be members such as 'base00: \"181818\"'")
      }
      return ["members": .array(members(mapping))]
    } catch let error as YamlError {
      return error.answer
    } catch {
      return problem(error.localizedDescription)
    }
  }

  private static func root(of path: String) throws -> Node? {
    // Not only files: a shell's <(curl …) is a pipe.
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw Unreadable(reason: unsafe String(cString: strerror(errno)))
    }
    let data = try file.read(upToCount: maximumBytes + 1) ?? Data()
    guard data.count <= maximumBytes else { throw Unreadable(reason: "it is longer than \(maximumBytes) bytes") }
    guard var text = String(data: data, encoding: .utf8) else { throw Unreadable(reason: "it is no text in UTF-8") }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    return try compose(yaml: text)
  }

  private struct Unreadable: LocalizedError {
    let reason: String
    var errorDescription: String? { reason }
  }

  private static func members(_ mapping: Node.Mapping, depth: Int = 0) -> [JSON] {
    mapping.map { key, value in
      .object([
        "name": .string(key.scalar?.string ?? ""), "line": .integer(Int64(key.mark?.line ?? 0)),
        "value": json(value, depth: depth),
      ])
    }
  }

  private static func json(_ node: Node, depth: Int) -> JSON {
    if let scalar = node.scalar { return .string(scalar.string) }
    guard let mapping = node.mapping, depth == 0 else { return .null }
    return .array(members(mapping, depth: 1))
  }

  fileprivate static func problem(_ text: String, line: Int? = nil) -> JSON.Object {
    ["problem": .string(text), "line": line.map { .integer(Int64($0)) }]
  }
}

extension YamlError {
  fileprivate var answer: JSON.Object {
    switch self {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ReadYAML.problem("it is no YAML: \(problem)", line: mark.line)
    case .reader(let problem, _, _, _): ReadYAML.problem("it is no YAML: \(problem)")
    case .duplicatedKeysInMapping(let names, let context):
      ReadYAML.problem("'\(names.joined(separator: "', '"))' stands there twice", line: context.mark.line)
    default: ReadYAML.problem("it is no YAML: \(self)")
    }
  }
}
