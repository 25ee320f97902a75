import ThemeModel
import ThemedSystem

/// A scheme, and the file that it was read from.
struct ReadScheme: Hashable {
  let path: String
  let scheme: Scheme
  /// The side that it is imported for.
  let side: ColorScheme
  /// Whether the user named the side.
  let isNamed: Bool

  /// A scheme for this side; with nil, for the side that it is made for.
  init(path: String, scheme: Scheme, side: ColorScheme? = nil) {
    self.path = path
    self.scheme = scheme
    self.side = side ?? scheme.variant
    isNamed = side != nil
  }
}

/// A theme that was made of one scheme, or of two, and the files that it was made of.
struct PairedTheme: Hashable {
  let theme: Theme
  let paths: [String]
}

/// Why schemes cannot become a theme.
enum PairingFault: Error, Hashable, CustomStringConvertible {
  /// Two schemes for the same side of one theme.
  case cannotBeOne([String])
  /// No valid name for a theme.
  case noName(String)
  /// Another file became the theme of this name.
  case nameTaken(String, name: Text)

  var description: String {
    switch self {
    case .cannotBeOne(let paths):
      "cannot make one theme from \(paths.joined(separator: ", ")): two of these files are for the same side; give one file "
        + "to --light and another to --dark, or import each separately"
    case .noName(let path): "\(path): cannot derive a theme name; add --name"
    case .nameTaken(let path, let name):
      "\(path): another file became the theme '\(name)'; import this one separately, with --name"
    }
  }
}

/// Makes themes from schemes: a light and a dark one become one theme if the user pairs them, if their files' names
/// differ only in the word for the side, or if each is the other's only kin (``SchemeKin``).
///
/// With a `name`, all schemes become the one theme of this name, which takes a light one, a dark one, or one of each.
///
/// Schemes with several kin are listed in `doubts`.
func pair(
  _ schemes: [ReadScheme], name: Text? = nil
) -> (themes: [PairedTheme], faults: [PairingFault], doubts: [String]) {
  var themes: [PairedTheme] = []
  var faults: [PairingFault] = []
  var taken: Set<Text> = []
  let (groups, doubts) = groups(of: schemes, name: name)
  for group in groups {
    do throws(PairingFault) {
      let theme = try theme(of: group.schemes, name: group.name)
      guard taken.insert(theme.theme.name).inserted else {
        throw .nameTaken(theme.paths.joined(separator: ", "), name: theme.theme.name)
      }
      themes.append(theme)
    } catch { faults.append(error) }
  }
  return (themes, faults, doubts)
}

private struct Group {
  var name: Text?
  var schemes: [ReadScheme]
}

/// The groups that become one theme each: the schemes that the user named, then the others in the order of the files.
private func groups(of schemes: [ReadScheme], name: Text?) -> (groups: [Group], doubts: [String]) {
  if let name { return (schemes.isEmpty ? [] : [Group(name: name, schemes: schemes)], []) }
  let named = schemes.filter(\.isNamed)
  let first = named.isEmpty ? [] : [Group(name: named.count == 2 ? commonName(of: named) : nil, schemes: named)]
  let rest = groups(byNamesOf: schemes.filter { !$0.isNamed })
  let (all, doubts) = groups(byKinOf: rest, besides: Set(first.compactMap(\.name)))
  return (first + all, doubts)
}

/// Pairs of schemes whose files' names differ only in the side, and the other schemes alone.
private func groups(byNamesOf schemes: [ReadScheme]) -> [Group] {
  var groups: [Group] = []
  var places: [Text: Int] = [:]
  for scheme in schemes {
    let name = stem(of: Text(scheme.path), withoutSide: true)
    if let index = places[name] {
      groups[index].schemes.append(scheme)
    } else {
      if !name.isEmpty { places[name] = groups.count }
      groups.append(Group(name: name, schemes: [scheme]))
    }
  }
  return groups.flatMap { group in
    let isPair = group.schemes.count == 2 && group.schemes[0].side != group.schemes[1].side
    return isPair ? [group] : group.schemes.map { Group(name: nil, schemes: [$0]) }
  }
}

