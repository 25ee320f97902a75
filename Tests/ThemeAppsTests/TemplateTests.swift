import Testing
import ThemeApps
import ThemedSystem

/// Templates: what comes of them, by mustache's own rules.
@Suite struct TemplateTests {
  /// What comes of a template with these values, or what is wrong with it.
  private func render(_ template: String, _ values: [Text: Text] = [:], _ escape: Template.Escape = .none) -> String {
    do throws(Template.Problem) {
      let bytes = try Template(parsing: Array(template.utf8)).render(escape) { values[$0] }
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return "problem: \(error)"
    }
  }

  @Test func `A variable is its value, and nothing where it has none`() {
    #expect(render("a {{x}} {{ y }}b", ["x": "1"]) == "a 1 b")
    #expect(render("{{\n x\t}}|{{x-y.z}}", ["x": "1", "x-y.z": "2"]) == "1|2")
    #expect(render("  {{x}}\n", [:]) == "  \n", "a variable's line stays, whatever is on it")
    #expect(render("", [:]) == "")
    #expect(render("{ {x} } }} {", [:]) == "{ {x} } }} {")
  }

  @Test
  func `What HTML gives a meaning is escaped where the app says so, but not in three braces or behind an ampersand`() {
    let values: [Text: Text] = ["x": "<a href=\"b\">'&'</a>"]
    #expect(render("{{x}}", values, .html) == "&lt;a href=&quot;b&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
    #expect(
      render("{{{x}}} {{{ x }}} {{& x}}", values, .html)
        == Array(repeating: "<a href=\"b\">'&'</a>", count: 3)
        .joined(separator: " "))
    #expect(render("{{x}}", values, .none) == "<a href=\"b\">'&'</a>")
  }

  @Test func `A section is shown where its variable has a value, an inverted one where it has none`() {
    let template = "{{#x}}yes{{.}}{{/x}}{{^x}}no{{.}}{{/x}}"
    #expect(render(template, ["x": "1"]) == "yes1")
    #expect(render(template, [:]) == "no")
    #expect(render(template, ["x": ""]) == "no", "as the builders have it")
    #expect(render("{{#x}}{{#y}}{{.}}{{/y}}{{.}}{{/x}}", ["x": "1", "y": "2"]) == "21")
    #expect(render("{{#x}}{{^y}}{{.}}{{/y}}{{/x}}", ["x": "1"]) == "1")
    #expect(render("{{^x}}{{#y}}a{{/y}}{{/x}}{{#x}}{{#y}}b{{/y}}{{/x}}", ["x": "1", "y": "1"]) == "b")
  }

  @Test func `A line that holds nothing but a tag that shows nothing is gone`() {
    #expect(render("a\n{{! c }}\nb\n") == "a\nb\n")
    #expect(render("a\n  {{!\n c\n}}  \nb") == "a\nb")
    #expect(render("a\n{{#x}}\n b\n{{/x}}\nc\n", ["x": "1"]) == "a\n b\nc\n")
    #expect(render("a\n{{#x}}\n b\n{{/x}}\nc\n") == "a\nc\n")
    #expect(render("a\n \t{{^x}}\n b\n {{/x}} \nc\n") == "a\n b\nc\n")
    #expect(render("a\n{{=<% %>=}}\n<%x%>\n", ["x": "1"]) == "a\n1\n")
    #expect(render("a\r\n{{! c }}\r\nb") == "a\r\nb")
    #expect(render("{{! c }}\nb") == "b")
    #expect(render("a\n  {{! c }}") == "a\n", "at the end of the file, too")
    #expect(render("a\n {{#x}}{{/x}}\nb", ["x": "1"]) == "a\n \nb", "two tags are not alone")
    #expect(render("a {{! c }}\nb") == "a \nb")
    #expect(render("{{#x}}\n{{#y}}\na\n{{/y}}\n{{/x}}\n", ["x": "1", "y": "1"]) == "a\n")
  }

  @Test func `Delimiters are changed from the tag on, in sections too`() {
    #expect(render("{{=<% %>=}}(<%x%>) {{x}}", ["x": "1"]) == "(1) {{x}}")
    #expect(render("{{= | | =}}|x||={{ }}=|{{x}}", ["x": "1"]) == "11")
    #expect(render("{{=<% %>=}}<%#x%><%{x}%><%&x%><%/x%>", ["x": "<"], .html) == "<<")
    #expect(render("{{#x}}{{=[ ]=}}[x][/x][={{ }}=]{{x}}", ["x": "1"]) == "11")
  }

  @Test func `What is no template is told with its line`() {
    let delimiters =
      "write new delimiters, of 16 bytes at most each, between equals signs, as in {{=<% %>=}}"
    for (template, problem) in [
      ("a\n{{x", "line 2: a tag that begins here is never closed"),
      ("{{{x}}", "line 1: a tag that begins here is never closed"),
      ("a\n\n{{#x}}\nb", "line 3: the section 'x' is never closed"),
      ("{{/x}}", "line 1: this closes the section 'x', which is not open"),
      ("{{#x}}\n{{#y}}\n{{/x}}", "line 3: the section 'y' of line 2 should be closed before 'x'"),
      ("{{# }}", "line 1: '' should be the name of a variable"),
      ("{{#a b}}", "line 1: 'a b' should be the name of a variable"),
      ("{{=<%=}}", "line 1: \(delimiters)"),
      ("{{=a b c=}}", "line 1: \(delimiters)"), ("{{=12345678901234567 >=}}", "line 1: \(delimiters)"),
      ("\n{{> other}}", "line 2: a template cannot include another one such as 'other'; copy its text instead"),
      ("{{< other}}", "line 1: a template cannot include another one such as 'other'; copy its text instead"),
      ("{{$ block}}", "line 1: a template cannot include another one such as 'block'; copy its text instead"),
      ("{{#\u{1B}[31m\u{7} x}}", "line 1: '?[31m? x' should be the name of a variable"),
    ] {
      #expect(render(template) == "problem: " + problem, "\(template.debugDescription)")
    }
  }

  @Test func `A tag of a name that nobody gives is empty, whatever it looks like`() {
    #expect(render("{{}}-{{a b}}-{{png,gif*},\", x = \"#{{x}}-", ["x": "1"]) == "---")
  }

  @Test func `Bytes that are no text pass through, and so do values of any script`() throws {
    let template = try Template(parsing: [0xFF, 0x0A, 0xC3] + Array("{{x}}".utf8) + [0x00, 0xA9])
    #expect(
      try template.render(.html) { _ in "\u{301}é\u{202E}" } == [0xFF, 0x0A, 0xC3] + Array("\u{301}é\u{202E}".utf8) + [
        0, 0xA9,
      ])
  }

  @Test func `A template and its result have their sizes, and sections may be as deep as they are many`() throws {
    #expect(throws: Template.Problem.self) {
      try Template(parsing: [UInt8](repeating: 0x61, count: Template.maximumSize + 1))
    }
    let deep = String(repeating: "{{#x}}", count: 20_000) + "a" + String(repeating: "{{/x}}", count: 20_000)
    #expect(render(deep, ["x": "1"]) == "a")
    let long = Text(String(repeating: "<", count: 4096))
    let many = String(repeating: "{{x}}", count: 1000)
    #expect(render(many, ["x": long], .html) == "problem: the result is longer than 4 MiB")
    #expect(render(many, ["x": long]).utf8.count == 4_096_000)
  }

  @Test func `The variables that a template names are told with their lines`() throws {
    let template = try Template(parsing: Array("{{a}}\n{{#b}}\n{{^c}}{{/c}}{{/b}}\n{{! d }}{{{e}}}".utf8))
    #expect(template.mentions.map { "\($0.name) \($0.line)" } == ["a 1", "b 2", "c 3", "e 4"])
  }
}
