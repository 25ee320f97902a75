import ThemedModel
import ThemedDBus
import ThemedSystem
import struct ThemedTestSupport.SeededGenerator

@testable import ThemeDaemon

/// A bus and a portal in a time of their own, between which and a follower everything may happen that can.
///
/// Written from what D-Bus promises, not from the daemon's code: what one sends to another arrives in its order, an
/// answer may be long in coming, and who has died answers no more.
struct SimulatedDesktop {
  /// What the settings are; colours are never used twice, so that it shows who gave one.
  struct Settings: Equatable {
    var scheme: UInt32
    var colour: Int
  }

  enum Happening {
    case arrives(PortalFollower.Event, epoch: Int)
    case called(PortalFollower.Read, Setting, epoch: Int)
    case answers(PortalFollower.Read, Setting, Value?, epoch: Int)
    case callTimesOut(PortalFollower.Read, Setting, epoch: Int)
    case wakes(generation: Int)
    case changes(Settings, epoch: Int)
    case says(Settings, sender: Text)
  }

  /// How a portal treats a read.
  enum Manner: CaseIterable {
    case prompt, late, stale, silent, failing
  }

  private(set) var time = 0
  private(set) var truth: Settings
  private(set) var owner: Text?
  private(set) var epoch = 0
  var isBusUp = false
  var manner = Manner.prompt
  /// Whether a read has failed since this was last set to false.
  var hasFailed = false
  /// What the portal has said itself, by signal or answer, whether or not that arrived.
  var said: [Settings] = []

  private var follower: PortalFollower
  /// What is next comes last.
  private var agenda: [(time: Int, happening: Happening)] = []
  private var lastArrival = 0
  private var wakeGeneration = 0
  private var unanswered: [(read: PortalFollower.Read, setting: Setting)] = []
  private var names = 0
  private var colours = 0
  var generator: SeededGenerator

  /// What the follower has published since the last time this was emptied.
  var published: [Reading] = []
  var settled = 0

  init(_ generator: SeededGenerator) {
    self.generator = generator
    truth = Settings(scheme: 0, colour: 0)
    follower = PortalFollower(settleTime: 100)
    truth = newSettings()
  }

  var reading: Reading { follower.reading }
  /// Whether nothing is to happen any more; a delay that was given up is nothing.
  var isIdle: Bool {
    agenda.allSatisfy { if case .wakes(let generation) = $0.happening { generation != wakeGeneration } else { false } }
  }

  mutating func newSettings() -> Settings {
    colours += 1
    return Settings(scheme: .random(in: 0...3, using: &generator), colour: colours)
  }

  // MARK: Time

  /// Does what is next on the agenda, up to a time.
  mutating func advance(by duration: Int) {
    let end = time + duration
    while let next = agenda.last, next.time <= end {
      agenda.removeLast()
      time = next.time
      perform(next.happening)
    }
    time = end
  }

  mutating func plan(_ happening: Happening, after delay: Int) {
    insert(happening, at: time + delay)
  }

  /// Behind all that is to happen at the same time.
  private mutating func insert(_ happening: Happening, at due: Int) {
    var (low, high) = (0, agenda.count)
    while low < high {
      let middle = (low + high) / 2
      if agenda[middle].time > due { low = middle + 1 } else { high = middle }
    }
    agenda.insert((due, happening), at: low)
  }

  private mutating func perform(_ happening: Happening) {
    switch happening {
    case .arrives(let event, let epoch):
      if epoch == self.epoch, isBusUp { tell(event) }
    case .called(let read, let setting, let epoch):
      if epoch == self.epoch, isBusUp { receive(read, setting) }
    case .answers(let read, let setting, let value, let epoch):
      // Who has died, or whose call was answered for him, answers no more.
      guard epoch == self.epoch, isBusUp, forget(read, setting) else { return }
      arrive(.answer(read.id, setting, result(setting, value)))
    case .callTimesOut(let read, let setting, let epoch):
      guard epoch == self.epoch, isBusUp, forget(read, setting) else { return }
      hasFailed = true
      tell(.answer(read.id, setting, .failure(Failure(name: "org.freedesktop.DBus.Error.NoReply", message: ""))))
    case .wakes(let generation):
      if generation == wakeGeneration { tell(.woken) }
    case .changes(let settings, let epoch):
      if epoch == self.epoch { truth = settings }
    case .says(let settings, let sender): emit(settings, from: sender)
    }
  }

  // MARK: The bus

