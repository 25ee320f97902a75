import Foundation
import ThemedTestSupport
import Testing

/// The inputs that the fuzzer found worth keeping, each a way through a reader that no other takes, once more.
///
/// `make corpus` fuzzes, and keeps the least that goes all the ways.
@Suite(.ownThreads) struct ReplayTests {
  private static let targets: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
    ("Frames", fuzzFrames), ("JSONText", fuzzJSONText), ("Connection", fuzzConnection), ("Bus", fuzzBus),
    ("Portal", fuzzPortal), ("StateFile", fuzzStateFile), ("ConfigurationFile", fuzzConfigurationFile),
    ("ThemeFile", fuzzThemeFile), ("Handover", fuzzHandover), ("Replies", fuzzReplies), ("Session", fuzzSession),
    ("KeptReading", fuzzKeptReading), ("Address", fuzzAddress), ("Terminal", fuzzTerminal),
    ("PortalFiles", fuzzPortalFiles), ("Scheme", fuzzScheme), ("Following", fuzzFollowing),
    ("Upstream", fuzzUpstream), ("AppFile", fuzzAppFile), ("Template", fuzzTemplate),
  ]

  @Test("Whatever was once found is read as it should be", arguments: targets.map(\.name))
  func replay(target: String) throws {
    let run = try #require(Self.targets.first { $0.name == target }).run
    let inputs = try inputs(of: target)
    #expect(!inputs.isEmpty)
    run([])
    for input in inputs { run(Array(try Data(contentsOf: input))) }
  }

  @Test("Every target is replayed, and every corpus has its target")
  func all() throws {
    let fuzz = try #require(URL(string: "file://" + Products.package + "/Tests/Fuzz"))
    let files = try FileManager.default.contentsOfDirectory(atPath: fuzz.path(percentEncoded: false))
    let sources = files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }
    #expect(Set(sources) == Set(Self.targets.map(\.name) + ["Input", "ReplayTests"]))
    let corpora = try FileManager.default.contentsOfDirectory(
      atPath: fuzz.appending(path: "corpus").path(percentEncoded: false))
    #expect(Set(corpora.filter { !$0.hasSuffix(".dict") }) == Set(Self.targets.map(\.name)))
  }

  private func inputs(of target: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: URL(filePath: Products.package + "/Tests/Fuzz/corpus/" + target), includingPropertiesForKeys: nil)
  }
}
