import ArgumentParser
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// A field of the state, by the name that people use.
enum StateField: Hashable, ExpressibleByArgument {
  enum Word: String, CaseIterable {
    case scheme, contrast, motion, accent, theme, title, transition, desktop, source
  }

  /// The parts of the theme that is shown, named like the groups of a theme's file.
  enum Part: String, CaseIterable {
    case palette, assets, values
  }

  case word(Word)
  case part(Part, name: Text)

  init?(argument: String) {
    let text = Text(argument)
    let halves = text.split(".", maxSplits: 1)
    if let word = Word(word: text) {
      self = .word(word)
    } else if halves.count == 2, !halves[1].isEmpty, let part = Part(word: halves[0]) {
      self = .part(part, name: halves[1])
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] {
    Word.allCases.map(\.rawValue) + ["palette.<role>", "assets.<name>", "values.<name>"]
  }

  static var defaultCompletionKind: CompletionKind {
    .list(Word.allCases.map(\.rawValue) + Role.all.map { "palette.\($0.rawValue)" })
  }

  var name: Text {
    switch self {
    case .word(let word): Text(word.rawValue)
    case .part(let part, let name): "\(part.rawValue).\(name)"
    }
  }

  /// Whether a state has it only for clients that ask for details.
  var isDetail: Bool {
    if case .part = self { true } else { false }
  }

  /// The value in a state, in the words that `set` and files use; nil if it has no value.
  func word(of state: State) -> Text? {
    let shown = state.resolution
    let details = shown.theme?.details
    return switch self {
    case .word(.scheme): Text(state.scheme.rawValue)
    case .word(.contrast): shown.highContrast.map { $0 ? "high" : "normal" }
    case .word(.motion): shown.reducedMotion.map { $0 ? "reduced" : "normal" }
    case .word(.accent): shown.accentColor.map { Text($0.hexadecimal) }
    case .word(.theme): shown.theme?.name
    case .word(.title): shown.theme?.title
    case .word(.transition): shown.transition.map { Text("\($0)") }
    case .word(.desktop): Text(shown.desktop.rawValue)
    case .word(.source): shown.origins["desktop"]?.rule == .upstream ? "upstream" : "desktop"
    case .part(.palette, let name): details?.palette[name].map { Text($0.hexadecimal) }
    case .part(.assets, let name): details?.assets[name]
    case .part(.values, let name): details?.values[name]
    }
  }

  /// The message for a colour that the theme does not have; nil for any other field.
  func mistake(in state: State) -> String? {
    guard case .part(.palette, let name) = self else { return nil }
    // Without a theme, no role has a colour, but a word that is not a role is still a mistake.
    let roles = state.resolution.theme?.details.map { Array($0.palette.keys) } ?? Role.all.map(\.rawValue)
    guard !roles.contains(name) else { return nil }
    let meant = words(near: name, among: roles).first.map { "; did you mean 'palette.\($0)'?" }
    return "unknown colour role '\(name)'" + (meant ?? "; themed.theme(5) lists the roles")
  }
}

extension [StateField] {
  /// The fields that these words name, if they name nothing else.
  init?(words: some Sequence<Text>) {
    self = []
    for word in words {
      guard let field = StateField(argument: word.string) else { return nil }
      append(field)
    }
  }

  /// The values in a state, on one line; without fields, light or dark.
  func line(of state: State, json: Bool) -> String {
    let fields = isEmpty ? [.word(.scheme)] : self
    guard json else {
      // `joined` looks up conformances at run time, which takes an eighth of the time of the whole command.
      var line = ""
      for (number, field) in fields.enumerated() {
        line += (number == 0 ? "" : "\t") + (field.word(of: state).map { printable($0) } ?? "-")
      }
      return line
    }
    var object = JSON.Object()
    for field in fields { object[field.name] = field.word(of: state).map(JSON.string) ?? .null }
    return JSON.object(object).text
  }
}

extension State {
  var detailedLines: [String] {
    let details = resolution.theme?.details ?? ThemeDetails()
    let parts: [(StateField.Part, [Text])] = [
      (.palette, Array(details.palette.keys)), (.assets, Array(details.assets.keys)),
      (.values, Array(details.values.keys)),
    ]
    let fields =
      StateField.Word.allCases.map(StateField.word)
      + parts.flatMap { part, names in names.sorted().map { .part(part, name: $0) } }
    return fields.map { "\(printable($0.name))\t\([$0].line(of: self, json: false))" }
  }
}