  /// Something is on its way, behind all that was sent before.
  private mutating func arrive(_ event: PortalFollower.Event) {
    lastArrival = max(lastArrival, time + .random(in: 0...30, using: &generator))
    insert(.arrives(event, epoch: epoch), at: lastArrival)
  }

  /// A signal for each setting, from `sender`; from whom else it comes straight to us, past the bus's rules.
  mutating func emit(_ settings: Settings, from sender: Text?) {
    guard isBusUp, let sender else { return }
    if sender == owner { said.append(settings) }
    arrive(.signal(sender: sender, .colorScheme, .variant(.uint32(settings.scheme))))
    arrive(.signal(sender: sender, .accentColor, .variant(settings.value)))
  }

  mutating func setOwner(_ alive: Bool) {
    for call in unanswered {
      hasFailed = true
      let failure = Failure(name: "org.freedesktop.DBus.Error.NoReply", message: "")
      arrive(.answer(call.read.id, call.setting, .failure(failure)))
    }
    unanswered = []
    names += 1
    owner = alive ? ":1.\(names)" : nil
    if alive { truth = newSettings() }
    arrive(.owner(owner))
  }

  /// Somebody new subscribes.
  mutating func subscribe() { tell(.signOfLife) }

  /// The user has everything tried again.
  mutating func reload() { tell(.reload) }

  mutating func loseBus() {
    guard isBusUp else { return }
    isBusUp = false
    (epoch, unanswered, owner) = (epoch + 1, [], nil)
    tell(.owner(nil))
  }

  mutating func startBus() {
    guard !isBusUp else { return }
    isBusUp = true
    setOwner(.random(using: &generator))
  }

  // MARK: The portal

  private mutating func receive(_ read: PortalFollower.Read, _ setting: Setting) {
    guard read.owner == owner else { return }
    let now = setting.value(in: truth)
    // This is the value of now, whenever the answer goes out.
    if manner == .prompt || manner == .stale { said.append(truth) }
    switch manner {
    case .prompt: plan(.answers(read, setting, now, epoch: epoch), after: .random(in: 0...5, using: &generator))
    case .late: plan(.answers(read, setting, nil, epoch: epoch), after: .random(in: 0...4_000, using: &generator))
    case .stale: plan(.answers(read, setting, now, epoch: epoch), after: .random(in: 0...4_000, using: &generator))
    case .silent: break
    case .failing:
      guard forget(read, setting) else { return }
      hasFailed = true
      arrive(.answer(read.id, setting, .failure(Failure(name: "org.freedesktop.DBus.Error.Failed", message: ""))))
    }
  }

  /// The answer with the value from when it was asked, or with that of now.
  private mutating func result(_ setting: Setting, _ value: Value?) -> Result<Value, Failure> {
    guard let value = value ?? setting.value(in: truth) else {
      return .failure(Failure(name: "org.freedesktop.portal.Error.NotFound", message: ""))
    }
    said.append(truth)
    return .success(.variant(value))
  }

  private mutating func forget(_ read: PortalFollower.Read, _ setting: Setting) -> Bool {
    guard let index = unanswered.firstIndex(where: { $0.read == read && $0.setting == setting }) else { return false }
    unanswered.remove(at: index)
    return true
  }

  // MARK: The follower

  private mutating func tell(_ event: PortalFollower.Event) {
    for action in follower.handle(event) {
      switch action {
      case .read(let read):
        for setting in Setting.allCases {
          unanswered.append((read, setting))
          plan(.called(read, setting, epoch: epoch), after: .random(in: 0...5, using: &generator))
          plan(.callTimesOut(read, setting, epoch: epoch), after: Limits.portalCall)
        }
      case .wake(let delay):
        wakeGeneration += 1
        plan(.wakes(generation: wakeGeneration), after: delay)
      case .sleep: wakeGeneration += 1
      case .publish(let reading, _): published.append(reading)
      case .settle: settled += 1
      case .warn: break
      }
    }
  }
}

extension SimulatedDesktop.Settings {
  /// What a daemon has to make of it.
  var preference: Preference { [.none, .dark, .light, .none][Int(scheme)] }

  /// A colour whose red and green tell its number.
  var color: Color? { Color(red: Double(colour % 256) / 255, green: Double(colour / 256) / 255, blue: 0.2) }

  var value: Value {
    .structure([.double(Double(colour % 256) / 255), .double(Double(colour / 256) / 255), .double(0.2)])
  }
}

extension Setting {
  fileprivate func value(in settings: SimulatedDesktop.Settings) -> Value? {
    switch self {
    case .colorScheme: .uint32(settings.scheme)
    case .accentColor: settings.value
    default: nil
    }
  }
}
