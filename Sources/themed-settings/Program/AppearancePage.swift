internal import CThemedGtk
internal import Glibc
internal import SettingsModel

/// The page of what is shown and why, of the schedule and of the desktop.
final class AppearancePage: Page {
  let name = "appearance"
  let isAlwaysRead = true

  private unowned let owner: SettingsWindow
  private var appearance: Appearance?
  private var schedule: Schedule?
  private var course: DayCourse?
  /// The switch that the user is dragging, and the day as it is then, until the schedule has been read again.
  private var grabbed: DayCourse.Mark?
  private var dragged: DayCourse?
  /// Whether this reading has asked for the state again, because the first answer could not be read.
  private var hasAskedAgain = false
  /// Whether the desktop will be asked again soon, because it is turning.
  private var willAskAgain = false
  /// Whether a command is turning the desktop on or off, and whether it was on when it was last read.
  private var isTurningDesktop = false
  private var isDesktopOn = false
  /// The texts that the page has written into its entries.
  private var texts: [String: String] = [:]
  /// Whether the page shows what it has read, so that the signals of its widgets are not the user's.
  private var isShowing = false
  private var status: Reader?
  private var scheduleReader: Reader?
  private var desktop: Reader?

  private var ui: Interface { owner.ui }

  init(_ owner: SettingsWindow) {
    self.owner = owner
    status = Reader(["status"]) { [unowned self] in took(status: $0) }
    scheduleReader = Reader(["schedule"]) { [unowned self] in took(schedule: $0) }
    desktop = Reader(["desktop"]) { [unowned self] in took(desktop: $0) }
    for choice in Appearance.Choice.allCases {
      // A press on the choice in force changes nothing, so it sends no such signal.
      ui[choice.rawValue].on("toggled") { [unowned self] in
        if !isShowing, ui[choice.rawValue].flag("active") { owner.change(Appearance.command(choice)) }
      }
    }
    ui["end"].on("notify::selected") { [unowned self] in choseEnd() }
    ui["mode"].on("notify::selected") { [unowned self] in choseMode() }
    for signal in ["activate", "icon-press"] {
      for side in Side.allCases {
        ui[Self.entry(side)].on(signal) { [unowned self] in begin(side, at: ui[Self.entry(side)].text("text")) }
      }
      ui["place"].on(signal) { [unowned self] in setMode() }
    }
    ui["desktop"].on("notify::active") { [unowned self] in if !isShowing { turnDesktop() } }
    ui["drag"].on("drag-begin") { [unowned self] in grab() }
    ui["drag"].on("drag-update") { [unowned self] in drag() }
    ui["drag"].on("drag-end") { [unowned self] in letGo() }
    ui["drag"].on("cancel") { [unowned self] in forgetDrag(showing: schedule) }
    // Until the state has been read, nothing can be changed.
    allow(false)
    Canvas.draw(on: ui["course"]) { [unowned self] in draw(on: $0) }
  }

  func read() {
    hasAskedAgain = false
    status?.read()
    scheduleReader?.read()
    desktop?.read()
  }

  private func allow(_ isAllowed: Bool) {
    for name in ["shown", "end-group", "schedule-group", "mode-group", "desktop-row"] {
      ui[name].set("sensitive", isAllowed)
    }
  }

  /// Changes widgets without taking that for a wish of the user.
  private func show(_ body: () -> Void) {
    isShowing = true
    body()
    isShowing = false
  }

  // MARK: What is shown

  private func took(status result: Themectl.Result) {
    let status = decoded(Status.self, result.output)
    owner.banner(status == nil ? result.message : nil)
    allow(status != nil)
    guard let status else {
      // A busy daemon may have answered too late once, and it tells of no change.
      guard !hasAskedAgain else { return }
      hasAskedAgain = true
      return owner.later(milliseconds: 2000) { [unowned self] in self.status?.read() }
    }
    let new = Appearance(status, now: now)
    let old = appearance
    appearance = new
    show {
      if new != old {
        let icon = new.side == .light ? "weather-clear-symbolic" : "weather-clear-night-symbolic"
        ui["shown-icon"].set("icon-name", icon)
        ui["sentence"].set("label", new.sentence)
        set(new.ends, instead: old?.ends ?? [])
        ui["end"].set("sensitive", new.end != nil)
      }
      // Also if nothing has changed: a command that failed leaves them as the user has set them.
      ui[new.choice.rawValue].set("active", true)
      ui["end"].set("selected", new.end ?? 0)
    }
  }

