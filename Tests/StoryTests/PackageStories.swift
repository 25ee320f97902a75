import Foundation
import ThemedTestSupport
import Testing

/// `contrib/install-packages` on a machine where nothing is installed, with an apt that only writes down what it is told.
@Suite(.ownThreads) struct PackageStories {
  @Test(arguments: ["n", "", "y"])
  func `in a terminal a person is asked, and told what each package is for`(answer: String) throws {
    try withSession { session in
      try bare(session)
      let words = shellWord(Products.package + "/contrib/install-packages") + " soak"
      let terminal = try session.spawn("script", ["--quiet", "--return", "--command", words, "/dev/null"], input: [])
      try terminal.send(line: answer)
      #expect(try terminal.wait() == .exited(answer == "y" ? 0 : 1))
      #expect(terminal.lines.contains { $0.contains("valgrind: looks for leaks") }, "\(terminal.lines)")
      #expect(try installed(session).contains("valgrind") == (answer == "y"))
    }
  }

  @Test func `where nobody can be asked, as in CI, it goes on`() throws {
    try withSession { session in
      try bare(session)
      #expect(try session.run(Products.package + "/contrib/install-packages", ["soak"]).status == .exited(0))
      #expect(try installed(session).contains("valgrind"))
    }
  }

  @Test(arguments: ["demo", "test", "check", "bench"])
  func `what a desktop would notice is unpacked, not installed, for make`(target: String) throws {
    try withSession { session in
      try bare(session)
      session.environment["UNPACK"] = "always"
      session.environment["BUILD"] = session.directory.path("build")
      let finished = try session.run(Products.package + "/contrib/install-packages", [target])
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
      _ = try session.run(Products.package + "/contrib/install-packages", ["deb"])
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
