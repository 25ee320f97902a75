import Foundation
import Testing
import ThemedTestSupport

/// Programs that cannot subscribe, with the real daemon.
@Suite(.ownThreads) struct ApplyStories {
  private let write = "[write]\ntemplate=%.mustache\nfile=~/%.conf\n"

  private func writing(_ name: String) -> String { write.replacingOccurrences(of: "%", with: name) }

  @Test func `an app's file follows the override of that app alone, and its program is told after it`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let reload = "[reload]\ncommand=sh -c \"cat ~/one.conf >> ~/told\"\n"
      try session.enableApp("one", writing("one") + reload, template: "{{scheme}} {{base00-hex}}\n")
      try session.enableApp("two", writing("two"), template: "{{scheme}}\n")
      _ = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") }
      try session.awaitApplied("two") { $0.isDone("light") }
      _ = try session.themectl("set", "dark", "--app", "one")
      try session.awaitApplied("one") { $0.isDone("dark") }
      let mark = "# Written by themed-apply for 'one', and overwritten at each change."
      #expect(try #require(session.text("home/one.conf")).hasPrefix("\(mark)\ndark "))
      #expect(try #require(session.text("home/two.conf")).hasSuffix("\nlight\n"))
      #expect(
        session.text("home/told")?.split(separator: "\n").map { $0.prefix(5) } == [
          "# Wri", "light", "# Wri", "dark ",
        ])
    }
  }

  @Test func `a command is the first of the app's programs that is installed`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let path = try session.directory.write("#!/bin/sh\necho $0 $1 >> ~/told\n", to: "bin/two")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
      try session.enableApp("one", writing("one") + "[reload]\ncommand={program} build\n", template: "x")
      let file = session.directory.path("config/themed/apps/one.app")
      let text = try String(contentsOfFile: file, encoding: .utf8).replacing("program=one\n", with: "program=one;two\n")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      _ = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") }
      #expect(session.text("home/told") == "\(path) build\n")
    }
  }

  @Test func `an app file for other versions of the program than the one that is here does nothing`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let more = "[reload]\ncommand=sh -c \"echo told >> ~/told\"\n[terminal]\nprocess=no-such-program\n"
      try session.enableApp("one", writing("one") + more, template: "{{scheme}}\n")
      let file = session.directory.path("config/themed/apps/one.app")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      func write(_ versions: String) throws {
        try text.replacing("program=one\n", with: "program=one\nversion-command=echo 1.2\nversions=\(versions)\n")
          .write(toFile: file, atomically: true, encoding: .utf8)
      }
      try write(">=2")
      _ = try session.startApply()
      let skipped = try session.awaitApplied("one") { $0.isDone("light") && $0.actions.count == 2 }
      #expect(
        Set(skipped.actions.map { "\($0.name) \($0.state) \($0.detail ?? "")" }) == [
          "app skipped only for versions >=2", "terminal skipped only for versions >=2",
        ])
      #expect(session.text("home/one.conf") == nil && session.text("home/told") == nil)
      try write("<2")
      try session.awaitApplied("one") { $0.actions.contains { $0.name == "write" && $0.state == "done" } }
      try eventually { session.text("home/told") == "told\n" }
    }
  }

  @Test func `a program that could not print its version is asked again at the next change`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let only = "[write]\ntemplate=one.mustache\nfile=~/one.conf\nversions=>=2\n"
      try session.enableApp("one", only, template: "{{scheme}}\n")
      let file = session.directory.path("config/themed/apps/one.app")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let version = session.directory.path("version")
      try text.replacing("program=one\n", with: "program=one\nversion-command=cat \(version)\n")
        .write(toFile: file, atomically: true, encoding: .utf8)
      _ = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") && $0.actions.map(\.state) == ["skipped"] }
      try session.directory.write("2.1\n", to: "version")
      _ = try session.themectl("set", "dark")
      try eventually { session.text("home/one.conf")?.hasSuffix("\ndark\n") == true }
    }
  }

  @Test func `what was written for another version of the program is removed, and nothing of anybody else's`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let whole = "[write whole]\ntemplate=one.mustache\nfile=~/whole.conf\nversions=<2\n"
      let same = "[write old]\ntemplate=one.mustache\nfile=~/one.conf\nversions=<2\n"
      let own = "[write own]\ntemplate=one.mustache\nfile=~/own.conf\nversions=<2\n"
      let new = "[write]\ntemplate=one.mustache\nfile=~/one.conf\nversions=>=2\n"
      try session.enableApp("one", whole + same + own + new, template: "{{scheme}}\n")
      let file = session.directory.path("config/themed/apps/one.app")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      func install(_ version: String) throws {
        try text.replacing("program=one\n", with: "program=one\nversion-command=\(version)\n")
          .write(toFile: file, atomically: true, encoding: .utf8)
      }
      try install("echo 1.2")
      _ = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") }
      #expect(session.text("home/whole.conf") != nil && session.text("home/one.conf") != nil)
      try session.directory.write("changed by its user\n", to: "home/own.conf")
      // Of a version that nobody tells it is not known what it reads.
      try install("false")
      try session.awaitApplied("one") { $0.actions.allSatisfy { $0.state == "skipped" } }
      #expect(session.text("home/whole.conf") != nil && session.text("home/one.conf") != nil)
      try install("echo 2.0")
      try session.awaitApplied("one") { $0.actions.contains { $0.name == "write" && $0.state != "skipped" } }
      #expect(session.text("home/whole.conf") == nil)
      #expect(session.text("home/one.conf")?.hasSuffix("\nlight\n") == true)
      #expect(session.text("home/own.conf") == "changed by its user\n")
    }
  }

  @Test func `an app file, a template and the list are followed while it runs, and with nothing left it waits`() throws
  {
    try withSession { session in
      _ = try session.startThemed()
      try session.enableApp("one", writing("one"), template: "a {{scheme}}\n")
      let apply = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") }
      try session.directory.write("b {{scheme}}\n", to: "config/themed/templates/one.mustache")
      try eventually { session.text("home/one.conf")?.hasSuffix("\nb light\n") == true }
      try session.directory.write("[app]\nwrong\n", to: "config/themed/apps/one.app")
      let failed = try session.awaitApplied("one") { $0.state == "failed" }
      #expect(failed.problem?.contains("one.app:2") == true && failed.advice?.contains("themectl app check") == true)
      try session.directory.write("", to: "config/themed/apps.enabled")
      try eventually { try session.applied("one") == nil }
      try session.enableApp("two", writing("two"), template: "c {{scheme}}\n")
      try session.awaitApplied("two") { $0.isDone("light") }
      apply.send(.terminate)
      #expect(try apply.wait() == .exited(0))
      #expect(session.text("run/themed-apply/status.json") == nil)
    }
  }

  @Test func `with nothing enabled it sleeps, and a hook works from the moment when it is there`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      try FileManager.default.removeItem(atPath: session.directory.path("config"))
      let apply = try session.startApply()
      var before = -1
      try eventually("asleep") {
        before = try Editor.switches(of: apply.pid)
        Thread.sleep(forTimeInterval: 0.3)
        return try areAsleep(threadsOf: apply.pid) && Editor.switches(of: apply.pid) == before
      }
      for scheme in ["light", "dark"] { _ = try session.themectl("set", scheme) }
      #expect(try Editor.switches(of: apply.pid) == before, "nobody is followed, and nothing is looked for")
      try session.addHook("say", #"echo "$1" >> "$HOME/said""#)
      try eventually { session.text("home/said") == "dark\n" }
    }
  }

  @Test func `a hook gets the scheme, the variables and the state, and what it says goes to the log`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("10-say", #"echo "$# $1 $THEMED_SCHEME $THEMED_CAUSE $(cut -c1-12)"; sleep 0"#)
      let apply = try session.startApply()
      try apply.errorLine(containing: #"hook 10-say: 1 light light default {"instance""#)
      _ = try session.themectl("set", "dark")
      try apply.errorLine(containing: "hook 10-say: 1 dark dark override")
      try session.addHook("20-new", "echo new")
      try apply.errorLine(containing: "hook 20-new: new")
      #expect(apply.errors.components(separatedBy: "1 dark dark").count == 2)
    }
  }

  @Test func `darkman's programs run unchanged where the configuration says so, and not before`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("keep", "true")
      for name in ["light-mode.d/l", "dark-mode.d/d", "darkman/both"] {
        let path = try session.directory.write("#!/bin/sh\necho ran $#:$1\n", to: "data/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      }
      let apply = try session.startApply()
      try session.awaitApplied("keep", in: "hooks") { $0.isDone("light") }
      #expect(try session.applied("darkman/both", in: "hooks") == nil)
      try session.directory.write("[hooks]\ndarkman=yes\n", to: "config/themed/themed.conf")
      let said = { (text: String) in try eventually { apply.errors.contains(text) } }
      try said("hook light-mode.d/l: ran 0:")
      try said("hook darkman/both: ran 1:light")
      _ = try session.themectl("set", "dark")
      try said("hook dark-mode.d/d: ran 0:")
      try said("hook darkman/both: ran 1:dark")
    }
  }

  @Test func `once does everything once, and says by its status whether something failed`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.enableApp("one", writing("one"), template: "{{scheme}}\n")
      #expect(try session.startApply("--once").wait() == .exited(0))
      #expect(session.text("home/one.conf")?.hasSuffix("\nlight\n") == true)
      try session.directory.write("mine", to: "home/one.conf")
      #expect(try session.startApply("--once").wait() == .exited(1))
    }
  }

  @Test func `once takes its time if a daemon answers, also one that only guesses`() throws {
    try withSession { session in
      session.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
      _ = try session.startThemed()
      try session.addHook("slow", "sleep 11; echo done > ~/done")
      #expect(try session.startApply("--once").wait() == .exited(0))
      #expect(session.text("home/done") == "done\n")
    }
  }

  @Test func `once says so if no daemon answers`() throws {
    try withSession { session in
      try session.enableApp("one", writing("one"), template: "{{scheme}}\n")
      let once = try session.startApply("--once")
      #expect(try once.wait() == .exited(1))
      #expect(once.errors.contains("cannot follow themed: it has not answered"), "\(once.errors)")
    }
  }

  @Test func `a second one says that one runs`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("keep", "true")
      _ = try session.startApply()
      try session.awaitApplied("keep", in: "hooks") { $0.isDone("light") }
      let second = try session.startApply()
      #expect(try second.wait() == .exited(1))
      #expect(second.errors.contains("another themed-apply is already running"))
    }
  }

  @Test func `with ten apps it sleeps until something happens, and for no time to be over`() throws {
    try withSession { session in
      let apply = try startResting(in: session)
      #expect(try sleepLeft(of: apply) == .infinity)
    }
  }

  @Test(
    .enabled(
      if: try !Products.areDebug, "the measure is for what is released, and these are debug programs: PRODUCTS=release")
  )
  func `with ten apps its share of the memory is at most 5 MiB`() throws {
    try withSession { session in
      let apply = try startResting(in: session)
      #expect(try apply.kernelNumber("Pss:", in: "smaps_rollup") <= 5 << 10, "PSS with ten apps")
    }
  }

  /// Starts it with ten apps, and waits until it has nothing more to do.
  ///
  /// Directories of the system are not looked at: what is installed meanwhile would wake it.
  private func startResting(in session: Session) throws -> ChildProcess {
    session.environment["XDG_DATA_DIRS"] = session.directory.path("share")
    _ = try session.startThemed()
    for number in 0..<10 { try session.enableApp("app\(number)", writing("app\(number)"), template: "{{scheme}}\n") }
    let apply = try session.startApply()
    for number in 0..<10 { try session.awaitApplied("app\(number)") { $0.isDone("light") } }
    // Until the last thread of a run is gone, and status.json is written.
    try eventually("it sleeps") { try sleepLeft(of: apply) == .infinity }
    return apply
  }
}
