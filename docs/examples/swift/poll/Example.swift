import Glibc
import ThemeClient

/// Gives a terminal the colours of the theme and prints a line, in a loop around poll.
///
/// The program needs no other thread. Press q to quit and restore the terminal's colours.
@main
struct Example {
  static func main() throws {
    var settings = termios()
    let isTerminal = unsafe tcgetattr(STDIN_FILENO, &settings) == 0
    if isTerminal {
      var keys = settings
      keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &keys)
    }
    defer {
      // 110 and 111 restore the configured colours of text and background.
      show("\u{1B}]110\u{1B}\\\u{1B}]111\u{1B}\\\r\u{1B}[K")
      if isTerminal { unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }
    var source = try ThemeSource(app: "themed-example-poll", details: true)
    var waited = [STDIN_FILENO, source.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard unsafe poll(&waited, nfds_t(waited.count), -1) > 0 else { continue }
      if waited[1].revents != 0 {
        while let state = try source.nextState() { draw(state) }
      }
      if waited[0].revents != 0, isLast(key()) { return }
    }
  }
}

/// Sets the terminal's text and background, and draws the line again.
private func draw(_ state: ThemeState) {
  // Without a theme, these are plain colours for light or dark.
  let palette = state.palette ?? ThemePalette(for: state.scheme)
  let colors = "\u{1B}]10;\(palette[.text])\u{1B}\\\u{1B}]11;\(palette[.background])\u{1B}\\"
  show(colors + "\(state.title ?? "no theme"), \(state.scheme); q quits\u{1B}[K\r")
}

private func show(_ text: String) {
  print(text, terminator: "")
  fflush(nil)
}

/// The key that was pressed; nil at the end of the input.
private func key() -> UInt8? {
  var key: UInt8 = 0
  return unsafe read(STDIN_FILENO, &key, 1) == 1 ? key : nil
}

/// Whether the key quits the program: q, Ctrl-C, Ctrl-D, or the end of the input.
private func isLast(_ key: UInt8?) -> Bool { key == nil || key == UInt8(ascii: "q") || key == 3 || key == 4 }
