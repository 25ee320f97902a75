import Glibc
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// What programs get beside our own environment.
@Suite struct SessionVariablesTests {
  @Test func `those that the manager has now take the place of ours, but for what the unit sets itself`() {
    let all = SessionVariables.merged(
      ["DISPLAY": ":0", "PATH": "/own", "SWAYSOCK": "/run/old", "LANG": "C", "EDITOR": "ed"],
      with: SessionVariables.Answer(
        manager: ["DISPLAY=:7", "PATH=/login/bin", "EDITOR=vi=x", "EMPTY=", "LANG=de", "broken"], unit: ["LANG=C"]))
    #expect(
      all == ["DISPLAY": ":7", "PATH": "/login/bin", "LANG": "C", "EDITOR": "vi=x", "EMPTY": ""],
      "a session that is over has left nothing")
  }

  @Test func `a program is looked for in the PATH that it gets`() throws {
    let directory = try ScratchDirectory()
    try directory.write("", to: "one/tool")
    let tool = try directory.write("", to: "two/tool")
    #expect(unsafe chmod(tool, 0o755) == 0)
    let environment: [Text: Text] = ["PATH": "\(directory.path("one")):\(directory.path("two"))"]
    #expect(environment.file(ofProgram: "tool") == Text(tool))
    #expect(environment.file(ofProgram: "other") == nil)
    #expect(environment.file(ofProgram: "./other") == "./other")
  }

  @Test func `a table of sockets tells who listens where, also at a path with spaces, and nobody else`() {
    let table = """
      Num       RefCount Protocol Flags    Type St Inode Path
      0000000000000000: 00000002 00000000 00010000 0001 01 4711 /tmp/tmux-0/my server
      0000000000000000: 00000003 00000000 00000000 0001 03 4712 /tmp/tmux-0/my server
      0000000000000000: 00000002 00000000 00010000 0001 01 4713 @abstract
      0000000000000000: 00000002 00000000 00010000 0005 01    14 sock
      0000000000000000: 00000003 00000000 00000000 0001 03 4714

      """
    #expect(ListeningSockets.listening(in: Array(table.utf8)) == [4711: "/tmp/tmux-0/my server", 14: "sock"])
  }
}
