import Foundation
import Testing
import ThemedTestSupport

/// Apps and hooks in hard times: files half saved, disks that are full, programs that hang, and an end by force.
@Suite(.ownThreads) struct ApplyHardStories {
  private func writing(_ name: String, _ path: String? = nil) -> String {
    "[write]\ntemplate=\(name).mustache\nfile=\(path ?? "~/\(name).conf")\n"
  }

  @Test func `a list or an app's file that cannot be used for a moment disables nothing: using the last good version`()
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      try session.enableApp("app", writing("app"), template: "{{scheme}}\n")
      try session.enableApp("other", writing("other"), template: "{{scheme}}\n")
      let apply = try session.startApply()
      try session.awaitApplied("app") { $0.isDone("light") }

      // A typo, in the middle of an edit.
      let file = session.directory.path("config/themed/apps/app.app")
      let good = try String(contentsOfFile: file, encoding: .utf8)
      try session.directory.write(good + "[nonsense]\nwithout an equals sign\n", to: "config/themed/apps/app.app")
      let broken = try session.awaitApplied("app") { $0.state == "failed" }
      let problem = broken.problem ?? ""
      #expect(problem.contains("app.app:") && problem.hasSuffix("; using the last good version"), "\(problem)")
      try apply.errorLine(containing: "; using the last good version; correct it")
      let told = try session.themectl("app", "list").output
      #expect(told.contains("using the last good version"), "\(told)")
      _ = try session.themectl("set", "dark")
      try eventually { session.text("home/app.conf")?.hasSuffix("\ndark\n") == true }
      try session.directory.write(good, to: "config/themed/apps/app.app")
      try session.awaitApplied("app") { $0.isDone("dark") }

