import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// The socket's file is removed, replaced, or taken by another daemon: clients find one that serves.
@Suite(.ownThreads) struct SocketFileStories {
  @Test(arguments: ["the file", "the directory", "the runtime directory"])
  func `a socket whose file is removed is bound again, and who is connected stays`(what: String) throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      _ = try watch.frame()
      let paths = [
        "the file": "run/themed/org.themed.theme", "the directory": "run/themed", "the runtime directory": "run",
      ]
      for scheme in ["dark", "light"] {
        // In one step: else it would be bound again while its directory is being removed.
        let path = session.directory.path(paths[what] ?? "")
        #expect(unsafe rename(path, session.directory.path("gone-" + scheme)) == 0)
        try themed.errorLine(containing: "\(session.socketPath) was removed or replaced, and recreated")
        #expect(try session.themectl("set", scheme).status == .exited(0))
        #expect(try watch.frame().scheme == scheme)
      }
      let diagnostics = try session.connect().call("GetDiagnostics")
      #expect(diagnostics.string("parameters.socket.path") == session.socketPath)
      #expect(diagnostics.string("parameters.socket.problem") == nil)
      themed.send(.terminate)
      #expect(try themed.wait() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: session.socketPath))
    }
  }

  @Test func `a socket in whose place something else lies is bound when that is gone, and told of until then`() throws {
    try withSession { session in
      let themed = try session.startThemed()
      let other = try session.connect()
      #expect(unsafe unlink(session.socketPath) == 0)
      try themed.errorLine(containing: "\(session.socketPath) was removed or replaced, and recreated")
      // In one step, so that there is no instant without it.
      let file = try session.directory.write("", to: "run/file")
      #expect(unsafe rename(file, session.socketPath) == 0)
      try themed.errorLine(containing: "cannot be recreated")
      #expect(try other.call("GetDiagnostics").string("parameters.socket.problem")?.contains("is not a socket") == true)
      #expect(unsafe unlink(session.socketPath) == 0)
      try themed.errorLine(containing: "\(session.socketPath) was removed or replaced, and recreated")
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }

  @Test func `a socket that the service manager holds cannot be bound again, which is told`() throws {
    try withSession { session in
      let listener = try Listener(path: session.socketPath)
      let themed = try session.startThemed(inheriting: listener)
      let other = try session.connect()
      try listener.unlink()
      try themed.errorLine(containing: "systemctl --user stop themed.socket")
      #expect(try other.call("GetDiagnostics").string("parameters.socket.problem") != nil)
    }
  }

  @Test func `of two daemons after a wiped runtime directory, the older one takes nothing of the newer one's`() throws {
    try withSession { session in
      let older = try session.startThemed()
      #expect(try session.themectl("set", "dark").status == .exited(0))
      // It must not see it at once.
      older.send(.stop)
      try FileManager.default.removeItem(atPath: session.directory.path("run/themed"))
      let newer = try session.startThemed()
      try newer.errorLine(containing: "another themed uses")
      #expect(try session.themectl("get").lines == ["dark"], "what is kept can be read")
      #expect(try session.themectl("set", "light", "--app", "nvim").status == .exited(4))
      older.send(.continue)
      try older.errorLine(containing: "cannot be recreated")
      older.send(.terminate)
      #expect(try older.wait() == .exited(0))

      #expect(try session.themectl("get").lines == ["dark"], "its socket is there")
      newer.send(.hangup)
      try newer.errorLine(containing: "again")
      let text = try String(contentsOfFile: session.overridesPath, encoding: .utf8)
      #expect(text.contains("nvim") && text.contains("dark"))
      #expect(try session.themectl("set", "light").status == .exited(0))
    }
  }

  @Test func `a daemon whose place was taken serves again when that is free`() throws {
    try withSession { session in
      let older = try session.startThemed()
      older.send(.stop)
      try FileManager.default.removeItem(atPath: session.directory.path("run/themed"))
      let newer = try session.startThemed()
      older.send(.continue)
      try older.errorLine(containing: "cannot be recreated")
      newer.send(.terminate)
      #expect(try newer.wait() == .exited(0))
      try older.errorLine(containing: "\(session.socketPath) was removed or replaced, and recreated")
      #expect(try session.connect().call("GetState").scheme == "light")
    }
  }
}
