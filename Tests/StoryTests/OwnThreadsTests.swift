import Foundation
import Synchronization
import Testing
import ThemedTestSupport

/// That tests which block hold up nobody.
@Suite struct OwnThreadsTests {
  private static let count = ProcessInfo.processInfo.activeProcessorCount + 2
  private static let blocked = Mutex(0)

  @Test("More tests than there are threads in the pool wait for each other", .ownThreadsAtOnce, arguments: 0..<count)
  func together(number: Int) throws {
    Self.blocked.withLock { $0 += 1 }
    try eventually("the other tests") { Self.blocked.withLock { $0 } == Self.count }
  }

  @Test("Every suite of stories has threads of its own")
  func all() throws {
    let directory = Products.package + "/Tests/StoryTests/"
    for file in try FileManager.default.contentsOfDirectory(atPath: directory) where file.hasSuffix("Stories.swift") {
      let text = try String(contentsOfFile: directory + file, encoding: .utf8)
      let suites = text.components(separatedBy: "@Suite").dropFirst()
      #expect(suites.allSatisfy { $0.prefix { $0 != "{" }.contains(".ownThreads") }, "\(file)")
    }
  }
}
