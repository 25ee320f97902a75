import Foundation
import Testing
import ThemedTestSupport

/// Replays the inputs that the fuzzers found: each covers code of a reader that no other input does.
///
/// `make corpus` adds to them, and `tools/corpus add` keeps an input that broke a reader.
@Suite(.ownThreads) struct ReplayTests {
  private static let targets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
    ("Frames", fuzzFrames), ("JSONText", fuzzJSONText), ("Connection", fuzzConnection), ("Bus", fuzzBus),
    ("Portal", fuzzPortal), ("StateFile", fuzzStateFile), ("ConfigurationFile", fuzzConfigurationFile),
    ("ThemeFile", fuzzThemeFile), ("Handover", fuzzHandover), ("Replies", fuzzReplies), ("Session", fuzzSession),
    ("KeptReading", fuzzKeptReading), ("Address", fuzzAddress), ("Terminal", fuzzTerminal),
    ("PortalFiles", fuzzPortalFiles), ("Scheme", fuzzScheme), ("Following", fuzzFollowing),
    ("Upstream", fuzzUpstream), ("AppFile", fuzzAppFile), ("Template", fuzzTemplate),
  ]

  /// The kept inputs, as `tools/corpus` packs them.
  private static let archive = Products.package + "/Tests/Fuzz/corpus.tar.gz"

  @Test("Every kept input is read without a fault", arguments: targets.map(\.name))
  func replay(target: String) throws {
    let run = try #require(Self.targets.first { $0.name == target }).run
    try withSession { session in
      let place = try session.directory.directory("corpus")
      try session.check("tar", ["--extract", "--gzip", "--file", Self.archive, "--directory", place, "./" + target])
      let inputs = try FileManager.default.contentsOfDirectory(
        at: URL(filePath: place + "/" + target), includingPropertiesForKeys: nil)
      #expect(!inputs.isEmpty)
      run([])
      for input in inputs { run(Array(try Data(contentsOf: input))) }
    }
  }

  @Test("Every target is replayed, and every corpus has its target")
  func all() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Products.package + "/Tests/Fuzz")
    let sources = files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
    #expect(Set(sources) == Set(Self.targets.map(\.name) + ["Input", "ReplayTests"]))
    try withSession { session in
      let packed = try session.check("tar", ["--list", "--gzip", "--file", Self.archive])
      let corpora = packed.split(separator: "\n").compactMap { $0.split(separator: "/").dropFirst().first }
      #expect(Set(corpora.map(String.init)) == Set(Self.targets.map(\.name)))
    }
  }
}
