import ThemedModel
import ThemedDBus
import ThemedSystem
import struct ThemedTestSupport.Broken
import struct ThemedTestSupport.Exploration
import func ThemedTestSupport.explore
import Testing

@testable import ThemeDaemon

/// Everything that a bus and a portal can do to a follower, in every order.
///
/// On threads of their own: they take seconds, in which others need those of the pool.
@Suite(.ownThreads) struct PortalFollowerExplorationTests {
  private func everything(of alphabet: [Bus.Event], states: Int) -> Exploration<Bus.Event> {
    explore(from: Bus(), alphabet: alphabet, states: states) { (bus, event) throws(Broken) in
      try bus.take(event)
    } invariant: { (bus) throws(Broken) in
      try bus.check()
    }
  }

  @Test func `portals that come, go, answer, fail and are asked again`() {
    let result = everything(
      of: [
        .owner(":1.7"), .owner(":1.8"), .owner(nil), .scheme(.says(1)), .scheme(.says(2)), .scheme(.fails),
        .scheme(.hasNoMethod), .scheme(.hasNone), .contrast(.hasNone), .contrast(.says(1)), .contrast(.fails),
        .contrast(.hasNoMethod), .old, .again, .woken, .signOfLife, .reload, .backendStarted,
      ], states: 100_000)
    print("portals that are asked: \(result)")
    #expect(result.fault == nil && result.isComplete, "\(result)")
  }

  @Test func `desktops that change again and again while they are read`() {
    let result = everything(
      of: [
        .owner(":1.7"), .owner(nil), .signal(.colorScheme, 1), .signal(.colorScheme, 2), .scheme(.says(1)),
        .scheme(.says(2)), .scheme(.fails), .contrast(.hasNone), .old, .woken,
      ], states: 100_000)
    print("desktops that change: \(result)")
    #expect(result.fault == nil && result.isComplete, "\(result)")
  }

  @Test func `desktops two settings of which change, and strangers that say they did`() {
    let result = everything(
      of: [
        .owner(":1.7"), .owner(nil), .signal(.colorScheme, 1), .signal(.colorScheme, 2), .signal(.contrast, 1),
        .signal(.contrast, 0), .strangersSignal, .scheme(.says(1)), .scheme(.says(2)), .scheme(.fails),
        .contrast(.says(1)), .contrast(.hasNone), .contrast(.fails), .old, .again, .woken,
      ], states: 40_000)
    print("desktops two settings of which change: \(result)")
    #expect(result.fault == nil, "\(result)")
    #expect(result.steps > 100_000)
  }
}

/// A bus with a portal that has two settings, a follower, and what has to be true of it.
private struct Bus: Hashable {
  /// How a portal answers.
  enum Answer: Hashable, CustomStringConvertible {
    case says(UInt32), fails, hasNone, hasNoMethod

    var description: String {
      switch self {
      case .says(let number): "says \(number)"
      case .fails: "fails"
      case .hasNone: "has none"
      case .hasNoMethod: "has no method"
      }
    }
  }

  enum Event: Hashable {
    case owner(Text?)
    /// The portal tells of a change, or somebody else does.
    case signal(Setting, UInt32), strangersSignal
    /// The portal answers the newest read; what is asked of besides it does not have.
    case scheme(Answer), contrast(Answer)
    /// It answers one that was overtaken, or answers the newest once more.
    case old, again
    case woken, signOfLife, reload, backendStarted
  }

  private var follower = PortalFollower(settleTime: 100)
  /// Who owns the portal's name.
  private var owner: Text?
  /// The newest read, where it was not overtaken, and what it was told of each setting.
  private var read: Int?
  private var answers: [Setting: Answer] = [:]
  /// The number of one that was.
  private var oldRead: Int?
  private var isWakePlanned = false
  /// How many reads in a row have said all that there is to say, with no change in between; two are enough.
  private var goodReads = 0
  /// What the portal has said by a signal since the last read.
  private var signaled: [Setting: UInt32] = [:]
  /// What was published last.
  private var heard = Reading()
  /// What was warned of, by how it begins.
  private var warned: Set<String> = []

  // MARK: What happens

  /// False where it cannot happen.
  mutating func take(_ event: Event) throws(Broken) -> Bool {
    switch event {
    case .owner(let name):
      if name != owner { forget() }
      owner = name
      try send(.owner(name))
    case .signal(let setting, let number):
      guard let owner else { return false }
      overtake()
      goodReads = 0
      signaled[setting] = number
      try send(.signal(sender: owner, setting, .variant(.uint32(number))))
    case .strangersSignal:
      try isUnmoved("a stranger's signal", .signal(sender: ":1.666", .colorScheme, .variant(.uint32(1))), warns: true)
    case .scheme(let answer):
      guard let read, answers[.colorScheme] == nil else { return false }
      try answered(read, [.colorScheme], answer)
    case .contrast(let answer):
      guard let read, answers[.contrast] == nil else { return false }
      try answered(read, [.contrast, .accentColor, .reducedMotion], answer)
    case .old:
      guard let oldRead else { return false }
      for result in [Result.success(Value.variant(.uint32(1))), .failure(noReply), .failure(noMethod)] {
        try isUnmoved("an answer to an old read", .answer(oldRead, .colorScheme, result))
      }
    case .again:
      guard let read, answers[.colorScheme] != nil else { return false }
      try isUnmoved("a second answer", .answer(read, .colorScheme, .success(.variant(.uint32(2)))))
    case .woken:
      guard isWakePlanned else { return false }
      isWakePlanned = false
      try send(.woken)
    case .signOfLife: try send(.signOfLife)
    case .reload: try send(.reload)
    case .backendStarted: try send(.backendStarted)
    }
    count()
    return true
  }

