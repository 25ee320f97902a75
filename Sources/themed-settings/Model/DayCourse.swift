/// The schedule's course of one day, from midnight to midnight in the daemon's time zone.
package struct DayCourse: Sendable, Hashable {
  /// A part of the day with one side, in fractions of the day.
  package struct Part: Sendable, Hashable {
    package let side: Side
    package let start: Double
    package let end: Double
  }

  /// A switch of the day, with its time on the clock.
  package struct Mark: Sendable, Hashable {
    package let place: Double
    package let text: String
  }

  package let parts: [Part]
  /// The moment that is now, as a fraction of the day.
  package let now: Double
  package let marks: [Mark]
  /// The picture in words.
  package let text: String

  private static let day = 86_400

  /// Nil without a schedule, or while it cannot be followed.
  package init?(_ schedule: Schedule, now: Int) {
    guard schedule.mode != .off, let scheme = schedule.scheme, schedule.problem == nil else { return nil }
    // The switches of the coming 24 hours; those after midnight show the times that they have today, too, but for minutes.
    let coming = schedule.switches.prefix { $0.time <= now + Self.day }
    let offset = coming.first?.utcOffset ?? 0
    let turns = coming.map { (place: Self.place($0.time + ($0.utcOffset ?? 0)), side: $0.scheme) }
      .sorted { $0.place < $1.place }
    var parts: [Part] = []
    var (start, side) = (0.0, turns.last?.side ?? scheme)
    for turn in turns {
      if turn.place > start { parts.append(Part(side: side, start: start, end: turn.place)) }
      (start, side) = (turn.place, turn.side)
    }
    parts.append(Part(side: side, start: start, end: 1))
    self.parts = parts
    self.now = Self.place(now + offset)
    marks = turns.map { Mark(place: $0.place, text: Self.clock($0.place)) }
    text =
      schedule.switches.first.map { next in
        let time = Self.clock(Self.place(next.time + (next.utcOffset ?? 0)))
        return scheme == .light
          ? tr("The schedule asks for light until {time}, then for dark.", ["time": time])
          : tr("The schedule asks for dark until {time}, then for light.", ["time": time])
      } ?? (scheme == .light ? tr("The schedule asks for light.") : tr("The schedule asks for dark."))
  }

  /// The place on a picture of this width, from its left edge.
  package static func position(_ place: Double, width: Double, isRightToLeft: Bool) -> Double {
    (isRightToLeft ? 1 - place : place) * width
  }

  private static func place(_ local: Int) -> Double { Double(((local % day) + day) % day) / Double(day) }

  /// A place as a time on the clock.
  static func clock(_ place: Double) -> String {
    let minutes = Int((place * 1440).rounded(.down))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }
}

extension Schedule {
  /// The time at which a side begins, if the schedule has fixed times.
  package func start(of side: Side) -> String? {
    guard mode == .times, let turn = switches.first(where: { $0.scheme == side }) else { return nil }
    return DayCourse.clock(Double((turn.time + (turn.utcOffset ?? 0)) % 86_400) / 86_400)
  }

  /// The place that the sun is computed for, in degrees, as `--at` takes it.
  package var place: String? { coordinates.map { "\($0.latitude),\($0.longitude)" } }

  /// The arguments that choose a mode; times and place are what the user has typed.
  package static func command(_ mode: Mode, light: String, dark: String, place: String = "") -> [String] {
    switch mode {
    case .off: ["schedule", "off"]
    case .sun: ["schedule", "sun"] + (place.isEmpty ? [] : ["--at=\(place)"])
    case .times: ["schedule", "\(light)-\(dark)"]
    }
  }
}
