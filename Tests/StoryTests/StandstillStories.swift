import Foundation
import Testing
import ThemedTestSupport

/// Whatever stands still, a thousand changes reach who subscribes meanwhile, and the daemon ends when it is told to.
///
/// What the log goes to and files of the user's have stories of their own.
@Suite(.ownThreads) struct StandstillStories {
  @Test func `a bus that stands still`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      following.bus.freeze()
      try session.change(times: 1_000)
      try following.themed.endWhenTold()
      following.bus.thaw()
    }
  }

  @Test func `a portal that stands still, and a bus that is full of what it is asked`() throws {
    try withSession { session in
      let following = try Following.settled(session)
      following.portal.process.send(.stop)
      // Each asks for the portal again.
      for _ in 0..<20 {
        following.themed.send(.hangup)
        try session.change(times: 50)
      }
      try following.themed.endWhenTold()
      following.portal.process.send(.continue)
    }
  }

  @Test func `directories that are replaced all the time, so that what is watched never stands`() throws {
    try withSession { session in
      // Nothing that shows: the file is missing for moments, and then its settings are.
      try session.configure("[log]\nlevel=info\n")
      let themed = try session.startThemed()
      let storm = """
        while :; do
          rm -rf "$0.aside"; mv "$0" "$0.aside"; mkdir "$0"; cp "$0.aside/themed.conf" "$0"
        done
        """
      let writer = try session.spawn("sh", ["-c", storm, session.directory.path("config/themed")])
      try session.change(times: 1_000)
      #expect(writer.isRunning)
      try themed.endWhenTold()
    }
  }

  @Test func `a system without a single watch that is free`() throws {
    try withSession { session in
      try session.configure("[appearance]\nno-desktop=dark\n")
      let script = "echo 0 > /proc/sys/user/max_inotify_watches && exec \"$0\""
      let themed = try session.startThemed(
        under: ["unshare", "--user", "--map-root-user", "sh", "-c", script])
      try themed.errorLine(containing: "cannot watch it for changes")
      try session.change(times: 1_000)
      try themed.endWhenTold()
    }
  }

  @Test(.enabled(if: UserManager.isPossible, UserManager.need))
  func `a journal that stands still`() throws {
    try withSession { session in
      let journald = try Journald(session: session)
      let themed = try session.startThemed(in: journald)
      try session.change(times: 1)
      #expect(try !journald.entries("_COMM=themed").isEmpty, "it is where it logs to")
      try journald.whileFrozen {
        try session.change(times: 1_000)
        try themed.endWhenTold()
      }
    }
  }
}

extension ChildProcess {
  /// Ends the daemon, which takes no saved override with it and waits for nobody.
  fileprivate func endWhenTold() throws {
    send(.terminate)
    #expect(try wait() == .exited(0))
  }
}
