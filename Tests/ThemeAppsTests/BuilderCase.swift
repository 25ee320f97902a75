import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// A template with the variables of one side of a theme, to be rendered here and by another project's renderer.
struct BuilderCase {
  let name: String
  let template: String
  let variables: AppVariables

  /// A template with each side that a theme has.
  static func of(_ template: String, _ theme: Theme, for app: App, _ system: PaletteSystem) -> [BuilderCase] {
    theme.schemes.compactMap { scheme in
      AppVariables.Shown(theme, scheme).map { shown in
        BuilderCase(
          name: "\(theme.name) \(scheme) \(system)", template: template,
          variables: AppVariables(shown, for: app, system: system))
      }
    }
  }

  /// The shipped themes, and one whose author would end a string, a tag or a comment.
  static func themes() throws -> [Theme] {
    let data = Products.package + "/share/themes"
    let files = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasSuffix(".theme") }
    #expect(files.count >= 9)
    let shipped = try files.sorted().map { file in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: data + "/" + file)))
      return try ThemeFile(name: Text(String(file.dropLast(6))), KeyFile(strict: bytes)).theme
    }
    let odd = Theme(
      name: "odd", title: "\"O'&<odd>\" */ --> {{x}} \\", author: "<a href=\"x\">É\u{301}</a> 'q' & co", light: Side(),
      dark: Side())
    return shipped + [odd]
  }

  /// Expects each to be rendered with `escape=html` as the builders do, byte by byte.
  static func expectAsBuilders(_ cases: [BuilderCase]) throws {
    var names: [String: [Text]] = [:]
    for template in Set(cases.map(\.template)) {
      names[template] = try Template(parsing: Array(template.utf8)).mentions.map(\.name)
    }
    let lines = try cases.map { one in
      let values = Dictionary(
        names[one.template, default: []].compactMap { name in one.variables[name].map { (name.string, $0.string) } },
        uniquingKeysWith: { $1 })
      let object: [String: Any] = ["template": one.template, "values": values]
      return try JSONSerialization.data(withJSONObject: object) + [10]
    }
    let expected = try references(lines.reduce(Data(), +))
    #expect(expected.count == cases.count)
    for (one, reference) in zip(cases, expected) {
      let bytes = try Template(parsing: Array(one.template.utf8)).render(one.variables, escape: .html)
      #expect(bytes == Array(reference.utf8), "\(one.name): \(one.template)")
    }
  }

  /// What the other renderer makes of these cases.
  private static func references(_ lines: Data) throws -> [String] {
    let script = Products.package + "/Tests/ThemeAppsTests/Builders/render.py"
    var references: [String] = []
    try withSession { session in
      let input = try session.directory.write(String(decoding: lines, as: UTF8.self), to: "cases")
      let output = try session.check("sh", ["-c", "exec \"$0\" -B \"$1\" < \"$2\"", Products.python(), script, input])
      references = try output.split(separator: "\n").map { line in
        try JSONDecoder().decode(String.self, from: Data(line.utf8))
      }
    }
    return references
  }
}
