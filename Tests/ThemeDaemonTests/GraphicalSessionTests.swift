import Testing
import ThemedDBus
import ThemedSystem

@testable import ThemeDaemon

/// Drives the rule, with a user manager that answers what it is set to when a test has it answer.
private struct Login {
  var session: GraphicalSession
  var manager = GraphicalSession.Manager()
  var question: GraphicalSession.Question?
  var starts = 0
  var warnings: [String] = []
  var now = 0

  init(hasOwnDisplay: Bool = false) {
    session = GraphicalSession(hasOwnDisplay: hasOwnDisplay)
  }

  mutating func send(_ event: GraphicalSession.Event) {
    for action in session.handle(event, now: now) {
      switch action {
      case .ask(let asked): question = asked
      case .startPortal: starts += 1
      case .warn(let text): warnings.append(text)
      }
    }
  }

  /// Answers whatever is asked, until nothing is.
  mutating func answer() {
    while let asked = question {
      question = nil
      send(.told(asked, manager))
    }
  }

  /// The manager changes, says so, and answers.
  mutating func become(_ change: (inout GraphicalSession.Manager) -> Void) {
    change(&manager)
    send(.changed)
    answer()
  }

  /// A session goes the way of desktops that use the target; the display is left behind.
  mutating func logOut(at time: UInt64) {
    manager.hasJob = true
    send(.portal(isThere: false))
    answer()
    become {
      $0.hasJob = false
      $0.target = "inactive"
      $0.wentDown = time
    }
  }

  /// A daemon that was started before anybody logged in.
  static func beforeLogin() -> Login {
    var login = Login()
    login.send(.manager(isThere: true))
    login.send(.portal(isThere: false))
    login.answer()
    return login
  }

  /// A session whose portal runs.
  static func loggedIn() -> Login {
    var login = Login.beforeLogin()
    login.become {
      $0.displays = ["DISPLAY=:0"]
      $0.target = "active"
    }
    login.send(.portal(isThere: true))
    return login
  }
}

@Suite struct GraphicalSessionTests {
  @Test func `without systemd the daemon's own display decides`() {
    for hasDisplay in [true, false] {
      var login = Login(hasOwnDisplay: hasDisplay)
      login.send(.portal(isThere: false))
      #expect(login.starts == 0)
      login.send(.manager(isThere: false))
      #expect(login.starts == (hasDisplay ? 1 : 0))
      #expect(login.session.isUp == hasDisplay)
      #expect(login.question == nil)
    }
  }

  @Test func `with systemd the daemon's own display decides nothing`() {
    var login = Login(hasOwnDisplay: true)
    login.send(.manager(isThere: true))
    login.send(.portal(isThere: false))
    login.answer()
    #expect(login.starts == 0)
    #expect(login.session.isUp == false)
  }

  @Test func `before login nothing is started, and after it the portal is, once`() {
    var login = Login.beforeLogin()
    #expect(login.starts == 0)
    login.become { $0.displays = ["WAYLAND_DISPLAY=wayland-0"] }
    login.become { $0.target = "active" }
    login.send(.portal(isThere: true))
    #expect(login.starts >= 1)
    let starts = login.starts
    login.become { _ in }
    #expect(login.starts == starts)
  }

  @Test func `a desktop that only imports its display is a session too`() {
    var login = Login.beforeLogin()
    login.become { $0.displays = ["DISPLAY=:0"] }
    #expect(login.starts == 1)
    #expect(login.session.isUp == true)
    login.become { _ in }
    #expect(login.starts == 1)
  }

  @Test func `a target without a display is no session`() {
    var login = Login.beforeLogin()
    login.become { $0.target = "active" }
    #expect(login.starts == 0)
    #expect(login.session.isUp == false)
  }

  @Test func `a target that the manager has unloaded after the logout has stopped`() {
    var login = Login.loggedIn()
    let starts = login.starts
    login.logOut(at: 0)
    #expect(login.session.isUp == false)
    #expect(login.starts == starts, "a portal without a display has no backends")
    login.become { $0.target = "active" }
    #expect(login.session.isUp == true)
    #expect(login.starts == starts + 1)
  }

