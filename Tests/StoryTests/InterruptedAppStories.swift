import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// If enabling or disabling an app is stopped, killed or fails in the middle, it can be completed and undone.
@Suite(.ownThreads) struct InterruptedAppStories {
  private static let app = """
    [app]
    title=Cat, the program
    program=cat
    [write]
    template=cat.mustache
    file=~/.config/cat/themes/themed.conf
    [setup]
    file=~/.config/cat/cat.toml
    line=theme = "themed"
    conflicts=theme
    position=start
    [setup other]
    file=~/.catrc
    line=color themed

    """
  private static let own = ["home/.config/cat/cat.toml": "a = 1\ntheme = \"own\"\n", "home/.catrc": "other"]
  private static let enable = ["app", "enable", "cat", "--yes"]
  private static let disable = ["app", "disable", "cat"]

  /// An app that is not the user's, and the user's own files.
  private func install(_ session: Session) throws {
    try session.directory.write(Self.app, to: "data/themed/apps/cat.app")
    try session.directory.write("bg={{background-hex}}\n", to: "data/themed/templates/cat.mustache")
    for (path, text) in Self.own { try session.directory.write(text, to: path) }
  }

  /// Everything except our own directories, which stay if the command is killed before it records that it made them.
  private func everythingOfUse(_ session: Session) -> [String: String] {
    session.everything.filter { !["config/themed", "state/themed"].contains($0.key) }
  }

  /// Runs the command with what strace does to one of its system calls.
  private func themectl(_ session: Session, _ words: [String], inject: String) throws -> Finished {
    let trace = session.directory.path("tmp/trace")
    let words =
      ["-f", "-o", trace, "-e", "inject=\(inject)", try Products.path("themectl")] + words
    return try session.run("strace", words)
  }

  /// Does this with a system call's first, second, … time, until the command meets it no more; how often it did.
  private func each(
    _ call: String, _ session: Session, _ words: [String], _ fault: String, _ body: (Finished, String) throws -> Void
  ) throws -> Int {
    for time in 1...40 {
      let finished = try themectl(session, words, inject: "\(call):\(fault):when=\(time)")
      if case .exited = finished.status { return time - 1 }
      try body(finished, "\(call) \(time)")
    }
    throw Failure("\(words) never ends by itself")
  }

