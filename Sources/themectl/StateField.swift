import ArgumentParser
import ThemedText
import ThemeClient
import ThemedVarlink

/// A field of the state, by what people call it.
enum StateField: String, ExpressibleByArgument, CaseIterable {
  case scheme, contrast, motion, accent, theme

  /// What a state says of it, in the words that `set` takes; nil where nobody says.
  func word(of state: State) -> Text? {
    let shown = state.resolution
    return switch self {
    case .scheme: Text(state.scheme.rawValue)
    case .contrast: shown.highContrast.map { $0 ? "high" : "normal" }
    case .motion: shown.reducedMotion.map { $0 ? "reduced" : "normal" }
    case .accent: shown.accentColor.map { Text($0.hexadecimal) }
    case .theme: shown.theme?.name
    }
  }
}

extension [StateField] {
  /// What a state says of these, on one line; of none: light or dark.
  func line(of state: State, json: Bool) -> String {
    let fields = isEmpty ? [.scheme] : self
    guard json else {
      // By hand: the library's `joined` looks up at run time what an array of strings conforms to, an eighth of what the
      // whole command does.
      var line = ""
      for (number, field) in fields.enumerated() {
        line += (number == 0 ? "" : "\t") + (field.word(of: state).map { printable($0) } ?? "-")
      }
      return line
    }
    var object = JSON.Object()
    for field in fields { object[Text(field.rawValue)] = field.word(of: state).map(JSON.string) ?? .null }
    return JSON.object(object).text
  }
}
