internal import ThemedSystem

extension Text {
  /// The file that a command of Vim's loads, such as `source ~/.config/vim/vimrc`; nil if it loads no known file.
  func sourcedFile(in directories: AppPath.Directories) -> Text? {
    let commands = split("|").map { Self.words(of: $0) }
    // Which of several is loaded cannot be told.
    guard !commands.contains(where: { ["if", "else", "elseif", "endif"].contains($0.first) }) else { return nil }
    guard let load = commands.last(where: { $0.count == 2 && ["source", "so"].contains($0[0]) }),
      // `let $MYVIMRC = "…" | source $MYVIMRC`
      let path = load[1].contains("/") ? load[1] : commands.compactMap({ Self.value(of: load[1], $0) }).last
    else { return nil }
    let starts: [(word: Text, directory: Text?)] = [
      ("~", directories.home), ("$HOME", directories.home), ("$XDG_CONFIG_HOME", directories.configuration),
    ]
    let start = path.split("/")[0]
    guard let known = starts.first(where: { $0.word == start }) else {
      return path.hasPrefix("/") && !path.contains("$") ? path : nil
    }
    let rest = path.dropping(prefix: "\(start)/")
    return known.directory.flatMap { directory in rest.map { "\(directory)/\($0)" } }
  }

  private static func words(of command: Text) -> [Text] {
    let words = command.split(" ", omittingEmpty: true)
    guard let first = words.first else { return [] }
    return [first.dropping(prefix: ":") ?? first] + words.dropFirst()
  }

  /// The text that `let VARIABLE = "text"` gives; nil for any other command, or if the value is not one plain string.
  private static func value(of variable: Text, _ command: [Text]) -> Text? {
    guard command.first == "let" else { return nil }
    let parts = Text(command.dropFirst().map(\.string).joined()).split("=", maxSplits: 1)
    guard parts.count == 2, parts[0] == variable else { return nil }
    return (["\"", "'"] as [Text]).lazy.compactMap { quote in
      let inner = parts[1].dropping(prefix: quote)?.dropping(suffix: quote)
      return inner.flatMap { $0.utf8.contains(where: "\"'".utf8.contains) ? nil : $0 }
    }.first
  }
}
