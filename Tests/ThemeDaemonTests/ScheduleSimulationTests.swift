import Foundation
@testable import ThemedModel
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

/// Years of a machine that sleeps, travels, is restarted and whose clock is set: at rest the right side is shown, and
/// each switch was told once.
@Suite struct ScheduleSimulationTests {
  @Test("in ten years every switch is told once, and never is the wrong side shown at rest", arguments: 1...2)
  func tenYears(seed: UInt64) throws {
    var trial = try Trial(seed: seed)
    try trial.run(until: Trial.start + 3653 * 86_400)
    // It was about something.
    #expect(trial.turns > 2500 && trial.ended > 100 && trial.restarts > 50 && trial.checks > 5000, "\(trial.counts)")
  }
}

/// What the schedule says by other means: the system's zones as Python reads them, and the sun by a series of
/// Fourier's (Spencer 1971, as NOAA has it), which is right within minutes.
private struct Model {
  struct Zone {
    let name: String
    let latitude: Double
    let longitude: Double
    let clocks: Clocks

    init(name: String, latitude: Double, longitude: Double) throws {
      (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
      clocks = try Clocks(name)
    }
  }

  /// Offsets, which change at no other time than a full or a half hour, asked for once.
  final class Clocks {
    /// From when on each offset holds, the earliest first.
    private var offsets: [(from: Int64, offset: Int)] = []
    private var known: [Int64: Int] = [:]

    /// The offsets of two years around the trial, by Python: Foundation has rules of its own, older than the system's.
    init(_ name: String) throws {
      let program = """
        import datetime, sys, zoneinfo
        zone = zoneinfo.ZoneInfo(sys.argv[1])
        def offset(half):
            return int(datetime.datetime.fromtimestamp(half * 1800, zone).utcoffset().total_seconds())
        half, end = int(sys.argv[2]) // 1800, int(sys.argv[3]) // 1800
        print(half * 1800, offset(half))
        while half < end:
            if offset(half + 24) != offset(half):
                low, high = half, half + 24
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (low, middle) if offset(middle) != offset(half) else (middle, high)
                print(high * 1800, offset(high))
            half += 24
        """
      let ends = [Trial.start - 366 * 86_400, Trial.start + 4_400 * 86_400].map { "\($0)" }
      try withSession { session in
        offsets = try session.check("python3", ["-c", program, name] + ends).split(separator: "\n").map { line in
          let words = line.split(separator: " ")
          return (try #require(Int64(words[0])), try #require(Int(words[1])))
        }
      }
    }

    func offset(at time: Int64) -> Int {
      let half = time / 1800
      if let offset = known[half] { return offset }
      let offset = offsets.last { $0.from <= half * 1800 }?.offset ?? offsets[0].offset
      known[half] = offset
      return offset
    }

    private var latest: [Int64: Int64] = [:]

    /// The latest local time that was shown up to a time: what clocks that were set back show again was there already.
    func latestShown(at time: Int64) -> Int64 {
      let half = time / 1800
      let before =
        latest[half]
        ?? (max(0, half - 60)..<max(1, half)).map { $0 * 1800 + 1799 + Int64(offset(at: $0 * 1800)) }.max() ?? 0
      latest[half] = before
      return max(before, time + Int64(offset(at: time)))
    }
  }

  static var zones: [Zone] {
    get throws {
      [
        try Zone(name: "Europe/Berlin", latitude: 52.5, longitude: 13.4),
        try Zone(name: "America/New_York", latitude: 40.7, longitude: -74),
        try Zone(name: "Asia/Tokyo", latitude: 35.7, longitude: 139.7),
        try Zone(name: "Australia/Sydney", latitude: -33.9, longitude: 151.2),
        try Zone(name: "Asia/Kolkata", latitude: 22.5, longitude: 88.4),
        try Zone(name: "Pacific/Auckland", latitude: -36.9, longitude: 174.8),
        // Half an hour forward and back; and at midnight, where a day begins with what is skipped.
        try Zone(name: "Australia/Lord_Howe", latitude: -31.6, longitude: 159.1),
        try Zone(name: "America/Havana", latitude: 23.1, longitude: -82.4),
      ]
    }
  }

  var zone: Zone
  var settings = ScheduleSettings()

