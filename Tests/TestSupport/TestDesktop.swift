import Foundation

/// What `tools/desktop` has put together of installed and unpacked files, once for this process.
struct TestDesktop {
  /// Where its files lie.
  let place: String
  /// The environment by which its programs find them.
  let variables: [String: String]

  /// The pieces there are: a test that starts no desktop needs none of them.
  static let pieces = Result { try TestDesktop() }

  /// Fails, and names what is missing and which package has it, where a desktop could not start.
  static let check = Result { try assemble(TestRun.current.get().newDirectory(), "check") }

  private init() throws {
    place = try TestRun.current.get().newDirectory()
    try Self.assemble(place)
    let text = try String(contentsOfFile: place + "/variables", encoding: .utf8)
    let pairs = text.split(separator: "\0").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    variables = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") })
  }

  private static func assemble(_ words: String...) throws {
    let inherited = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { (name, $0) }
    }
    let script = Products.package + "/tools/desktop"
    let process = try ChildProcess(
      script, [Products.unpackedDirectory] + words, environment: Dictionary(uniqueKeysWithValues: inherited))
    let status = try process.wait()
    guard status == .exited(0) else { throw Failure("tools/desktop ended with \(status): \(process.errors)") }
  }
}
