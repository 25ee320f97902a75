import ThemedModel
import ThemedSystem

func author(of authors: [Text]) -> Text? {
  guard authors.count == 2, authors[0] != authors[1] else { return authors.first }
  let both = authors.joined(separator: ", ")
  return both.count <= 255 ? both : authors[0]
}

private let sideWords: Set<Text> = ["light", "dark"]

/// The name of a file without its directory and its ending; empty if it is a pipe, whose name is a number.
func fileName(of path: Text) -> Text {
  guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/"), path != "-" else { return "" }
  let file = path.split("/", omittingEmpty: true).last ?? ""
  guard let (name, ending) = file.splitAtLast("."), !name.isEmpty else { return file }
  return schemeEndings.contains(ending.lowercasedASCII) ? name : file
}

/// The endings of the names of files with schemes.
private let schemeEndings: Set<Text> = [
  "yaml", "yml", "toml", "conf", "json", "jsonc", "itermcolors", "ini", "colorscheme", "palette", "lua", "xrdb",
  "xresources", "theme",
]

/// The names that many programs give to the file with their colours, so that they do not name the theme.
private let commonFileNames: Set<Text> = [
  "alacritty", "colors", "colours", "config", "current-theme", "foot", "ghostty", "kitty", "palette", "scheme",
  "settings", "terminal", "theme", "themes", "wezterm", "xdefaults", "xresources",
]

/// The schemes, each with the name that its theme gets: that of its file, or if that does not tell it from others, its
/// title or the directory's name.
func named(_ schemes: [ReadScheme]) -> [ReadScheme] {
  let titles = Dictionary(grouping: schemes) { slug($0.name) }.mapValues {
    Set($0.compactMap(\.scheme.title?.letters)).count
  }
  return schemes.map { scheme in
    let name = slug(scheme.name)
    let isCommon = commonFileNames.contains(name)
    guard isCommon || titles[name] ?? 0 > 1 else { return scheme }
    var scheme = scheme
    let directories = Text(scheme.path).split("/", omittingEmpty: true).dropLast()
    scheme.name = scheme.scheme.title ?? (isCommon ? directories.last { $0 != "." && $0 != ".." } : nil) ?? scheme.name
    return scheme
  }
}

/// A theme's name from that of a file; empty if it has no usable character.
func stem(of name: Text, withoutSide isWithoutSide: Bool) -> Text {
  isWithoutSide ? withoutSide(slug(name.withWordsOfSides)) : slug(name)
}

/// A theme's name without the words for a side, if it has one; empty if nothing else is left.
func withoutSide(_ name: Text) -> Text {
  let words = name.utf8.split { "-_.".utf8.contains($0) }.map { Text(decoding: $0) }
  return words.contains(where: sideWords.contains)
    ? words.filter { !sideWords.contains($0) }.joined(separator: "-") : name
}

/// A text as a theme's name: in lower case, with `-` for other characters; empty if none of them is usable.
func slug(_ text: Text) -> Text {
  var name: [UInt8] = []
  for byte in text.lowercasedASCII.utf8 {
    if byte.isLetterOrDigit || "._+".utf8.contains(byte) {
      name.append(byte)
    } else if let last = name.last, last != UInt8(ascii: "-") {
      name.append(UInt8(ascii: "-"))
    }
  }
  name = Array(name.drop { "-._+".utf8.contains($0) }.prefix(64))
  while name.last == UInt8(ascii: "-") { name.removeLast() }
  return Text(decoding: name)
}

/// The title of a theme of two schemes: the words that both titles have besides their sides, or else the words with
/// which both begin; nil if there are none.
func title(light: Text, dark: Text) -> Text? {
  let (one, other) = (TitleWords(light), TitleWords(dark))
  let (bareOne, bareOther) = (one.without("light"), other.without("dark"))
  if bareOne.words == bareOther.words { return bareOne.title }
  return bareOne.beginning(with: bareOther).title ?? one.beginning(with: other).title
}

/// The title of a scheme that is one side of a theme: without the word for that side, unless it is the only word.
func title(_ title: Text, without scheme: ColorScheme) -> Text {
  TitleWords(title).without(Text(scheme.rawValue)).title ?? title
}

/// The words of a title, one of which may name a side.
private struct TitleWords {
  var words: [Text]

  init(_ title: Text) { words = title.split(" ", omittingEmpty: true) }

  private init(words: [Text]) { self.words = words }

  /// The words in one line, without punctuation at the end; nil if no word is left.
  var title: Text? {
    var words = words
    while let last = words.popLast() {
      let bare = Text(decoding: last.utf8.reversed().drop { " ,;:-|/(".utf8.contains($0) }.reversed())
      if !bare.isEmpty { return (words + [bare]).joined(separator: " ") }
    }
    return nil
  }

  /// The words without each one that is this word, also in brackets or before a comma, or that ends with it as in
  /// `OneLight`.
  func without(_ side: Text) -> TitleWords {
    var rest: [Text] = []
    // An opening bracket before the word moves to the next word.
    var pending: Text = ""
    for word in words {
      guard let (before, behind) = word.around(side) else {
        rest.append("\(pending)\(word)")
        pending = ""
        continue
      }
      switch (before, behind) {
      case ("(", ")"), ("[", "]"): break
      case ("(", _), ("[", _): pending = before
      case (_, _) where before.isEmpty:
        if let last = rest.popLast() { rest.append("\(last)\(behind)") }
      default: rest.append("\(before)\(behind)")
      }
    }
    return TitleWords(words: rest)
  }

  func beginning(with other: TitleWords) -> TitleWords {
    TitleWords(words: zip(words, other.words).prefix { $0 == $1 }.map(\.0))
  }
}

extension Text {
  /// Its letters and digits, which are the same in `tokyo_night` and `Tokyo Night`.
  fileprivate var letters: Text {
    Text(decoding: lowercasedASCII.utf8.filter { $0.isLetterOrDigit || $0 >= 0x80 })
  }

  /// The text with `-` before a word for a side that begins with a capital letter, as in `OneLight`.
  fileprivate var withWordsOfSides: Text {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while !rest.isEmpty {
      let isSide = rest.starts(with: "Light".utf8) || rest.starts(with: "Dark".utf8)
      if isSide, bytes.last?.isLetterOrDigit ?? false { bytes.append(UInt8(ascii: "-")) }
      let length = isSide ? rest.first == UInt8(ascii: "L") ? 5 : 4 : 1
      bytes += rest.prefix(length)
      rest = rest.dropFirst(length)
      // `Lighthouse` names no side.
      if isSide, let next = rest.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next) {
        bytes.append(UInt8(ascii: "-"))
      }
    }
    return Text(decoding: bytes)
  }

  /// The text before and after the word for a side; nil if the text does not contain it as a word.
  fileprivate func around(_ side: Text) -> (before: Text, behind: Text)? {
    let behind = Text(decoding: utf8.reversed().prefix { ",;:)]".utf8.contains($0) }.reversed())
    let rest = dropping(suffix: behind) ?? self
    guard rest.lowercasedASCII.hasSuffix(side) else { return nil }
    let before = Text(decoding: rest.utf8.dropLast(side.count))
    guard let last = before.utf8.last, !"([".utf8.contains(last) else { return (before, behind) }
    if "-_".utf8.contains(last) { return (Text(decoding: before.utf8.dropLast()), behind) }
    // OneLight names a side, and Moonlight does not.
    let first = rest.utf8.dropFirst(before.count).first ?? 0
    guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(last),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    else { return nil }
    return (before, behind)
  }
}
