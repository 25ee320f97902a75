import Testing
import ThemedInterface
import ThemedSystem

@testable import ThemeSetup

/// The hint about Qt programs that do not turn.
@Suite struct QtProgramsTests {
  private typealias Version = QtPrograms.Version

  private func found(_ desktops: [Text], _ versions: [QtPrograms.Version], set theme: Text? = nil) -> [String]? {
    let finding = QtPrograms(desktops: desktops, platformTheme: theme, versions: versions).finding
    #expect(finding?.isProblem != true)
    return finding.map { [$0.what] + $0.commands }
  }

  private func words(_ numbers: String) -> String {
    "programs with Qt \(numbers) do not turn with the desktop, since their platform theme does not follow it"
  }

  @Test func `nothing is said without Qt, where the desktop has a platform theme, or where the user has set one`() {
    let both = [Version(number: 5), Version(number: 6)]
    #expect(found(["sway"], []) == nil)
    for desktop: Text in ["KDE", "LXQt"] { #expect(found([desktop], both) == nil) }
    #expect(found(["sway"], both, set: "qt6ct") == nil)
    #expect(found(["ubuntu", "GNOME"], [Version(number: 6, hasGTK: true)]) == nil)
  }

  @Test func `on desktops of GTK, Qt 6 follows with the platform theme for GTK, and Qt 5 does not`() {
    #expect(found(["XFCE"], [Version(number: 6)]) == [words("6"), "sudo apt install qt6-gtk-platformtheme"])
    let both = [Version(number: 5, hasGTK: true), Version(number: 6, hasGTK: true)]
    #expect(
      found(["X-Cinnamon"], both) == [
        words("5"), "sudo apt install qgnomeplatform-qt5", "sudo apt install qgnomeplatform-qt6",
      ],
      "the variable counts for Qt 6, too")
  }

  @Test func `elsewhere, neither follows`() {
    let both = [Version(number: 5, hasGTK: true, hasGnomePlatform: true), Version(number: 6, hasGTK: true)]
    #expect(found(["sway"], both, set: "") == [words("5 and 6"), "sudo apt install qgnomeplatform-qt6"])
    #expect(found([], [Version(number: 6, hasGnomePlatform: true)]) == [words("6")])
  }
}
