internal import ThemeApps
internal import ThemedModel
internal import ThemedSystem

/// Sets colours with control sequences in the terminals of known emulators.
struct TerminalColoring {
  let sequences: App.Terminal.Sequences
  /// The app of the terminals.
  let app: Text
  let run: Run

  /// Colours every terminal of these programs, with a fade if it has other colours of ours.
  ///
  /// With `onlyNew`, it colours only the terminals that do not have these colours yet.
  func color(_ palette: Palette, _ fade: TerminalFade, of programs: [Text], onlyNew: Bool) -> Outcome {
    let memory = run.terminals
    let held = Terminal.held(by: programs)
    memory.keep(Set(held.terminals.map(\.identity)), of: app)
    let now = monotonicMilliseconds()
    let meant = held.terminals.filter { !onlyNew || !memory.has($0.identity, palette, of: app, now: now) }
    let origins = Dictionary(
      meant.compactMap { terminal in memory.palette(of: terminal.identity, app).map { (terminal.identity, $0) } },
      uniquingKeysWith: { $1 }
    ).filter { $0.value != palette }
    var rest = meant
    // A terminal whose buffer is full misses a step of the fade, and gets the next one.
    while let fraction = fade.fraction(at: monotonicMilliseconds()), !run.isSuperseded,
      rest.contains(where: { origins[$0.identity] != nil })
    {
      rest.removeAll { terminal in
        guard let origin = origins[terminal.identity] else { return put(palette, terminal, isNew: onlyNew) }
        _ = put(origin.interpolated(to: palette, fraction: fraction), terminal, isNew: onlyNew)
        return false
      }
      guard run.pause(Limits.fadeStep) else { break }
    }
    // Newer colours continue from where the fade is; its last step would flash.
    let isCut =
      run.isSuperseded && !run.isEnded && fade.fraction(at: monotonicMilliseconds()) != nil
      && rest.contains { origins[$0.identity] != nil }
    if !isCut { tryAgain(&rest) { put(palette, $0, isNew: onlyNew) } }
    var outcome = Outcome()
    outcome.unopened = held.unopened
    outcome.comesAgain = memory.nextAgain(
      of: app, now: monotonicMilliseconds(), except: Set(rest.map(\.identity)))
    let colored = meant.count { memory.palette(of: $0.identity, app) == palette }
    tell(
      &outcome, rest, colored == 0 ? nil : "coloured \(colored)", onlyNew ? "no new terminal" : "no terminal is open")
    if let process = held.undisclosed.first, outcome.problem == nil {
      outcome.fail("terminal", Self.undisclosed(process.name, process.number))
    }
    return outcome
  }

  /// Resets the colours of terminals that have ours; others may have their colours from another program.
  func takeBack(from programs: [Text]) -> Outcome {
    let meant = Terminal.held(by: programs).terminals.filter { run.terminals.palette(of: $0.identity, app) != nil }
    var rest = meant
    tryAgain(&rest) { $0.write(Self.back(sequences)) != .full }
    // A terminal that took nothing still has our colours, and is tried again.
    run.terminals.keep(Set(rest.map(\.identity)), of: app)
    var outcome = Outcome()
    tell(&outcome, rest, meant.isEmpty ? nil : "reset \(meant.count)", "no terminal has these colours")
    return outcome
  }

  /// Writes colours to a terminal; true if nothing is left to do for it.
  private func put(_ palette: Palette, _ terminal: Terminal, isNew: Bool) -> Bool {
    switch terminal.write(Self.bytes(palette, sequences)) {
    case .full: return false
    case .gone:
      // The terminal is gone, or belongs to another user.
      run.terminals.forget(terminal.identity, of: app)
      return true
    case .all:
      run.terminals.note(terminal.identity, palette, of: app, now: monotonicMilliseconds(), isNew: isNew)
      return true
    }
  }

  /// Writes to each terminal, and tries those that accept no output again after growing delays.
  private func tryAgain(_ rest: inout [Terminal], _ write: (Terminal) -> Bool) {
    let deadline = monotonicMilliseconds() + Limits.terminal
    var pause = Limits.terminalPause
    while true {
      rest.removeAll(where: write)
      guard !rest.isEmpty, !run.isSuperseded else { return }
      guard monotonicMilliseconds() + pause < deadline, run.pause(pause) else { return }
      pause *= 2
    }
  }

  private func tell(_ outcome: inout Outcome, _ rest: [Terminal], _ done: String?, _ unchanged: String) {
    guard !rest.isEmpty else {
      guard let done else { return outcome.add("terminal", .unchanged, unchanged) }
      return outcome.add("terminal", .done, done)
    }
    // It was not given its time.
    guard !run.isSuperseded else { return outcome.add("terminal", .left, "newer colours follow") }
    let paths = rest.prefix(4).map(\.path).joined(separator: ", ")
    outcome.fail(
      "terminal",
      Problem(
        text: "\(rest.count == 1 ? "a terminal does" : "\(rest.count) terminals do") not accept output: \(paths)",
        advice: "output may be stopped there, so press Ctrl-Q; themed-apply tries again"), mendsItself: true)
  }

  static func undisclosed(_ name: Text, _ number: Int32) -> Problem {
    Problem(
      text: "cannot tell which terminals belong to \(name.shown(atMost: 64)) (process \(number))",
      advice: "its program file is setgid: set its colours in its configuration file, and open its windows again")
  }

  // MARK: What is written

  /// The sequences for the sixteen colours, text, background and cursor, and if all colours are set the selection.
  static func bytes(_ palette: Palette, _ sequences: App.Terminal.Sequences) -> [UInt8] {
    func hex(_ role: Role) -> String { palette[role].hexadecimal }
    // What was torn before is ended first.
    var text = "\u{1B}\\"
    for (number, role) in Role.ansi.enumerated() { text += "\u{1B}]4;\(number);\(hex(role))\u{1B}\\" }
    var others: [(Int, Role)] = [(10, .text), (11, .background), (12, .cursor)]
    if sequences == .all { others += [(17, .selection), (19, .selectionText)] }
    for (code, role) in others { text += "\u{1B}]\(code);\(hex(role))\u{1B}\\" }
    return Array(text.utf8)
  }

  /// The sequences that reset a terminal to its own colours.
  static func back(_ sequences: App.Terminal.Sequences) -> [UInt8] {
    let codes = sequences == .all ? [104, 110, 111, 112, 117, 119] : [104, 110, 111, 112]
    // What was torn before is ended first.
    return Array("\u{1B}\\".utf8) + codes.flatMap { Array("\u{1B}]\($0)\u{1B}\\".utf8) }
  }
}