  @Test(arguments: ["enable", "disable"])
  func `what kill -9 has left half done is seen by doctor, and completed or taken back without a trace`(
    command: String
  ) throws {
    try withSession { session in
      try install(session)
      let before = session.everything
      var count = 0
      for call in ["renameat2", "rename", "unlink"] {
        for next in [Self.enable, Self.disable] {
          if command == "disable" { #expect(try session.themectl(Self.enable).status == .exited(0)) }
          let words = command == "enable" ? Self.enable : Self.disable
          count += try each(call, session, words, "signal=KILL") { killed, place in
            #expect(killed.status == .signaled(SIGKILL), "\(place): \(killed.errors)")
            // Half of it is not taken for all.
            let isHalf = Self.own.contains { session.text($0.key) != $0.value }
            let isListed = session.text("config/themed/apps.enabled") == "cat\n"
            if isHalf, !isListed {
              let doctor = try session.themectl("doctor").output
              #expect(doctor.contains("themectl app disable cat"), "\(place): \(doctor)")
            }
            let done = try session.themectl(next)
            #expect(done.status == .exited(0), "\(place): \(done.errors)")
            if next == Self.enable {
              for (path, text) in Self.own { #expect(session.text(path) != text, "\(place)") }
            }
            let undone = try session.themectl(Self.disable)
            #expect(undone.status == .exited(0), "\(place): \(undone.errors)")
            #expect(everythingOfUse(session) == before, "\(place)")
            if command == "disable" { _ = try session.themectl(Self.enable) }
          }
          _ = try session.themectl(Self.disable)
        }
      }
      #expect(count >= 12, "the kills: \(count)")
    }
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a signal acts before a change or after it, and never in the middle`(signal: String) throws {
    try withSession { session in
      try install(session)
      let before = session.everything
      let number = ["INT": SIGINT, "TERM": SIGTERM, "HUP": SIGHUP][signal]
      var count = 0
      for words in [Self.enable, Self.disable] {
        for call in ["renameat2", "rename", "unlink"] {
          if words == Self.disable { #expect(try session.themectl(Self.enable).status == .exited(0)) }
          let (old, other) = (session.everything, words == Self.enable ? Self.disable : Self.enable)
          count += try each(call, session, words, "signal=\(signal)") { stopped, place in
            #expect(stopped.status == .signaled(number ?? 0), "\(place): \(stopped.errors)")
            let now = session.everything
            let changed = Self.own.keys.filter { now[$0] != old[$0] }
            #expect(changed.isEmpty || changed.count == Self.own.count, "\(place): only \(changed)")
            #expect((now["config/themed/apps.enabled"] == "cat\n") == (now["home/.catrc"] != "other"), "\(place)")
            #expect(!now.keys.contains { $0.contains(".new-") }, "\(place): \(now.keys)")
            for words in [words, other] {
              let finished = try session.themectl(words)
              #expect(finished.status == .exited(0), "\(place): \(finished.errors)")
            }
          }
          _ = try session.themectl(Self.disable)
          #expect(session.everything == before)
        }
      }
      #expect(count >= 6, "the signals: \(count)")
    }
  }

  @Test func `an app whose disabling fails stays enabled with all of its lines, and a second try undoes it`() throws {
    try withSession { session in
      try install(session)
      let before = session.everything
      #expect(try session.themectl(Self.enable).status == .exited(0))
      let enabled = session.everything
      // The second file of several cannot be replaced.
      let failed = try themectl(session, Self.disable, inject: "renameat2:error=EACCES:when=2")
      #expect(failed.status == .exited(2))
      #expect(failed.errors.hasPrefix("themectl: cat: cannot replace "), "\(failed.errors)")
      #expect(
        failed.errors.contains("nothing was changed: make the file and its directory writable"), "\(failed.errors)")
      #expect(session.everything == enabled)
      for path in Self.own.keys {
        let file = session.directory.path(path)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        let refused = try session.themectl(Self.disable)
        #expect(refused.status == .exited(2) && refused.errors.contains("is read-only"), "\(refused.errors)")
        #expect(refused.errors.contains("'cat' stays enabled"), "\(refused.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(session.everything == enabled)
      }
      #expect(try session.themectl(Self.disable).status == .exited(0))
      #expect(session.everything == before)
    }
  }

  @Test func `what an enabled app was is an error where it cannot be read, and not forgotten`() throws {
    try withSession { session in
      try install(session)
      #expect(try session.themectl(Self.enable).status == .exited(0))
      let enabled = session.everything
      for words in [Self.enable, Self.disable] {
        let record = session.directory.path("state/themed/enabled/cat.before")
        let trace = ["-f", "-o", "/dev/null", "-P", record, "-e", "inject=openat:error=EIO"]
        let failed = try session.run("strace", trace + [try Products.path("themectl")] + words)
        // There is nothing to do for an app that is enabled, so its record is not read.
        guard words == Self.disable else { continue }
        #expect(failed.status == .exited(2) && failed.errors.contains("cat.before: Input/output error"), "\(failed)")
        #expect(session.everything == enabled)
      }
    }
  }

  @Test func `a managed block that has lost one of its comments is taken out, or told where it stays`() throws {
    try withSession { session in
      try install(session)
      let before = session.everything
      for mark in ["# themed: cat begins", "# themed: cat ends, ", "# themed: cat replaced these lines"] {
        #expect(try session.themectl(Self.enable).status == .exited(0))
        let path = "home/.config/cat/cat.toml"
        let lines = try #require(session.text(path)).split(separator: "\n")
        let gone = try #require(lines.firstIndex { $0.hasPrefix(mark) })
        func write(_ lines: [Substring]) throws {
          try session.directory.write(lines.map { $0 + "\n" }.joined(), to: path)
        }
        var left = lines
        left.remove(at: gone)
        // The block's own line was changed too, so that nobody can tell what is whose.
        let changed = left.map { line in
          line.contains("themed: ") ? line : Substring(line.replacing("theme = ", with: "theme  = "))
        }
        try write(changed)
        let refused = try session.themectl(Self.disable)
        #expect(refused.status == .exited(2), "\(mark): \(refused.errors)")
        #expect(
          refused.errors.contains(/cat\.toml:\d+: (the lines that themed added here|this comment ends the lines)/),
          "\(refused.errors)")
        #expect(session.text(path) == changed.map { $0 + "\n" }.joined())
        #expect(session.text("config/themed/apps.enabled") == "cat\n")
        try write(left)
        let disabled = try session.themectl(Self.disable)
        #expect(disabled.status == .exited(0) && disabled.errors == "", "\(mark): \(disabled.errors)")
        #expect(session.everything == before, "\(mark)")
      }
    }
  }

  @Test func `lines that end with CR are left so, and ours has none where a shell would read it`() throws {
    try withSession { session in
      try install(session)
      let own = "a\r\nb\r\n"
      try session.directory.write(own, to: "home/.catrc")
      #expect(try session.themectl(Self.enable).status == .exited(0))
      let lines = try #require(session.text("home/.catrc")).utf8.split(separator: 0x0A).map { Array($0) }
      #expect(lines.contains(Array("color themed".utf8)), "\(lines)")
      #expect(try session.themectl(Self.disable).status == .exited(0))
      #expect(session.text("home/.catrc").map { Array($0.utf8) } == Array(own.utf8))
    }
  }

  @Test func `nothing is left of a list and directories that were made, and what the user made stays`() throws {
    for isThere in [false, true] {
      try withSession { session in
        try install(session)
        let second = Self.app.replacing("cat", with: "dog")
        try session.directory.write(second, to: "data/themed/apps/dog.app")
        try session.directory.write("bg={{background-hex}}\n", to: "data/themed/templates/dog.mustache")
        if isThere {
          try session.directory.write("", to: "config/themed/apps.enabled")
          _ = try session.directory.directory("state/themed")
        }
        let before = session.everything
        // In both orders: what the first one made, the last one takes away.
        for order in [["cat", "dog"], ["dog", "cat"]] {
          for name in ["cat", "dog"] {
            #expect(try session.themectl("app", "enable", name, "--yes").status == .exited(0))
          }
          for name in order { #expect(try session.themectl("app", "disable", name).status == .exited(0)) }
          #expect(session.everything == before, "\(isThere) \(order)")
        }
        // Nor by a command that has nothing to do.
        #expect(try session.themectl("app", "disable", "cat").status == .exited(0))
        #expect(session.everything == before)
      }
    }
  }

  @Test func `a program that is asked for its version leaves nothing in the user's directories`() throws {
    try withSession { session in
      func install(_ name: String, _ script: String) throws {
        let path = try session.directory.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        try session.directory.write(
          "[app]\ntitle=\(name)\nprogram=\(name)\nversion-command=\(name) --version\n[follows]\nby=portal\nversions=>=1.0\n",
          to: "data/themed/apps/\(name).app")
      }
      session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
      try install(
        "litters",
        #"mkdir -p "$HOME/.cache/x" "$XDG_CACHE_HOME/y" "$XDG_CONFIG_HOME/z"; ln -s / "$HOME/root"; echo 1.2"#)
      // As of a program that a version manager starts.
      try install("managed", #"test -e "$HOME/.versions" && echo 1.3"#)
      try session.directory.write("", to: "home/.versions")
      let before = session.everything
      let listed = try session.themectl("app", "list", "--json").output
      #expect(listed.contains(#""name":"litters""#) && listed.contains(#""version":"1.2""#), "\(listed)")
      #expect(listed.contains(#""version":"1.3""#), "\(listed)")
      #expect(session.everything == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: session.directory.path("cache")).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: session.directory.path("tmp")).isEmpty)
      // Root does not run it in somebody else's home at all.
      guard geteuid() == 0 else { return }
      try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: session.directory.path("home"))
      let foreign = try session.themectl("app", "list", "--json").output
      #expect(foreign.contains(#""version":"1.2""#) && !foreign.contains(#""version":"1.3""#), "\(foreign)")
      #expect(session.everything == before)
    }
  }
}

extension Session {
  /// The content of every file below the home, the configuration and the state.
  var everything: [String: String] {
    var all: [String: String] = [:]
    for root in ["home", "config", "state"] {
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: directory.path(root))) ?? [] {
        all["\(root)/\(name)"] = text("\(root)/\(name)") ?? "directory"
      }
    }
    return all
  }
}
