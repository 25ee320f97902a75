import Foundation
import Testing
import ThemedTestSupport

/// The sandbox of the units that we ship, tried as an ordinary user: each option really denies what it says.
@Suite(
  .ownThreads,
  .enabled(if: UserManager.isPossible, UserManager.need))
struct SandboxStories {
  @Test(arguments: [true, false])
  func `each option of the service denies what is possible without it`(userNamespaces: Bool) throws {
    try withSession { session in
      let shipped = try UnitText.service()
      let user = try OrdinaryUser(session: session, userNamespaces: userNamespaces)
      for probe in Probe.ofService where userNamespaces || probe.words != ["user-namespace"] {
        try probe.expectDenial(to: user, alone: [probe.option], whole: shipped.sandbox)
      }
      #expect(try user.attempt(["local"], with: shipped.sandbox) == .possible)
      #expect(try user.attempt(["user-namespace"], with: []) == (userNamespaces ? .possible : .denied))
    }
  }

  @Test func `each option of the strict drop-in denies what is possible without it`() throws {
    try withSession { session in
      let (shipped, strict) = try (UnitText.service(), UnitText.strict())
      for file in [".ssh/key", ".gnupg/key"] { try OrdinaryUser.write("", toHome: file, in: session) }
      let left = try session.directory.write("", to: "left")
      let socket = "themed-" + UUID().uuidString
      try session.spawn("socat", ["-d", "-d", "ABSTRACT-LISTEN:\(socket),fork", "/dev/null"])
        .errorLine(containing: "listening")

      let user = try OrdinaryUser(session: session)
      let saved = OrdinaryUser.home + "/.local/state/themed"
      for directory in ["run/themed", "home/.local/state/themed"] {
        let path = session.directory.path(directory)
        #expect(try user.run("mkdir", ["-p", path]).status == .exited(0))
      }
      let probes = [
        Probe("PrivateUsers=yes", "knows-root"),
        Probe("ProtectSystem=strict", "creates", OrdinaryUser.commonDirectory + "/file"),
        Probe("ProtectHome=read-only", "creates", OrdinaryUser.home + "/file"),
        Probe("ProtectHome=read-only", "creates", OrdinaryUser.runtimeDirectory + "/file"),
        Probe("InaccessiblePaths=-%h/.ssh -%h/.gnupg", "exists", OrdinaryUser.home + "/.ssh/key"),
        Probe("InaccessiblePaths=-%h/.ssh -%h/.gnupg", "exists", OrdinaryUser.home + "/.gnupg/key"),
        Probe("PrivateTmp=yes", "exists", left),
        Probe("PrivateNetwork=yes", "connects", socket),
        Probe("ReadOnlyPaths=/sys", "makes-directory", user.controlGroup + "/probe"),
      ]
      let whole = shipped.sandbox + strict.sandbox
      for probe in probes {
        try probe.expectDenial(to: user, alone: ["PrivateUsers=yes", probe.option], whole: whole)
      }
      #expect(Set(probes.map(\.option)) == Set(strict.denials))

      for directory in [saved, OrdinaryUser.runtimeDirectory + "/themed"] {
        #expect(try user.attempt(["creates", directory + "/file"], with: whole) == .possible, "\(directory)")
      }
    }
  }

