import Foundation
import Testing
import ThemedTestSupport

/// `tools/install-packages` on a machine where nothing is installed, with an apt that only writes down what it is told.
@Suite(.ownThreads) struct PackageStories {
  /// A person sits there as well where a log is kept, or the input comes from elsewhere.
  @Test(arguments: ["", "> log 2>&1", "2>&1 | cat > log", "< /dev/null"], ["n", "", "y"])
  func `in a terminal a person is asked, and told what each package is for`(redirected: String, answer: String) throws {
    try withSession { session in
      try bare(session)
      let words =
        "cd \(shellWord(session.directory.path("home"))) && set -o pipefail && "
        + shellWord(Products.package + "/tools/install-packages") + " soak " + redirected
      let command = "bash -c " + shellWord(words)
      let terminal = try session.spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], input: [])
      try terminal.send(line: answer)
      #expect(try terminal.wait() == .exited(answer == "y" ? 0 : 1))
      #expect(terminal.lines.contains { $0.contains("valgrind: looks for leaks") }, "\(terminal.lines)")
      #expect(try installed(session).contains("valgrind") == (answer == "y"))
    }
  }

  @Test(arguments: [true, false])
  func `without a terminal, or in CI, it goes on and says what it has installed`(isCI: Bool) throws {
    try withSession { session in
      try bare(session)
      let script = Products.package + "/tools/install-packages"
      if isCI {
        session.environment["CI"] = "true"
        let terminal = try session.spawn(
          "script", ["--quiet", "--return", "--command", shellWord(script) + " soak", "/dev/null"])
        #expect(try terminal.wait() == .exited(0), "\(terminal.lines)")
        #expect(terminal.lines.contains { $0.contains("Installed") && $0.contains("valgrind") }, "\(terminal.lines)")
      } else {
        let finished = try session.run(script, ["soak"])
        #expect(finished.status == .exited(0), "\(finished.errors)")
        #expect(finished.lines.last { $0.hasPrefix("Installed ") }?.contains("valgrind") == true, "\(finished.lines)")
      }
      #expect(try installed(session).contains("valgrind"))
    }
  }

  @Test func `where apt cannot install, the packages are named and nothing goes on`() throws {
    try withSession { session in
      try bare(session)
      try fake("apt-get", "[ $1 = update ]", in: session)
      let finished = try session.run(Products.package + "/tools/install-packages", ["soak"])
      #expect(finished.status == .exited(1))
      #expect(finished.errors.contains("make soak needs") && finished.errors.contains("valgrind"), "\(finished.errors)")
    }
  }

  @Test(arguments: ["apt-get", "dpkg-deb"])
  func `what cannot be unpacked whole is not there at all, and the failure is named`(broken: String) throws {
    try withSession { session in
      try bare(session)
      if broken == "apt-get" {
        try fake("apt-get", "[ $1 != download ]", in: session)
      } else {
        try fake("dpkg-deb", "false", in: session)
      }
      session.environment["UNPACK"] = "always"
      session.environment["BUILD"] = session.directory.path("build")
      let finished = try session.run(Products.package + "/tools/install-packages", ["demo"])
      #expect(finished.status == .exited(1))
      #expect(finished.errors.contains("make demo needs xdg-desktop-portal "), "\(finished.errors)")
      let why = broken == "apt-get" ? "could not download" : "cannot be unpacked"
      #expect(finished.errors.contains(why), "\(finished.errors)")
      #expect(!FileManager.default.fileExists(atPath: session.directory.path("build/desktop")))
    }
  }

  @Test func `it prints what a target needs, and of that what is unpacked`() throws {
    try withSession { session in
      let lines = try session.check(Products.package + "/tools/install-packages", ["list", "test"]).split(
        separator: "\n")
      #expect(lines.contains("install xvfb") && lines.contains("unpack openssh-server"), "\(lines)")
      #expect(!lines.contains("install openssh-server"))
      #expect(
        try session.run(Products.package + "/tools/install-packages", ["list", "nothing"]).status == .exited(64))
    }
  }

  @Test(arguments: ["demo", "test", "check", "bench"])
  func `what a desktop would notice is unpacked, not installed, for make`(target: String) throws {
    try withSession { session in
      try bare(session)
      session.environment["UNPACK"] = "always"
      session.environment["BUILD"] = session.directory.path("build")
      let finished = try session.run(Products.package + "/tools/install-packages", [target])
      #expect(finished.status == .exited(0), "\(finished.errors)")
      let noticed = ["portal", "dconf", "schemas", "dbus-user-session"]
      for name in noticed { #expect(!(try installed(session)).contains(name)) }
      #expect(finished.output.contains("Unpacking "))
      #expect(FileManager.default.fileExists(atPath: session.directory.path("build/desktop/ready")))
    }
  }

  @Test(arguments: [true, false])
  func `systemd.pc comes with systemd, or with systemd-dev where there is one`(isApart: Bool) throws {
    try withSession { session in
      try bare(session)
      try fake("pkg-config", "exit 1", in: session)
      try fake("apt-cache", isApart ? "echo Package: $2" : "[ $2 != systemd-dev ] && echo Package: $2", in: session)
      _ = try session.run(Products.package + "/tools/install-packages", ["deb"])
      let packages = try installed(session).split(separator: " ")
      #expect(packages.contains(isApart ? "systemd-dev" : "systemd"), "\(packages)")
      #expect(!packages.contains(isApart ? "systemd" : "systemd-dev"))
    }
  }

  /// Nothing is installed, and nothing will be.
  private func bare(_ session: Session) throws {
    let path = try session.directory.directory("fakes")
    session.environment["PATH"] = path + ":" + (session.environment["PATH"] ?? "")
    try fake("dpkg-query", "exit 1", in: session)
    let written = session.directory.path("apt")
    try fake("apt-get", "echo \"$*\" >> \(written)\n[ $1 != download ] || touch one.deb", in: session)
    try fake("dpkg-deb", "true", in: session)
    try fake("sudo", "exec \"$@\"", in: session)
  }

  private func fake(_ name: String, _ script: String, in session: Session) throws {
    let path = try session.directory.write("#!/bin/sh\n\(script)\n", to: "fakes/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The words of what apt was told to install.
  private func installed(_ session: Session) throws -> String {
    guard let text = try? String(contentsOfFile: session.directory.path("apt"), encoding: .utf8) else { return "" }
    return text.split(separator: "\n").filter { $0.hasPrefix("install ") }.joined(separator: " ")
  }
}
