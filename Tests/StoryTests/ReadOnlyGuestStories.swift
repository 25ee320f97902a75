import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// Guests of the read-only socket: containers and their users, and the command that finds itself there.
@Suite(.ownThreads) struct ReadOnlyGuestStories {
  @Test func `the command says what is shown there, and that nothing can be changed`() throws {
    try withSession { session in
      try session.directory.write(
        "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n", to: "data/themed/themes/mint.theme")
      _ = try session.startThemed()
      #expect(try session.themectl("set", "theme", "mint", "--light").status == .exited(0))
      session.environment["THEMED_SOCKET"] = session.readOnlyPath
      #expect(try session.themectl("get").lines == ["light"])
      #expect(try session.themectl("get", "palette.primary").lines == ["#26c472"])
      let status = try session.themectl("status", "--app", "nvim")
      #expect(status.status == .exited(0), "\(status.errors)")
      #expect(status.lines.first?.hasPrefix("Light for nvim by default") == true, "\(status.output)")
      #expect(status.lines.last?.contains("this socket is read-only") == true, "\(status.output)")
      // Nothing is made up of what is not told.
      #expect(!status.output.contains("no override"), "\(status.output)")
      let list = try session.themectl("theme", "list")
      #expect(list.lines.contains("mint\tlight\tlight\tMint"), "\(list.output) \(list.errors)")
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      for words in [
        ["set", "dark"], ["unset"], ["toggle"], ["set", "theme", "mint"], ["overrides"], ["app"], ["config"],
        ["schedule"], ["status", "--verbose"],
      ] {
        let refused = try session.themectl(words)
        #expect(refused.status == .exited(2), "\(words): \(refused.output)")
        #expect(refused.errors.contains("this socket is read-only"), "\(words): \(refused.errors)")
        #expect(refused.lines.isEmpty, "\(words): \(refused.output)")
      }
      session.environment["THEMED_SOCKET"] = nil
      #expect(try session.themectl("set", "dark").status == .exited(0))
      #expect(try monitor.line() == "dark")
    }
  }

  @Test func `the command shows and exports the daemon's themes without their files, and says what it cannot look at`()
    throws
  {
    try withSession { session in
      try session.directory.write(
        "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n", to: "data/themed/themes/mint.theme")
      _ = try session.startThemed()
      #expect(try session.themectl("set", "theme", "mint", "--light").status == .exited(0))
      // A guest has other themes than the daemon.
      session.environment["XDG_DATA_HOME"] = try session.directory.directory("guest")
      session.environment["THEMED_SOCKET"] = session.readOnlyPath
      try session.directory.write("[light.palette]\ntint=101010\n", to: "guest/themed/themes/own.theme")
      for words in [["theme", "show"], ["theme", "show", "mint"]] {
        let shown = try session.themectl(words)
        #expect(shown.lines.contains { $0.contains("#26c472") }, "\(shown.output) \(shown.errors)")
        #expect(!shown.lines.contains { $0.hasPrefix("file") }, "\(shown.output)")
      }
      #expect(try session.themectl("theme", "export", "--format", "css").output.contains("#26c472"))
      #expect(try session.themectl("theme", "show", "own").output.contains("#101010"))
      #expect(try session.themectl("theme", "show", "nothing").errors.contains("unknown theme 'nothing'"))
      let list = try session.themectl("theme", "list", "--json").output
      #expect(list.contains("mint") && !list.contains(#""path""#), "\(list)")
      let check = try session.themectl("theme", "check")
      #expect(check.errors.contains("socket, which does not say where the themes are"), "\(check.errors)")
      #expect(check.output.contains("own.theme"), "\(check.output)")
    }
  }

