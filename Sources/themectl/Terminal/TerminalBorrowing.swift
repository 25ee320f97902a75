import ArgumentParser
import Glibc

/// Lends the terminal to `body`, which may set its colours, and then restores them.
///
/// If `body` returns a signal that ended it, the command dies of the same signal, so that its parent process sees that.
///
/// Without a terminal, or if it does not report its colours, the command complains and exits.
///
/// - Parameter purpose: The task that needs a terminal, in words.
func inTerminal(
  for purpose: String, _ body: (borrowing Terminal, TerminalAnswers) throws -> CInt?
) throws {
  let signal: CInt?
  do { signal = try borrow(Terminal(), body) } catch let absence as Terminal.Absence {
    complain("\(purpose) needs a terminal: cannot open /dev/tty: \(absence.reason)")
    throw ExitCode.failed
  }
  guard let signal else { return }
  // Whoever started us is to see what ended us.
  _ = Glibc.signal(signal, SIG_DFL)
  raise(signal)
}

private func borrow(
  _ terminal: borrowing Terminal, _ body: (borrowing Terminal, TerminalAnswers) throws -> CInt?
) throws -> CInt? {
  var answers = TerminalAnswers()
  if let signal = ask(terminal, &answers) { return signal }
  guard answers.isComplete else {
    complain("the terminal does not report its colours, so they could not be restored")
    throw ExitCode.failed
  }
  let signal: CInt?
  do { signal = try body(terminal, answers) } catch {
    _ = restore(terminal, answers)
    throw error
  }
  let late = restore(terminal, answers)
  return signal ?? late
}

/// Restores the colours; returns a signal that arrived meanwhile.
private func restore(_ terminal: borrowing Terminal, _ answers: TerminalAnswers) -> CInt? {
  terminal.write("\u{1B}[0m" + TerminalAnswers.resets)
  var after = TerminalAnswers()
  let signal = ask(terminal, &after)
  terminal.write(answers.restoration(after: after))
  return signal
}

/// Asks the terminal for its colours; returns a signal that arrived meanwhile.
private func ask(_ terminal: borrowing Terminal, _ answers: inout TerminalAnswers) -> CInt? {
  terminal.write(TerminalAnswers.questions)
  // Far away, over a slow line, too.
  let end = ContinuousClock.now + .seconds(3)
  while !answers.isComplete {
    switch terminal.next(until: end) {
    case .input(let bytes): answers.receive(bytes)
    case .signal(let signal): return signal
    case .resized, .readable: continue
    case .timeout: return nil
    }
  }
  return nil
}
