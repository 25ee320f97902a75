import Foundation
import Testing
import ThemeApps
import ThemeModel
import ThemeResolution
import ThemedTestSupport
import ThemedText

/// Templates as public repositories have them, with every theme that is shipped: what comes of them is what another
/// project's renderer makes, byte by byte.
@Suite struct BuilderTests {
  /// Every shape that those repositories' templates have, in small.
  private static let templates = [
    "# {{scheme-name}} by {{scheme-author}}\n# {{{scheme-name}}} {{&scheme-author}}\n",
    "set background={{scheme-variant}}\nlet g:colors_name = \"{{scheme-system}}-{{scheme-slug}}\"\n"
      + "{{#base10-hex}}\nlet s:g10 = \"{{base10-hex}}\"\n{{/base10-hex}}\n{{^base10-hex}}\nlet s:g10 = \"{{base00-hex}}\"\n"
      + "{{/base10-hex}}\n",
    "{{#scheme-is-dark-variant}}dark{{/scheme-is-dark-variant}}{{^scheme-is-dark-variant}}light{{/scheme-is-dark-variant}}",
    "  {{#scheme-is-light-variant}}  \n  light: {{base07-hex-bgr}}\n {{/scheme-is-light-variant}}\nend",
    "{{! a comment }}\n{{!\n over lines\n}}\n<key>{{base08-dec-r}}</key> {{base08-dec-g}} {{base08-dec-b}}\n",
    "{{=<% %>=}}\nset c to {<%base0D-rgb16-r%>, <%base0D-rgb16-g%>, <%base0D-rgb16-b%>} -- {{left}}\n<%={{ }}=%>\n"
      + "{{base0D-rgb-r}},{{base0D-rgb-g}},{{base0D-rgb-b}}\r\n",
    "{{base0A-hex-r}}/{{base0A-hex-g}}/{{base0A-hex-b}} {{ base0a-hex }} {{nothing}}|{{#nothing}}x{{/nothing}}|\n",
    "{{scheme-slug-underscored}} {{scheme-description}} \u{1F3A8} {{base17-hex}} {a} }} {",
    (Role.base24Slots).map { "{{\($0.rawValue)-hex}} {{\($0.rawValue)-rgb-r}}" }.joined(separator: "\n"),
  ]

  private static let data = Products.package + "/contrib/data/themed/themes"

  /// The shipped themes, and one whose author would end a string, a tag or a comment.
  private func themes() throws -> [Theme] {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.data).filter { $0.hasSuffix(".theme") }
    #expect(files.count >= 9)
    let shipped = try files.sorted().map { file in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.data + "/" + file)))
      return try ThemeFile(name: Text(String(file.dropLast(6))), KeyFile(strict: bytes)).theme
    }
    let odd = Theme(
      name: "odd", title: "\"O'&<odd>\" */ --> {{x}} \\", author: "<a href=\"x\">É\u{301}</a> 'q' & co", light: Side(),
      dark: Side())
    return shipped + [odd]
  }

  private struct Case {
    let name: String
    let template: String
    let variables: AppVariables
  }

  @Test func `With escape=html every template is rendered as the builders do, byte by byte`() throws {
    let cases = try themes().flatMap { theme in
      theme.schemes.flatMap { scheme in
        PaletteSystem.allCases.flatMap { system in
          Self.templates.compactMap { template in
            AppVariables.Shown(theme, scheme).map { shown in
              Case(
                name: "\(theme.name) \(scheme) \(system)", template: template,
                variables: AppVariables(shown, for: App(name: "a"), system: system))
            }
          }
        }
      }
    }
    let names = Self.templates.flatMap { template in
      (try? Template(parsing: Array(template.utf8)))?.mentions.map(\.name) ?? []
    }
    let lines = try cases.map { one in
      let values = Dictionary(
        names.compactMap { name in one.variables[name].map { (name.string, $0.string) } }, uniquingKeysWith: { $1 })
      let object: [String: Any] = ["template": one.template, "values": values]
      return try JSONSerialization.data(withJSONObject: object) + [10]
    }
    let expected = try references(lines.reduce(Data(), +))
    #expect(expected.count == cases.count && cases.count > 100)
    for (one, reference) in zip(cases, expected) {
      let bytes = try Template(parsing: Array(one.template.utf8)).render(one.variables, escape: .html)
      #expect(bytes == Array(reference.utf8), "\(one.name): \(one.template)")
    }
  }

  /// What the other renderer makes of these cases.
  private func references(_ lines: Data) throws -> [String] {
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
