import Foundation
import Testing
import ThemeApps
import ThemedModel
import ThemedSystem
import ThemedTestSupport

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

  @Test func `With escape=html every template is rendered as the builders do, byte by byte`() throws {
    let cases = try BuilderCase.themes().flatMap { theme in
      PaletteSystem.allCases.flatMap { system in
        Self.templates.flatMap { BuilderCase.of($0, theme, for: App(name: "a"), system) }
      }
    }
    #expect(cases.count > 100)
    try BuilderCase.expectAsBuilders(cases)
  }
}
