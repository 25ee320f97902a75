import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// Repositories of templates in the shapes that public ones have (`Builders/repositories`, written for this): they are
/// added as they are, and rendered with every theme that is shipped as the builders render them.
@Suite struct RepositoryTests {
  /// A repository, the templates that are taken of it with their systems and the files that the builders would write,
  /// and those that are passed over.
  struct Repository: Sendable {
    let name: String
    let taken: [(template: String, system: PaletteSystem, file: String)]
    var passedOver: [String] = []
  }

  static let repositories = [
    Repository(
      name: "by-system",
      taken: [
        ("term-base16", .base16, "base16-themed.toml"), ("term-base24", .base24, "base24-themed.toml"),
        ("cells-base16-16", .base16, "base16-themed.itermcolors"),
        ("script-base24-16", .base24, "base24-themed.applescript"), ("registry", .base16, "base16-themed.reg"),
      ]),
    // `extension` is appended as it is.
    Repository(
      name: "legacy",
      taken: [
        ("default", .base16, "base16-themed-theme.el"), ("dark", .base16, "base16-themed.colors.sh"),
        ("gtk2", .base16, "base16-themed-gtkrc"), ("plain", .base16, "base16-themed"),
        ("page", .base16, "base16-themed.html"),
      ]),
    // For several systems, the larger palette is taken.
    Repository(
      name: "several",
      taken: [
        ("default", .base24, "base24-themed.vim"), ("status", .base24, "base24_themed.vim"),
        ("json", .base16, "themed-color-theme.json"),
      ]),
    Repository(
      name: "tinted8", taken: [("mixed", .base16, "base16-themed.conf")],
      passedOver: ["'default' is skipped: the template is for tinted8", "'ansi' is skipped", "'older' is skipped"]),
    // The directory of the templates itself.
    Repository(name: "directory", taken: [("default", .base16, "base16-themed.ini")]),
  ]

  @Test func `there are no others`() throws {
    let directories = try FileManager.default.contentsOfDirectory(atPath: Self.path(""))
    #expect(directories.sorted() == Self.repositories.map(\.name).sorted())
  }

  @Test(arguments: repositories.indices)
  func `a repository is added as it is, and rendered with every shipped theme as the builders do, byte by byte`(
    index: Int
  ) throws {
    let repository = Self.repositories[index]
    try withSession { session in
      let files = session.directory.path("files") + "/"
      let words = repository.taken.flatMap { ["--template", $0.template, "--file", files] }
      let added = try session.themectl(["app", "add", Self.path(repository.name), "--name", "it"] + words)
      #expect(added.status == .exited(0), "\(added.errors)")
      for line in repository.passedOver { #expect(added.errors.contains(line), "\(added.errors)") }
      #expect(added.errors.components(separatedBy: "is skipped").count - 1 == repository.passedOver.count)

      let read = AppFile(name: "it", try bytes(session, "apps/it.app"))
      let app = try #require(read.remarks.isEmpty ? read.app : nil, "\(read.remarks)")
      #expect(app.writes.map(\.system) == repository.taken.map(\.system))
      let text = String(decoding: try bytes(session, "apps/it.app"), as: UTF8.self)
      let paths = text.split(separator: "\n").filter { $0.hasPrefix("file=") }.map { $0.dropFirst(5) }
      #expect(paths == repository.taken.map { Substring(files + $0.file) })

      var cases: [BuilderCase] = []
      for write in app.writes {
        #expect(write.escape == .html)
        let template = try bytes(session, "templates/\(write.template)")
        _ = try Template(parsing: template)
        for theme in try BuilderCase.themes() {
          cases += BuilderCase.of(String(decoding: template, as: UTF8.self), theme, for: app, write.system)
        }
      }
      #expect(cases.count >= 10 * repository.taken.count)
      try BuilderCase.expectAsBuilders(cases)
    }
  }

  private static func path(_ name: String) -> String {
    Products.package + "/Tests/ThemeAppsTests/Builders/repositories/" + name
  }

  private func bytes(_ session: Session, _ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: session.directory.path("config/themed/" + file))))
  }
}
