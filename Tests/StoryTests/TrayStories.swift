import Foundation
import Testing
import ThemedTestSupport

/// The icon in a panel, which here is a test: Waybar, Xfce, Plasma and GNOME were tried by hand.
@Suite(.ownThreads) struct TrayStories {
  @Test func `the item registers with a panel, also if the panel starts later or again`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      let tray = try session.spawnTray()
      try tray.errorLine(containing: "no panel with a tray runs yet")
      for _ in 1...2 {
        let panel = try session.startPanel()
        #expect(try panel.line() == "/StatusNotifierWatcher RegisterStatusNotifierItem /StatusNotifierItem")
        panel.send(.kill)
        try panel.wait()
      }
      #expect(tray.isRunning)
    }
  }

  @Test func `the properties name the icon, the reason and the menu, and follow each change`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      _ = try session.startTray()
      #expect(try session.item("Status") == "(<'Active'>,)")
      #expect(try session.item("IconName") == "(<'themed-light-symbolic'>,)")
      #expect(try session.item("ItemIsMenu") == "(<false>,)")
      #expect(try session.item("Menu") == "(<objectpath '/StatusNotifierItem/Menu'>,)")
      // What a panel shows of it is what the command says first.
      let sentence = try #require(session.themectl("status").lines.first)
      #expect(try session.item("ToolTip") == "(<('', @a(iiay) [], \"\(sentence)\", '')>,)")
      let signals = try session.spawn("gdbus", ["monitor", "--session", "--dest", "org.themed.Tray"])
      try eventually("the monitor") { signals.lines.contains { $0.contains("is owned by") } }
      #expect(try session.themectl("set", "dark").lines == ["dark"])
      for signal in ["StatusNotifierItem.NewIcon ()", "StatusNotifierItem.NewToolTip ()", "ItemsPropertiesUpdated"] {
        try eventually(signal) { signals.lines.contains { $0.contains(signal) } }
      }
      #expect(try session.item("IconName") == "(<'themed-dark-symbolic'>,)")
      #expect(try session.item("ToolTip").contains(try #require(session.themectl("status").lines.first)))
      let all = try session.tray(
        "/StatusNotifierItem", "org.freedesktop.DBus.Properties.GetAll", "org.kde.StatusNotifierItem")
      #expect(all.contains("'IconPixmap': <[(32, 32, [byte "))
    }
  }

  @Test func `a click switches, and so does one that wants no reply, as panels send it`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      _ = try session.startTray()
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      #expect(try session.tray("/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", "0", "0") == "()")
      let dark = try watch.frame()
      #expect(dark.scheme == "dark" && dark.text.contains(#""untilDesktopChanges":true"#))
      let words = ["org.themed.Tray", "/StatusNotifierItem", "org.kde.StatusNotifierItem", "Activate", "ii", "0", "0"]
      try session.check("busctl", ["--user", "--expect-reply=no", "call"] + words)
      #expect(try watch.frame().scheme == "light")
      _ = try session.themectl("set", "dark")
      #expect(try watch.frame().scheme == "dark")
      #expect(try session.tray("/StatusNotifierItem", "org.kde.StatusNotifierItem.SecondaryActivate", "0", "0") == "()")
      #expect(try watch.frame().scheme == "light")
      #expect(try session.connect().call("ListOverrides").text.contains(#""overrides":[]"#))
      for call in [["ContextMenu", "0", "0"], ["Scroll", "120", "vertical"]] {
        let method = "org.kde.StatusNotifierItem." + call[0]
        #expect(try session.tray("/StatusNotifierItem", method, call[1], call[2]) == "()")
      }
    }
  }

  @Test func `the menu says what is shown, and an entry of it changes that`() throws {
    try withSession { session in
      _ = try session.startBus()
      try session.directory.write(
        "[theme]\ntitle=My_own\n[dark.palette]\ntext=#ffffff\nbackground=#000000\n", to: "data/themed/themes/own.theme")
      _ = try session.startThemed()
      _ = try session.startTray()
      let watch = try session.subscribe()
      #expect(try watch.frame().scheme == "light")
      try eventually("the theme") { try session.menu("GetLayout", "0", "-1", "[]").contains("'My__own'") }
      let layout = try session.menu("GetLayout", "0", "-1", "[]")
      for label in ["Light by default", "'Light'", "'Dark'", "'Automatic'", "'Until Tomorrow'", "'Theme'"] {
        #expect(layout.contains(label), "\(label)")
      }
      #expect(try session.menu("AboutToShow", "0") == "(false,)")
      #expect(try session.menu("Event", "4", "clicked", "<0>", "0") == "()")
      #expect(try watch.frame().scheme == "dark")
      try eventually("the choice") { try session.menu("GetProperty", "4", "toggle-state") == "(<1>,)" }
      // Old entries and those that never were are named, and choose nothing.
      #expect(try session.menu("EventGroup", "[(99, 'clicked', <0>, 0), (5, 'clicked', <0>, 0)]") == "([99],)")
      #expect(try watch.frame().scheme == "light")
      #expect(try session.menu("GetGroupProperties", "[3]", "['label']") == "([(3, {'label': <'Light'>})],)")
      #expect(try session.menu("AboutToShowGroup", "[0, 99]") == "(@ai [], [99])")
      let xml = try session.tray("/StatusNotifierItem/Menu", "org.freedesktop.DBus.Introspectable.Introspect")
      #expect(xml.contains("com.canonical.dbusmenu") && xml.contains("AboutToShowGroup"))
    }
  }

  @Test func `the last entry lets the bus open the settings window if that is installed`() throws {
    try withSession { session in
      session.environment["PATH"] = session.directory.path("bin") + ":" + (session.environment["PATH"] ?? "")
      try session.directory.write("#!/bin/sh\n", to: "bin/themed-settings")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: session.directory.path("bin/themed-settings"))
      _ = try session.startBus()
      let tray = try session.startTray()
      #expect(try session.menu("GetProperty", "16", "label") == "(<'Settings'>,)")
      #expect(try session.menu("Event", "16", "clicked", "<0>", "0") == "()")
      try tray.errorLine(containing: "cannot open the settings window")

      // The real window was opened by hand.
      let window = [
        try Products.python(), Products.package + "/Tests/Apps/bus_owner.py", session.directory.path("run/bus"),
        "org.themed.Settings",
      ]
      let opened = session.directory.path("home/opened")
      try session.directory.write(
        """
        [D-BUS Service]
        Name=org.themed.Settings
        Exec=/bin/sh -c "exec \(window.joined(separator: " ")) >> \(opened)"

        """, to: "services/org.themed.Settings.service")
      _ = try session.bus("ReloadConfig")
      for count in 1...2 {
        #expect(try session.menu("Event", "16", "clicked", "<0>", "0") == "()")
        try eventually("the window") {
          let lines = try? String(contentsOfFile: opened, encoding: .utf8).split(separator: "\n")
          return lines?.count { $0.hasPrefix("/org/themed/Settings Activate") } == count
        }
      }
      tray.send(.terminate)
      try tray.wait()
      #expect(try session.bus("NameHasOwner", "org.themed.Settings") == "(true,)", "it outlives the icon")
    }
  }

  @Test func `a mistake in the configuration is named in the menu until it is corrected`() throws {
    try withSession { session in
      _ = try session.startBus()
      try session.configure("[appearance]\nno-desktop=purple\n")
      _ = try session.startThemed()
      _ = try session.startTray()
      try eventually("the mistake") { try session.menu("GetLayout", "0", "-1", "[]").contains("themed.conf") }
      try session.configure("[appearance]\nno-desktop=dark\n")
      try eventually("the dark default") { try session.item("IconName") == "(<'themed-dark-symbolic'>,)" }
      _ = try session.menu("AboutToShow", "0")
      try eventually("its end") { try !session.menu("GetLayout", "0", "-1", "[]").contains("themed.conf") }
    }
  }

  @Test func `a daemon that comes later or again is followed, and without one the item is passive`() throws {
    try withSession { session in
      _ = try session.startBus()
      let tray = try session.startTray()
      #expect(try session.item("Status") == "(<'Passive'>,)")
      #expect(try session.item("ToolTip").contains("themed is not running."))
      #expect(try session.tray("/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", "0", "0") == "()")
      let themed = try session.startThemed()
      try eventually("the item") { try session.item("Status") == "(<'Active'>,)" }
      _ = try session.themectl("set", "dark")
      themed.send(.kill)
      try themed.wait()
      _ = try session.startThemed()
      // Nothing has changed, and the item stays as it is.
      #expect(try session.item("Status") == "(<'Active'>,)")
      #expect(try session.item("IconName") == "(<'themed-dark-symbolic'>,)")
      #expect(try session.item("ToolTip").contains("Dark, because you set it"))
      _ = try session.themectl("set", "light")
      try eventually("the change") { try session.item("IconName") == "(<'themed-light-symbolic'>,)" }
      #expect(tray.isRunning)
    }
  }

  @Test func `a second instance says that there is one, and the end of the bus ends the first`() throws {
    try withSession { session in
      let bus = try session.startBus()
      _ = try session.startThemed()
      let tray = try session.startTray()
      let second = try session.run(Products.path("themed-tray"))
      #expect(second.status == .exited(69) && second.errors.contains("another themed-tray runs in this session"))
      try bus.kill()
      #expect(try tray.wait() == .exited(0))
      let alone = try session.run(Products.path("themed-tray"))
      #expect(alone.status == .exited(1) && alone.errors.contains("cannot connect to the session bus"))
    }
  }

  @Test func `a signal ends it, and a wrong word is refused`() throws {
    try withSession { session in
      _ = try session.startBus()
      let tray = try session.startTray()
      tray.send(.terminate)
      #expect(try tray.wait() == .exited(0))
      let refused = try session.run(Products.path("themed-tray"), ["--loud"])
      #expect(refused.status == .exited(64) && refused.errors.contains("themed-tray --help"))
      let version = try #require(try session.themectl("--version").lines.first)
      #expect(try session.run(Products.path("themed-tray"), ["--version"]).lines == ["themed-tray \(version)"])
    }
  }

  @Test func `idle, it does not wake up`() throws {
    try withSession { session in
      _ = try session.startBus()
      _ = try session.startThemed()
      let tray = try session.startTray()
      func switches() throws -> [Substring] {
        try tray.kernelFile("status").split(separator: "\n").filter { $0.hasPrefix("voluntary_ctxt_switches") }
      }
      // It returns memory to the system two seconds after work.
      var before = try switches()
      try eventually("a rest") {
        Thread.sleep(forTimeInterval: 5)
        let after = try switches()
        defer { before = after }
        return before == after
      }
    }
  }
}