  @Test func `each option has a probe, and a comment above it that gives the reason`() throws {
    #expect(Set(Probe.ofService.map(\.option)) == Set(try UnitText.service().denials))
    for unit in try [UnitText.service(), UnitText.strict()] {
      for (above, line) in zip(unit.lines, unit.lines.dropFirst()) where unit.sandbox.contains(line) {
        let isExplained = above.hasPrefix("#") || unit.isContinued(above, by: line)
        #expect(isExplained, "\(line)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `the service works in its sandbox, with user namespaces and without`(userNamespaces: Bool) throws {
    try withSession { session in
      let user = try OrdinaryUser(session: session, themed: [], userNamespaces: userNamespaces)
      try user.expectService(in: session)
    }
  }

  @Test func `the service works in the strict sandbox, and saves where nothing was saved before`() throws {
    try withSession { session in
      let user = try OrdinaryUser(session: session, themed: [UnitText.strict()])
      try user.expectService(in: session)
      #expect(try user.systemctl("reload", "themed.service").status == .exited(0))
      // The manager reads what it is told when it likes.
      try eventually("it has read again") { try user.property("ActiveState", of: "themed.service") == "active" }
    }
  }

  @Test func `an ordinary user's connections are kept in the strict sandbox as well`() throws {
    try withSession { session in
      let user = try OrdinaryUser(session: session, themed: [UnitText.strict()])
      #expect(try user.systemctl("start", "themed.socket").status == .exited(0))
      let program = """
        import json, os, socket, subprocess, sys
        def connect():
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(os.environ["XDG_RUNTIME_DIR"] + "/themed/org.themed.theme")
            return peer
        def subscribe():
            peer = connect()
            peer.sendall(b'{"method":"org.themed.theme.Monitor","more":true}\\0')
            return peer
        def state(peer):
            frame = b""
            while not frame.endswith(b"\\0"): frame += peer.recv(65536) or sys.exit("closed")
            return json.loads(frame[:-1])["parameters"]["state"]
        peers = [subscribe() for _ in range(300)]
        before = [state(peer) for peer in peers]
        subprocess.run(["systemctl", "--user", "restart", "themed.service"], check=True)
        other = connect()
        other.sendall(b'{"method":"org.themed.theme.Toggle"}\\0')
        state(other)
        after = [state(peer) for peer in peers]
        assert len({state["instance"] for state in before + after}) == 1, "the history goes on"
        print({state["scheme"] for state in before}, {state["scheme"] for state in after})
        """
      let finished = try user.run("/usr/bin/python3", ["-c", program])
      #expect(finished.output == "{'light'} {'dark'}", "\(finished.errors)")
    }
  }

  @Test func `without user namespaces the strict sandbox says that it cannot be had`() throws {
    try withSession { session in
      let user = try OrdinaryUser(session: session, themed: [UnitText.strict()], userNamespaces: false)
      #expect(try user.systemctl("start", "themed.service").status != .exited(0))
      // It is tried again a tenth of a second later, and while it is, its last status is not told.
      try eventually("the end of the tries") { try user.property("ActiveState", of: "themed.service") == "failed" }
      #expect(try user.property("ExecMainStatus", of: "themed.service") == "217")
    }
  }
}

/// Something to try that one option denies.
private struct Probe {
  let option: String
  let words: [String]

  init(_ option: String, _ words: String...) {
    self.option = option
    self.words = words
  }

  static var ofService: [Probe] {
    let file = OrdinaryUser.commonDirectory + "/file"
    return [
      Probe("NoNewPrivileges=yes", "executes", OrdinaryUser.rootsProbe),
      Probe("UMask=0077", "readable-by-others", file),
      Probe("SystemCallFilter=@system-service", "traced"),
      Probe("SystemCallFilter=~@privileged", "chown-to-oneself", file),
      Probe("SystemCallArchitectures=native", "foreign-call"),
      Probe("RestrictAddressFamilies=AF_UNIX", "inet"),
      Probe("RestrictAddressFamilies=AF_UNIX", "inet6"),
      Probe("RestrictAddressFamilies=AF_UNIX", "netlink"),
      Probe("RestrictNamespaces=yes", "user-namespace"),
      Probe("RestrictRealtime=yes", "realtime"),
      Probe("RestrictSUIDSGID=yes", "set-user-id", file),
      Probe("LockPersonality=yes", "another-personality"),
      Probe("MemoryDenyWriteExecute=yes", "writable-code"),
    ]
  }

  /// Expects this to be possible in a bare service, but not with the option alone, nor with all.
  func expectDenial(to user: OrdinaryUser, alone: [String], whole: [String]) throws {
    // What can be done once only is done elsewhere the second time.
    func fresh() -> [String] {
      words.count == 2 && (words[0] == "makes-directory" || words[1].hasSuffix("/file"))
        ? [words[0], words[1] + "-" + UUID().uuidString] : words
    }
    #expect(try user.attempt(fresh(), with: []) == .possible, "\(words) in a bare service")
    #expect(try user.attempt(fresh(), with: alone) == .denied, "\(words) with \(alone)")
    #expect(try user.attempt(fresh(), with: whole) == .denied, "\(words) with everything")
  }
}

/// A unit that we ship, with the programs of this build, where the ordinary user has them.
private struct UnitText {
  let lines: [String]
  /// Every option that belongs to the sandbox.
  let sandbox: [String]

  static func service() throws -> UnitText { try UnitText("themed.service", after: "# Sandbox.") }
  static func strict() throws -> UnitText { try UnitText("themed-strict.conf", after: "[Service]") }

  var text: String { lines.joined(separator: "\n") }

  /// Those that deny something; the others say how, or what is needed in spite of them.
  var denials: [String] {
    let others = ["SystemCallErrorNumber", "ExecStartPre", "ReadWritePaths"]
    return sandbox.filter { option in !others.contains { option.hasPrefix($0 + "=") } }
  }

  /// Whether one comment stands above both.
  func isContinued(_ above: String, by line: String) -> Bool {
    func name(_ line: String) -> Substring { line.prefix { $0 != "=" } }
    let together = ["SystemCallFilter": "SystemCallErrorNumber", "ExecStartPre": "ReadWritePaths"]
    return name(above) == name(line) || together[String(name(above))].map { $0 == name(line) } == true
  }

  private init(_ name: String, after mark: String) throws {
    let text = try String(contentsOfFile: "\(Products.package)/systemd/\(name)", encoding: .utf8)
      .replacingOccurrences(of: "=/usr/bin/", with: "=\(OrdinaryUser.programs)/")
    lines = text.components(separatedBy: "\n")
    let section = lines.drop { !$0.hasPrefix(mark) }.dropFirst().prefix { !$0.hasPrefix("[") }
    sandbox = section.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }
}

extension OrdinaryUser {
  /// Has the units that we ship, with these drop-ins.
  fileprivate convenience init(session: Session, themed dropIns: [UnitText], userNamespaces: Bool = true) throws {
    let units = ".config/systemd/user/"
    try Self.write(UnitText.service().text, toHome: units + "themed.service", in: session)
    for name in ["themed.socket", "themed-readonly.socket"] {
      let socket = try String(contentsOfFile: Products.package + "/systemd/" + name, encoding: .utf8)
      try Self.write(socket, toHome: units + name, in: session)
    }
    for (number, dropIn) in dropIns.enumerated() {
      try Self.write(dropIn.text, toHome: units + "themed.service.d/\(number).conf", in: session)
    }
    try self.init(session: session, userNamespaces: userNamespaces)
  }

  /// Expects the service to start with the first client, to save, and to read its configuration.
  fileprivate func expectService(in session: Session) throws {
    #expect(try systemctl("start", "themed.socket").status == .exited(0))
    let started = try systemctl("start", "themed.service")
    guard started.status == .exited(0) else {
      throw Failure("themed does not start: \(started.errors)\n\(try systemctl("status", "themed.service").output)")
    }
    let themectl = OrdinaryUser.programs + "/themectl"
    #expect(try run(themectl, ["get"]).lines == ["light"])
    // Exits with 4 where it was not saved.
    #expect(try run(themectl, ["set", "dark", "--app", "one"]).status == .exited(0))
    #expect(FileManager.default.fileExists(atPath: session.directory.path("home/.local/state/themed/overrides.json")))
    #expect(try systemctl("restart", "themed.service").status == .exited(0))
    #expect(try run(themectl, ["get", "--app", "one"]).lines == ["dark"])
    #expect(try property("NRestarts", of: "themed.service") == "0")
  }
}
