import Foundation
import ThemedTestSupport

/// A real daemon on a real bus, a fake portal, a stranger, and the model of what has to be shown at rest.
final class RandomTrial {
  private let session: Session
  private let bus: SessionBus
  private let themed: ChildProcess
  private let watch: ChildProcess
  private var generator: SeededGenerator
  private(set) var events = 0
  private(set) var rests = 0

  private var portal: FakePortal?
  private var former: FakePortal?
  private var isBusUp = true
  private var isFrozen = false
  private var isStopped = false
  /// Whether the portal may have to be heard again before it is asked again.
  private var isShy = false

  // The model: what the portal would answer, what it has said since the last rest, and what the user wants.
  private var truth = Settings(scheme: 2, colour: 1) {
    didSet {
      moment += 1
      ends[oldValue.colour] = moment
    }
  }
  private var said: [Settings] = []
  /// When each colour was first said, and when it was no longer what the portal would answer.
  private var beginnings: [Int: Int] = [:]
  private var ends: [Int: Int] = [:]
  private var moment = 0
  private var shown: Settings?
  private var wanted: (scheme: String?, until: Int?)
  private var colours = 1

  struct Settings: Equatable {
    /// As a portal says it.
    var scheme: Int
    /// Never used twice, so that it shows who gave it.
    var colour: Int

    var desktop: String { ["none", "dark", "light"][scheme] }
  }

  init(_ session: Session, _ generator: SeededGenerator) throws {
    self.session = session
    self.generator = generator
    try session.configure("[portal]\nsettle-time=30\n")
    bus = try session.startBus()
    themed = try session.startThemed()
    let call = #"{"method":"org.themed.theme.Monitor","more":true}"#
    watch = try session.spawn(
      "socat", ["-t", "999", "-", "UNIX-CONNECT:" + session.socketPath], separator: 0, input: Array(call.utf8) + [0])
    try startPortal()
    try rest()
  }

  // MARK: What happens

  func step() throws {
    events += 1
    switch Int.random(in: 0..<23, using: &generator) {
    case 0..<5: try change(early: .random(using: &generator))
    case 20..<23:
      events -= 1
      try overtake()
    case 5: try portal?.say(newSettings(), "emit") { note($0) }
    case 6: try burst()
    case 7..<9: try spoof()
    case 9: try portal?.tell("manner held")
    case 10:
      try portal?.tell("manner refused org.freedesktop.DBus.Error.Failed")
      isShy = true
    case 11: try portal?.tell("manner answered")
    case 12..<14: try replacePortal()
    case 14: try losePortal()
    case 15: try restartBus()
    case 16: freeze()
    case 17: stop()
    default: try override()
    }
    if Bool.random(using: &generator) { Thread.sleep(forTimeInterval: .random(in: 0...0.3, using: &generator)) }
  }

  private func note(_ settings: Settings) {
    moment += 1
    said.append(settings)
    if beginnings[settings.colour] == nil { beginnings[settings.colour] = moment }
  }

  private func newSettings() -> Settings {
    colours += 1
    return Settings(scheme: .random(in: 0...2, using: &generator), colour: colours)
  }

  /// The desktop's setting changes; the signal comes before or after, and tells that or something else.
  private func change(early isEarly: Bool) throws {
    guard let portal else { return }
    let settings = newSettings()
    let told = Int.random(in: 0..<3, using: &generator) == 0 ? newSettings() : settings
    if isEarly { try portal.say(told, "emit") { note($0) } }
    truth = settings
    try portal.say(settings, "set") { note($0) }
    if !isEarly { try portal.say(told, "emit") { note($0) } }
  }

  /// The desktop changes while an answer with its former setting is on the way.
  func overtake() throws {
    events += 1
    guard let portal, isBusUp, !isFrozen, !isStopped else { return }
    try portal.tell("manner held")
    let calls = portal.calls("color-scheme")
    try portal.say(truth, "emit") { note($0) }
    try awaitState { _ in portal.calls("color-scheme") > calls }
    try portal.tell("manner answered")
    try change(early: false)
    try portal.tell("flush")
  }

  private func burst() throws {
    let settings = newSettings()
    note(settings)
    try portal?.tell("burst \(Int.random(in: 1...60, using: &generator)) accent-color \(settings.color)")
  }

  private func spoof() throws {
    guard isBusUp, !isFrozen, let name = try portal?.tell("caller"), !name.isEmpty else { return }
    let stranger = try former ?? session.startStranger()
    let settings = newSettings()
    for target in ["", " to=\(name)"] {
      try stranger.tell("emit color-scheme u:\(settings.scheme)\(target)")
      try stranger.tell("emit accent-color \(settings.color)\(target)")
    }
    former = stranger
  }

  private func startPortal() throws {
    guard isBusUp, !isFrozen else { return }
    truth = newSettings()
    note(truth)
    portal = try session.startFakePortal(scheme: truth.scheme, "set accent-color \(truth.color)")
  }

  /// Another takes the name, and the former goes on speaking.
  private func replacePortal() throws {
    guard isBusUp, !isFrozen else { return }
    if let old = former { try old.crash() }
    former = portal
    try startPortal()
  }

  private func losePortal() throws {
    guard let lost = portal else { return }
    portal = nil
    try lost.crash()
  }

  private func restartBus() throws {
    thaw()
    try bus.kill()
    // They would end with the bus, unless a command of ours has them between two looks at it.
    for process in [portal, former] { try process?.crash() }
    (portal, former) = (nil, nil)
    if Bool.random(using: &generator) { try bus.removeSocket() }
    if Bool.random(using: &generator) { Thread.sleep(forTimeInterval: 0.2) }
    try bus.start()
    if Bool.random(using: &generator) { try startPortal() }
  }