  func side(_ time: Int64) -> ColorScheme {
    switch settings.mode {
    case .off: return .light
    case .times:
      let second = Int(zone.clocks.latestShown(at: time) % 86_400)
      let (light, dark) = (settings.light * 60, settings.dark * 60)
      if light < dark { return (light..<dark).contains(second) ? .light : .dark }
      return (dark..<light).contains(second) ? .dark : .light
    case .sun:
      // By minutes, sunrise and sunset of the sun's day that this is of.
      let solar = Double(time) + zone.longitude * 240
      let day = (solar / 86_400).rounded(.down)
      let year = (day / 365.2425).truncatingRemainder(dividingBy: 1)
      let angle = 2 * Double.pi * (year - 0.5 / 365)
      let equation =
        229.18
        * (0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle) - 0.014615 * cos(2 * angle)
          - 0.040849 * sin(2 * angle))
      let declination =
        0.006918 - 0.399912 * cos(angle) + 0.070257 * sin(angle) - 0.006758 * cos(2 * angle)
        + 0.000907 * sin(2 * angle) - 0.002697 * cos(3 * angle) + 0.00148 * sin(3 * angle)
      let latitude = zone.latitude * .pi / 180
      let half = acos(cos(90.833 * .pi / 180) / (cos(latitude) * cos(declination)) - tan(latitude) * tan(declination))
      let noon = day * 86_400 + 43_200 - equation * 60
      let light = half * 180 / .pi * 240
      let (rise, set) = (
        noon - light + Double(settings.sunriseOffset) * 60, noon + light + Double(settings.sunsetOffset) * 60
      )
      return rise <= solar && solar < set ? .light : .dark
    }
  }

  /// Whether nothing is said of a time: it is too near to a switch for what the model knows.
  func isVague(_ time: Int64) -> Bool {
    let margin: Int64 = settings.mode == .sun ? 600 : 0
    return side(time - margin) != side(time + margin)
  }

  /// When it next is another side; nothing switches twice in ten minutes.
  func change(after time: Int64) -> Int64 {
    var (low, now) = (time, side(time))
    while side(low + 600) == now { low += 600 }
    var high = low + 600
    while high - low > 1 {
      let middle = (low + high) / 2
      if side(middle) == now { low = middle } else { high = middle }
    }
    now = side(high)
    return high
  }
}

/// A machine, its user and the daemon on it.
private struct Trial {
  static let start: Int64 = 1_767_225_600

  private var random: SeededGenerator
  private var now = start
  private let places: [Model.Zone]
  private var model: Model
  private var plan = SchedulePlan()
  private var core = Core(instance: "trial", overrides: Overrides(), reading: Reading(scheme: .light))
  private var wake: Int64?
  private var isZoneRead = true
  /// What the override says, and when it ends; by the model.
  private var override: (scheme: ColorScheme, end: Int64, under: ColorScheme, isTimed: Bool)?
  /// Whether what is shown may be another side than the model's: something has not come to rest.
  private var isUnderWay = false
  private let zones: [String: LocatedZone]

  private(set) var (turns, ended, restarts, checks) = (0, 0, 0, 0)
  /// How often what is below the overrides was told as another side, and how often it was one when it was looked at.
  private var told = 0
  private var below: ColorScheme?

