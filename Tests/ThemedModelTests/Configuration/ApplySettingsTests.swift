import Testing
import ThemedModel
import ThemedSystem

/// What `themed.conf` says to themed-apply: hooks, and the user's own looks of programs.
@Suite struct ApplySettingsTests {
  private func read(_ text: String) throws(ApplySettings.Mistake) -> ApplySettings {
    try ApplySettings.read(Array(text.utf8), at: "conf")
  }

  private func mistake(_ text: String) -> String {
    do throws(ApplySettings.Mistake) {
      return "none: \(try read(text))"
    } catch { return error.description }
  }

  @Test(arguments: [
    ("~/day.conf", "/x/night", true), ("latte", "One Dark (2)", true), ("latte", "~/night", false),
    ("", "mocha", false), ("x/day", "x/night", false), ("-o", "mocha", false), ("latte", "$(mocha)", false),
    ("~/a\nb", "~/night", false), ("~/day/", "~/night/", false),
  ])
  func `a look has two paths or two names`(light: Text, dark: Text, isValid: Bool) {
    #expect((OwnLook(light: light, dark: dark) != nil) == isValid)
  }

  @Test func `the groups are read, and everything else in the file is left to the daemon`() throws {
    let settings = try read(
      "[log]\nlevel=loud\n[hooks]\ndarkman=yes\ntimeout=2\n[use kitty]\nlight=~/a b\ndark=~/b\\c\n[use bat]\nlight=\n")
    #expect(settings.runsDarkman && settings.timeout == 2)
    #expect(settings.looks.keys.sorted() == ["kitty"])
    #expect(settings.looks["kitty"]?[.light] == "~/a b" && settings.looks["kitty"]?[.dark] == "~/b\\c")
    #expect(settings.looks["kitty"]?.isFiles == true)
    #expect(try read("") == ApplySettings())
  }

  @Test func `a mistake is told with its line`() {
    #expect(mistake("[hooks]\ndarkman=maybe\n") == "conf:2: [hooks] darkman is 'maybe', but should be yes or no")
    #expect(
      mistake("[hooks]\ntimeout=601\n")
        == "conf:2: [hooks] timeout is '601', but should be a number of seconds from 1 to 600")
    #expect(mistake("[use kitty]\nlight=~/a\n") == "conf:1: [use kitty] needs dark=")
    #expect(
      mistake("[use kitty]\nlight=a/b\ndark=~/b\n").hasPrefix(
        "conf:2: [use kitty] light is 'a/b', but should be a path that begins with / or ~/, or the name"))
    #expect(
      mistake("[use kitty]\nlight=latte\ndark=~/b\n")
        == "conf:3: [use kitty] dark is '~/b', but should be a path or a name, as light is")
    #expect(mistake("[use /x]\nlight=a\ndark=b\n").hasPrefix("conf:1: [use /x] should be [use NAME] with the name"))
    #expect(mistake("[hooks]\nwords\n").hasPrefix("conf:2: 'words' should be"))
    let looks = (0...ApplySettings.maximumLooks).map { "[use a\($0)]\nlight=x\ndark=y\n" }
    #expect(mistake(looks.joined()).hasSuffix("[use a256] should be left out: a file has 256 such groups at most"))
  }
}
