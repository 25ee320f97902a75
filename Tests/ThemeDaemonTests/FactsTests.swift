import Testing
import ThemedInterface
import ThemedDBus
import ThemedSystem

@testable import ThemeDaemon

/// What follows from what a check has seen.
@Suite struct FactsTests {
  private let gtk = PortalBackends.Backend(
    name: "gtk", busName: "org.freedesktop.impl.portal.desktop.gtk", interfaces: [PortalBackends.settings],
    useIn: ["gnome"])
  private let kde = PortalBackends.Backend(
    name: "kde", busName: "org.freedesktop.impl.portal.desktop.kde", interfaces: [PortalBackends.settings],
    useIn: ["KDE"])

  /// A session in which all is well.
  private var healthy: Facts {
    var facts = Facts()
    facts.manager = .init(displays: ["DISPLAY=:0"], target: "active")
    facts.hasDisplay = true
    facts.isPortalInstalled = true
    facts.isPortalRunning = true
    facts.portalProcess = 7
    facts.answer = .value(.variant(.uint32(1)))
    facts.backends = PortalBackends(installed: [gtk], desktops: ["GNOME"])
    facts.backendAnswers = ["gtk": .variant(.uint32(1))]
    return facts
  }

  private func problems(_ change: (inout Facts) -> Void) -> [Finding] {
    var facts = healthy
    change(&facts)
    return facts.findings.filter(\.isProblem)
  }

  @Test func `where all is well nothing is found`() {
    #expect(problems { _ in } == [])
    #expect(healthy.findings.first { $0.name == "portal" }?.what == "the portal answers dark (<uint32 1>)")
    #expect(healthy.findings.first { $0.name == "portal_value" }?.what == "<uint32 1>")
  }

  @Test func `without a bus nothing else is said of the desktop`() {
    let found = problems { $0.bus = .failed("it is not there") }
    #expect(found.map(\.name) == ["no_bus"])
    #expect(found[0].text.contains("it is not there"))
  }