  /// Replaces the entries that differ, so that an open list keeps its place.
  private func set(_ ends: [End], instead old: [End]) {
    let same = zip(ends, old).prefix { $0 == $1 }.count
    unsafe withCStrings(ends.dropFirst(same).map(\.label)) {
      unsafe themed_string_list_set(ui["ends"].raw, CUnsignedInt(same), $0)
    }
  }

  private func choseEnd() {
    guard !isShowing, let appearance else { return }
    let index = ui["end"].number("selected")
    // The user may have chosen another side since the state was read.
    let choice = Appearance.Choice.allCases.first { ui[$0.rawValue].flag("active") } ?? appearance.choice
    guard appearance.ends.indices.contains(index), choice != .automatic else { return }
    guard index != appearance.end || choice != appearance.choice else { return }
    owner.change(Appearance.command(choice, end: appearance.ends[index]))
  }

  // MARK: The schedule

  private func took(schedule result: Themectl.Result) {
    if grabbed == nil { forgetDrag() }
    guard let new = decoded(Schedule.self, result.output) else { return }
    schedule = new
    course = DayCourse(new, now: now)
    show {
      ui["schedule-group"].set("visible", course != nil)
      ui["mode-group"].set("title", course == nil ? tr("Schedule") : "")
      ui["course-text"].set("label", course?.text ?? "")
      ui["course"].name(course?.text ?? "")
      unsafe themed_set_cursor(ui["course"].raw, new.mode == .times ? "ew-resize" : nil)
      ui["schedule-problem"].set("label", new.problem ?? "")
      ui["schedule-problem"].set("visible", new.problem != nil)
      show(mode: new.mode)
    }
    unsafe themed_redraw(ui["course"].raw)
  }

  private func show(mode: Schedule.Mode) {
    ui["mode"].set("selected", Schedule.Mode.allCases.firstIndex(of: mode) ?? 0)
    for name in ["light-time-row", "dark-time-row"] { ui[name].set("visible", mode == .times) }
    ui["place-row"].set("visible", mode == .sun)
    // A drag writes the time of its own switch.
    if grabbed == nil {
      show(schedule?.start(of: .light) ?? "07:00", in: Self.entry(.light))
      show(schedule?.start(of: .dark) ?? "19:00", in: Self.entry(.dark))
    }
    show(schedule?.place ?? "", in: "place")
  }

  /// Writes a text into an entry, unless the user is typing there; what was typed and left without Enter is discarded.
  private func show(_ text: String, in entry: String) {
    let there = ui[entry].text("text")
    let isTyping = unsafe themed_has_focus(ui[entry].raw) && there != texts[entry, default: ""]
    guard !isTyping else { return }
    if there != text { ui[entry].set("text", text) }
    texts[entry] = text
  }

  /// The entry with the time at which a side begins.
  private static func entry(_ side: Side) -> String { "\(side.rawValue)-time" }

  private var chosenMode: Schedule.Mode { Schedule.Mode.allCases[min(2, max(0, ui["mode"].number("selected")))] }

  private func choseMode() {
    guard !isShowing, chosenMode != schedule?.mode else { return }
    setMode()
  }

  private func setMode() {
    owner.change(Schedule.command(chosenMode, place: chosenMode == schedule?.mode ? ui["place"].text("text") : ""))
  }

  private func begin(_ side: Side, at time: String) { owner.change(Schedule.command(side, at: time)) }

  // MARK: The picture of the day

  /// Takes hold of the switch that is nearest, if one is within an hour.
  private func grab() {
    let isRightToLeft = unsafe themed_is_rtl(ui["course"].raw)
    let start = DayCourse.position(
      unsafe themed_drag(ui["drag"].raw, 2).start, width: 1, isRightToLeft: isRightToLeft)
    let marks = (course?.marks ?? []).filter { abs($0.place - start) < 1.0 / 24 }
    guard schedule?.mode == .times else { return }
    grabbed = marks.min { abs($0.place - start) < abs($1.place - start) }
    guard grabbed != nil else { return }
    dragged = nil
    unsafe themed_claim(ui["drag"].raw)
  }

  private func drag() {
    // A click moves nothing, although a hand may tremble.
    guard unsafe dragged != nil || themed_is_drag(ui["drag"].raw) else { return }
    let way = unsafe themed_drag(ui["drag"].raw, 2).way * (themed_is_rtl(ui["course"].raw) ? -1 : 1)
    guard let grabbed, let moved = course?.moving(grabbed.side, to: grabbed.place + way) else { return }
    dragged = moved
    let entry = Self.entry(grabbed.side)
    texts[entry] = moved.time(of: grabbed.side)
    ui[entry].set("text", texts[entry, default: ""])
    unsafe themed_redraw(ui["course"].raw)
  }

