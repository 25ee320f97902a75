import Foundation
import Testing
import ThemeApps
import ThemedSystem

/// themed-programs(7) says of programs what the shipped app files say.
@Suite struct ProgramsPageTests {
  private static let package = #filePath.components(separatedBy: "/Tests/")[0]

  /// A program on the page: its name, the version from which it can, and what is said of it.
  private struct Entry {
    let title: String
    let version: String?
    let body: String
  }

  /// A way of a program, as the page tells it.
  private struct Told: Hashable, CustomStringConvertible {
    let means: App.Way.Means
    let title: String
    let version: String?

    var description: String { "\(means.rawValue): \(title) \(version ?? "")" }
  }

  /// What a line of a page says, without its macros and escapes.
  private static func plain(_ line: String) -> String {
    var words: [String] = []
    var (word, isQuoted, isBegun) = ("", false, false)
    func end() {
      if isBegun { words.append(word) }
      (word, isBegun) = ("", false)
    }
    for character in line {
      if character == "\"", isQuoted || !isBegun {
        (isQuoted, isBegun) = (!isQuoted, true)
      } else if character == " ", !isQuoted {
        end()
      } else {
        word.append(character)
        isBegun = true
      }
    }
    end()
    var text = line
    if let macro = words.first, macro.hasPrefix(".") {
      // Of two letters, each word is joined to the next one.
      text = words.dropFirst().joined(separator: macro.count == 3 && macro != ".br" && macro != ".EX" ? "" : " ")
    }
    for (escape, meant) in [
      ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\fR", ""), ("\\fI", ""), ("\\e", "\\"),
    ] {
      text = text.replacingOccurrences(of: escape, with: meant)
    }
    return text
  }

  /// The programs of a part of the page.
  private static func entries(_ section: String) throws -> [Entry] {
    let page = try String(contentsOfFile: package + "/docs/themed-programs.7", encoding: .utf8)
    let part = try #require(page.components(separatedBy: ".SH \(section)\n").dropFirst().first)
    let text = part.components(separatedBy: "\n.SH ")[0].components(separatedBy: "\n.PP\n")[0]
    return text.components(separatedBy: ".TP\n").dropFirst().flatMap { entry -> [Entry] in
      let lines = entry.split(separator: "\n").map { plain(String($0)) }.filter { !$0.isEmpty }
      let body = lines.dropFirst().joined(separator: " ")
      let head = lines[0].replacing(#/ \([^)]*\)/#, with: "").trimmingCharacters(in: .whitespaces)
      return head.components(separatedBy: ", ").map { name in
        let version = name.firstMatch(of: #/ (\d[\d.]*)$/#)
        return Entry(
          title: version.map { String(name[..<$0.range.lowerBound]) } ?? name,
          version: version.map { Version(Text(String($0.1)))?.description ?? "\($0.1)" },
          body: body)
      }
    }
  }

  private static func apps() throws -> [App] {
    let directory = package + "/share/apps/"
    return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".app") }.map { name in
      let bytes = Array(try Data(contentsOf: URL(filePath: directory + name)))
      return try #require(AppFile(name: Text(String(name.dropLast(4))), bytes).app)
    }
  }

  /// The parts of the page, and what the programs on them hear; toolkits and terminals are no programs of which one is
  /// installed, and told there besides.
  private static func told() throws -> [(means: App.Way.Means, entry: Entry)] {
    let portal = try entries("PORTAL").filter { !$0.title.hasPrefix("GTK 4") && $0.title != "Qt" }
    let terminal = try entries("TERMINAL").filter { !$0.title.hasPrefix("Terminals that") }
    let plugins = try (entries("SHELLS") + entries("EDITORS")).filter { !["fish", "bash"].contains($0.title) }
    return portal.map { (.portal, $0) } + terminal.map { (.terminal, $0) } + plugins.map { (.plugin, $0) }
  }

  @Test func `the page has every program that follows by itself or by a plugin, from its version, and no other`() throws
  {
    let page = Set(try Self.told().map { Told(means: $0.means, title: $0.entry.title, version: $0.entry.version) })
    let data = try Self.apps().flatMap { app in
      app.ways.map { way in
        let version = way.versions.isAll ? nil : way.versions.description.replacing(">=", with: "")
        return Told(means: way.means, title: app.title.string, version: version)
      }
    }
    #expect(page.subtracting(data) == [], "no app file says so")
    #expect(Set(data).subtracting(page) == [], "the page does not say so")
    #expect(data.count > 15)
  }

  @Test func `the page tells the setting and the line of each as its app file has them`() throws {
    let told = try Self.told()
    for app in try Self.apps() {
      for way in app.ways {
        let entry = try #require(told.first { $0.means == way.means && $0.entry.title == app.title.string }?.entry)
        let lines = way.means == .plugin ? app.setups.map { Optional($0.line) } : []
        let needs = ([way.setting] + lines).compactMap { $0?.string.replacing("\n", with: " ") }
        for text in needs { #expect(entry.body.contains(text), "\(app.title): '\(text)' is not in '\(entry.body)'") }
      }
    }
  }

  @Test func `a shell that an app file is for is enabled on the page by its name`() throws {
    let names = Set(try Self.apps().filter(\.canBeEnabled).map(\.name.string))
    let enabled = try (Self.entries("SHELLS") + Self.entries("EDITORS") + Self.entries("GTK AND QT")).flatMap { entry in
      entry.body.matches(of: /themectl app enable ([a-z0-9-]+)/).map { String($0.1) }
    }
    #expect(Set(enabled).subtracting(names) == [])
    #expect(Set(enabled).isSuperset(of: ["bash", "fish", "qt5ct", "qt6ct", "xsettingsd"]))
  }
}