  @Test func `while the session comes its end is awaited`() {
    var login = Login.beforeLogin()
    login.become {
      $0.displays = ["DISPLAY=:0"]
      $0.hasJob = true
    }
    #expect(login.starts == 0)
    login.become {
      $0.hasJob = false
      $0.target = "active"
    }
    #expect(login.starts == 1)
  }

  @Test func `a portal that runs is not started`() {
    var login = Login()
    login.send(.manager(isThere: true))
    login.send(.portal(isThere: true))
    login.manager.displays = ["DISPLAY=:0"]
    login.answer()
    login.become { $0.target = "active" }
    #expect(login.starts == 0)
    #expect(!login.session.followsJobs)
  }

  @Test func `a portal that vanishes within the session is started once for each loss`() {
    var login = Login.loggedIn()
    #expect(login.starts == 1)
    login.send(.portal(isThere: false))
    #expect(login.starts == 1, "before the manager has said that the session is still up")
    login.answer()
    #expect(login.starts == 2)
    login.become { _ in }
    #expect(login.starts == 2, "a start that leads to nothing is not repeated")
  }

  @Test func `a portal that vanishes again and again is given up, until the next login or some minutes later`() {
    var login = Login.loggedIn()
    for _ in 0..<10 {
      login.send(.portal(isThere: false))
      login.answer()
      login.send(.portal(isThere: true))
    }
    #expect(login.starts == Limits.portalStarts)
    #expect(!login.warnings.isEmpty)

    login.now += Limits.portalStartsWithin + 1
    login.send(.portal(isThere: false))
    login.answer()
    #expect(login.starts == Limits.portalStarts + 1)
  }

  @Test func `a portal that somebody restarts is awaited, and is no failure`() {
    var login = Login.loggedIn()
    for _ in 0..<10 {
      login.manager.hasPortalJob = true
      login.send(.portal(isThere: false))
      login.answer()
      login.send(.portal(isThere: true))
      login.become { $0.hasPortalJob = false }
    }
    #expect(login.starts == 1)
    login.manager.hasPortalJob = true
    login.send(.portal(isThere: false))
    login.answer()
    #expect(login.starts == 1)
    #expect(login.session.followsJobs, "else the end of the job is not heard")
    login.become { $0.hasPortalJob = false }
    #expect(login.starts == 2, "it was stopped and not started again")
    #expect(login.warnings.isEmpty)
  }

  @Test func `ends of a portal that had stayed do not add up, and those of one that had not do`() {
    for (stay, isGivenUp) in [(Limits.portalStays, false), (Limits.portalStays - 1, true)] {
      var login = Login.loggedIn()
      for _ in 0..<10 {
        login.now += stay
        login.send(.portal(isThere: false))
        login.answer()
        login.send(.portal(isThere: true))
      }
      #expect(login.warnings.isEmpty == !isGivenUp)
      #expect(isGivenUp || login.starts == 11)
    }
  }

  @Test func `a portal that goes with the session is not started, and the display left behind does not count`() {
    var login = Login.loggedIn()
    login.logOut(at: 7)
    #expect(login.starts == 1)
    #expect(login.session.isUp == false)
    login.become { _ in }
    login.send(.signOfLife)
    login.answer()
    #expect(login.starts == 1)

    login.become { $0.target = "active" }
    #expect(login.starts == 2, "the next login, on the same display")
    login.send(.portal(isThere: true))
    login.logOut(at: 9)
    login.become { $0.displays = [] }
    #expect(login.starts == 2)
    login.become { $0.displays = ["DISPLAY=:0"] }
    #expect(login.starts == 3, "a login without the target, on a display that was imported anew")
  }

  @Test func `a daemon that starts after a logout takes the display for left behind`() {
    var login = Login()
    login.manager = .init(displays: ["DISPLAY=:0"], target: "inactive", hasJob: false, wentDown: 5)
    login.send(.manager(isThere: true))
    login.send(.portal(isThere: false))
    login.answer()
    #expect(login.starts == 0)
    login.become { $0.displays = ["DISPLAY=:1"] }
    #expect(login.starts == 1)
  }