/// The groups, with two single schemes joined into a pair if each is the other's only kin.
///
/// Pairs by the files' names come first: a pair of kin is not made if its name is one of theirs, or one of `besides`.
private func groups(byKinOf groups: [Group], besides others: Set<Text>) -> (groups: [Group], doubts: [String]) {
  let singles = groups.indices.filter { groups[$0].schemes.count == 1 }
  let kin = SchemeKin(singles.map { groups[$0].schemes[0] })
  var result: [Group?] = groups
  var (taken, doubts) = (others.union(groups.compactMap(\.name)), kin.doubts)
  for (index, place) in singles.enumerated() {
    guard let partner = kin.partner(of: index), index < partner else { continue }
    let schemes = groups[place].schemes + groups[singles[partner]].schemes
    let name = commonName(of: schemes.sorted { $0.side == .light && $1.side == .dark })
    if let name, !taken.insert(name).inserted {
      let files = schemes.map(\.path).joined(separator: ", ")
      doubts.append("\(files): may be one theme, but '\(name)' is taken; import these two with --name to pair them")
      continue
    }
    result[place] = Group(name: name, schemes: schemes)
    result[singles[partner]] = nil
  }
  return (result.compactMap(\.self), doubts)
}

private func theme(of schemes: [ReadScheme], name: Text?) throws(PairingFault) -> PairedTheme {
  guard Set(schemes.map(\.side)).count == schemes.count else { throw .cannotBeOne(schemes.map(\.path)) }
  let sorted = schemes.sorted { $0.side == .light && $1.side == .dark }
  let stem = stem(of: Text(sorted[0].path), withoutSide: false)
  let name = name ?? (stem.isEmpty ? slug(sorted.compactMap(\.scheme.title).first ?? "") : stem)
  guard Theme.isValidName(name) else { throw .noName(sorted[0].path) }
  var theme = Theme(name: name, title: title(of: sorted), author: author(of: sorted.compactMap(\.scheme.author)))
  for scheme in sorted { theme[scheme.side] = Side(colors: scheme.scheme.colors) }
  return PairedTheme(theme: theme, paths: sorted.map(\.path))
}

/// The common part of both sides' titles, or the only title; nil if there is none.
private func title(of schemes: [ReadScheme]) -> Text? {
  let titled = schemes.filter { $0.scheme.title != nil }
  let titles = titled.compactMap(\.scheme.title)
  // One that only one side of two gives would tell that side.
  if titles.count == 1, schemes.count == 2 { return title(titles[0], without: titled[0].side) }
  return titles.count == 2 ? title(light: titles[0], dark: titles[1]) : titles.first
}

/// The author of a theme whose sides have these authors.
func author(of authors: [Text]) -> Text? {
  guard authors.count == 2, authors[0] != authors[1] else { return authors.first }
  let both = authors.joined(separator: ", ")
  return both.count <= 255 ? both : authors[0]
}

private let sideWords: Set<Text> = ["light", "dark"]

/// A theme name from a file's name, without its directory and suffix; empty if the name has no usable character.
func stem(of path: Text, withoutSide isWithoutSide: Bool) -> Text {
  // A pipe has a number for a name.
  guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/"), path != "-" else { return "" }
  var file = path.split("/", omittingEmpty: true).last ?? ""
  for ending in [".yaml", ".yml", ".toml", ".conf"] as [Text] where file.lowercasedASCII.hasSuffix(ending) {
    file = Text(decoding: file.utf8.dropLast(ending.count))
  }
  let name = slug(file)
  return isWithoutSide ? withoutSide(name) : name
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
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): name.append(byte)
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"): name.append(byte)
    case _ where !name.isEmpty && name.last != UInt8(ascii: "-"): name.append(UInt8(ascii: "-"))
    default: break
    }
  }
  name = Array(name.drop { "-._+".utf8.contains($0) }.prefix(64))
  while name.last == UInt8(ascii: "-") { name.removeLast() }
  return Text(decoding: name)
}