  var counts: String { "\(turns) turns, \(ended) overrides ended, \(restarts) restarts, \(checks) checks" }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    places = try Model.zones
    model = Model(zone: places[0])
    var zones: [String: LocatedZone] = [:]
    for zone in places {
      let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone.name)")))
      let place = Place(
        latitude: Degrees(millionths: Int((zone.latitude * 1_000_000).rounded())),
        longitude: Degrees(millionths: Int((zone.longitude * 1_000_000).rounded())))
      zones[zone.name] = LocatedZone(
        zone: try Zone(tzif: bytes), name: Text(zone.name), place: place, placeOrigin: Text(zone.name))
    }
    self.zones = zones
    model.settings.mode = .times
    plan.settings = model.settings
    plan.wasRead(.found(zones[model.zone.name]!))
    tick()
  }

  // MARK: The daemon's shell, in a few lines

  private mutating func send(_ event: Event) {
    for case .publish(let change) in core.handle(event) {
      // Nobody is shown the wrong side, not even for a moment.
      if let common = change.common, isZoneRead, !isUnderWay, !model.isVague(now) {
        #expect(common.scheme == expected, "\(random) at \(now): \(change.cause.string)")
      }
      // An app whose scheme is pinned sees what lies below.
      if let state = change.state(for: "pinned"), state.scheme != below {
        (below, told) = (state.scheme, told + 1)
      }
    }
  }

  private mutating func tick() {
    let news = plan.news(now: now)
    wake = plan.wake(after: news)
    send(.clock(now, schedule: news.scheduled))
  }

  /// When a timer next strikes.
  private var strike: Int64? { [wake, core.overrides.nextExpiry].compactMap(\.self).min() }

  /// What is to be shown now, by the model.
  private var expected: ColorScheme {
    guard let held = override, held.end > now, held.isTimed || model.side(now) == held.under else {
      return model.side(now)
    }
    return held.scheme
  }

  // MARK: What happens

  mutating func run(until end: Int64) throws {
    send(.set(Override(app: "pinned", auto: [.scheme])))
    below = core.state(for: "pinned").scheme
    var last = model.side(now)
    while now < end {
      let before = (told: told, side: last)
      // Whether it may turn more than once.
      var isSmooth = false
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<60:
        isSmooth = true
        advance(by: Int64.random(in: 1...40_000, using: &random))
      case 60..<75: sleep(Int64.random(in: 1...300_000, using: &random))
      case 75..<80:
        isSmooth = true
        jump()
      case 80..<85: travel()
      case 85..<90: configure()
      case 90..<95: try restart()
      default: overrule()
      }
      last = model.side(now)
      guard isZoneRead, !model.isVague(now) else {
        settle()
        last = model.side(now)
        continue
      }
      check()
      // Nothing is told of a side that has not changed, and once of one that has, but for those that came and went.
      let isOther = last != before.side
      if !isSmooth { #expect(told - before.told <= 1, "\(random) at \(now): told \(told - before.told) times") }
      if isOther { turns += 1 }
    }
  }

  private mutating func settle() {
    if !isZoneRead {
      plan.wasRead(.found(zones[model.zone.name]!))
      isZoneRead = true
      tick()
    }
    advance(by: 1800)
    while model.isVague(now) { advance(by: 600) }
    reconsider()
  }

  /// Awake: the timer goes off on time.
  private mutating func advance(by seconds: Int64) {
    let end = now + seconds
    while let time = strike, time <= end {
      let before = told
      let turns = wake.map { $0 <= time } == true ? 1 : 0
      now = max(now, time)
      tick()
      #expect(told == before + turns, "\(random) at \(now): a switch was told \(told - before) times")
      guard strike.map({ $0 > now }) ?? true else {
        Issue.record("\(random): it wakes for nothing at \(now)")
        return
      }
    }
    now = end
    reconsider()
  }

  /// Asleep: what was due comes at the end of it.
  private mutating func sleep(_ seconds: Int64) {
    now += seconds
    if let strike, strike <= now { tick() }
    reconsider()
  }

  /// The clock is set, which the timer tells at once; sometimes by most of a year, and back.
  private mutating func jump() {
    let before = now
    if Int.random(in: 0..<4, using: &random) == 0 {
      set(now + Int64.random(in: -20_000_000...20_000_000, using: &random))
      set(before)
    }
    // One that has lost its battery, until the network says the time.
    if Int.random(in: 0..<4, using: &random) == 0 {
      isUnderWay = true
      now = Int64.random(in: 0...100_000_000, using: &random)
      tick()
      now = before
      tick()
      isUnderWay = false
    }
    set(now + Int64.random(in: -20_000...20_000, using: &random))
  }

  private mutating func set(_ time: Int64) {
    now = max(Self.start, time)
    tick()
    reconsider(isSudden: true)
  }

  private mutating func travel() {
    model.zone = places.randomElement(using: &random)!
    // Its file is gone for a moment.
    if Bool.random(using: &random) {
      plan.wasRead(.failed("it is being replaced"))
      tick()
    }
    plan.wasRead(.found(zones[model.zone.name]!))
    tick()
    reconsider(isSudden: true)
  }

  private mutating func configure() {
    var settings = ScheduleSettings()
    settings.mode = Bool.random(using: &random) ? .times : .sun
    // By quarters of an hour, as any zone's clocks are set: no two turns are nearer to each other. Often where they are.
    settings.light = (Bool.random(using: &random) ? Int.random(in: 0..<96, using: &random) : 8 + quarter()) * 15 % 1440
    settings.dark = (settings.light + Int.random(in: 2...94, using: &random) * 15) % 1440
    settings.sunriseOffset = Int.random(in: -60...60, using: &random)
    settings.sunsetOffset = Int.random(in: -60...60, using: &random)
    (model.settings, plan.settings) = (settings, settings)
    let news = plan.news(now: now)
    wake = plan.wake(after: news)
    isUnderWay = true
    send(.configured(Defaults(), schedule: news, cause: "a file"))
    // Its themes may take a while to be read.
    if Bool.random(using: &random) {
      now += Int64.random(in: 1...20_000, using: &random)
      tick()
    }
    isUnderWay = false
    send(.read(ThemeTable(), number: configurations))
    reconsider(isSudden: true)
  }

  /// A quarter of the hours in which clocks are set forward and back.
  private mutating func quarter() -> Int { (Int.random(in: -8...6, using: &random) + 96) % 96 }

  private var configurations: Int {
    mutating get {
      configured += 1
      return configured
    }
  }
  private var configured = 0

  private mutating func restart() throws {
    restarts += 1
    let shown = core.state(for: nil)
    let isHandedOver = Bool.random(using: &random)
    isZoneRead = false
    if isHandedOver {
      core = Core(core.history, overrides: core.overrides)
    } else {
      // Off for a while; what is kept comes before the configuration, from a disk that has to spin up.
      let kept = try OverrideFile.parse(OverrideFile.content(core.overrides))
      core = Core(instance: "trial", overrides: Overrides(), reading: Reading(scheme: .light))
      now += Int64.random(in: 0...100_000, using: &random)
      send(.loaded(kept, now: now))
      below = core.state(for: "pinned").scheme
    }
    plan = SchedulePlan()
    plan.settings = model.settings
    configured = 0
    let news = plan.news(now: now)
    wake = plan.wake(after: news)
    send(.configured(Defaults(), schedule: news, cause: "restart"))
    send(.read(ThemeTable(), number: configurations))
    if isHandedOver { #expect(core.state(for: nil) == shown, "\(random) at \(now): a restart is seen") }
    if Bool.random(using: &random) { now += Int64.random(in: 0...5, using: &random) }
  }

  private mutating func overrule() {
    guard isZoneRead, !model.isVague(now) else { return }
    let scheme = ColorScheme.allCases.randomElement(using: &random)!
    let change = model.change(after: now)
    if Bool.random(using: &random) {
      override = (scheme, change, model.side(now), false)
      return send(.set(Override(scheme: scheme, untilDesktopChanges: true)))
    }
    // Often until the very second of a turn, as --until sunrise has it.
    let end = Bool.random(using: &random) ? change : now + Int64.random(in: 1...100_000, using: &random)
    override = (scheme, end, model.side(now), true)
    send(.set(Override(scheme: scheme, expiresAt: end)))
  }

  // MARK: What is to be seen

  /// What has become of the override, now that time has passed, or something else has changed.
  ///
  /// Where that has not come by itself, and the model is too vague for it, the override is given up.
  private mutating func reconsider(isSudden: Bool = false) {
    guard let held = override else { return }
    guard !held.isTimed else {
      if held.end <= now { (ended, override) = (ended + 1, nil) }
      return
    }
    guard isZoneRead, !model.isVague(now) else {
      guard isSudden else { return }
      override = nil
      return send(.clear([.scheme]))
    }
    if held.end <= now || model.side(now) != held.under {
      ended += 1
      override = nil
    } else {
      override?.end = model.change(after: now)
    }
  }

  private mutating func check() {
    checks += 1
    let resolution = core.state(for: nil).resolution
    #expect(
      resolution.scheme == override?.scheme ?? model.side(now),
      "\(random) at \(now) in \(model.zone.name) by \(model.settings), override \(String(describing: override))")
    #expect(core.state(for: "pinned").scheme == model.side(now))
    let next = resolution.nextSwitch
    #expect(next?.scheme == model.side(now).opposite && next.map { $0.time > now } == true)
    // The model's sun is right within minutes.
    let error: Int64 = model.settings.mode == .sun ? 900 : 0
    if let next {
      let change = model.change(after: now)
      #expect(abs(next.time - change) <= error, "\(random) at \(now): \(next.time) and \(change)")
    }
  }
}
