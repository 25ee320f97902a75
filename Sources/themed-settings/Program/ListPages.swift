internal import CThemedGtk
internal import SettingsModel

/// A row of a list, as a value.
struct Row: Hashable {
  /// The row of the same key is the same for the user, wherever it moves.
  var key: String
  var title: String
  var subtitle = ""
  /// The text that can be copied.
  var copied: String?
  /// Whether its switch is on; nil without a switch.
  var isOn: Bool?
}

/// The rows of a group.
final class Rows {
  private let group: Widget
  private var shown: [(row: Row, ui: Interface)] = []
  private let switched: (String, Bool) -> Void

  init(in group: Widget, _ switched: @escaping (String, Bool) -> Void = { _, _ in }) {
    (self.group, self.switched) = (group, switched)
  }

  /// The key of the row that has the focus.
  var focused: String? { shown.first { unsafe themed_has_focus($0.ui["row"].raw) }?.row.key }

  /// Gives a row the focus; false if it is not here.
  func focus(_ key: String) -> Bool {
    guard let row = shown.first(where: { $0.row.key == key }) else { return false }
    unsafe themed_focus(row.row.isOn == nil ? row.ui["row"].raw : row.ui["switch"].raw)
    return true
  }

  func show(_ rows: [Row]) {
    guard rows != shown.map(\.row) else { return }
    for old in shown { unsafe themed_group_remove(group.raw, old.ui["row"].raw) }
    shown = rows.map { ($0, add($0)) }
  }

  /// Greys out the switch of a row while a command runs.
  func allow(_ key: String, _ isAllowed: Bool) {
    shown.first { $0.row.key == key }?.ui["switch"].set("sensitive", isAllowed)
  }

  /// Moves the switch of a row back, since the user has moved it in vain.
  func restore(_ key: String) {
    if let row = shown.first(where: { $0.row.key == key }) { row.ui["switch"].set("active", row.row.isOn ?? false) }
  }

  private func add(_ row: Row) -> Interface {
    let ui = Interface(PackageResources.row_ui)
    ui["row"].set("title", row.title)
    ui["row"].set("subtitle", row.subtitle)
    // The row names itself and its switch by its title.
    ui["row"].describe(row.subtitle)
    if let copied = row.copied {
      ui["copy"].set("visible", true)
      ui["copy"].set("tooltip-text", tr("Copy: {text}", ["text": copied]))
      ui["copy"].name(tr("Copy: {text}", ["text": copied]))
      ui["copy"].on("clicked") { [raw = unsafe group.raw] in unsafe themed_copy(raw, copied) }
    }
    if let isOn = row.isOn {
      ui["switch"].set("visible", true)
      ui["switch"].set("active", isOn)
      ui["row"].set("activatable-widget", ui["switch"])
      let button = ui["switch"]
      button.on("notify::active") { [unowned self] in
        if button.flag("active") != isOn { switched(row.key, !isOn) }
      }
    }
    unsafe themed_group_add(group.raw, ui["row"].raw)
    return ui
  }
}

/// The page of the programs: which of them follow, and what is in the way of the others.
final class ProgramsPage: Page {
  let name = "programs"

  private unowned let owner: SettingsWindow
  private var reader: Reader?
  private var groups: [App.Group: Rows] = [:]

  init(_ owner: SettingsWindow) {
    self.owner = owner
    for group in App.Group.allCases {
      groups[group] = Rows(in: owner.ui[group.rawValue]) { [unowned self] in switched($0, to: $1) }
    }
    reader = Reader(["app"]) { [unowned self] result in
      let list = apps(result.output)
      owner.report(list == nil ? result.message : nil, on: name)
      if let list { show(list) }
    }
  }

  func read() { reader?.read() }

