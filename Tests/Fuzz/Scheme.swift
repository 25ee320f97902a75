import ThemedModel
import ThemedSystem

@testable import ThemeSetup

/// A scheme of strangers, in every syntax: it is read whole, or refused with a reason of one line.
func fuzzScheme(_ bytes: [UInt8]) {
  for syntax in [SchemeSyntax.json, .yaml, .toml, .settings, .words, .xresources, .propertyList, .lua] {
    do throws(SchemeFile.Problem) {
      for scheme in try Scheme.all(of: syntax.members(of: bytes), in: syntax) {
        require(scheme.colors.count >= 2, "a scheme without its colours")
        let theme = Theme(name: "fuzz", title: scheme.title, author: scheme.author, dark: Side(colors: scheme.colors))
        let text = Array(ThemeFile.text(of: theme).utf8)
        require((try? ThemeFile(name: "fuzz", KeyFile(strict: text)))?.theme == theme, "a theme that is not read back")
      }
    } catch {
      let reason = error.description.utf8
      require(!reason.isEmpty && !reason.contains(10) && !reason.contains(0x1B), "refused without a reason of one line")
    }
  }
  _ = try? Scheme.all(in: bytes)
}