  @Test func `the doctor says where it is and who uses it, and of a daemon behind it what can be known`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let reader = try session.connectToRead()
      _ = try reader.call("GetState")
      let doctor = try session.themectl("doctor").output
      let said = "themed's read-only socket is \(session.readOnlyPath), with 1 connection"
      #expect(doctor.contains(said), "\(doctor)")
      let verbose = try session.themectl("status", "--verbose").output
      #expect(verbose.contains("read-only socket: \(session.readOnlyPath), connections: 1"), "\(verbose)")
      session.environment["THEMED_SOCKET"] = session.readOnlyPath
      let there = try session.themectl("doctor").output
      #expect(there.contains("this is its read-only socket"), "\(there)")
      #expect(!there.contains("no program hears"), "\(there)")
    }
  }

  @Test func `the doctor names who has the other socket by ssh, and itself where it runs in a container`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let script = """
        import socket, sys
        open('/proc/self/comm', 'w').write(sys.argv[2])
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(b'{"method":"org.themed.theme.Monitor","more":true}\\0')
        peer.recv(1)
        print('follows', flush=True)
        sys.stdin.read()
        """
      let ssh = try session.spawn("python3", ["-c", script, session.socketPath, "ssh"], input: [])
      let reader = try session.spawn("python3", ["-c", script, session.readOnlyPath, "sshd"], input: [])
      let usual = try session.spawn("python3", ["-c", script, session.socketPath, "nvim"], input: [])
      for client in [ssh, reader, usual] { #expect(try client.line() == "follows") }
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("(ssh) can change what themed shows here"), "\(doctor)")
      #expect(!doctor.contains("sshd") && !doctor.contains("nvim"), "\(doctor)")
      #expect(!doctor.contains("this is a container"), "\(doctor)")
      // Where the daemon has no number, as out of a container.
      let apart = ["--pid", "--fork", "--user", "--map-root-user", "env", "container=lxc"]
      let inside = try session.run("unshare", apart + [Products.path("themectl"), "doctor"]).output
      #expect(inside.contains("container (lxc), and programs in it can change what themed shows outside"), "\(inside)")
      #expect(inside.contains((session.readOnlyPath as NSString).deletingLastPathComponent), "\(inside)")
      // Where it has one, and its root may not be looked at, as out of toolbox.
      let shared = try ["--user", "--map-root-user", "env", "container=podman", Products.path("themectl"), "doctor"]
      let toolbox = try session.run("unshare", shared).output
      #expect(
        toolbox.contains("this is a container (podman), and programs in it can change what themed shows"), "\(toolbox)")
    }
  }

  @Test(
    .enabled(if: getuid() == 0, "needs root, who may make containers everywhere"),
    arguments: ["bwrap", "systemd-nspawn"])
  func `the manual's line lets who is in the container ask, and change nothing`(program: String) throws {
    try withSession { session in
      _ = try session.startThemed()
      let root = session.directory.path("root")
      for directory in ["usr", "etc", "proc", "dev", "sys", "run", "tmp", "root", "var"] {
        _ = try session.directory.directory("root/" + directory)
      }
      for link in ["bin", "lib", "lib64", "sbin"] {
        try FileManager.default.createSymbolicLink(atPath: root + "/" + link, withDestinationPath: "usr/" + link)
      }
      for file in ["passwd", "os-release"] {
        try FileManager.default.copyItem(atPath: "/etc/" + file, toPath: root + "/etc/" + file)
      }
      let more =
        program == "bwrap"
        ? "--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64"
        : "--quiet --register=no --keep-unit --console=pipe --bind-ro=/usr --directory=\(root)"
      let place = try Self.manualLine("dir=")
      let line = try Self.manualLine(program + " ").replacingOccurrences(of: "USER", with: "root")
        .replacingOccurrences(of: " ...", with: " " + more + " sh -c ")
      let script = """
        for method in GetState Toggle; do
          printf '{"method":"org.themed.theme.%s"}\\0' $method |
            socat -t 9 - "UNIX-CONNECT:${THEMED_SOCKET:-$0}" | tr '\\0' '\\n'
        done
        """
      let told = try session.run("sh", ["-c", place + "\n" + line + " \"$0\" \"$1\"", script, session.readOnlyPath])
      let lines = told.lines
      #expect(lines.count == 2 && lines[0].contains(#""scheme":"light""#), "\(told.output) \(told.errors)")
      #expect(lines.last?.contains("org.varlink.service.PermissionDenied") == true, "\(told.output) \(told.errors)")
    }
  }

  /// The line of `themed(1)` that begins with this, as a shell takes it.
  private static func manualLine(_ start: String) throws -> String {
    let manual = try String(contentsOfFile: Products.package + "/docs/themed.1", encoding: .utf8)
      .replacingOccurrences(of: "\\e\n", with: "").replacingOccurrences(of: "\\-", with: "-")
    return String(try #require(manual.split(separator: "\n").first { $0.hasPrefix(start) }))
  }

  @Test(.enabled(if: getuid() == 0, "needs root, who alone can have another root directory"))
  func `the doctor names who has the other socket in a container`() throws {
    try withSession { session in
      _ = try session.startThemed()
      let script = """
        import os, socket, sys
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        os.chroot(sys.argv[2])
        peer.sendall(b'{"method":"org.themed.theme.Monitor","more":true}\\0')
        peer.recv(1)
        print('follows', flush=True)
        sys.stdin.read()
        """
      let guest = try session.spawn(
        "python3", ["-c", script, session.socketPath, session.directory.path("home")], input: [])
      #expect(try guest.line() == "follows")
      let doctor = try session.themectl("doctor").output
      #expect(doctor.contains("in a container can change what themed shows here"), "\(doctor)")
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root, who may mount"))
  func `a container that has the directory alone finds the socket by itself, and follows through restarts`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      // As container managers do it: another runtime directory, with this one directory of it, read-only.
      let script = """
        set -e
        themed=$XDG_RUNTIME_DIR/themed
        mkdir "$TMPDIR/readonly"
        mount --bind "$themed/readonly" "$TMPDIR/readonly"
        mount -t tmpfs tmpfs "$themed"
        mkdir "$themed/readonly"
        mount --bind -o ro "$TMPDIR/readonly" "$themed/readonly"
        mount -o remount,bind,ro "$themed/readonly"
        test ! -e "$themed/org.themed.theme"
        if rm "$themed/readonly/org.themed.theme"; then exit 9; fi
        "$0" set dark || echo "set: $?"
        exec "$0" monitor
        """
      let guest = try session.spawn("unshare", ["--mount", "sh", "-c", script, Products.path("themectl")])
      #expect(try guest.line() == "set: 2")
      #expect(try guest.line() == "light")
      #expect(try session.themectl("set", "dark").status == .exited(0))
      #expect(try guest.line() == "dark")
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      _ = try session.startThemed()
      #expect(try session.themectl("set", "light").status == .exited(0))
      #expect(try guest.line() == "light")
      #expect(guest.errors.contains("read-only"), "\(guest.errors)")
    }
  }

  /// Says GetState at the socket that is named, and prints whether an answer comes.
  private static let ask = #"""
    printf '{"method":"org.themed.theme.GetState"}\0' | socat -t 9 - "UNIX-CONNECT:$0" 2> /dev/null | grep -q scheme \
      && echo let in || echo refused
    """#

  @Test(.enabled(if: getuid() == 0, "needs root, who alone can be another user"))
  func `on both sockets this user is let in, out of containers of his as well, and nobody else`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      // As if somebody had opened the way to them, or mounted them elsewhere.
      for path in ["", "run", "run/themed", "run/themed/readonly"] {
        unsafe chmod(session.directory.path(path), 0o755)
      }
      let another = ["setpriv", "--reuid=1235", "--regid=1235", "--clear-groups"]
      for socket in [session.socketPath, session.readOnlyPath] {
        unsafe chmod(socket, 0o666)
        func answer(_ become: [String]) throws -> String {
          try session.check(become[0], Array(become.dropFirst()) + ["sh", "-c", Self.ask, socket])
        }
        #expect(try answer(["env"]) == "let in")
        #expect(try answer(["unshare", "--user", "--map-root-user"]) == "let in", "a container's root")
        #expect(try answer(["unshare", "--user"]) == "let in", "whom nobody there knows, and who is this user here")
        #expect(try answer(another) == "refused")
        #expect(try answer(another + ["unshare", "--user", "--map-root-user"]) == "refused", "of another's container")
      }
      #expect(themed.errors.contains("refused a connection from user 1235"), "\(themed.errors)")
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root, who may make a namespace everywhere"))
  func `a daemon whom its namespace gives the number of strangers lets nobody in`() throws {
    try withSession { session in
      let themed = try session.startThemed(under: ["unshare", "--user"])
      #expect(try session.check("sh", ["-c", Self.ask, session.socketPath]) == "refused")
      try themed.errorLine(containing: "refused a connection")
    }
  }
}
