import Testing
@testable import ThemeApps
import ThemedSystem

/// The file that a command in a variable loads.
@Suite struct SourcedFileTests {
  @Test(arguments: [
    ("source ~/.config/vim/vimrc", "/h/.config/vim/vimrc"), (":so $HOME/x", "/h/x"), ("source /a b", nil),
    ("set nocp | source $XDG_CONFIG_HOME/vim/vimrc", "/c/vim/vimrc"),
    ("let $MYVIMRC=\"$XDG_CONFIG_HOME/vim/vimrc\" | source $MYVIMRC", "/c/vim/vimrc"),
    (":let $MYVIMRC = '/a' | so $MYVIMRC", "/a"), ("let $A='/a' | let $A='/b' | source $A", "/b"),
    ("let $MYVIMRC = !has(\"nvim\") ? \"/a\" : \"/b\" | so $MYVIMRC", nil), ("source $MYVIMRC", nil),
    ("source vimrc", nil), ("source $OTHER/vimrc", nil), ("source ~", nil), ("source /a/$B", nil),
    ("set number", nil), ("|", nil), ("let", nil), ("source $", nil), ("let $ | source $", nil),
  ])
  func `it is known where the command names it plainly`(command: Text, file: Text?) {
    let directories = AppPath.Directories(home: "/h", configuration: "/c")
    let variables = AppPath.variables(in: directories) { $0 == "VIMINIT" ? command : nil }
    #expect(variables["VIMINIT"] == file)
    #expect(variables.count == (file == nil ? 0 : 1))
  }
}
