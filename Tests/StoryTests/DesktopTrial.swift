import Foundation
import Glibc
import ThemedTestSupport

/// A desktop with the real portal, its GTK backend and dconf, kept in step by the real daemon and themed-apply, while
/// anything happens; and the models of what has to be so at rest.
final class DesktopTrial {
  typealias Model = DesktopModel

  private let session: Session
  private let desktop: Desktop
  private var generator: SeededGenerator
  private(set) var events = 0
  private(set) var rests = 0
  private(set) var writes = 0

  private var themed: ChildProcess
  private var apply: ChildProcess?
  private var connection: VarlinkConnection
  private let settings: DesktopSettings
  /// Every setting that does not turn, as it was at first.
  private let others: [String]
  private var isStopped = false

  private var models: DesktopModels
  private var looks: DesktopLooks
  /// The value of the desktop's setting as far as it was seen, and what the user has set since the last rest.
  private var key: Model.Wish
  private var wished: Set<String> = []
  private var schedule: Model.Side?
  /// When every override for a time is over.
  private var latest = 0
  /// How often the desktop may have turned since the last rest.
  private var turns = 0
  private var story: [String] = []

  init(_ session: Session, _ generator: SeededGenerator) throws {
    self.session = session
    self.generator = generator
    session.environment["THEMED_APPS"] = Products.package + "/share"
    desktop = try session.prepareDesktop()
    try desktop.bus.start()
    let key = Model.Wish.allCases.randomElement(using: &self.generator)!
    settings = try DesktopSettings(session)
    if key != .none { try settings.setScheme(key.rawValue) }
    self.key = key
    others = try settings.others
    models = DesktopModels(Model(asked: key))
    looks = DesktopLooks(shown: key.side)
    try session.configure(Self.configuration(isInStep: true, schedule: nil))
    themed = try session.startThemed()
    connection = try session.connect()
    apply = try session.startApply()
    try rest()
  }

  // MARK: What happens

