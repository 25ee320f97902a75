import Testing
import ThemedSystem

@testable import ThemeSetup

@Suite struct PluginPathTests {
  @Test(
    arguments: [
      ("/usr/bin/vim.basic", "/usr/bin/vim", true), ("/usr/bin/emacs-gtk", "/usr/bin/emacs", true),
      ("/usr/bin/nvim", "/usr/bin/nvim", true), ("/opt/emacs/bin/emacs-30.1", "/usr/local/bin/emacs", true),
      ("/usr/bin/snap", "/snap/bin/emacs", false), ("/usr/bin/mise", "/home/me/.local/share/mise/shims/vim", false),
    ] as [(Text, Text, Bool)])
  func `a link to a build of the program counts, and one to a program that starts it elsewhere does not`(
    target: Text, path: Text, isProgram: Bool
  ) {
    #expect(target.isProgram(named: path) == isProgram)
  }
}
