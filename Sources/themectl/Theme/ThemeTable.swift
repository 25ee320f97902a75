import ThemeModel
import ThemedSystem

/// The table of themes that people see.
struct ThemeTable {
  let themes: [ThemeExamination]
  let choice: ThemeChoice
  let style: Style
  /// The width of the terminal; nil if unknown.
  var columns: Int?

  var lines: [String] {
    style.isForPeople ? lines(in: themes.indices) : themes.map(plain)
  }

  /// A line of headings, and the lines of some of the themes, in columns that fit all themes.
  func lines(in range: Range<Int>) -> [String] {
    let layout = Layout(names: themes.map { printable($0.place.name).columns }.max() ?? 0, columns: columns)
    let head =
      "  " + "".padded(layout.name) + "  " + "light".padded(layout.swatch.width + 2)
      + "dark".padded(layout.swatch.width)
    return [head] + themes[range].map { row($0, layout) }
  }

  private func row(_ theme: ThemeExamination, _ layout: Layout) -> String {
    let isChosen = !choice.sides(of: theme.place.name).isEmpty
    let name = printable(theme.place.name).shortened(to: layout.name, style).padded(layout.name)
    let sides = ColorScheme.allCases.map { mark(theme, $0) + swatch(theme.theme, $0, layout.swatch) }
    let row = (isChosen ? "> " : "  ") + (isChosen ? style.bold(name) : name) + " " + sides.joined(separator: " ")
    guard let room = layout.title else { return row + "  " + title(theme) }
    let title = title(theme)
    if theme.theme == nil, title.columns > room, let columns {
      // The advice takes the place of the colours, since half of a command to type is of no use.
      let start = (isChosen ? "> " : "  ") + (isChosen ? style.bold(name) : name) + "  "
      let rest = max(0, columns - layout.name - 4)
      return start + (title.columns <= rest ? title : "faulty".shortened(to: rest, style))
    }
    return room > 0 ? row + "  " + title.shortened(to: room, style) : row
  }

  private func plain(_ theme: ThemeExamination) -> String {
    let sides = theme.theme?.schemes.map(\.rawValue).joined(separator: ",") ?? "-"
    let chosen = choice.sides(of: theme.place.name).map(\.rawValue).joined(separator: ",")
    return "\(printable(theme.place.name))\t\(sides)\t\(chosen.isEmpty ? "-" : chosen)\t\(title(theme))"
  }

  private func title(_ theme: ThemeExamination) -> String {
    theme.theme.map { printable($0.title) } ?? "faulty; run 'themectl theme check \(printable(theme.place.name))'"
  }

  private func mark(_ theme: ThemeExamination, _ scheme: ColorScheme) -> String {
    choice[scheme] == theme.place.name ? ">" : " "
  }

  private func swatch(_ theme: Theme?, _ scheme: ColorScheme, _ swatch: Swatch) -> String {
    guard let palette = theme?.palette(for: scheme) else { return "".padded(swatch.width) }
    return style.swatch(palette, swatch)
  }
}

/// A sample of text on its background, and the colours that a program draws with, if they fit.
enum Swatch: CaseIterable {
  case wide, narrow, textAlone

  /// The roles whose colours it shows, besides text on its background.
  static let roles: [Role] = [.primary, .secondary, .error, .warning, .success, .info]

  /// The number of columns of one colour.
  fileprivate var patch: Int {
    switch self {
    case .wide: 2
    case .narrow: 1
    case .textAlone: 0
    }
  }

  /// The number of columns of the whole sample.
  var width: Int { self == .textAlone ? 4 : 5 + Self.roles.count * patch }
}

extension Style {
  /// The colours of one side of a theme.
  func swatch(_ palette: Palette, _ swatch: Swatch) -> String {
    let sample = patch(" Aa ", palette[.text], on: palette[.background])
    guard swatch != .textAlone else { return sample }
    let patches = Swatch.roles.map { patch("".padded(swatch.patch), on: palette[$0]) }.joined()
    return sample + patches + patch(" ", on: palette[.background])
  }
}

/// The columns of the table that fit on a terminal: first the titles are dropped, then the colours, then the ends of
/// names.
private struct Layout {
  let name: Int
  let swatch: Swatch
  /// The width of titles; nil for no limit.
  let title: Int?

  init(names: Int, columns: Int?) {
    let name = max(8, names)
    guard let columns else { (self.name, swatch, title) = (name, .wide, nil); return }
    func rest(_ swatch: Swatch) -> Int { columns - Self.width(name, swatch) }
    swatch = Swatch.allCases.first { rest($0) >= 0 } ?? .textAlone
    self.name = max(1, min(name, name + rest(swatch)))
    // A title of less says nothing.
    title = rest(swatch) >= 2 + 6 ? rest(swatch) - 2 : 0
  }

  /// The width of the table without titles: two marks before each name, one before each swatch, and a blank between.
  private static func width(_ name: Int, _ swatch: Swatch) -> Int { 2 + name + 2 * (2 + swatch.width) }
}