  private func freeze() {
    bus.freeze()
    isFrozen = true
  }

  private func thaw() {
    bus.thaw()
    isFrozen = false
  }

  private func stop() {
    themed.send(.stop)
    isStopped = true
  }

  private func override() throws {
    guard !isStopped else { return }
    let connection = try session.connect()
    switch Int.random(in: 0..<5, using: &generator) {
    case 0:
      try take(connection.call("ClearOverride"))
      wanted = (nil, nil)
    case 1:
      // It is to come still when the daemon reads it.
      let soon = Int(Date().timeIntervalSince1970) + 5
      try take(connection.call("SetOverride", #"{"override":{"scheme":"dark","expiresAt":\#(soon)}}"#))
      wanted = ("dark", soon)
    default:
      let mode = ["auto", "light", "dark"].randomElement(using: &generator)!
      let fields = mode == "auto" ? #""auto":["scheme"]"# : #""scheme":"\#(mode)""#
      try take(connection.call("SetOverride", #"{"override":{\#(fields)}}"#))
      wanted = (mode == "auto" ? nil : mode, nil)
    }
  }

  /// What the user wants is what holds only where the daemon did not refuse it.
  private func take(_ reply: Frame) throws {
    guard reply.error == nil else { throw broken("refused: \(reply.text)") }
  }

  // MARK: What has to be true

  /// Lets everything come to rest, and looks.
  func rest() throws {
    themed.send(.continue)
    isStopped = false
    thaw()
    if portal == nil, Bool.random(using: &generator) { try startPortal() }
    for told in ["manner answered", "flush"] { try portal?.tell(told) }
    if isShy || Bool.random(using: &generator) { try portal?.say(truth, "emit") { note($0) } }
    isShy = false
    try awaitState { isRight($0) }
    // What was set for a time may end meanwhile, and the daemon's word of that be on its way.
    let isTimed = wanted.until != nil
    try awaitQuiet()
    if isTimed { try awaitState { isRight($0) } }
    try checkSources()
    // It may end right now, too.
    let mayEnd = wanted.until != nil
    guard let last = try states.last, isRight(last) || mayEnd && wanted.until == nil else {
      throw broken("that did not last")
    }
    shown = Settings(scheme: ["none", "dark", "light"].firstIndex(of: last.desktop ?? "") ?? 0, colour: last.colour)
    // Without a portal there is no telling whether the daemon has heard all that was said.
    if portal != nil { said = [truth] }
    rests += 1
  }

  private func isRight(_ state: Frame) -> Bool {
    if let until = wanted.until, Int(Date().timeIntervalSince1970) >= until { wanted = (nil, nil) }
    guard state.scheme == wanted.scheme ?? (state.desktop == "dark" ? "dark" : "light") else { return false }
    // Nobody is there to be read: anything that was said stands.
    guard portal != nil else { return true }
    return state.desktop == truth.desktop && state.colour == truth.colour
  }

  private func awaitState(_ isDone: (Frame) throws -> Bool) throws {
    func stays() -> String {
      let last = watch.lines.last ?? "none"
      return "\(broken("the last state is \(last), the portal's read says \(truth), wanted is \(wanted)"))"
    }
    try eventually(stays()) { try states.last.map { try isDone($0) } ?? false }
  }

  /// Waits until the daemon has asked nothing for longer than it waits to confirm what it read.
  private func awaitQuiet() throws {
    var calls = -1
    while let now = portal?.calls("color-scheme"), now != calls {
      calls = now
      Thread.sleep(forTimeInterval: 1.3)
    }
  }

  private var checked = 0

  /// Each state that was ever broadcast shows what the portal has said, and nobody else.
  private func checkSources() throws {
    let all = try states
    for index in all.indices.dropFirst(max(1, checked)) where all[index].colour != 0 {
      let (before, state) = (all[index - 1], all[index])
      // Back to an older colour only where it still was the truth when the newer one was said.
      let newer = before.colour
      guard newer <= state.colour || ends[state.colour] ?? .max > beginnings[newer] ?? 0 else {
        throw broken("a stale answer is shown: \(state.text) after \(before.text)")
      }
      guard state.colour == shown?.colour || said.contains(where: { $0.colour == state.colour }),
        state.desktop == shown?.desktop || said.contains(where: { $0.desktop == state.desktop })
      else { throw broken("no portal has said what is shown: \(state.text)") }
    }
    checked = all.count
  }

  private var states: [Frame] {
    get throws { try watch.lines.map { try Frame(text: $0) } }
  }

  private func broken(_ what: String) -> Failure {
    Failure("\(what) (after \(events) events; run again with THEMED_TEST_SEED=\(generator.seed))")
  }
}

extension RandomTrial.Settings {
  /// As the fake portal is told.
  fileprivate var color: String { "c:\(Double(colour % 256) / 255),\(Double(colour / 256) / 255),0.5" }
}

extension FakePortal {
  /// Sets or emits both settings.
  fileprivate func say(
    _ settings: RandomTrial.Settings, _ command: String, _ note: (RandomTrial.Settings) -> Void
  ) throws {
    note(settings)
    try tell("\(command) color-scheme u:\(settings.scheme)")
    try tell("\(command) accent-color \(settings.color)")
  }
}

extension Frame {
  /// The number of the colour that it shows; 0 for none.
  fileprivate var colour: Int {
    guard let color = string("parameters.state.accentColor"), let number = Int(color.dropFirst(), radix: 16) else {
      return 0
    }
    return number >> 16 + number & 0xFF00
  }
}