  private func show(_ list: [App]) {
    let focused = focused
    for (group, rows) in groups {
      let listed = list.filter { $0.group == group }
      owner.ui[group.rawValue].set("visible", !listed.isEmpty)
      rows.show(
        listed.map {
          Row(
            key: $0.name, title: $0.label, subtitle: $0.subtitle, copied: $0.toWrite,
            isOn: $0.hasSwitch ? $0.enabled : nil)
        })
    }
    if let focused { _ = groups.values.contains { $0.focus(focused) } }
  }

  /// Shows what would be changed before it enables a program.
  private func switched(_ app: String, to isOn: Bool) {
    guard isOn else { return change(["app", "disable", "--json", "--", app], app) }
    run(["app", "enable", "--print", "--json", "--", app], app) { [unowned self] plan, result in
      guard result.isDone, let plan else { return fail(plan, result, app) }
      guard !plan.isNeedless else { return owner.refresh() }
      let answers = [("cancel", tr("Cancel")), ("enable", tr("Enable"))]
      owner.ask(tr("Enable {program}?", ["program": app]), plan.plan, answers) { [self] answer in
        guard answer == "enable" else { return restore(app) }
        change(["app", "enable", "--yes", "--json", "--", app], app)
      }
    }
  }

  private func change(_ arguments: [String], _ app: String) {
    run(arguments, app) { [unowned self] outcome, result in
      if result.isDone, let outcome {
        // The notes say what was done and what is left to do.
        owner.complain(outcome.text)
      } else {
        fail(outcome, result, app)
      }
      owner.refresh()
    }
  }

  /// Runs a command for a program, whose switch cannot be moved meanwhile.
  private func run(_ arguments: [String], _ app: String, _ done: @escaping (Outcome?, Themectl.Result) -> Void) {
    let isFocused = focused == app
    for rows in groups.values { rows.allow(app, false) }
    Themectl.run(arguments) { [unowned self] result in
      for rows in groups.values { rows.allow(app, true) }
      // A switch that is greyed out loses the focus.
      if isFocused, focused == nil { _ = groups.values.contains { $0.focus(app) } }
      done(decoded(Outcome.self, result.output), result)
    }
  }

  private func fail(_ outcome: Outcome?, _ result: Themectl.Result, _ app: String) {
    let text = outcome?.text ?? ""
    owner.complain(text.isEmpty ? result.message : text)
    restore(app)
  }

  private func restore(_ app: String) { for rows in groups.values { rows.restore(app) } }

  /// The program whose row has the focus.
  private var focused: String? { groups.values.lazy.compactMap(\.focused).first }
}

/// The page of what keeps programs from following, and what to do about it.
final class DoctorPage: Page {
  let name = "doctor"

  private unowned let owner: SettingsWindow
  private var reader: Reader?
  private var groups: [Finding.Kind: Rows] = [:]

  init(_ owner: SettingsWindow) {
    self.owner = owner
    for kind in Finding.Kind.allCases { groups[kind] = Rows(in: owner.ui[kind.rawValue]) }
    reader = Reader(["doctor"]) { [unowned self] result in
      let list = findings(result.output)
      owner.report(list == nil ? result.message : nil, on: name)
      // An answer that cannot be read does not say that all is well.
      if let list { show(list) } else { owner.ui["healthy"].set("visible", false) }
    }
    owner.ui["again"].on("clicked") { [unowned self] in
      self.owner.report(nil, on: name)
      read()
    }
  }

  func read() { reader?.read() }

  private func show(_ list: [Finding]) {
    for (kind, rows) in groups {
      let listed = list.filter { $0.kind == kind }
      if kind != .problem { owner.ui[kind.rawValue].set("visible", !listed.isEmpty) }
      rows.show(
        listed.enumerated().map { index, finding in
          Row(
            key: "\(index)", title: sentence(finding.what), subtitle: finding.text,
            copied: finding.commands?.joined(separator: "\n"))
        })
    }
    owner.ui["healthy"].set("visible", !list.contains { $0.kind == .problem })
  }
}