      // The list while it is saved in its place, and then one that cannot be read.
      let list = try #require(session.text("config/themed/apps.enabled"))
      try session.directory.write("app\not", to: "config/themed/apps.enabled")
      try apply.errorLine(containing: "apps.enabled may be only half saved; using the last good version")
      try session.directory.write(list, to: "config/themed/apps.enabled")
      // The whole list has been read, whether or not the half one was believed.
      try session.enableApp("third", writing("third"), template: "{{scheme}}\n")
      try session.awaitApplied("third") { $0.isDone("dark") }
      let path = session.directory.path("config/themed/apps.enabled")
      #expect(unsafe mkfifo(path + ".pipe", 0o600) == 0 && rename(path + ".pipe", path) == 0)
      try apply.errorLine(containing: "apps.enabled: Invalid argument; using the last good version")
      let all = try session.themectl("app", "list").errors
      #expect(all.contains("using the last good version"), "\(all)")
      _ = try session.themectl("set", "light")
      try session.awaitApplied("app") { $0.isDone("light") }
      try session.awaitApplied("other") { $0.isDone("light") }
      #expect(apply.isRunning)
    }
  }

  @Test func `a program on the bus that hangs is told in its time, and the others are called at once`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      let name = "org.example.Names.n\(UInt32.random(in: 0 ... .max))"
      func owner(_ last: String, _ words: String...) throws -> ChildProcess {
        let script = Products.package + "/Tests/Apps/bus_owner.py"
        let words = [script, session.directory.path("run/bus"), "\(name)-\(last)"] + words
        let owner = try session.spawn(Products.python(), words)
        #expect(try owner.line() == "\(name)-\(last)")
        return owner
      }
      // The one that hangs comes first, in whatever order.
      _ = try owner("a", "silent")
      let (good, other) = (try owner("b"), try owner("z"))
      _ = try owner("zz", "silent")
      try session.enableApp("app", "[reload]\ncall=\(name)-* /Sessions/* org.example.Names.Take s:{scheme}\n")
      try session.enableApp("quick", writing("quick"), template: "{{scheme}}\n")
      let apply = try session.startApply()
      for owner in [good, other] {
        #expect(try [owner.line(), owner.line()] == ["/Sessions/1 Take light", "/Sessions/2 Take light"])
      }
      try session.awaitApplied("quick") { $0.isDone("light") }
      // On a busy machine a try may have no time left for the two that answer.
      let told = try session.awaitApplied("app") { app in
        app.state == "waiting" && app.actions.contains { $0.state == "done" && $0.detail == "called 4" }
      }
      #expect(told.problem == "\(name)-a did not answer within 5 s" && told.advice?.contains("busctl") == true)
      #expect(told.actions.filter { $0.state == "failed" }.count == 2)
      try apply.errorLine(containing: "app: \(name)-a did not answer within 5 s")
    }
  }

  @Test func `a full disk is told and tried again, a read-only one is told, and the others are on time`() throws {
    try withSession { session in
      _ = try session.startThemed()
      for name in ["full", "fixed"] { try session.directory.directory("home/\(name)") }
      let body = String(repeating: "{{scheme}} is a line of a file that has no room\n", count: 2_000)
      try session.enableApp("full", writing("full", "~/full/file"), template: body)
      try session.enableApp("fixed", writing("fixed", "~/fixed/file"), template: "{{scheme}}\n")
      try session.enableApp("good", writing("good"), template: "{{scheme}}\n")
      let script = """
        set -e
        mount --make-rprivate /
        mount -t tmpfs -o size=16k tmpfs "$HOME/full"
        mount -t tmpfs -o ro tmpfs "$HOME/fixed"
        exec "$@"
        """
      let rights = geteuid() == 0 ? ["--mount"] : ["--mount", "--map-root-user"]
      let apply = try session.spawn(
        "unshare", rights + ["/bin/sh", "-c", script, "sh", Products.path("themed-apply"), "--verbose"])
      try session.awaitApplied("good") { $0.isDone("light") }
      let fixed = try session.awaitApplied("fixed") { $0.state == "failed" }
      #expect(fixed.problem?.hasSuffix("fixed/file: Read-only file system") == true, "\(fixed)")
      #expect(fixed.advice?.contains("findmnt -T") == true)
      let full = try session.awaitApplied("full") { $0.state == "waiting" }
      #expect(full.problem?.hasSuffix("full/file: No space left on device") == true, "\(full)")
      #expect(full.advice?.contains("df -h") == true)
      try apply.errorLine(containing: "full/file: No space left on device; free some space on its disk")
      let enter = geteuid() == 0 ? ["--mount"] : ["--mount", "--user", "--preserve-credentials"]
      // With the name of the device, mount does not look for it in a file that an ordinary user has another one of.
      let mount = ["mount", "-o", "remount,size=1m", "tmpfs", session.directory.path("home/full")]
      #expect(try session.run("nsenter", ["--target=\(apply.pid)"] + enter + mount).status == .exited(0))
      try session.awaitApplied("full") { $0.isDone("light") }
    }
  }

  @Test func `a hook runs once for a state though the program is killed or ends, and again if it is asked to`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("counts", #"echo "$1" >> "$HOME/ran""#)
      for round in 0..<3 {
        // One that nobody has started yet: with its end this life has taken the state, and asked all.
        try session.addHook("new-\(round)", "true")
        let apply = try session.startApply()
        try eventually {
          let done = session.text("run/themed-apply/hooks.done") ?? ""
          return done.contains(" counts\n") && done.contains(" new-\(round)\n")
        }
        #expect(session.text("home/ran") == "light\n", "round \(round)")
        apply.send(.kill)
        _ = try apply.wait()
      }
      // Something newer.
      _ = try session.themectl("set", "dark")
      let apply = try session.startApply()
      try session.awaitApplied("counts", in: "hooks") { $0.isDone("dark") }
      #expect(session.text("home/ran") == "light\ndark\n")
      apply.send(.terminate)
      #expect(try apply.wait() == .exited(0))
      #expect(session.text("run/themed-apply/hooks.done") == nil)
      // The next session runs it again only if it is for each login, or if the user asks for that.
      try session.addHook("counts.login", #"echo "$1" >> "$HOME/logins""#)
      let next = try session.startApply()
      try session.awaitApplied("counts.login", in: "hooks") { $0.isDone("dark") }
      #expect(session.text("home/ran") == "light\ndark\n")
      try session.awaitApplied("counts", in: "hooks") { $0.isDone("dark") }
      next.send(.hangup)
      try eventually { session.text("home/ran") == "light\ndark\ndark\n" }
    }
  }

  @Test func `colours stay where the program is only stopped, and go with the last app that is disabled`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let python = URL(fileURLWithPath: try Products.python()).resolvingSymlinksInPath()
      let name = "term-\(UInt32.random(in: 0 ... .max))"
      try FileManager.default.copyItem(atPath: python.path, toPath: session.directory.path("tmp/\(name)"))
      session.environment["PYTHONHOME"] = python.deletingLastPathComponent().deletingLastPathComponent().path
      let windows = Products.package + "/Tests/Terminal/windows.py"
      let emulator = try session.spawn(session.directory.path("tmp/\(name)"), [windows], input: [])
      #expect(try emulator.line() == "window 0")
      try session.enableApp(name, "[terminal]\nprocess=\(name)\n")
      let first = try session.startApply()
      #expect(try emulator.line().contains("]11;#"))
      first.send(.terminate)
      #expect(try first.wait() == .exited(0))
      let second = try session.startApply()
      #expect(try emulator.line().contains("]11;#"), "the colours again, and nothing was taken back between")
      try session.awaitApplied(name) { $0.isDone("light") }
      try session.directory.write("", to: "config/themed/apps.enabled")
      #expect(try emulator.line().contains("]104"))
      try eventually { try session.applied(name) == nil }
      #expect(second.isRunning)
    }
  }
}
