import Foundation
import Testing
import ThemedTestSupport

/// Our own backend behind the real portal, with its GTK backend below.
@Suite(.ownThreads) struct PortalBackendStories {
  @Test func `an override reaches whoever asks the portal and whoever listens to it, and goes with auto`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      try believer.expect("uint32 1")
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      #expect(try session.themectl("set", "auto").lines == ["light"])
      try believer.expect("uint32 2")
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
    }
  }

  @Test func `where nothing overrides it, the desktop's own changes go through`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      let watch = try session.subscribe()
      for (setting, word, answer) in [
        (Desktop.Setting.dark, "dark", "1"), (.light, "light", "2"), (.none, "none", "0"),
      ] {
        try desktop.set(setting)
        _ = try watch.frame { $0.desktop == word }
        try believer.expect("uint32 \(answer)")
        #expect(try desktop.portalAnswer() == "(<<uint32 \(answer)>>,)")
      }
      // The backend below has said each, and nobody anything else; what ours looks up after its start may be the same.
      Thread.sleep(forTimeInterval: 1)
      let heard = believer.heard.reduce(into: [String]()) { words, word in
        if words.last != word { words.append(word) }
      }
      #expect(heard.suffix(3) == ["uint32 1", "uint32 2", "uint32 0"])
    }
  }

  @Test func `during an override a change of the desktop shows in the status, and nowhere else`() throws {
    try withSession { session in
      // Each of its changes below counts as one, however quickly the next follows.
      try session.configure("[portal]\nsettle-time=0\n")
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      let watch = try session.subscribe()
      _ = try session.themectl("set", "light")
      try desktop.set(.dark)
      let frame = try watch.frame { $0.desktop == "dark" }
      #expect(frame.scheme == "light")
      // The backend may hear of the override later than the daemon of the desktop.
      try eventually { try desktop.portalAnswer() == "(<<uint32 2>>,)" }
      try believer.expect("uint32 2")
      #expect(try session.themectl("status").output.contains("dark"))
      // What ends with the desktop's next change ends with that, and not with our own word.
      _ = try session.themectl("set", "light", "--until", "changed")
      try desktop.set(.light)
      _ = try watch.frame { $0.string("parameters.state.origins.scheme.rule") == "portal" }
      try desktop.set(.dark)
      try believer.expect("uint32 1")
      #expect(try watch.frame { $0.desktop == "dark" }.scheme == "dark")
    }
  }

  @Test func `a daemon that is killed leaves the override standing, and one that hangs keeps nobody waiting`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      let themed = chain.themed
      _ = try session.themectl("set", "dark")
      try believer.expect("uint32 1")
      themed.send(.stop)
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      try desktop.set(.dark)
      try desktop.set(.light)
      try believer.expect("uint32 1")
      themed.send(.continue)
      themed.send(.kill)
      try themed.wait()
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      _ = try session.startThemed()
      _ = try session.themectl("set", "auto")
      try believer.expect("uint32 2")
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
    }
  }

  @Test func `what is forgotten with a daemon that is gone is back with its first word, the same as before`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let believer = try chain.desktop.believer()
      _ = try session.themectl("set", "dark")
      try believer.expect("uint32 1")
      chain.themed.send(.kill)
      try chain.themed.wait()
      try believer.expect("uint32 2")
      #expect(try chain.desktop.portalAnswer() == "(<<uint32 2>>,)")
      _ = try session.startThemed()
      try believer.expect("uint32 1")
      #expect(try chain.desktop.portalAnswer() == "(<<uint32 1>>,)")
      // The connection that waited for that word is closed.
      let connection = try session.connect()
      let backend = Int(chain.backend.pid)
      try eventually("one connection of our backend") {
        let clients = try connection.call("ListClients").value("parameters.clients") as? [[String: Any]] ?? []
        return clients.count { $0["pid"] as? Int == backend } == 1
      }
    }
  }

  @Test func `a backend that is killed leaves its value with nobody who asks, and the next one speaks again`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      let watch = try session.subscribe()
      _ = try session.themectl("set", "dark")
      try believer.expect("uint32 1")
      chain.backend.send(.kill)
      try chain.backend.wait()
      try eventually { try desktop.portalAnswer() == "(<<uint32 2>>,)" }
      // The daemon, too, asks the portal again, and knows whose word is whose.
      try desktop.set(.none)
      _ = try watch.frame { $0.desktop == "none" }
      try desktop.set(.light)
      _ = try watch.frame { $0.desktop == "light" }
      try believer.expect("uint32 2")
      _ = try desktop.startBackend()
      try believer.expect("uint32 1")
      #expect(try desktop.portalAnswer() == "(<<uint32 1>>,)")
      #expect(try session.connect().call("GetState").desktop == "light")
    }
  }

  @Test func `a backend that is ended leaves programs with what the desktop asks for`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let believer = try desktop.believer()
      _ = try session.themectl("set", "dark")
      try believer.expect("uint32 1")
      chain.backend.send(.terminate)
      #expect(try chain.backend.wait() == .exited(0))
      try believer.expect("uint32 2")
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
      #expect(try session.connect().call("GetState").desktop == "light")
    }
  }

  @Test func `our value is never taken for the desktop's, whatever is started in whatever order`() throws {
    for order in [["themed", "backend", "portal"], ["backend", "portal", "themed"], ["portal", "themed", "backend"]] {
      try withSession { session in
        let desktop = try session.prepareDesktop()
        try desktop.offerBackend()
        try desktop.bus.start()
        try desktop.set(.light)
        for part in order {
          switch part {
          case "themed": _ = try session.startThemed()
          case "backend": _ = try desktop.startBackend()
          default: try desktop.startPortal()
          }
        }
        let watch = try session.subscribe()
        _ = try watch.frame { $0.desktop == "light" }
        _ = try session.themectl("set", "dark")
        try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
        let frame = try watch.frame { $0.scheme == "dark" }
        #expect(frame.desktop == "light", "\(order)")
        let own = try desktop.portalAnswer("org.themed", "status")
        #expect(own.output == "(<<'deciding'>>,)")
      }
    }
  }

  @Test func `a backend that hangs is ended as soon as somebody waits for it, who is answered by the next`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      _ = try session.themectl("set", "dark")
      try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
      chain.backend.send(.stop)
      #expect(try chain.desktop.portalAnswer() == "(<<uint32 2>>,)")
      #expect(try chain.backend.wait() == .signaled(SIGKILL))
      #expect(chain.backend.errors.contains("its watchdog killed it"))
      _ = try chain.desktop.startBackend()
      try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
    }
  }

  @Test func `a backend that is stopped by Ctrl-Z is ended as soon as somebody waits for it`() throws {
    try withSession { session in
      let desktop = try session.prepareDesktop()
      try desktop.offerBackend()
      try desktop.bus.start()
      try desktop.set(.light)
      _ = try session.startThemed()
      // A terminal's: what the shell there starts has a group of its own, all of which Ctrl-Z stops.
      let script = "import os, sys; os.setpgid(0, 0); os.execv(sys.argv[1], sys.argv[1:])"
      let backend = try session.spawn("python3", ["-c", script, Products.path("themed-portal")])
      try desktop.awaitBackend()
      try desktop.startPortal()
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
      #expect(getpgid(backend.pid) == backend.pid)
      #expect(kill(-backend.pid, SIGTSTP) == 0)
      try eventually("it is stopped") { try backend.kernelFile("stat").contains(") T ") }
      #expect(try desktop.portalAnswer() == "(<<uint32 2>>,)")
      #expect(try backend.wait() == .signaled(SIGKILL))
      #expect(backend.errors.contains("its watchdog killed it"))
    }
  }

  @Test func `a backend that is ended while a frozen bus takes nothing any more ends all the same`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let connection = try session.connect()
      desktop.bus.freeze()
      defer { desktop.bus.thaw() }
      // Each is a word of its backend's, of which the kernel keeps some three hundred for a bus that takes none.
      for number in 0..<500 {
        let scheme = number % 2 == 0 ? "dark" : "light"
        _ = try connection.call("SetOverride", #"{"override":{"scheme":"\#(scheme)"}}"#)
      }
      chain.backend.send(.terminate)
      #expect(try chain.backend.wait() == .exited(0))
    }
  }

  @Test func `what watches for that is started anew, leaves nothing behind, and ends with its process`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let backend = chain.backend
      var seen: Set<Int32> = []
      for _ in 0..<3 {
        // One that has ended is no child any more.
        let watchdog: Int32 = try eventually("a new watchdog") {
          let children = try children(of: backend.pid)
          return children.count == 1 && !seen.contains(children[0]) ? children[0] : nil
        }
        seen.insert(watchdog)
        kill(watchdog, SIGKILL)
      }
      try backend.errorLine(containing: "was started again")
      let last: Int32 = try eventually("a new watchdog") { try children(of: backend.pid).first { !seen.contains($0) } }
      kill(last, SIGKILL)
      try backend.errorLine(containing: "is not started again")
      #expect(try children(of: backend.pid) == [])
      _ = try session.themectl("set", "dark")
      try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
      backend.send(.terminate)
      #expect(try backend.wait() == .exited(0))

      let another = try chain.desktop.startBackend()
      #expect(try children(of: another.pid).count == 1)
      // What watches holds its output, whose end is waited for.
      another.send(.kill)
      #expect(try another.wait() == .signaled(SIGKILL))
    }
  }

  private func children(of process: Int32) throws -> [Int32] {
    try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      .split(separator: " ").compactMap { Int32($0) }
  }

  @Test func `a second backend says that one runs, and harms nobody`() throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      let desktop = chain.desktop
      let second = try desktop.startBackend(waiting: false)
      // By which the service manager knows not to start it anew.
      #expect(try second.wait() == .exited(69))
      #expect(second.errors.contains("another process owns org.freedesktop.impl.portal.desktop.themed"))
      _ = try session.themectl("set", "dark")
      try eventually { try desktop.portalAnswer() == "(<<uint32 1>>,)" }
    }
  }
}

/// A daemon, a backend of ours that follows it, and a real portal that asks that first.
struct Chain {
  let desktop: Desktop
  let themed: ChildProcess
  let backend: ChildProcess
}

extension Session {
  /// Starts a desktop that is set to `setting`, with all of ours.
  func startChain(_ setting: Desktop.Setting) throws -> Chain {
    let desktop = try prepareDesktop()
    try desktop.offerBackend()
    try desktop.bus.start()
    try desktop.set(setting)
    let themed = try startThemed()
    let backend = try desktop.startBackend()
    try desktop.startPortal()
    let watch = try subscribe()
    _ = try watch.frame { $0.desktop == String(setting.rawValue.split(separator: "-").last ?? "") }
    return Chain(desktop: desktop, themed: themed, backend: backend)
  }
}
