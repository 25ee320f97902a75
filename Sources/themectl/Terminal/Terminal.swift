import Glibc
import ThemedSystem

/// The terminal that a command runs in: its keys come one by one and unseen, and the signals that end a program come as
/// events, until it is closed.
struct Terminal: ~Copyable {
  private let descriptor: CInt
  private let signals: SignalDescriptor
  private let settings: termios

  enum Event {
    case input([UInt8])
    case signal(CInt)
    case resized
    case readable
    case timeout
  }

  struct Absence: Error {
    let reason: String
  }

  init() throws(Absence) {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var settings = termios()
    guard terminal >= 0, unsafe tcgetattr(terminal, &settings) == 0 else {
      throw Absence(reason: unsafe String(cString: strerror(errno)))
    }
    do throws(SystemError) {
      signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH])
    } catch { throw Absence(reason: SystemError.text(error.code)) }
    (descriptor, self.settings) = (terminal, settings)

    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // If Ctrl-Z stopped the program, the terminal would keep its changed settings.
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { unsafe $0[Int(VSUSP)] = disabledCharacter }
    unsafe tcsetattr(terminal, TCSADRAIN, &settings)
  }

  /// Restores the terminal's settings; unread input is dropped.
  deinit {
    var settings = settings
    unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    signals.unblock()
    Glibc.close(descriptor)
  }

  /// The number of rows and columns; if the terminal does not report it, 24 and 80.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return (24, 80)
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Writes a text; does nothing if the terminal is gone.
  func write(_ text: String) {
    var unwritten = Array(text.utf8)[...]
    while !unwritten.isEmpty {
      let count = unsafe unwritten.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { return }
      unwritten = unwritten.dropFirst(max(0, count))
    }
  }

  /// Waits for input, a signal, or a time on the clock that continues during suspend; with another descriptor, also for
  /// that one, after the user's input.
  func next(until end: ContinuousClock.Instant? = nil, or other: CInt = -1) -> Event {
    while true {
      var descriptors = [
        pollfd(fd: signals.descriptor.raw, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&descriptors, 3, milliseconds(until: end))
      if count == 0 { return .timeout }
      guard count > 0 else { continue }
      if descriptors[0].revents != 0, let signal = signals.next() {
        return signal == SIGWINCH ? .resized : .signal(signal)
      }
      guard descriptors[1].revents != 0 else {
        if descriptors[2].revents != 0 { return .readable }
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let length = unsafe read(descriptor, &bytes, bytes.count)
      if length > 0 { return .input(Array(bytes[..<length])) }
      // The terminal was closed.
      if length == 0 || errno != EINTR { return .signal(SIGHUP) }
    }
  }

  private func milliseconds(until end: ContinuousClock.Instant?) -> CInt {
    guard let end else { return -1 }
    let left = ContinuousClock.now.duration(to: end)
    return left > .zero ? CInt(min(1_000_000_000, (left / .milliseconds(1)).rounded(.up))) : 0
  }
}

/// The character that disables a key: `_POSIX_VDISABLE`, which Swift does not see.
private let disabledCharacter: UInt8 = 0

/// Lends the terminal to `body`, which may set its colours, and then restores them.
///
/// If `body` returns a signal that ended it, the command dies of the same signal, so that its parent process sees that.
///
/// Without a terminal, or if it does not report its colours, the command complains and exits.
///
/// - Parameter purpose: The task that needs a terminal, in words.
func withTerminal(
  for purpose: String, _ body: (borrowing Terminal, TerminalAnswers) throws -> CInt?
) throws {
  let signal: CInt?
  do { signal = try borrow(Terminal(), body) } catch let absence as Terminal.Absence {
    throw failed("\(purpose) needs a terminal: cannot open /dev/tty: \(absence.reason)")
  }
  guard let signal else { return }
  // The parent process sees which signal killed this command.
  _ = Glibc.signal(signal, SIG_DFL)
  raise(signal)
}

private func borrow(
  _ terminal: borrowing Terminal, _ body: (borrowing Terminal, TerminalAnswers) throws -> CInt?
) throws -> CInt? {
  var answers = TerminalAnswers()
  if let signal = ask(terminal, &answers) { return signal }
  guard answers.isComplete else {
    throw failed("the terminal does not report its colours, so they could not be restored")
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
  // A slow connection to another machine needs this long.
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