  /// A few things at once, or one alone; then rest.
  func step() throws {
    story = []
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<11: try alone()
    case 11..<19: try several()
    default: try leaveAndReturn()
    }
    try rest()
  }

  /// One thing, whose outcome is known to the letter.
  private func alone() throws {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<5: try command(amongOthers: false)
    case 5..<8: try flip(amongOthers: false)
    case 8: try choose()
    case 9: try restartThemed(flipping: .random(using: &generator), amongOthers: false)
    case 10: try turnSchedule(amongOthers: false)
    default: try disturb()
    }
  }

  private func several() throws {
    for _ in 0..<Int.random(in: 2...8, using: &generator) {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<8: try command(amongOthers: true)
      case 8..<12: try flip(amongOthers: true)
      case 12: try choose()
      case 13: try flipBack()
      case 14: try restartThemed(flipping: false, amongOthers: true)
      case 15: try turnSchedule(amongOthers: true)
      default: try disturb()
      }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        Thread.sleep(forTimeInterval: .random(in: 0...0.25, using: &generator))
      }
    }
    models.hearSome()
  }

  private func note(_ what: String) {
    events += 1
    story.append(what)
  }

  /// The model changes as the daemon does.
  private func change(_ amongOthers: Bool, turns count: Int = 1, _ body: (inout Model) -> Void) {
    if amongOthers { models.changeAmongOthers(body) } else { models.change(body) }
    // Alone, it turns the desktop only if that does not show the right side yet.
    if amongOthers || count > 1 || models.all.contains(where: { $0.shown != key.side }) { turns += count }
  }

  private func command(amongOthers: Bool) throws {
    let side = Bool.random(using: &generator) ? Model.Side.light : .dark
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<4:
      try themectl("set", side.rawValue)
      change(amongOthers) { $0.set(side) }
    case 4:
      try themectl("set", "auto")
      change(amongOthers) { $0.unset() }
    case 5, 6:
      try themectl("unset")
      change(amongOthers) { $0.unset() }
    case 7, 8:
      try themectl("toggle")
      change(amongOthers) { $0.toggle() }
    case 9:
      try themectl("set", side.rawValue, "--until", "changed")
      change(amongOthers) { $0.set(side, untilChanged: true) }
    case 10:
      try themectl("set", side.rawValue, "--for", "5h")
      change(amongOthers) { $0.set(side, time: .max) }
    default:
      // As long as no machine is too slow for it to begin.
      try themectl("set", side.rawValue, "--for", "3s")
      let end = Int(Date().timeIntervalSince1970) + 4
      latest = max(latest, end)
      change(amongOthers, turns: 2) { $0.set(side, time: end) }
    }
  }

  private func themectl(_ words: String...) throws {
    note(words.joined(separator: " "))
    let done = try session.themectl(words)
    guard done.status == .exited(0) else { throw broken("themectl \(words): \(done.output)\(done.errors)") }
  }

  /// The user's own switch.
  private func flip(_ given: Model.Wish? = nil, amongOthers: Bool) throws {
    let wish = given ?? Model.Wish.allCases.randomElement(using: &generator)!
    note("gsettings \(wish.rawValue)")
    try settings.setScheme(wish == .none && Bool.random(using: &generator) ? nil : wish.rawValue)
    wished.insert(wish.rawValue)
    key = wish
    change(amongOthers) {
      $0.said = wish
      if !amongOthers { $0.hear() }
    }
  }

  /// The user chooses a theme by hand.
  private func choose() throws {
    let name = ["Nordic", "Arc", "Breeze", "it's mine"].randomElement(using: &generator)!
    note("gtk-theme \(name)")
    try settings.setTheme(name)
    looks.choose(name)
  }

  /// Another program switches the desktop back as soon as it has turned.
  private func flipBack() throws {
    let side = Bool.random(using: &generator) ? Model.Side.light : .dark
    let before = settings.schemesWritten
    try themectl("set", side.rawValue)
    change(true) { $0.set(side) }
    // Where nothing turned, there is nothing to switch back.
    let end = Date(timeIntervalSinceNow: 0.5)
    while settings.schemesWritten == before, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
    try flip(side == .dark ? .light : .dark, amongOthers: true)
  }

  private func restartThemed(flipping isFlipping: Bool, amongOthers: Bool) throws {
    note("SIGKILL themed")
    themed.send(.kill)
    try themed.wait()
    if isFlipping { try flip(amongOthers: true) }
    themed = try session.startThemed()
    connection = try session.connect()
    change(amongOthers) { if !amongOthers { $0.hear() } }
  }

  private func turnSchedule(amongOthers: Bool) throws {
    schedule = [nil, .light, .dark].randomElement(using: &generator)!
    let schedule = schedule
    note("schedule \(schedule?.rawValue ?? "off")")
    try session.configure(Self.configuration(isInStep: true, schedule: schedule))
    try eventually("the schedule \(schedule?.rawValue ?? "off")") {
      let state = try connection.call("GetState")
      return state.string("parameters.state.nextSwitch.scheme") == schedule?.other.rawValue
    }
    change(amongOthers) { $0.turn(schedule) }
  }

  /// What nobody wished for, and changes nothing.
  private func disturb() throws {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1:
      note("SIGSTOP themed-apply")
      apply?.send(.stop)
      isStopped = true
    case 2:
      note("SIGKILL themed-apply")
      apply?.send(.kill)
      try apply?.wait()
      apply = nil
      if Bool.random(using: &generator) { try start() }
    case 3: try start()
    case 4:
      note("SIGKILL portal")
      try desktop.killPortal()
    default:
      note("SIGKILL portal's backend")
      try desktop.killGTKBackend()
    }
  }

  /// Lets themed-apply go on.
  private func start() throws {
    if isStopped { apply?.send(.continue) }
    isStopped = false
    if apply == nil { apply = try session.startApply() }
  }

  // MARK: What has to be true

  /// Lets everything come to rest, and looks.
  private func rest() throws {
    try start()
    while Int(Date().timeIntervalSince1970) <= latest { Thread.sleep(forTimeInterval: 0.1) }
    models.change { [latest] in $0.expire(latest) }
    // Somebody asks the portal, and so the backend, as programs do all the time.
    if story.contains(where: { $0.contains("portal") }) {
      try desktop.startPortal()
      try desktop.startGTKBackend()
    }
    var last = "nothing"
    try eventually("\(broken("the last seen is \(last), and right would be \(models), \(looks)"))") {
      let step = try connection.call("GetDiagnostics")
      let state = try connection.call("GetState")
      last = "\(state.text) \(step.string("parameters.desktop.target") ?? "no target")"
      guard isAtRest(step), models.all.contains(where: { $0.isShown(by: state) }) else { return false }
      let scheme = try settings.scheme
      let theme = try settings.theme
      last += " \(scheme) \(theme)"
      guard let wish = Model.Wish(rawValue: scheme), step.string("parameters.desktop.reported") == wish.word else {
        return false
      }
      let possible = models.all.filter { $0.isShown(by: state) && isRight(wish, $0) }
      guard let shown = possible.first?.shown, looks.allow(theme, on: shown, alone: isAlone) else { return false }
      let report = try session.themectl("desktop", "--json")
      last += " \(report.output)"
      guard report.status == .exited(0) else { return false }
      let words = try Frame(text: report.output)
      let rows = words.value("settings") as? [[String: Any]] ?? []
      let values = Dictionary(rows.map { ($0["name"] as? String ?? "", $0["value"] as? String ?? "") }) { $1 }
      // The same values may be those of the run before.
      let applied = try Frame(text: session.text("run/themed-apply/status.json") ?? "{}")
      guard applied.string("desktop.state") == "done", applied.string("desktop.scheme") == shown.rawValue else {
        return false
      }
      // What is chosen by hand, and nothing else, may still be unknown to themed-apply.
      guard words.string("state") == "in-step", values["color-scheme"] == scheme,
        values["gtk-theme"] == theme || isAlone && looks.isOpen(theme, on: shown)
      else { return false }
      models.all = possible
      models.rest(with: wish, isOpen: story.count > 1)
      looks.take(theme, on: shown, alone: isAlone)
      key = wish
      return true
    }
    try checkWrites()
    rests += 1
  }

  /// Whether only one thing has happened, and that was no switch of the desktop, which may change its theme as well.
  private var isAlone: Bool { story.count <= 1 && wished.isEmpty }

  private func isAtRest(_ step: Frame) -> Bool {
    step.bool("parameters.desktop.inStep") == true && step.value("parameters.desktop.target") == nil
      && step.int("parameters.desktop.writers") == 1
  }

  /// Whether the setting is right: it shows what is shown, and is what is asked for, or was not touched.
  private func isRight(_ wish: Model.Wish, _ model: Model) -> Bool {
    wish.side == model.shown && (wish == model.right || wish == key || wished.contains(wish.rawValue))
  }

  /// No loop, and no fight: nobody wrote more often than there was reason to.
  private func checkWrites() throws {
    let (schemesByHand, themesByHand) = (settings.schemesByHand, settings.themesByHand)
    let (schemes, themes) = try settings.countWrites()
    writes += schemes + themes
    guard schemes <= schemesByHand + turns, themes <= themesByHand + turns + 1 else {
      throw broken("for \(turns) turns, \(schemes - schemesByHand) and \(themes - themesByHand) writes")
    }
    (turns, wished) = (0, [])
  }

  // MARK: Leaving

  /// The desktop is left alone for a while, and has what it asked for.
  private func leaveAndReturn() throws {
    try leave()
    note("in-step=yes")
    try session.configure(Self.configuration(isInStep: true, schedule: schedule))
    turns += 1
  }

  private func leave() throws {
    note("in-step=no")
    try session.configure(Self.configuration(isInStep: false, schedule: schedule))
    // A value that may have been the default is reset, and then set.
    turns += 2
    try eventually("\(broken("the memory is still there"))") {
      try connection.call("GetDiagnostics").bool("parameters.desktop.inStep") != true
        && session.text("state/themed/desktop-settings.json") == nil
    }
    let scheme = try settings.scheme
    let theme = try settings.theme
    let possible = models.all.filter { $0.asked.rawValue == scheme }
    guard let model = possible.first else { throw broken("left with \(scheme), not \(models.all)") }
    guard looks.allowLeft(theme, on: model.asked.side) else { throw broken("left with \(theme), not \(looks)") }
    guard try settings.others == others else { throw broken("another setting is no longer as in \(others)") }
    key = model.asked
    models.all = Set(
      possible.map { model in
        var model = model
        model.heard = model.asked
        return model
      })
    looks = DesktopLooks(shown: key.side, theme)
  }

  /// Without any wish of ours, and then without us, the desktop has what it asked for.
  func finish() throws {
    story = []
    schedule = nil
    try session.configure(Self.configuration(isInStep: true, schedule: nil))
    try eventually("no schedule") {
      try connection.call("GetState").value("parameters.state.nextSwitch") == nil
    }
    change(false) { $0.turn(nil) }
    try rest()
    try themectl("unset")
    change(false) { $0.unset() }
    try rest()
    guard models.all.allSatisfy({ $0.asked.side == key.side }) else { throw broken("not what was asked for: \(key)") }
    try leave()
  }

  // MARK: Support

  private static func configuration(isInStep: Bool, schedule: Model.Side?) -> String {
    var text = "[desktop]\nin-step=\(isInStep ? "yes" : "no")\n"
    if let schedule {
      let hour = Calendar.current.component(.hour, from: Date())
      let (last, next) = ((hour + 18) % 24, (hour + 6) % 24)
      let (light, dark) = schedule == .light ? (last, next) : (next, last)
      text += "[schedule]\nmode=times\nlight=\(light):00\ndark=\(dark):00\n"
    }
    return text
  }

  private func broken(_ what: String) -> Failure {
    let memory = session.text("state/themed/desktop-settings.json") ?? "nothing"
    return Failure(
      "\(what)\nthemed-apply remembers \(memory)\nafter \(events) events, the last: \(story.joined(separator: "; "))\n\(generator)"
    )
  }
}
