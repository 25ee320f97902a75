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
    package let side: Side
    package let place: Double
    package let text: String
  }

  package private(set) var parts: [Part]
  /// The moment that is now, as a fraction of the day.
  package let now: Double
  package private(set) var marks: [Mark]
  /// The picture in words.
  package let text: String

  private static let day = 86_400

  /// Nil without a schedule, or while it cannot be followed.
  package init?(_ schedule: Schedule, now: Int, localOffset: (Int) -> Int = localOffset(at:)) {
    guard schedule.mode != .off, let scheme = schedule.scheme, schedule.problem == nil else { return nil }
    // The next switch to each side. While the days lengthen, it may be some minutes more than 24 hours away. A switch after
    // midnight is shown at its time of tomorrow.
    let coming = schedule.switches.filter { $0.time <= now + Self.day + 3600 }
    let turns = coming.enumerated().filter { index, turn in !coming[..<index].contains { $0.scheme == turn.scheme } }
      .map(\.element)
    // The zone is that of the window, too, if it has the offset of a switch.
    let isLocal = turns.first.map { $0.utcOffset == nil || $0.utcOffset == localOffset($0.time) } ?? true
    let start = now + (isLocal ? localOffset(now) : turns.first?.utcOffset ?? 0)
    // The sides of the coming 24 hours, of which those after midnight are at the left.
    var (sides, from, side): ([(side: Side, range: Range<Int>)], Int, Side) = ([], start, scheme)
    for turn in turns {
      let end = min(max(from, turn.local), start + Self.day)
      sides.append((side, from..<end))
      (from, side) = (end, turn.scheme)
    }
    sides.append((side, from..<start + Self.day))
    let midnight = start - Self.secondsOfDay(start) + Self.day
    let today = sides.map { ($0.side, $0.range.clamped(to: start..<midnight), Self.day - midnight) }
    let tomorrow = sides.map { ($0.side, $0.range.clamped(to: midnight..<midnight + Self.day), -midnight) }
    var parts: [Part] = []
    for (side, range, shift) in tomorrow + today where !range.isEmpty {
      let (start, end) = (Self.place(range.lowerBound + shift), Self.place(range.upperBound + shift))
      let isSame = parts.last?.side == side
      parts.append(Part(side: side, start: isSame ? parts.removeLast().start : start, end: end))
    }
    self.parts = parts
    self.now = Self.place(Self.secondsOfDay(start))
    marks = turns.map {
      Mark(side: $0.scheme, place: Self.place(Self.secondsOfDay($0.local)), text: Self.clock($0.local))
    }
    .sorted { $0.place < $1.place }
    text =
      turns.first.map { next in
        let time = Self.clock(next.local)
        return scheme == .light
          ? tr("The schedule asks for light until {time}, then for dark.", ["time": time])
          : tr("The schedule asks for dark until {time}, then for light.", ["time": time])
      } ?? (scheme == .light ? tr("The schedule asks for light.") : tr("The schedule asks for dark."))
  }

  /// The day if its switch to a side were elsewhere, at a multiple of five minutes; nil unless it has a switch to each side,
  /// at two times.
  package func moving(_ side: Side, to place: Double) -> DayCourse? {
    let minutes = min(1435, max(0, Int((place * 288).rounded()) * 5))
    let moved = Mark(side: side, place: Self.place(60 * minutes), text: Self.clock(60 * minutes))
    guard marks.count == 2, let other = marks.first(where: { $0.side != side }), other.text != moved.text else {
      return nil
    }
    var day = self
    day.marks = [moved, other].sorted { $0.place < $1.place }
    let (first, last) = (day.marks[0], day.marks[1])
    day.parts = [(last, 0, first.place), (first, first.place, last.place), (last, last.place, 1)]
      .map { Part(side: $0.0.side, start: $0.1, end: $0.2) }.filter { $0.start < $0.end }
    return day
  }

  /// The time of the day's switch to a side.
  package func time(of side: Side) -> String? { marks.first { $0.side == side }?.text }

  /// The place on a picture of this width, from its left edge.
  package static func position(_ place: Double, width: Double, isRightToLeft: Bool) -> Double {
    (isRightToLeft ? 1 - place : place) * width
  }

  private static func secondsOfDay(_ local: Int) -> Int { ((local % day) + day) % day }

  private static func place(_ secondsOfDay: Int) -> Double { Double(secondsOfDay) / Double(day) }

  /// The time on the clock, from the seconds of a local time.
  static func clock(_ local: Int) -> String {
    let seconds = secondsOfDay(local)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
  }
}

extension Schedule {
  /// The time at which a side begins, if the schedule has fixed times.
  package func start(of side: Side) -> String? {
    guard mode == .times, let turn = switches.first(where: { $0.scheme == side }) else { return nil }
    return DayCourse.clock(turn.local)
  }

  /// The place that the sun is computed for, in degrees, as `--at` takes it.
  package var place: String? { coordinates.map { "\($0.latitude),\($0.longitude)" } }

  /// The arguments that choose a mode, with the times that themed.conf has; the place is what the user has typed.
  package static func command(_ mode: Mode, place: String = "") -> [String] {
    switch mode {
    case .off: ["schedule", "off"]
    case .sun: ["schedule", "sun"] + (place.isEmpty ? [] : ["--at=\(place)"])
    case .times: ["config", "set", "schedule.mode", "times"]
    }
  }

  /// The arguments that set the time at which a side begins, as the user has typed it.
  ///
  /// The other time stays as themed.conf has it: the window knows only when its next switch is, which is another time on
  /// the day on which the clock changes.
  package static func command(_ side: Side, at time: String) -> [String] {
    ["config", "set", "schedule.\(side.rawValue)", time]
  }
}
