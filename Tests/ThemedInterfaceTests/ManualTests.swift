import Foundation
import Testing
import ThemedInterface
import ThemedSystem

/// The manual pages say what the programs are.
@Suite struct ManualTests {
  private func path(_ name: String) -> String { #filePath.components(separatedBy: "/Tests/")[0] + "/docs/" + name }

  private func page(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// After a change of the interface, run this with THEMED_WRITE_MANUAL=1 to have the page say so.
  @Test("org.themed.theme(7) holds the interface as GetInterfaceDescription serves it")
  func interface() throws {
    let description = try #require(ThemeInterface.interfaces.first { $0.name == ThemeInterface.name }?.description)
    let text = description.trimmingCharacters(in: .newlines)
      .replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
      .replacingOccurrences(of: "'", with: "\\(aq")
    let before = try page("org.themed.theme.7")
    if ProcessInfo.processInfo.environment["THEMED_WRITE_MANUAL"] != nil {
      let head = before.components(separatedBy: ".SH INTERFACE\n")[0]
      let tail = before.components(separatedBy: "\n.EE\n.SH SEE ALSO").last ?? ""
      try "\(head).SH INTERFACE\n.in 0\n.EX\n\(text)\n.EE\n.SH SEE ALSO\(tail)".write(
        toFile: path("org.themed.theme.7"), atomically: true, encoding: .utf8)
    }
    #expect(try page("org.themed.theme.7").contains(".SH INTERFACE\n.in 0\n.EX\n\(text)\n.EE\n"))
  }

  @Test(
    "Each page is of this version",
    arguments: [
      "themed.1", "themectl.1", "themed-apply.1", "themed-portal.1", "themed-tray.1",
      "themed-settings.1", "themed.conf.5", "themed.theme.5",
      "themed.app.5",
      "org.themed.theme.7", "themed-programs.7",
    ])
  func version(_ name: String) throws {
    #expect(try page(name).components(separatedBy: "\n")[0].contains("\"themed \(themedVersion)\""))
  }
}