  @Test func `a portal that does not run is a problem in a session alone, and has to be installed first`() {
    #expect(problems { $0.isPortalRunning = false }[0].commands.first?.contains("systemctl --user start") == true)
    let bare = problems {
      $0.isPortalRunning = false
      $0.manager = nil
    }
    #expect(bare[0].commands.first?.contains("StartServiceByName") == true)
    #expect(
      problems {
        $0.isPortalRunning = false
        $0.isPortalInstalled = false
      }[0].commands.first?.contains("sudo apt install xdg-desktop-portal") == true)
    #expect(
      problems {
        $0.isPortalRunning = false
        $0.manager = nil
        $0.hasDisplay = false
      } == [])
  }

  @Test func `a portal that is masked is to be unmasked first, where it was masked`() {
    for (state, unmask) in [("masked", "unmask"), ("masked-runtime", "unmask --runtime")] as [(Text, String)] {
      let found = problems {
        $0.isPortalRunning = false
        $0.portalUnit = state
      }
      #expect(found.map(\.name) == [Finding.missingPortal] && found[0].what.hasPrefix("the portal is masked"))
      let unit = "xdg-desktop-portal.service"
      #expect(found[0].commands == ["systemctl --user \(unmask) \(unit)", "systemctl --user start \(unit)"])
    }
  }

  @Test func `a display that a session has left behind is no session, as the daemon has it`() {
    var facts = healthy
    facts.isPortalRunning = false
    facts.manager = .init(displays: ["DISPLAY=:0"], target: "inactive", wentDown: 5)
    #expect(facts.findings.filter(\.isProblem) == [])
    #expect(facts.findings.contains { $0.name == Finding.portalWaits })
    for manager in [
      GraphicalSession.Manager(displays: ["DISPLAY=:0"], target: "active", wentDown: 5),
      .init(displays: ["DISPLAY=:0"], target: "inactive"),
    ] {
      facts.manager = manager
      #expect(facts.findings.filter(\.isProblem).map(\.name) == [Finding.missingPortal], "\(manager)")
    }
    facts.manager?.hasJob = true
    #expect(facts.findings.filter(\.isProblem) == [], "it comes or goes")
  }

  @Test func `a manager without a display matters where somebody has one`() {
    #expect(problems { $0.manager?.displays = [] }.map(\.name) == ["no_display"])
    #expect(
      problems {
        $0.manager = .init()
        $0.hasDisplay = false
        $0.isPortalRunning = false
      } == [])
  }

  @Test func `a portal without settings is explained by its backends`() {
    let failed = problems { $0.answer = .noInterface }
    #expect(failed.map(\.name) == ["no_settings"])
    #expect(failed[0].what.contains("gtk should provide it (chosen by UseIn; XDG_CURRENT_DESKTOP is GNOME)"))
    #expect(failed[0].commands == ["systemctl --user restart xdg-desktop-portal.service"])

    let none = problems {
      $0.answer = .noInterface
      $0.backends.preferences = [.init(path: "/c/portals.conf", lists: ["default": ["none"]])]
    }
    #expect(none[0].what.contains("/c/portals.conf names none"))
    #expect(none[0].fix?.contains("org.freedesktop.impl.portal.Settings=gtk") == true)

    let nothing = problems {
      $0.answer = .noInterface
      $0.backends.installed = []
    }
    #expect(nothing[0].what.contains("no backend is installed"))
    #expect(nothing[0].commands.first == "sudo apt install xdg-desktop-portal-gtk")
  }

  @Test func `what to write into which file depends on the portal's version, and what to type stands apart`() {
    let unnamed = problems {
      $0.answer = .noInterface
      $0.backends.rule = .named
    }
    #expect(unnamed[0].what.contains("no portals.conf names one of the backends that provide it (gtk)"))
    #expect(
      unnamed[0].fix
        == "under [preferred] in ~/.config/xdg-desktop-portal/portals.conf, "
        + "write org.freedesktop.impl.portal.Settings=gtk")
    #expect(unnamed[0].commands == ["systemctl --user restart xdg-desktop-portal.service"])

    let systems = problems {
      $0.answer = .noInterface
      $0.backends.preferences = [.init(path: "/usr/share/x/sway-portals.conf", lists: ["default": ["none"]])]
    }
    #expect(systems[0].fix?.hasPrefix("copy /usr/share/x/sway-portals.conf to ~/.config/xdg-desktop-portal/") == true)
    let own = problems {
      $0.answer = .noInterface
      $0.backends.preferences = [.init(path: "/home/a/.config/x/portals.conf", lists: ["default": ["none"]])]
    }
    #expect(own[0].fix?.hasPrefix("under [preferred] in /home/a/.config/x/portals.conf, write ") == true)

    let stopped = problems {
      $0.answer = .noInterface
      $0.backends.installed = []
      $0.backends.refused = [.init(path: "/p/mine.portal", reason: "UseIn is missing")]
      $0.manager = nil
      $0.portalProcess = nil
    }
    #expect(stopped[0].what.hasSuffix("(no backend is installed; the portal rejects /p/mine.portal: UseIn is missing)"))
    #expect(stopped[0].fix == "install your desktop's own backend, or this one; then log out and in again")
    #expect(stopped[0].commands == ["sudo apt install xdg-desktop-portal-gtk"])
  }

  @Test func `who asks other backends is told to name ours before them where it is asked, and never alone`() {
    let ours = PortalBackends.Backend(
      name: "aaa-themed", busName: PortalBackends.ours, interfaces: [PortalBackends.settings], useIn: ["GNOME"])
    func advice(_ change: (inout Facts) -> Void) -> (what: String, fix: String?)? {
      problems {
        $0.answer = .noInterface
        $0.backends = PortalBackends(installed: [ours, gtk], desktops: ["GNOME"])
        change(&$0)
      }.first { $0.name == "no_settings" }.map { ($0.what, $0.fix) }
    }
    let unnamed = advice { $0.backends.rule = .named }
    #expect(unnamed?.what.contains("no portals.conf names one of the backends that provide it (gtk)") == true)
    #expect(unnamed?.fix?.hasSuffix("write org.freedesktop.impl.portal.Settings=gtk") == true)
    let alone = advice {
      $0.backends.rule = .named
      $0.backends.preferences = [.init(path: "/h/portals.conf", lists: ["default": ["aaa-themed"]])]
    }
    #expect(alone?.fix?.hasSuffix("write org.freedesktop.impl.portal.Settings=aaa-themed;gtk") == true)
    #expect(advice { $0.backends.installed = [ours] }?.what.contains("(no backend is installed)") == true)
  }

  @Test func `a display that ssh forwards is not the session's`() {
    #expect(Facts.hasDisplay(["DISPLAY": ":0"]) && Facts.hasDisplay(["WAYLAND_DISPLAY": "wayland-0"]))
    #expect(!Facts.hasDisplay(["DISPLAY": "localhost:10.0", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]))
    #expect(!Facts.hasDisplay(["DISPLAY": ""]) && !Facts.hasDisplay([:]))
  }

  @Test func `a portal that asks our backend alone is a problem where it would ask another one without it`() {
    let ours = PortalBackends.Backend(
      name: "aaa-themed", busName: PortalBackends.ours, interfaces: [PortalBackends.settings], useIn: ["MATE"])
    for isRunning in [true, false] {
      let alone = problems {
        $0.backends = PortalBackends(installed: [ours, gtk], desktops: ["MATE"])
        ($0.chain.isRunning, $0.chain.isAsked, $0.chain.isFirst) = (isRunning, isRunning, true)
      }
      #expect(alone.map(\.name) == ["portal_chain_alone"])
      #expect(alone[0].what == "the portal asks only themed-portal, and not gtk")
      #expect(alone[0].commands == ["themectl portal enable"])
    }
    let both = problems {
      $0.backends = PortalBackends(
        installed: [ours, gtk],
        preferences: [.init(path: "/portals.conf", lists: [PortalBackends.settings: ["aaa-themed", "gtk"]])],
        desktops: ["MATE"])
      ($0.chain.isRunning, $0.chain.isAsked, $0.chain.isFirst) = (true, true, true)
    }
    #expect(both == [])
  }

  @Test func `our backend that does not run is a problem where it was asked for, and else an offer`() {
    let ours = PortalBackends.Backend(
      name: "aaa-themed", busName: PortalBackends.ours, interfaces: [PortalBackends.settings], useIn: ["GNOME"])
    func findings(_ lists: [Text: [Text]]?, isEnabled: Bool = false) -> [Finding] {
      var facts = healthy
      facts.backends = PortalBackends(
        installed: [ours, gtk], preferences: lists.map { [.init(path: "/portals.conf", lists: $0)] } ?? [],
        desktops: ["GNOME"])
      facts.chain.others = ["gtk"]
      facts.isBackendEnabled = isEnabled
      return facts.findings.filter { $0.name.hasPrefix("portal_chain_") }
    }
    for lists in [nil, ["default": ["*"]]] as [[Text: [Text]]?] {
      let found = findings(lists)
      #expect(found.map(\.name) == ["portal_chain_offer"] && !found.contains(where: \.isProblem), "\(found)")
      #expect(found.first?.what.hasPrefix("themed-portal is not running; the portal asks gtk. ") == true)
      #expect(findings(lists, isEnabled: true).filter(\.isProblem).map(\.name) == ["portal_chain_missing"])
    }
    for key in ["default", PortalBackends.settings] {
      #expect(findings([key: ["aaa-themed", "gtk"]]).filter(\.isProblem).map(\.name) == ["portal_chain_missing"])
    }
  }

  @Test func `a portal without a color scheme, and one that fails, are told apart`() {
    #expect(problems { $0.answer = .noKey }.map(\.name) == ["no_color_scheme"])
    let silent = Failure(name: "org.freedesktop.DBus.Error.NoReply", message: "no reply")
    #expect(problems { $0.answer = .failed(silent) }.map(\.name) == ["portal_fails"])
    let restart = problems {
      $0.answer = .failed(silent)
      $0.manager = nil
    }
    #expect(restart[0].fix == nil)
    #expect(restart[0].commands == ["kill 7"])
  }

  @Test func `a portal that does not answer what the backend says that it asks first is told`() {
    let found = problems {
      $0.backends = PortalBackends(installed: [gtk, kde], desktops: ["KDE"])
      $0.backendAnswers = ["kde": .variant(.variant(.uint32(2))), "gtk": .uint32(1)]
    }
    #expect(found.map(\.name) == ["backends_disagree"])
    #expect(found[0].what == "the backend kde says light, but the portal says dark")
    #expect(found[0].fix == nil && found[0].commands == ["systemctl --user restart xdg-desktop-portal.service"])
    let next = problems {
      $0.backends = PortalBackends(installed: [gtk, kde], desktops: ["GNOME"])
      $0.backends.preferences = [.init(path: "/h/portals.conf", lists: ["default": ["kde", "gtk"]])]
      $0.backendAnswers = ["gtk": .uint32(0)]
    }
    #expect(next.map(\.what) == ["the backend gtk says none, but the portal says dark"], "kde does not answer")
    #expect(next[0].why?.contains("chosen by /h/portals.conf") == true)
  }

  @Test(arguments: [PortalBackends.Rule.all, .named, .listed])
  func `the backends that a desktop's portal asks only afterwards may say otherwise`(_ rule: PortalBackends.Rule) {
    let xapp = PortalBackends.Backend(
      name: "xapp", busName: "org.freedesktop.impl.portal.desktop.xapp", interfaces: [PortalBackends.settings],
      useIn: ["X-Cinnamon", "MATE", "XFCE"])
    // As on the stock desktops: their own files, and what each backend says there.
    let desktops: [(names: [Text], lists: [Text: [Text]], portal: UInt32, others: [Text: UInt32])] = [
      (["X-Cinnamon"], ["default": ["xapp", "gtk"]], 1, ["xapp": 1, "gtk": 0]),
      (["KDE"], ["default": ["kde"], PortalBackends.settings: ["kde", "gtk"]], 2, ["kde": 2, "gtk": 0]),
      (["sway"], ["default": ["gtk"]], 1, ["gtk": 1, "kde": 2]),
      (["GNOME"], ["default": ["gtk"]], 0, ["gtk": 0]),
    ]
    for desktop in desktops {
      let found = problems {
        $0.answer = .value(.variant(.uint32(desktop.portal)))
        $0.backends = PortalBackends(
          installed: [gtk, kde, xapp], preferences: [.init(path: "/portals.conf", lists: desktop.lists)],
          desktops: desktop.names, rule: rule)
        $0.backendAnswers = desktop.others.mapValues { .variant(.uint32($0)) }
      }
      #expect(found == [], "\(desktop.names)")
    }
  }

  @Test func `what is wrong with the configuration is said, whatever the bus is`() {
    let found = problems {
      $0.bus = .failed("")
      $0.configurationProblem = Configuration.Problem(description: "/c: line 3")
    }
    #expect(found.map(\.name) == ["no_bus", "configuration"])
    #expect(found.last?.fix == "correct that line; themed then reads the file again")
    #expect(problems { $0.unknownSettings = ["[a] b", "[c] d"] }.count == 2)
  }

  @Test func `a finding is a line for each thing that it says, fit for a terminal, and comes back from its JSON`() {
    let wrong = Finding("x", "a\nb\u{1B}[2J", why: "c", fix: "d \"e\"", type: "f\ng", "h")
    #expect(wrong.text == "problem: a?b?[2J\n  c\n  do: d \"e\"\n  type: f?g\n  type: h")
    #expect(Finding(json: wrong.json) == wrong)
    let typed = Finding("x", "a", why: "b", type: "c")
    #expect(typed.text == "problem: a\n  b\n  type: c")
    #expect(Finding(json: typed.json) == typed)
    #expect(typed.isProblem)
    let hint = Finding(hint: "z", "more can follow", fix: "do it:", type: ["a", "b"])
    #expect(hint.text == "hint: more can follow\n  do: do it:\n  type: a\n  type: b")
    #expect(Finding(json: hint.json) == hint && !hint.isProblem)
    let fact = Finding(fact: "y", "f")
    #expect(fact.text == "fine: f")
    #expect(Finding(json: fact.json) == fact)
    #expect(!fact.isProblem)
    #expect(Finding(json: "{}") == nil)
    #expect(Finding(json: "no") == nil)
  }
}
