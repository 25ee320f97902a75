import Foundation
import Testing
import ThemedModel
import ThemedSystem

/// The manual page says what the code does.
@Suite struct ManualTests {
  private let path = #filePath.components(separatedBy: "/Tests/")[0] + "/docs/themed.theme.5"

  /// After a change of the rules, run this with THEMED_WRITE_MANUAL=1 to have the page say so.
  @Test("themed.theme(5) lists every role with its rules")
  func rules() throws {
    let items = Role.all.map { role in
      ".TP\n.B \(role.rawValue)\n\(role.rules.map(\.description).joined(separator: "; else "))\n"
    }
    let (begin, end) = (".\\\" The roles, written by the tests.\n", ".\\\" End of the roles.\n")
    let list = begin + items.joined().replacingOccurrences(of: "-", with: "\\-") + end
    if ProcessInfo.processInfo.environment["THEMED_WRITE_MANUAL"] != nil {
      let page = try String(contentsOfFile: path, encoding: .utf8)
      let head = page.components(separatedBy: begin)[0]
      let tail = page.components(separatedBy: end).last ?? ""
      try (head + list + tail).write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(list))
  }
}
