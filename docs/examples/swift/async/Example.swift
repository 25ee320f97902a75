import Glibc
import ThemeClient

/// Prints a line in the colours of the theme; try `themectl theme next` in another terminal while this program runs.
@main
struct Example {
  static func main() async throws {
    let client = AsyncThemeClient(app: "themed-example", details: true)
    for try await state in client.states() { draw(state) }
  }
}

private func draw(_ state: ThemeState) {
  // Without a theme, these are plain colours for light or dark.
  let palette = state.palette ?? ThemePalette(for: state.scheme)
  draw(" \(state.title ?? "no theme") ", palette[.primaryText], on: palette[.primary])
  draw(" \(state.scheme), \(palette[.background]) ", palette[.text], on: palette[.background])
  print("\u{1B}[0m\u{1B}[K")
  fflush(nil)
}

private func draw(_ text: String, _ color: ThemeColor, on ground: ThemeColor) {
  let (front, back) = (color.rgb8, ground.rgb8)
  print("\u{1B}[38;2;\(front.red);\(front.green);\(front.blue)m", terminator: "")
  print("\u{1B}[48;2;\(back.red);\(back.green);\(back.blue)m\(text)", terminator: "")
}
