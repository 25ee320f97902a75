import Testing
import ThemeApps
import ThemeModel
import ThemedSystem

/// The user's own looks of programs, as `apply.conf` names them.
@Suite struct OwnLookTests {
  @Test(arguments: [
    ("~/day.conf", "/x/night", true), ("latte", "One Dark (2)", true), ("latte", "~/night", false),
    ("", "mocha", false), ("x/day", "x/night", false), ("-o", "mocha", false), ("latte", "$(mocha)", false),
    ("~/a\nb", "~/night", false),
  ])
  func `a look has two paths or two names`(light: Text, dark: Text, isValid: Bool) {
    #expect((OwnLook(light: light, dark: dark) != nil) == isValid)
  }

  @Test func `a group for an app is read, another one is not`() throws {
    let text = "[hooks]\ntimeout=1\n[use kitty]\nlight=~/a\ndark=~/b\n[use foot]\nlight=x\n[use /x]\nlight=a\ndark=b\n"
    let read = KeyFile(Array(text.utf8)).groups.map(OwnLook.read)
    #expect(read[0] == nil && read[3] == nil)
    #expect(read[1]?.app == "kitty" && read[1]?.look?[.dark] == "~/b" && read[1]?.look?.isFiles == true)
    #expect(read[2]?.app == "foot" && read[2]?.look == nil)
  }

  @Test func `an XML declaration gives way to the mark, which has to be the first line`() throws {
    let comment = try #require(CommentStyle.guessed(from: Array("<!-- x -->".utf8))?.comment)
    let mark = TargetMark(app: "bat", comment: comment)
    let marked = mark.marking(Array("<?xml version=\"1.0\"?>\n<plist/>\n".utf8))
    #expect(String(decoding: marked, as: UTF8.self) == "\(mark.line)\n\n<plist/>\n")
    #expect(TargetMark(app: "x", comment: .hash).marking(Array("<?xml?>".utf8)).count > 7)
  }
}