  private func letGo() {
    guard let switched = grabbed, let time = dragged?.time(of: switched.side) else { return grabbed = nil }
    grabbed = nil
    // Back where it began, to five minutes.
    let isBack = time == course?.moving(switched.side, to: switched.place)?.time(of: switched.side)
    if isBack { forgetDrag(showing: schedule) } else { begin(switched.side, at: time) }
  }

  /// Shows the day as it is, and in the entries the times of the schedule.
  private func forgetDrag(showing schedule: Schedule? = nil) {
    (grabbed, dragged) = (nil, nil)
    if let schedule { show { show(mode: schedule.mode) } }
    unsafe themed_redraw(ui["course"].raw)
  }

  private func draw(on canvas: Canvas) {
    guard let course = dragged ?? course else { return }
    let bar = (top: 18.0, height: canvas.height - 36)
    func x(_ place: Double) -> Double {
      DayCourse.position(place, width: canvas.width - 4, isRightToLeft: canvas.isRightToLeft) + 2
    }
    canvas.save()
    canvas.clip(2, bar.top, canvas.width - 4, bar.height, corner: 9)
    canvas.newPath()
    for part in course.parts {
      let (left, right) = (min(x(part.start), x(part.end)), max(x(part.start), x(part.end)))
      if part.side == .light { canvas.color(0.56, 0.78, 1) } else { canvas.color(0.13, 0.15, 0.29) }
      canvas.rectangle(left, bar.top, right - left, bar.height)
      guard right - left > 30 else { continue }
      let middle = (x: (left + right) / 2, y: bar.top + bar.height / 2)
      if part.side == .light {
        canvas.color(1, 0.77, 0.24)
        canvas.circle(middle.x, middle.y, 9)
      } else {
        canvas.color(0.93, 0.94, 1)
        canvas.circle(middle.x, middle.y, 8)
        canvas.color(0.13, 0.15, 0.29)
        canvas.circle(middle.x + 4, middle.y - 3, 7)
      }
    }
    canvas.restore()
    canvas.save()
    canvas.clip(2, bar.top, canvas.width - 4, bar.height, corner: 9)
    canvas.edge(0.5)
    canvas.restore()
    canvas.useInk()
    for mark in course.marks { canvas.text(mark.text, x(mark.place), canvas.height - 4, size: 12) }
    for mark in course.marks where schedule?.mode == .times {
      canvas.color(0.13, 0.15, 0.29)
      canvas.circle(x(mark.place), bar.top + bar.height / 2, 7)
      canvas.color(1, 1, 1)
      canvas.circle(x(mark.place), bar.top + bar.height / 2, 5)
    }
    // Seen on both sides, and with any colour of text.
    canvas.color(1, 1, 1)
    canvas.rectangle(x(course.now) - 3, bar.top, 6, bar.height)
    canvas.color(0.85, 0.1, 0.1)
    canvas.rectangle(x(course.now) - 1.5, bar.top - 4, 3, bar.height + 8)
    canvas.useInk()
    canvas.text(tr("now"), x(course.now), 11, size: 12)
  }

  // MARK: The desktop

  /// Does what the switch says, one command after the other: the first may take some seconds.
  private func turnDesktop() {
    guard !isTurningDesktop else { return }
    isTurningDesktop = true
    let isOn = ui["desktop"].flag("active")
    owner.change(isOn ? ["desktop", "enable", "--yes"] : ["desktop", "disable"]) { [unowned self] result in
      isTurningDesktop = false
      if result.isDone { isDesktopOn = isOn }
      if ui["desktop"].flag("active") != isOn { turnDesktop() }
    }
  }

  private func took(desktop result: Themectl.Result) {
    let desktop = decoded(Desktop.self, result.output)
    if let desktop { isDesktopOn = desktop.isKeptInStep }
    // Also without an answer: a command that failed leaves the switch as the user has set it.
    if !isTurningDesktop { show { ui["desktop"].set("active", isDesktopOn) } }
    guard let desktop else { return }
    ui["desktop-row"].set("subtitle", desktop.words)
    // The daemon does not announce that the desktop has turned. One timer is enough, however often the desktop is asked.
    guard desktop.isTurning, !willAskAgain else { return }
    willAskAgain = true
    owner.later(milliseconds: 1000) { [unowned self] in
      willAskAgain = false
      self.desktop?.read()
    }
  }

  private var now: Int { time(nil) }
}
