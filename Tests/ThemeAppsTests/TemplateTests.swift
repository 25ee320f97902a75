import Testing
import ThemeApps
import ThemedText

@Suite struct TemplateTests {
  /// What comes of a template with these values, or what is wrong with it.
  private func render(
    _ template: String, _ values: [Text: Text] = [:], escape: Template.Escape = .html
  ) -> String {
    do {
      return String(decoding: try Template(parsing: Array(template.utf8)).render(escape) { values[$0] }, as: UTF8.self)
    } catch {
      return "problem: \(error)"
    }
  }

  @Test func `A variable is its value, and nothing where it has none`() {
    #expect(render("a {{x}} {{ y }}b", ["x": "1"]) == "a 1 b")
  }
}
