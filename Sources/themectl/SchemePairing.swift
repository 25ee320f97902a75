import ThemeClient

/// A scheme, and the file that it was read from.
struct ReadScheme: Hashable {
  let path: String
  let scheme: Scheme
}

/// A theme that was made of one scheme, or of two, and the files that it was made of.
struct PairedTheme: Hashable {
  let theme: Theme
  let paths: [String]
}

/// Why schemes become no theme.
enum PairingFault: Error, Hashable, CustomStringConvertible {
  /// More than one side of the same kind for one theme.
  case cannotBeOne([String])
  /// Nothing that a theme may be called.
  case noName(String)
  /// Another file became the theme of this name.
  case nameTaken(String, name: String)

  var description: String {
    switch self {
    case .cannotBeOne(let paths):
      "one theme has one light side and one dark side, which these are not: \(paths.joined(separator: ", "))"
    case .noName(let path): "\(path): no name for a theme can be made of it; give one with --name"
    case .nameTaken(let path, let name): "\(path): another of the files became the theme '\(name)'"
    }
  }
}

/// Makes themes of schemes: a light one and a dark one become one theme where their files' names differ in nothing but
/// the word for that.
///
/// With a `name`, all schemes become the one theme of this name, which takes a light one, a dark one, or one of each.
func pair(_ schemes: [ReadScheme], name: String? = nil) -> (themes: [PairedTheme], faults: [PairingFault]) {
  var themes: [PairedTheme] = []
  var faults: [PairingFault] = []
  var taken: Set<String> = []
  for group in groups(of: schemes, name: name) {
    do throws(PairingFault) {
      let theme = try theme(of: group.schemes, name: group.name)
      guard taken.insert(theme.theme.name).inserted else {
        throw .nameTaken(theme.paths.joined(separator: ", "), name: theme.theme.name)
      }
      themes.append(theme)
    } catch { faults.append(error) }
  }
  return (themes, faults)
}

private struct Group {
  var name: String?
  var schemes: [ReadScheme]
}

/// What becomes one theme, in the order of the files.
private func groups(of schemes: [ReadScheme], name: String?) -> [Group] {
  if let name { return schemes.isEmpty ? [] : [Group(name: name, schemes: schemes)] }
  var groups: [Group] = []
  for scheme in schemes {
    let name = stem(of: scheme.path, withoutSide: true)
    if let index = groups.firstIndex(where: { $0.name == name && !name.isEmpty }) {
      groups[index].schemes.append(scheme)
    } else {
      groups.append(Group(name: name, schemes: [scheme]))
    }
  }
  return groups.flatMap { group in
    let isPair = group.schemes.count == 2 && group.schemes[0].scheme.variant != group.schemes[1].scheme.variant
    return isPair ? [group] : group.schemes.map { Group(name: nil, schemes: [$0]) }
  }
}

private func theme(of schemes: [ReadScheme], name: String?) throws(PairingFault) -> PairedTheme {
  guard Set(schemes.map(\.scheme.variant)).count == schemes.count else { throw .cannotBeOne(schemes.map(\.path)) }
  let sorted = schemes.sorted { $0.scheme.variant == .light && $1.scheme.variant == .dark }
  let titles = sorted.compactMap(\.scheme.title)
  let stem = stem(of: sorted[0].path, withoutSide: false)
  let name = name ?? (stem.isEmpty ? slug(titles.first ?? "") : stem)
  guard Theme.isValidName(name) else { throw .noName(sorted[0].path) }
  var theme = Theme(name: name, title: title(of: titles) ?? name, author: author(of: sorted.map(\.scheme)))
  for scheme in sorted { theme[scheme.scheme.variant] = Side(colors: scheme.scheme.colors) }
  return PairedTheme(theme: theme, paths: sorted.map(\.path))
}

/// What the titles of both sides have in common, or the only one.
private func title(of titles: [String]) -> String? {
  guard titles.count == 2 else { return titles.first }
  let common = titles.map { title in
    title.split(separator: " ").filter { !sideWords.contains($0.lowercased()) }.joined(separator: " ")
  }
  return common[0] == common[1] && !common[0].isEmpty ? common[0] : titles[0]
}

private func author(of schemes: [Scheme]) -> String? {
  let authors = schemes.compactMap(\.author)
  guard authors.count == 2, authors[0] != authors[1] else { return authors.first }
  let both = authors.joined(separator: ", ")
  return both.utf8.count <= 255 ? both : authors[0]
}

private let sideWords: Set<String> = ["light", "dark"]

/// What a file's name says without its directory and its ending, as a theme may be called; empty where it says nothing.
private func stem(of path: String, withoutSide isWithoutSide: Bool) -> String {
  // A pipe has a number for a name.
  guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return "" }
  var file = path.split(separator: "/").last.map(String.init) ?? ""
  for ending in [".yaml", ".yml"] where file.lowercased().hasSuffix(ending) {
    file = String(file.dropLast(ending.count))
  }
  let name = slug(file)
  guard isWithoutSide else { return name }
  let words = name.split { "-_.".contains($0) }.map(String.init)
  return words.contains(where: sideWords.contains)
    ? words.filter { !sideWords.contains($0) }.joined(separator: "-") : name
}

/// A text as a theme may be called: in lower case, with `-` for what may not stand there; empty where nothing is left.
func slug(_ text: String) -> String {
  var name = ""
  for scalar in text.lowercased().unicodeScalars {
    let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._+".unicodeScalars.contains(scalar))
    if isKept {
      name.unicodeScalars.append(scalar)
    } else if !name.isEmpty, name.last != "-" {
      name += "-"
    }
  }
  name = String(name.drop { "-._+".contains($0) }.prefix(64))
  while name.last == "-" { name.removeLast() }
  return name
}
