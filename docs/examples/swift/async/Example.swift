import Glibc
import ThemeClient

/// A line of a terminal program, in the colours of the theme.
final class Banner: ThemeApplying {
  func apply(_ look: ThemeLook) {
    let title = " \(look.title?.shown() ?? look.scheme.rawValue) "
    draw(title, look[.primaryText], on: look[.primary])
    draw(" \(look.scheme.rawValue), \(look[.background].hexadecimal) ", look[.text], on: look[.background])
    print("\u{1B}[0m\u{1B}[K")
    fflush(nil)
  }
}

private func draw(_ text: String, _ color: ThemeColor, on ground: ThemeColor) {
  let (front, back) = (color.components8, ground.components8)
  print("\u{1B}[38;2;\(front.red);\(front.green);\(front.blue)m", terminator: "")
  print("\u{1B}[48;2;\(back.red);\(back.green);\(back.blue)m\(text)", terminator: "")
}

/// Follows the theme; try `themectl theme next` in another terminal while this program runs.
@main
struct Example {
  static func main() async throws {
    let banner = Banner()
    // This look is shown until the first state arrives.
    let center = ThemeCenter(ThemeLook(.light))
    center.register(banner)
    try await center.follow(app: "themed-example", framesPerSecond: 30)
  }
}