extension Session {
  /// Starts the tray item, without waiting for it.
  fileprivate func spawnTray() throws -> ChildProcess { try spawn(Products.path("themed-tray")) }

  /// Starts the tray item, and waits until it has its name and, if a daemon runs, what that shows.
  fileprivate func startTray() throws -> ChildProcess {
    let tray = try spawnTray()
    try check("gdbus", ["wait", "--session", "--timeout", "30", "org.themed.Tray"])
    if FileManager.default.fileExists(atPath: socketPath) {
      try eventually("the state") { try item("Status") == "(<'Active'>,)" }
    }
    return tray
  }

  /// Starts a panel with a tray.
  fileprivate func startPanel() throws -> ChildProcess {
    let name = "org.kde.StatusNotifierWatcher"
    let words = [Products.package + "/Tests/Apps/bus_owner.py", directory.path("run/bus"), name]
    let panel = try spawn(Products.python(), words)
    guard try panel.line() == name else { throw Failure("the panel has no name") }
    return panel
  }

  /// Calls an object of the item, and returns the answer as gdbus prints it.
  fileprivate func tray(_ path: String, _ method: String, _ arguments: String...) throws -> String {
    try call(path, method, arguments)
  }

  /// A property of the item.
  fileprivate func item(_ name: String) throws -> String {
    try call("/StatusNotifierItem", "org.freedesktop.DBus.Properties.Get", ["org.kde.StatusNotifierItem", name])
  }

  /// Calls the menu.
  fileprivate func menu(_ method: String, _ arguments: String...) throws -> String {
    try call("/StatusNotifierItem/Menu", "com.canonical.dbusmenu." + method, arguments)
  }

  /// Calls the bus itself.
  fileprivate func bus(_ method: String, _ arguments: String...) throws -> String {
    try call("/org/freedesktop/DBus", "org.freedesktop.DBus." + method, arguments, of: "org.freedesktop.DBus")
  }

  private func call(
    _ path: String, _ method: String, _ arguments: [String], of name: String = "org.themed.Tray"
  ) throws -> String {
    let words = ["call", "--session", "--dest", name, "--object-path", path, "--method", method]
    // A negative number is no option.
    return try check("gdbus", words + ["--"] + arguments)
  }
}
