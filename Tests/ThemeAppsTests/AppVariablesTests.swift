import Testing
import ThemeApps
import ThemedModel
import ThemedSystem

/// What templates know.
@Suite struct AppVariablesTests {
  private func shown(_ colors: [Role: String], values: [Text: Text] = [:]) -> AppVariables.Shown {
    AppVariables.Shown(
      scheme: .dark, highContrast: true, theme: "Rose_Pine.2", title: "Rosé Pine", author: "A <a@b>",
      palette: Palette(colors.compactMapValues { Color(hexadecimal: Text($0)) }, for: .dark), values: values)
  }

  @Test func `Colors are written in every way of the builder specification, roles as slots`() {
    let variables = AppVariables(shown([.base08: "#7cafc2", .background: "#000102"]), for: App(name: "a"))
    let ways: [(Text, Text)] = [
      ("base08-hex", "7cafc2"), ("base08-hex-bgr", "c2af7c"), ("base08-hex-r", "7c"), ("base08-hex-g", "af"),
      ("base08-hex-b", "c2"), ("base08-rgb-r", "124"), ("base08-rgb-g", "175"), ("base08-rgb-b", "194"),
      ("base08-rgb16-r", "31868"), ("base08-rgb16-b", "49858"), ("base08-dec-r", "0.48627451"),
      ("base08-dec-g", "0.68627451"), ("base08-dec-b", "0.76078431"), ("background-dec-r", "0.00000000"),
      ("background-dec-g", "0.00392157"), ("background-hex-b", "02"),
    ]
    for (name, value) in ways { #expect(variables[name] == value, "\(name)") }
    for role in Role.all { #expect(variables["\(role.rawValue)-hex"]?.count == 6, "\(role)") }
    let white = AppVariables(shown([.base08: "#ffffff"]), for: App(name: "a"))
    #expect(white["base08-dec-r"] == "1.00000000")
    for name: Text in ["base08", "base08-hexx", "base18-hex", "-hex", "", "base08-hex-r-r", "base0a-hex"] {
      #expect(variables[name] == nil, "\(name)")
    }
  }

  @Test func `What a stranger calls a theme ends no line, in whatever language`() {
    var shown = shown([:])
    (shown.title, shown.author) = ("x\u{2028}y\u{85}z", "a\u{2029}\u{202E}b")
    let variables = AppVariables(shown, for: App(name: "a"))
    #expect(variables["scheme-name"] == "x?y?z" && variables["scheme-author"] == "a??b")
  }

  @Test func `The scheme is told as the builders tell it, and as themed does`() {
    let variables = AppVariables(shown([:]), for: App(name: "a"), system: .base16)
    let expected: [Text: Text?] = [
      "scheme-name": "Rosé Pine", "scheme-author": "A <a@b>", "scheme-slug": "rosepine2", "scheme-description": "",
      "scheme-slug-underscored": "rosepine2", "scheme-system": "base16", "scheme-variant": "dark",
      "scheme-is-dark-variant": "true", "scheme-is-light-variant": nil, "scheme": "dark", "theme": "Rose_Pine.2",
      "contrast": "high", "is-dark": "true", "is-light": nil, "base10-hex": nil, "file": nil,
    ]
    for (name, value) in expected { #expect(variables[name] == value, "\(name)") }
    #expect(AppVariables(shown([:]), for: App(name: "a"))["base10-hex"] != nil)
    #expect(AppVariables(shown([:]), for: App(name: "a"), file: "/x")["file"] == "/x")
  }

  @Test func `What the program calls its look is the app's word, or the theme's where that is a plain name`() {
    var app = App(name: "bat")
    app.values = [.dark: ["value": "Nord", "more": "x"], .light: ["value": "GitHub"]]
    func value(_ theme: Text?) -> Text? {
      AppVariables(shown([:], values: theme.map { ["bat": $0] } ?? [:]), for: app)["value"]
    }
    #expect(value(nil) == "Nord")
    #expect(value("Visual Studio Dark+") == "Visual Studio Dark+")
    for hostile: Text in ["--pager=x", "", "a\nb", "a\"b", "a'b", "$(x)", "a\\", "../x", "a;b"] {
      #expect(value(hostile) == "Nord", "\(hostile)")
    }
  }

  @Test func `Placeholders are filled within words, and other braces are themselves`() {
    var app = App(name: "a")
    app.values = [.dark: ["value": "x y"]]
    let variables = AppVariables(shown([.base08: "#7cafc2"]), for: app)
    #expect(variables.filling("{scheme}:{value}:#{base08-hex}") == "dark:x y:#7cafc2")
    #expect(variables.filling(#"{"a":{b c}} {} {"#) == #"{"a":{b c}} {} {"#)
    // Two opening braces are one, so a command can say what else would be a placeholder.
    #expect(variables.filling("{{print} {{{value} {{{{") == "{print} {x y {{")
  }
}
