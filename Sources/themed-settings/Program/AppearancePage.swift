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
  /// Whether the desktop will be asked again soon, because it is turning.
  private var willAskAgain = false
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
    for name in ["light-time", "dark-time", "place"] {
      for signal in ["activate", "icon-press"] { ui[name].on(signal) { [unowned self] in setSchedule() } }
    }
    ui["desktop"].on("notify::active") { [unowned self] in
      guard !isShowing else { return }
      owner.change(ui["desktop"].flag("active") ? ["desktop", "enable", "--yes"] : ["desktop", "disable"])
    }
    ui["drag"].on("drag-begin") { [unowned self] in grab() }
    ui["drag"].on("drag-update") { [unowned self] in drag() }
    ui["drag"].on("drag-end") { [unowned self] in
      grabbed = nil
      if dragged != nil { setSchedule() }
    }
    // Until the state has been read, nothing can be changed.
    allow(false)
    Canvas.draw(on: ui["course"]) { [unowned self] in draw(on: $0) }
  }

  func read() {
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
    guard let status else { return }
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
    guard appearance.ends.indices.contains(index), index != appearance.end, appearance.choice != .automatic else {
      return
    }
    owner.change(Appearance.command(appearance.choice, end: appearance.ends[index]))
  }

  // MARK: The schedule

  private func took(schedule result: Themectl.Result) {
    guard let new = decoded(Schedule.self, result.output) else { return }
    schedule = new
    course = DayCourse(new, now: now)
    if grabbed == nil { dragged = nil }
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
    show(schedule?.start(of: .light) ?? "07:00", in: "light-time")
    show(schedule?.start(of: .dark) ?? "19:00", in: "dark-time")
    show(schedule?.place ?? "", in: "place")
  }

  /// Writes a new text into an entry, unless the user is typing there.
  private func show(_ text: String, in entry: String) {
    guard text != texts[entry] else { return }
    let isTyping = unsafe themed_has_focus(ui[entry].raw) && ui[entry].text("text") != texts[entry, default: ""]
    guard !isTyping else { return }
    ui[entry].set("text", text)
    texts[entry] = text
  }

  private var chosenMode: Schedule.Mode { Schedule.Mode.allCases[min(2, max(0, ui["mode"].number("selected")))] }

  private func choseMode() {
    guard !isShowing, chosenMode != schedule?.mode else { return }
    setSchedule()
  }

  private func setSchedule() {
    owner.change(
      Schedule.command(
        chosenMode, light: ui["light-time"].text("text"), dark: ui["dark-time"].text("text"),
        // In another mode, the entries cannot have the times of themed.conf.
        keepsTimes: schedule?.mode != .times,
        place: chosenMode == schedule?.mode ? ui["place"].text("text") : ""))
  }

  // MARK: The picture of the day

  /// Takes hold of the switch that is nearest, if one is within an hour.
  private func grab() {
    let isRightToLeft = unsafe themed_is_rtl(ui["course"].raw)
    let start = DayCourse.position(
      unsafe themed_drag(ui["drag"].raw, 2).start, width: 1, isRightToLeft: isRightToLeft)
    let marks = (course?.marks ?? []).filter { abs($0.place - start) < 1.0 / 24 }
    guard schedule?.mode == .times else { return }
    grabbed = marks.min { abs($0.place - start) < abs($1.place - start) }
    if grabbed != nil { unsafe themed_claim(ui["drag"].raw) }
  }

  private func drag() {
    let way = unsafe themed_drag(ui["drag"].raw, 2).way * (themed_is_rtl(ui["course"].raw) ? -1 : 1)
    guard let grabbed, let moved = course?.moving(grabbed.side, to: grabbed.place + way) else { return }
    dragged = moved
    let entry = "\(grabbed.side.rawValue)-time"
    texts[entry] = moved.marks.first { $0.side == grabbed.side }?.text
    ui[entry].set("text", texts[entry, default: ""])
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

  private func took(desktop result: Themectl.Result) {
    guard let desktop = decoded(Desktop.self, result.output) else { return }
    show { ui["desktop"].set("active", desktop.isKeptInStep) }
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