  /// Another portal, or none: nothing of the one before is awaited, but what it said last may still be taken.
  private mutating func forget() {
    overtake()
    goodReads = 0
  }

  /// The answers to the newest read count no more.
  private mutating func overtake() {
    if let read { oldRead = read }
    read = nil
    answers = [:]
  }

  private mutating func answered(_ id: Int, _ settings: [Setting], _ answer: Answer) throws(Broken) {
    for setting in settings {
      // It has one contrast, and no colour.
      let said = setting == .accentColor || setting == .reducedMotion ? answer.besides : answer
      answers[setting] = said
      let isLast = answers.count == Setting.allCases.count
      try send(.answer(id, setting, said.result))
      // Where it asks anew in the older way, the rest of these answers a read that was overtaken.
      guard read == id else { return }
      guard isLast else { continue }
      read = nil
      goodReads = answers.values.allSatisfy(\.isGood) ? min(2, goodReads + 1) : 0
    }
  }

  /// What must change nothing, and have nothing done but a warning where it may have one.
  private mutating func isUnmoved(_ what: String, _ event: PortalFollower.Event, warns: Bool = false) throws(Broken) {
    let before = follower
    let actions = follower.handle(event)
    if warns, actions.count == 1, case .warn(let text) = actions[0] { return try warn(text) }
    guard actions.isEmpty, follower == before else { throw Broken("\(what) changes something") }
  }

  /// Numbers the reads anew, so that states are equal where only the numbers differ.
  private mutating func count() {
    let newest = follower.id
    follower.id = 0
    if let id = read { read = id - newest }
    // How long ago an old one was overtaken is one to the follower.
    if let id = oldRead { oldRead = max(id - newest, -1) }
  }

  // MARK: What is done

  private mutating func send(_ event: PortalFollower.Event) throws(Broken) {
    for action in follower.handle(event) {
      switch action {
      case .read(let asked):
        guard asked.owner == owner else { throw Broken("somebody is asked who is not the portal") }
        overtake()
        read = asked.id
      case .wake: isWakePlanned = true
      case .sleep: isWakePlanned = false
      case .publish(let reading, _): try published(reading)
      case .settle:
        guard case .says? = answers[.colorScheme] else { throw Broken("it has settled at what no read has said") }
      case .warn(let text): try warn(text)
      }
    }
    // What was said by signals is of no use any more once a read has ended, or once nobody is there to be read.
    if answers.count == Setting.allCases.count || owner == nil { signaled = [:] }
  }

  private mutating func published(_ reading: Reading) throws(Broken) {
    guard reading != heard else { throw Broken("the same is published twice in a row") }
    let isRead = answers.count == Setting.allCases.count
    if reading.scheme != heard.scheme {
      guard let said = said(.colorScheme, isRead), said == (reading.scheme == .dark ? 1 : 2) else {
        throw Broken("a scheme is published that the portal has not said last")
      }
    }
    if reading.highContrast != heard.highContrast {
      let isForgotten = isRead && answers[.contrast] == .hasNone && reading.highContrast == nil
      let said = said(.contrast, isRead)
      guard isForgotten || said != nil && said.map({ $0 == 1 }) == reading.highContrast else {
        throw Broken("a contrast is published that the portal has not said last")
      }
    }
    heard = reading
  }

  /// What the portal has said of a setting last: by the read that has ended, or else by a signal.
  private func said(_ setting: Setting, _ isRead: Bool) -> UInt32? {
    if isRead, case .says(let number)? = answers[setting] { return number }
    return signaled[setting]
  }

  private mutating func warn(_ text: String) throws(Broken) {
    guard warned.insert(String(text.prefix(20))).inserted else { throw Broken("the same is warned of twice") }
  }

  // MARK: What has to be true

  func check() throws(Broken) {
    guard follower.reading == heard else { throw Broken("what holds is not what was published") }
    guard owner != nil else {
      guard read == nil, !isWakePlanned else { throw Broken("no portal is there, and something is awaited") }
      return
    }
    guard read == nil, !isWakePlanned else { return }
    guard goodReads == 2 else { throw Broken("nothing is awaited, and what was read last is not confirmed") }
    guard heard.scheme == .dark || heard.scheme == .light || answers[.colorScheme] == .hasNone else {
      throw Broken("all was read, and nothing is known")
    }
    if case .says(let number)? = answers[.colorScheme] {
      guard heard.scheme == (number == 1 ? .dark : .light) else { throw Broken("at rest it is not what was read last") }
    }
    if case .says(let number)? = answers[.contrast] {
      guard heard.highContrast == (number == 1) else { throw Broken("at rest it is not what was read last") }
    }
  }
}

private let noReply = Failure(name: "org.freedesktop.DBus.Error.NoReply", message: "")
private let noMethod = Failure(name: unknownMethod, message: "")

extension Bus.Answer {
  fileprivate var result: Result<Value, Failure> {
    switch self {
    case .says(let number): .success(.variant(.uint32(number)))
    case .fails: .failure(noReply)
    case .hasNone: .failure(Failure(name: notFound, message: ""))
    case .hasNoMethod: .failure(noMethod)
    }
  }

  /// What it says of settings that it does not have.
  fileprivate var besides: Bus.Answer {
    if case .says = self { return .hasNone }
    return self
  }

  fileprivate var isGood: Bool {
    switch self {
    case .says, .hasNone: true
    case .fails, .hasNoMethod: false
    }
  }
}
