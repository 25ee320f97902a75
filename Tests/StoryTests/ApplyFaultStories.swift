import Foundation
import Testing
import ThemedTestSupport

/// Apps and hooks that go wrong, and harm nobody but themselves.
@Suite(.ownThreads) struct ApplyFaultStories {
  private func writing(_ name: String, _ path: String? = nil) -> String {
    "[write]\ntemplate=\(name).mustache\nfile=\(path ?? "~/\(name).conf")\n"
  }

  @Test func `a hook that hangs is ended with all that it has started, and the others are on time`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("[hooks]\ntimeout=10\n", to: "config/themed/themed.conf")
      // One in the group, and one that has forked away: another session, and no parent.
      let script = """
        trap '' TERM
        sleep 1001 & echo $! >> "$HOME/started"
        env -i HOME="$HOME" setsid sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $! >> "$HOME/started"
        env -i sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $! >> "$HOME/started"
        setsid sh -c 'trap "" TERM; sleep 1002 & echo $! >> "$HOME/started"; echo $$ >> "$HOME/started"; wait' &
        wait; sleep 1003
        """
      try session.addHook("hangs", script)
      try session.addHook("quick", "true")
      try session.enableApp("app", writing("app"), template: "{{scheme}}\n")
      let apply = try session.startApply()
      try session.awaitApplied("app") { $0.isDone("light") }
      try session.awaitApplied("quick", in: "hooks") { $0.isDone("light") }
      let hung = try session.awaitApplied("hangs", in: "hooks") { $0.state == "failed" }
      #expect(hung.problem?.contains("took longer than 10 s and was killed, together with ") == true, "\(hung)")
      let started = try #require(session.text("home/started")).split(separator: "\n")
      #expect(started.count == 5)
      // The dead ones are buried by the loop, when it hears of them.
      for process in started {
        try eventually("\(process) is gone") { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
      }
      #expect(apply.isRunning)
    }
  }

  @Test func `a bar that a hook has started lives on when themed-apply is stopped or killed, and writes megabytes`()
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      // It dies of a broken pipe, as most programs do, and counts the pieces of 64 KiB that it has written.
      let piece = String(repeating: "x", count: 1023)
      try session.directory.write(
        """
        echo $$ > "$HOME/bar"
        round() { for i in 1 2 3 4 5 6 7 8; do echo '\(piece)'; echo '\(piece)' >&2; done; }
        while :; do round; round; round; round; echo >> "$HOME/written"; sleep 0.05; done

        """, to: "home/bar.sh")
      try session.addHook("bar.login", #"sh "$HOME/bar.sh" &"#)
      for signal in [ChildProcess.Signal.terminate, .kill] {
        let apply = try session.startApply()
        try session.awaitApplied("bar.login", in: "hooks") { $0.isDone("light") }
        apply.send(signal)
        #expect(try apply.wait() == (signal == .kill ? .signaled(SIGKILL) : .exited(0)))
        let bar = try eventually("the bar's number") { session.text("home/bar").flatMap { pid_t($0.dropLast()) } }
        let written = { session.text("home/written")?.utf8.count ?? 0 }
        let before = written()
        try eventually("two megabytes later, after \(signal)") { written() >= before + 32 }
        #expect(kill(bar, SIGKILL) == 0)
        try FileManager.default.removeItem(atPath: session.directory.path("home/bar"))
        try FileManager.default.removeItem(atPath: session.directory.path("run/themed-apply"))
      }
    }
  }

  @Test func `two hundred bars that hooks have started live on when themed-apply is killed`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let gate = session.directory.path("home/gate")
      #expect(unsafe mkfifo(gate, 0o600) == 0)
      // Each waits for the gate, writes, and is there still. More pipes than themed-apply once kept.
      let bar = #"(cat "$HOME/gate"; echo one; echo two >&2; echo "$0" >> "$HOME/alive") &"#
      let hooks = (0..<70).map { "bar-\($0)" }
      for hook in hooks { try session.addHook(hook, "\(bar)\n\(bar)\n\(bar)") }
      let apply = try session.startApply()
      for hook in hooks { try session.awaitApplied(hook, in: "hooks") { $0.isDone("light") } }
      apply.send(.kill)
      #expect(try apply.wait() == .signaled(SIGKILL))
      try eventually("all have written, and are there") {
        // Those that come late wait for another opening.
        let writer = unsafe open(gate, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if writer >= 0 { close(writer) }
        return session.text("home/alive")?.split(separator: "\n").count == 210
      }
      try eventually("nothing is left") { session.processes(called: "themed-output").isEmpty }
    }
  }

  @Test func `what flees from a hook that takes too long, by children in sessions of their own, is ended with it`()
    throws
  {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("[hooks]\ntimeout=15\n", to: "config/themed/themed.conf")
      // Enough time for a busy machine to start them all: a hundred that stay, and ten that are another process in another
      // session ten times a second.
      let script = """
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        home = os.environ['HOME']
        for number in range(110):
          if os.fork() == 0:
            os.setsid()
            open(home + '/fled', 'a').write('.')
            while True:
              time.sleep(0.1 if number < 10 else 1000)
              if os.fork(): os._exit(0)
              os.setsid()
        time.sleep(1000)

        """
      try session.directory.write(script, to: "home/flees.py")
      try session.addHook("flees", #"exec python3 "$HOME/flees.py""#)
      _ = try session.startApply()
      let hook = try session.awaitApplied("flees", in: "hooks") { $0.state == "failed" }
      #expect(session.text("home/fled")?.utf8.count == 110)
      let problem = try #require(hook.problem)
      #expect(problem.contains("took longer than 15 s and was killed, together with "))
      #expect(!problem.contains("still running"), "\(problem)")
      let words = problem.split(separator: " ")
      let count = words.firstIndex(of: "with").flatMap { Int(words[$0 + 1]) } ?? 0
      #expect(count >= 110, "\(problem)")
      try eventually("none is left") { session.processes(with: "flees.py").isEmpty }
    }
  }

  @Test func `what a hook has started and cannot be told apart is named as still running`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("[hooks]\ntimeout=15\n", to: "config/themed/themed.conf")
      // Without its environment, its output, its group and its parent; and with the home, so that this test finds it.
      let script = """
        (env -i "HOME=$HOME" PATH="$PATH" setsid sh -c 'true > "$HOME/hidden"; exec sleep 1003' < /dev/null > /dev/null 2>&1 &)
        until [ -e "$HOME/hidden" ]; do sleep 0.1; done
        exec sleep 1004
        """
      try session.addHook("hides", script)
      _ = try session.startApply()
      let hook = try session.awaitApplied("hides", in: "hooks") { $0.state == "failed" }
      let problem = try #require(hook.problem)
      let left = session.processes(with: "1003")
      defer { for process in left { kill(process, SIGKILL) } }
      #expect(problem.contains("took longer than 15 s and was killed"), "\(problem)")
      #expect(left.count == 1 && problem.hasSuffix("still running: \(left.first ?? 0)"), "\(problem), \(left)")
      #expect(session.processes(with: "1004").isEmpty)
    }
  }

  @Test func `files in the directory of hooks that are not executable are one warning`() throws {
    try withSession { session in
      _ = try session.startThemed()
      for number in 1...6 { try session.directory.write("x", to: "config/themed/hooks.d/note-\(number)") }
      let apply = try session.startApply()
      let line = try apply.errorLine(containing: "hooks.d are not executable")
      #expect(line.contains("6 files in ") && line.contains("note-1, note-2, note-3, note-4, …"), "\(line)")
      #expect(!apply.errors.contains("note-5") && !apply.errors.contains("is not executable,"), "\(apply.errors)")
    }
  }

  @Test func `what a hook starts in the background goes on, and may write as much as it likes`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook(
        "starts", #"(while :; do echo line; echo more >> "$HOME/more"; sleep 0.05; done) & echo $! > "$HOME/started""#)
      _ = try session.startApply()
      try session.awaitApplied("starts", in: "hooks") { $0.isDone("light") }
      let lines = { session.text("home/more")?.count ?? 0 }
      let before = lines()
      try eventually { lines() > before + 20 }
      let process = try #require(session.text("home/started")).trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(FileManager.default.fileExists(atPath: "/proc/\(process)"))
      _ = try session.run("kill", [process])
    }
  }

  @Test func `what floods in the background is held up, and takes no processor's time of ours`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("floods", #"yes & echo $! > "$HOME/started""#)
      let apply = try session.startApply()
      try session.awaitApplied("floods", in: "hooks") { $0.isDone("light") }
      let process = try #require(session.text("home/started")).trimmingCharacters(in: .whitespacesAndNewlines)
      func written() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/io", encoding: .ascii)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar: ") })
        return try #require(Int(line.dropFirst(7)))
      }
      let before = try written()
      let begin = ContinuousClock.now
      try eventually { try written() > before }
      Thread.sleep(forTimeInterval: 2)
      let bytes = try written() - before
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      #expect(Double(bytes) / seconds < Double(1 << 20), "some 64 KiB a second are taken")
      #expect(FileManager.default.fileExists(atPath: "/proc/\(process)") && apply.isRunning)
      _ = try session.run("kill", [process])
    }
  }

  @Test func `a hook that floods fills no log and holds up nobody`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("floods", "yes flood | head -c 20000000")
      let apply = try session.startApply()
      try session.awaitApplied("floods", in: "hooks") { $0.isDone("light") }
      try apply.errorLine(containing: "hook floods: further output is not shown")
      #expect(apply.errors.components(separatedBy: "hook floods: flood").count - 1 <= 64)
    }
  }

  @Test func `a hook that is replaced while it runs ends as it was, and the next change runs the new one`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.addHook("changes", #"echo old begins; while [ ! -e "$HOME/go" ]; do sleep 0.02; done; echo old ends"#)
      let apply = try session.startApply()
      try apply.errorLine(containing: "old begins")
      try session.addHook("changes", "echo new")
      try session.directory.write("", to: "home/go")
      try apply.errorLine(containing: "old ends")
      _ = try session.themectl("set", "dark")
      try apply.errorLine(containing: "hook changes: new")
    }
  }

  @Test func `targets of every bad kind are told with what to do, and the good one is on time`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("mine\n", to: "home/theirs.conf")
      try FileManager.default.createSymbolicLink(
        atPath: session.directory.path("home/dangling.conf"), withDestinationPath: "nowhere/file")
      _ = try session.directory.directory("home/directory.conf")
      for name in ["theirs", "dangling", "directory", "good"] {
        try session.enableApp(name, writing(name), template: "{{scheme}}\n")
      }
      try session.enableApp("none", writing("none"))
      try session.enableApp("broken", writing("broken"), template: "{{#scheme}}")
      let apply = try session.startApply()
      try session.awaitApplied("good") { $0.isDone("light") }
      for (name, words) in [
        ("theirs", "themed did not write it"), ("dangling", "symbolic link to nowhere"),
        ("directory", "is a directory"),
        ("none", "template none.mustache"), ("broken", "template broken.mustache"),
      ] {
        let failed = try session.awaitApplied(name) { $0.state == "failed" }
        #expect(failed.problem?.contains(words) == true && failed.advice?.isEmpty == false, "\(failed)")
        try eventually { apply.errors.contains("\(name): \(failed.problem ?? "?")") }
      }
      #expect(session.text("home/theirs.conf") == "mine\n")
    }
  }

  @Test func `a file that could not be written holds back what tells the program`() throws {
    try withSession { session in
      _ = try session.startThemed()
      try session.directory.write("mine\n", to: "home/app.conf")
      try session.enableApp("app", writing("app") + "[reload]\ncommand=touch told\n", template: "x")
      _ = try session.startApply()
      let failed = try session.awaitApplied("app") { $0.state == "failed" }
      #expect(!failed.actions.contains { $0.name == "reload" })
    }
  }

  @Test func `a thousand changes end at the newest, never with two runs of one at once`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let script = #"mkdir "$HOME/$0.lock" || echo twice >> "$HOME/twice"; sleep 0.01; rmdir "$HOME/$0.lock""#
      try session.addHook("hook", script.replacingOccurrences(of: "$0", with: "hook"))
      let command = script.replacingOccurrences(of: "$0", with: "app").replacingOccurrences(of: "\"", with: "")
      try session.enableApp(
        "app", writing("app") + "[reload]\ncommand=sh -c \"\(command)\"\n", template: "{{scheme}}\n")
      _ = try session.startApply()
      try session.awaitApplied("app") { $0.isDone("light") }
      let client = try session.connect()
      for _ in 0..<1001 { _ = try client.call("Toggle") }
      try session.awaitApplied("app") { $0.isDone("dark") }
      try session.awaitApplied("hook", in: "hooks") { $0.isDone("dark") }
      // What was told first may be of the last change but two, which was dark, too.
      try eventually("the newest") { session.text("home/app.conf")?.hasSuffix("\ndark\n") == true }
      #expect(session.text("home/twice") == nil)
    }
  }

  @Test func `killed at any instant it leaves no file half written`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let body = String(repeating: "{{scheme}} is a line of a file that takes a while to be written\n", count: 3000)
      try session.enableApp("app", writing("app"), template: body + "end\n")
      let client = try session.connect()
      var generator = SeededGenerator()
      for round in 0..<25 {
        let apply = try session.startApply()
        try eventually { try session.text("home/app.conf") != nil && session.applied("app") != nil }
        for _ in 0..<3 { _ = try client.call("Toggle") }
        usleep(UInt32.random(in: 0...60_000, using: &generator))
        apply.send(.kill)
        _ = try apply.wait()
        let lines = try #require(session.text("home/app.conf")).split(separator: "\n")
        #expect(lines.count == 3002 && lines.last == "end", "round \(round); \(generator)")
        #expect(Set(lines.dropFirst().dropLast()).count == 1, "round \(round); \(generator)")
      }
      _ = try session.themectl("set", "dark")
      #expect(try session.startApply("--once").wait() == .exited(0))
      _ = try session.themectl("set", "light")
      #expect(try session.startApply("--once").wait() == .exited(0))
      let left = try FileManager.default.contentsOfDirectory(atPath: session.directory.path("home"))
      #expect(!left.contains { $0.contains(".new-") })
    }
  }
}
