import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// A way in which the system gives a process nothing more.
enum Shortage: CaseIterable {
  /// It may open no descriptors beside those that it has (EMFILE).
  case descriptors
  /// The kernel has no memory for what it asks for (ENOMEM).
  case memory
}

/// Every process while descriptors or memory have run out: it lives, sleeps, says so once, and recovers by itself.
@Suite(.ownThreads) struct ShortageStories {
  @Test(arguments: Shortage.allCases)
  func `the daemon serves its clients, and does what it could not do when it is over`(shortage: Shortage) throws {
    try withSession { session in
      let themed = try session.startThemed()
      let watch = try session.subscribe()
      let client = try session.connect()
      var spare: VarlinkConnection? = try session.connect()
      #expect(try watch.frame().scheme == "light")
      for known in [client, spare] { _ = try known?.call("GetState") }
      try session.during(shortage, of: themed.pid) {
        let late = try session.connect()
        try late.send(#"{"method":"org.themed.theme.GetState"}"#)
        try themed.errorLine(containing: "cannot accept connections")
        #expect(try client.call("SetOverride", #"{"override":{"scheme":"dark"}}"#).bool("parameters.saved") == false)
        #expect(try watch.frame().scheme == "dark")
        try session.configure("[appearance]\nno-desktop=dark\n")
        try themed.errorLine(containing: "the previous configuration stays in force")
        try eventually("it sleeps") { (try sleepLeft(of: themed) ?? 0) > 0.2 }
        return late
      } after: { late in
        // The end of a connection says that there is room again.
        spare = nil
        #expect(try late.frame().scheme == "dark")
        #expect(try session.connect().call("Toggle").scheme == "light")
        #expect(try watch.frame().scheme == "light")
        try themed.errorLine(containing: "the overrides are saved")
        try eventually("the configuration is read") {
          try session.connect().call("GetConfiguration").text.contains(
            #""name":"[appearance] no-desktop","value":"dark""#)
        }
      }
      #expect(themed.errors.components(separatedBy: "cannot accept connections").count == 2, "\(themed.errors)")
      #expect(themed.errors.components(separatedBy: "stays in force").count == 2, "\(themed.errors)")
      #expect(themed.isRunning)
    }
  }

  @Test(arguments: Shortage.allCases)
  func `themed-apply does what it could not do when it is over, for who was enabled meanwhile, too`(
    shortage: Shortage
  ) throws {
    try withSession { session in
      _ = try session.startThemed()
      func writing(_ name: String) -> String { "[write]\ntemplate=\(name).mustache\nfile=~/\(name)\n" }
      try session.enableApp("one", writing("one"), template: "{{scheme}}\n")
      let apply = try session.startApply()
      try session.awaitApplied("one") { $0.isDone("light") }
      try session.during(shortage, of: apply.pid) {
        _ = try session.themectl("set", "dark")
        try session.enableApp("two", writing("two"), template: "{{scheme}}\n")
        try apply.errorLine(containing: shortage == .descriptors ? "Too many open files" : "Cannot allocate memory")
        try eventually("it sleeps") { (try sleepLeft(of: apply) ?? 0) > 0.2 }
        #expect(session.text("home/one")?.hasSuffix("light\n") == true)
      } after: {
        for name in ["one", "two"] {
          try session.awaitApplied(name) { $0.isDone("dark") }
          #expect(session.text("home/\(name)")?.hasSuffix("dark\n") == true)
        }
      }
      #expect(apply.isRunning)
    }
  }

  @Test(arguments: Shortage.allCases)
  func `our backend of the portal answers as before, and follows the daemon and the bus when it is over`(
    shortage: Shortage
  ) throws {
    try withSession { session in
      let bus = SessionBus(session)
      try bus.start()
      let themed = try session.startThemed()
      let backend = try session.spawnPortalBackend()
      func awaitName() throws {
        _ = try session.check(
          "gdbus", ["wait", "--session", "--timeout", "30", "org.freedesktop.impl.portal.desktop.themed"])
      }
      func answer() throws -> String {
        try session.run(
          "gdbus",
          [
            "call", "--session", "--dest", "org.freedesktop.impl.portal.desktop.themed", "--object-path",
            "/org/freedesktop/portal/desktop", "--method", "org.freedesktop.impl.portal.Settings.Read",
            "org.freedesktop.appearance", "color-scheme",
          ]
        ).output
      }
      try awaitName()
      _ = try session.themectl("set", "dark")
      try eventually("it answers") { try answer().contains("uint32 1") }
      try session.during(shortage, of: backend.pid) {
        themed.send(.kill)
        _ = try themed.wait()
        _ = try session.startThemed()
        _ = try session.themectl("set", "light")
        try eventually("it sleeps") { (try sleepLeft(of: backend) ?? 0) > 0.2 }
        #expect(try answer().contains("uint32 1"))
      } after: {
        try eventually("it follows") { try answer().contains("uint32 2") }
      }
      try session.during(shortage, of: backend.pid) {
        try bus.kill()
        try bus.start()
        try eventually("it sleeps") { (try sleepLeft(of: backend) ?? 0) > 0.2 }
      } after: {
        try awaitName()
        _ = try session.themectl("set", "dark")
        try eventually("it follows") { try answer().contains("uint32 1") }
        _ = try backend.child("portal-watchdog")
      }
      #expect(backend.isRunning)
    }
  }

  @Test(arguments: Shortage.allCases)
  func `a share connects again when it is over`(shortage: Shortage) throws {
    try withSession { session in
      _ = try session.startThemed()
      let server = try Server(session)
      let share = try server.follow()
      try session.during(shortage, of: share.pid) {
        #expect(kill(try share.child("ssh"), SIGKILL) == 0)
        try share.errorLine(containing: shortage == .descriptors ? "Too many open files" : "Cannot allocate memory")
        _ = try session.themectl("set", "dark")
        try eventually("it sleeps") { (try sleepLeft(of: share) ?? 0) > 0.2 }
        #expect(share.isRunning)
      } after: {
        #expect(try share.line() == "far follows this machine")
        try eventually("it follows") { try server.themectl("get").lines == ["dark"] }
      }
    }
  }
}

extension Session {
  /// Does something while a process has run short, and then something when that is over.
  func during<Value>(
    _ shortage: Shortage, of pid: Int32, _ body: () throws -> Value, after: (Value) throws -> Void
  ) throws {
    let value: Value
    switch shortage {
    case .descriptors:
      // Those that it has stay; and a call that waits for some of them takes as many.
      try check("prlimit", ["--pid", "\(pid)", "--nofile=8:"])
      value = try body()
      try check("prlimit", ["--pid", "\(pid)", "--nofile=1024:"])
    case .memory:
      // Not epoll_ctl, which needs memory for a new descriptor alone: strace could not tell that from a change.
      let calls = [
        "accept4", "openat", "epoll_create1", "pipe2", "timerfd_create", "inotify_init1",
        "inotify_add_watch", "eventfd2", "socket", "socketpair", "clone", "clone3", "memfd_create",
      ].map { "?\($0)" }.joined(separator: ",")
      let strace = try spawn(
        "strace", ["-f", "-p", "\(pid)", "-o", "/dev/null", "-e", "inject=\(calls):error=ENOMEM"])
      try strace.errorLine(containing: "attached")
      value = try body()
      strace.send(.terminate)
      _ = try strace.wait()
    }
    try after(value)
  }
}