  @Test func `an answer that was under way when the portal vanished is not believed`() {
    var login = Login.loggedIn()
    login.send(.changed)
    let early = login.question
    login.question = nil
    login.send(.portal(isThere: false))
    login.send(.told(early ?? 0, login.manager))
    #expect(login.starts == 1)
    login.manager.hasJob = true
    login.answer()
    #expect(login.starts == 1)
  }

  @Test func `a manager that cannot answer is asked again at its next sign, and starts nothing`() {
    var login = Login.beforeLogin()
    login.manager.displays = ["DISPLAY=:0"]
    login.send(.changed)
    login.send(.told(login.question ?? 0, nil))
    #expect(login.starts == 0)
    login.question = nil
    login.become { _ in }
    #expect(login.starts == 1)
  }

  @Test func `jobs are followed while there is no portal, and somebody who comes has the manager asked`() {
    var login = Login.beforeLogin()
    #expect(login.session.followsJobs)
    login.manager.displays = ["DISPLAY=:0"]
    login.send(.signOfLife)
    login.answer()
    #expect(login.starts == 1)
    login.send(.portal(isThere: true))
    #expect(!login.session.followsJobs)
    login.send(.signOfLife)
    #expect(login.question == nil)
  }

  @Test func `a bus that comes back is a new beginning`() {
    var login = Login.loggedIn()
    login.send(.changed)
    let stale = login.question ?? 0
    login.question = nil
    login.send(.busLost)
    login.send(.told(stale, login.manager))
    #expect(login.session.isUp == nil)
    login.send(.manager(isThere: true))
    login.send(.portal(isThere: false))
    login.answer()
    #expect(login.starts == 2)
  }

  @Test func `a manager that appears takes over from the daemon's own environment`() {
    var login = Login(hasOwnDisplay: false)
    login.send(.manager(isThere: false))
    login.send(.portal(isThere: false))
    #expect(login.session.isUp == false)
    login.manager = .init(displays: ["DISPLAY=:0"], target: "active")
    login.send(.manager(isThere: true))
    login.answer()
    #expect(login.starts == 1)
  }

  @Test func `a reload starts a missing portal again, however often that was in vain`() {
    var login = Login(hasOwnDisplay: true)
    login.send(.manager(isThere: false))
    login.send(.portal(isThere: false))
    #expect(login.starts == 1)
    for number in 2...10 {
      login.send(.reload)
      #expect(login.starts == number)
    }
    login.send(.portal(isThere: true))
    login.send(.reload)
    #expect(login.starts == 10, "it is there")
    #expect(login.warnings.isEmpty)
  }

  @Test func `a variable whose name ends in a combining mark is another one`() {
    let environment = Value.variant(.array([.string("DISPLAY\u{301}=:3"), .string("DISPLAY=\u{301}:3")]))
    #expect(
      GraphicalSession.Manager(environment: environment, target: .other).displays == ["DISPLAY=\u{301}:3"])
  }

  @Test func `systemd's properties are read, and what is none of them is passed over`() {
    let environment = Value.variant(
      .array(["HOME=/root", "DISPLAY=:3", "WAYLAND_DISPLAY=", "XDISPLAY=:4"].map { Value.string($0) } + [.uint32(3)]))
    func entry(_ name: Text, _ value: Value) -> Value { .structure([.string(name), .variant(value)]) }
    let target = Value.array([
      entry("ActiveState", .string("active")), entry("Job", .structure([.uint32(12), .string("/")])),
      entry("ActiveExitTimestampMonotonic", .uint64(99)), entry("Id", .string("graphical-session.target")), .other,
    ])
    for (unit, hasJob) in [("timers.target", false), ("xdg-desktop-portal.service", true)] as [(Text, Bool)] {
      let jobs = Value.array([.other, .structure([.uint32(7), .string(unit), .string("restart")]), .structure([])])
      #expect(GraphicalSession.Manager(environment: .other, target: .other, jobs: jobs) == .init(hasPortalJob: hasJob))
    }
    #expect(
      GraphicalSession.Manager(environment: environment, target: target)
        == .init(displays: ["DISPLAY=:3"], target: "active", hasJob: true, wentDown: 99))
    #expect(GraphicalSession.Manager(environment: .other, target: .string("")) == .init())
  }
}
