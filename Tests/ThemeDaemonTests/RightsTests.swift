import Testing
import ThemedInterface
import ThemedSystem
import ThemedVarlink

@testable import ThemeDaemon

/// What rights allow, and who gets any.
@Suite struct RightsTests {
  @Test func `all rights allow every method, and those to read allow these alone`() {
    let readable: Set<ThemeInterface.Method> = [.getState, .monitor, .listThemes, .getTheme]
    for method in ThemeInterface.Method.allCases {
      #expect(Rights.all.allows(method))
      #expect(Rights.reading.allows(method) == readable.contains(method), "\(method)")
    }
  }

  @Test func `who may not call for a list may not follow it either`() {
    #expect(FollowedList.allCases.filter(Rights.all.allows) == FollowedList.allCases)
    #expect(FollowedList.allCases.filter(Rights.reading.allows) == [.themes])
  }

  @Test func `this user is let in, and neither root nor another user, nor one who is not known`() {
    let rule = PeerRule(user: 1000)
    #expect(rule.admits(1000))
    for other in [0, 999, 1001, 65_534, 100_000, nil] as [UInt32?] { #expect(!rule.admits(other)) }
  }

  /// What `/proc/self/uid_map` says: of a whole system, of `unshare -r`, of a rootless container, of one without a map.
  private static let (whole, root, container, none): (Text, Text, Text, Text) = (
    "         0          0 4294967295", "         0       1000          1",
    "         0       1000          1\n         1     100000      65536", ""
  )

  @Test(
    arguments: [
      (1000, whole, 1000), (0, whole, 0), (65_534, whole, 65_534), (0, root, 0), (0, container, 0), (1, container, 1),
      (65_534, container, nil), (65_534, none, nil), (65_534, root, nil),
    ] as [(UInt32, Text, UInt32?)])
  func `whose number strangers have as well lets nobody in`(user: UInt32, map: Text, letIn: UInt32?) {
    let rule = PeerRule(user: user, ofMap: map, overflow: 65_534)
    #expect(rule.user == letIn)
    #expect(rule.admits(user) == (letIn != nil))
    #expect(!rule.admits(nil))
  }

  @Test(arguments: [
    ("/run/user/1/themed/org.themed.theme", "/run/user/1/themed/readonly/org.themed.theme"),
    ("/s", "/readonly/s"), ("dir/s", "dir/readonly/s"), ("s", "readonly/s"),
  ])
  func `the socket for reading only lies beside the other, and is known by its directory`(path: String, other: String) {
    #expect(ThemeInterface.readOnlySocketPath(beside: path) == other)
    #expect(ThemeInterface.isReadOnly(socketPath: other))
    #expect(!ThemeInterface.isReadOnly(socketPath: path))
  }

  @Test(arguments: [
    "/a/readonly//s", "/a/readonly/./s", "/a/readonly/.//./s", "readonly//s", "./readonly/s", "//readonly/s",
  ])
  func `a path that says the same in other words is for reading only as well`(path: String) {
    #expect(ThemeInterface.isReadOnly(socketPath: path))
  }

  @Test(arguments: ["readonly", "/readonly", "/a/readonly/b/s", "/a/xreadonly/s", "/a/readonly.d/s", ""])
  func `other paths with the word are not`(path: String) {
    #expect(!ThemeInterface.isReadOnly(socketPath: path))
  }
}
