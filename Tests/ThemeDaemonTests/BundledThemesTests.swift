import Foundation
import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// The themes that come with the daemon.
@Suite struct BundledThemesTests {
  private static let data = #filePath.components(separatedBy: "/Tests/")[0] + "/Tests/Data"
  private static let directories = ThemeDirectories(data: [data], home: nil)
  private static let names = ThemeDirectories(data: [data]).installed().keys.sorted()

  @Test("They are these, each with a title and the tint that it is known by")
  func tints() throws {
    let tints: [Text: (light: String?, dark: String?)] = [
      "default": ("#007aff", "#4ba1ff"), "mint": ("#26c472", "#84ffbf"), "pumpkin": ("#ff6700", "#733105"),
      "teal": ("#30b0c7", "#40c8e0"),
    ]
    #expect(Self.names == ["80s", "90s", "dark", "default", "light", "mint", "outrun", "pumpkin", "teal"])
    for (name, tint) in tints {
      let theme = try #require(try Self.directories.read(name)).theme
      #expect(theme.palette(for: .light)?[.primary].hexadecimal == tint.light)
      #expect(theme.palette(for: .dark)?[.primary].hexadecimal == tint.dark)
    }
    let plain = try #require(try Self.directories.read("default")).theme
    #expect(plain.palette(for: .light)?[.background] == .white)
    #expect(plain.palette(for: .dark)?[.background] == .black)
    #expect(try Self.directories.read("light")?.theme.schemes == [.light])
    #expect(try Self.directories.read("dark")?.theme.schemes == [.dark])
  }

  @Test("Each is without a mistake, all its text can be read, and nothing looks like another thing", arguments: names)
  func readable(name: Text) throws {
    let found = try #require(try Self.directories.read(name))
    #expect(found.unknown == [])
    #expect(found.theme.title.string.lowercased() == name.string)
    for scheme in found.theme.schemes {
      let faint = found.theme.palette(for: scheme)?.contrasts.filter { !$0.isReadable }
      #expect(faint == [], "\(scheme)")
      let alike = found.theme.palette(for: scheme)?.likenesses.filter(\.isAlike)
      #expect(alike == [], "\(scheme)")
    }
  }
}
