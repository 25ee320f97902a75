package import ThemedModel
package import ThemedSystem

package struct ReadScheme: Hashable {
  package let path: String
  package let scheme: Scheme
  /// The side that it is imported for.
  package let side: ColorScheme
  package let isNamed: Bool
  /// The name that its theme gets: that of its file, or another one that tells it from other files.
  var name: Text

  /// A scheme for this side; with nil, for the side that it is made for.
  package init(path: String, scheme: Scheme, side: ColorScheme? = nil) {
    self.path = path
    self.scheme = scheme
    self.side = side ?? scheme.variant
    isNamed = side != nil
    name = fileName(of: Text(path))
  }
}

/// A theme that was made of one scheme, or of two, and the files that it was made of.
package struct PairedTheme: Hashable {
  package let theme: Theme
  package let paths: [String]
}

/// Makes themes from schemes: a light and a dark one become one theme if the user pairs them, if their files' names
/// differ only in the word for the side, or if each is the other's only relative (``SchemeRelatives``).
///
/// With a `name`, all schemes become the one theme of this name, which takes a light one, a dark one, or one of each.
///
/// Schemes with several relatives are listed in `doubts`, and also files that have the colours of another file.
package func pair(
  _ schemes: [ReadScheme], name: Text? = nil
) -> (themes: [PairedTheme], faults: [Refusal], doubts: [String]) {
  let (schemes, copies) = name == nil ? distinct(named(schemes)) : (schemes, [])
  var themes: [PairedTheme] = []
  var others: [PairedTheme] = []
  var faults: [Refusal] = []
  var taken: Set<Text> = []
  let (groups, doubts) = groups(of: schemes, name: name)
  for group in groups {
    do throws(Refusal) {
      let theme = try theme(of: group)
      if taken.insert(theme.theme.name).inserted { themes.append(theme) } else { others.append(theme) }
    } catch { faults.append(error) }
  }
  faults += others.prefix(others.count > 3 ? 0 : 3).map { theme in
    let paths = theme.paths.joined(separator: ", ")
    return Refusal(
      "\(paths): another file became the theme '\(theme.theme.name)'; import this one separately, with --name")
  }
  if others.count > 3 {
    faults.append(
      Refusal(
        "\(others.count) files, such as \(others[0].paths[0]), are named like imported files but have different "
          + "colours; import one separately, with --name"))
  }
  return (themes, faults, doubts + copies)
}

/// The schemes without those that have the name, the side and the terminal's colours of another one, such as the same
/// scheme in another format; of them, the one with the most colours stays.
private func distinct(_ schemes: [ReadScheme]) -> (schemes: [ReadScheme], doubts: [String]) {
  var (result, places, copies): ([ReadScheme], [Text: [Int]], [String]) = ([], [:], [])
  for scheme in schemes {
    let name = "\(scheme.side.rawValue) \(slug(scheme.name))" as Text
    guard !scheme.isNamed, let place = places[name]?.first(where: { result[$0].scheme.isCopy(of: scheme.scheme) })
    else {
      if !scheme.isNamed { places[name, default: []].append(result.count) }
      result.append(scheme)
      continue
    }
    let isRicher = scheme.scheme.colors.count > result[place].scheme.colors.count
    copies.append(isRicher ? result[place].path : scheme.path)
    if isRicher { result[place] = scheme }
  }
  guard !copies.isEmpty else { return (result, []) }
  let files = copies.count > 3 ? "\(copies.count) files" : copies.joined(separator: ", ")
  return (result, ["not importing \(files): another file has the same name and the same colours"])
}

extension Scheme {
  /// Whether all colours of a terminal that both have are the same, except for the rounding of another program.
  fileprivate func isCopy(of other: Scheme) -> Bool {
    let roles = ([.background, .text] + Role.ansi + Role.base24Slots).filter {
      colors[$0] != nil && other.colors[$0] != nil
    }
    return roles.count > 1
      && roles.allSatisfy { role in
        guard let one = colors[role], let two = other.colors[role] else { return true }
        return max(abs(one.red - two.red), abs(one.green - two.green), abs(one.blue - two.blue)) < 2.5 / 255
      }
  }
}

private struct Group {
  var name: Text?
  var schemes: [ReadScheme]
  /// Whether the pair has the name of a third scheme, and gets a longer one.
  var isBesideAnother = false

  var isPair: Bool { schemes.count == 2 && schemes[0].side != schemes[1].side }
}

/// The groups that become one theme each: the schemes that the user named, then the others in the order of the files.
private func groups(of schemes: [ReadScheme], name: Text?) -> (groups: [Group], doubts: [String]) {
  if let name { return (schemes.isEmpty ? [] : [Group(name: name, schemes: schemes)], []) }
  let named = schemes.filter(\.isNamed)
  let first = named.isEmpty ? [] : [Group(name: named.count == 2 ? commonName(of: named) : nil, schemes: named)]
  let rest = groups(byNamesOf: schemes.filter { !$0.isNamed })
  let (all, doubts) = groups(byRelativesOf: rest, besides: Set(first.compactMap(\.name)))
  return (first + all, doubts)
}

/// Pairs of schemes whose files' names differ only in the side, and the other schemes alone.
private func groups(byNamesOf schemes: [ReadScheme]) -> [Group] {
  var groups: [Group] = []
  var places: [Text: Int] = [:]
  for scheme in schemes {
    let name = stem(of: scheme.name, withoutSide: true)
    if let index = places[name] {
      groups[index].schemes.append(scheme)
    } else {
      if !name.isEmpty { places[name] = groups.count }
      groups.append(Group(name: name, schemes: [scheme]))
    }
  }
  return groups.flatMap { group in
    if group.isPair { return [group] }
    // X Light and X Dark belong together, even if there is X, too.
    let pair = Group(
      name: group.name, schemes: group.schemes.filter { stem(of: $0.name, withoutSide: false) != group.name },
      isBesideAnother: true)
    let rest = pair.isPair ? group.schemes.filter { !pair.schemes.contains($0) } : group.schemes
    return (pair.isPair ? [pair] : []) + rest.map { Group(name: nil, schemes: [$0]) }
  }
}

/// The groups, with two single schemes joined into a pair if each is the other's only relative.
///
/// Pairs by the files' names come first: a pair of relatives is not made if its name is one of theirs, or one of `besides`.
private func groups(byRelativesOf groups: [Group], besides others: Set<Text>) -> (groups: [Group], doubts: [String]) {
  let singles = groups.indices.filter { groups[$0].schemes.count == 1 }
  let relatives = SchemeRelatives(singles.map { groups[$0].schemes[0] })
  var result: [Group?] = groups
  var (taken, doubts) = (others.union(groups.compactMap(\.name)), relatives.doubts)
  for (index, place) in singles.enumerated() {
    guard let partner = relatives.partner(of: index), index < partner else { continue }
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

private func theme(of group: Group) throws(Refusal) -> PairedTheme {
  let schemes = group.schemes
  guard Set(schemes.map(\.side)).count == schemes.count else {
    var known: Set<Text> = []
    var paths = schemes.map(\.path).filter { known.insert(Text($0)).inserted }
    let count = Set(schemes.map(\.scheme)).count
    if paths.count == 1, count > 1 {
      throw Refusal(
        "cannot make one theme from \(paths[0]): the file has \(count) schemes; import it without --name")
    }
    // The user gave this file twice.
    if paths.count == 1 { paths = schemes.map(\.path) }
    throw Refusal(
      "cannot make one theme from \(paths.joined(separator: ", ")): two of these files are for the same "
        + "side; give one file to --light and another to --dark, or import each separately")
  }
  let sorted = schemes.sorted { $0.side == .light && $1.side == .dark }
  let stem = stem(of: sorted[0].name, withoutSide: false)
  let name =
    group.name.map { group.isBesideAnother ? "\($0)-light-dark" : $0 }
    ?? (stem.isEmpty ? slug(sorted.compactMap(\.scheme.title).first ?? "") : stem)
  guard Theme.isValidName(name) else {
    throw Refusal("\(sorted[0].path): cannot derive a theme name; add --name")
  }
  let title = title(of: sorted).map { group.isBesideAnother ? "\($0) Light/Dark" : $0 } ?? sorted[0].titleOfName
  var theme = Theme(name: name, title: title, author: author(of: sorted.compactMap(\.scheme.author)))
  for scheme in sorted { theme[scheme.side] = Side(colors: scheme.scheme.colors) }
  return PairedTheme(theme: theme, paths: sorted.map(\.path))
}

/// The common part of both sides' titles, or the only title; nil if there is none.
private func title(of schemes: [ReadScheme]) -> Text? {
  let titled = schemes.filter { $0.scheme.title != nil }
  let titles = titled.compactMap(\.scheme.title)
  // A title that only one of two sides has names that side.
  if titles.count == 1, schemes.count == 2 { return title(titles[0], without: titled[0].side) }
  return titles.count == 2 ? title(light: titles[0], dark: titles[1]) : titles.first
}

/// Finds schemes that belong together though their files' names do not tell light from dark, such as latte and mocha.
///
/// Relatives are schemes of one family. If no file names the family, schemes are relatives if their titles, or without
/// titles their files' names, differ only in the last word, or if one of them has one word more.
package struct SchemeRelatives {
  private let schemes: [ReadScheme]
  private let names: [Set<Text>]
  private var places: [Text: [Int]] = [:]

  package init(_ schemes: [ReadScheme]) {
    self.schemes = schemes
    names = schemes.map(\.familyNames)
    for (index, names) in names.enumerated() {
      for name in names { places[name, default: []].append(index) }
    }
  }

  /// The schemes for the other side that may belong to this one.
  private func relatives(of index: Int) -> [Int] {
    Set(names[index].flatMap { places[$0] ?? [] }).filter { schemes[$0].side != schemes[index].side }.sorted()
  }

  /// The scheme for the other side, if each of the two is the other's only relative.
  func partner(of index: Int) -> Int? {
    let relatives = relatives(of: index)
    return relatives.count == 1 && self.relatives(of: relatives[0]).count == 1 ? relatives[0] : nil
  }

  /// A line for each light scheme that has relatives but no partner, with the options that pair it.
  package var doubts: [String] {
    let told = allDoubts
    guard told.count > 3 else { return told }
    return ["\(told.count) light schemes have several possible dark ones; use --light and --dark to pair two"]
  }

  private var allDoubts: [String] {
    schemes.indices.filter { schemes[$0].side == .light && partner(of: $0) == nil }.compactMap { index in
      var known: Set<Text> = []
      let files = relatives(of: index).map { schemes[$0].path }.filter { known.insert(Text($0)).inserted }
      // --light and --dark take files, so they cannot pair two schemes of one file.
      guard !files.isEmpty, known != [Text(schemes[index].path)] else { return nil }
      let named = files.count > 3 ? "\(files.count) files" : files.joined(separator: ", ")
      return "\(schemes[index].path): its dark side may be \(named); use --light and --dark to pair two"
    }
  }
}

extension ReadScheme {
  /// A title from the file's name, if that has capital letters, as a title has.
  fileprivate var titleOfName: Text? {
    let title = Text(name.split("_").joined(separator: " ").string).asOneLine
    return name.lowercasedASCII == name || title.isEmpty || title.count > 255 ? nil : title
  }

  fileprivate var familyNames: Set<Text> {
    if let family = scheme.family { return Set([slug(family)].filter { !$0.isEmpty }) }
    let name = withoutSide(scheme.title.map(slug) ?? stem(of: name, withoutSide: false))
    let words = name.utf8.split { "-_.".utf8.contains($0) }.map { Text(decoding: $0) }
    return Set([words, words.dropLast()].map { $0.joined(separator: "-") }.filter { !$0.isEmpty })
  }
}

/// The common name of two schemes: the words with which both files' names begin, or else those of both titles.
func commonName(of schemes: [ReadScheme]) -> Text? {
  let names = schemes.map { stem(of: $0.name, withoutSide: true).split("-", omittingEmpty: true) }
  let words = names.map { $0.flatMap { $0.split("_", omittingEmpty: true) } }
  let common = zip(words[0], words[1]).prefix { $0 == $1 }.map(\.0).joined(separator: "-")
  if !common.isEmpty { return common }
  let titles = schemes.compactMap(\.scheme.title)
  return titles.count == 2 ? title(light: titles[0], dark: titles[1]).map(slug).flatMap { $0.isEmpty ? nil : $0 } : nil
}

extension PairedTheme {
  /// The theme with the other side added from the only theme here that has just that side and the same name but for the
  /// side; with `isNamed`, exactly the same name.
  ///
  /// So sides that are imported one after the other become the same theme as if they were imported together.
  package func completed(with installed: [Theme], isNamed: Bool) -> (theme: Theme, other: Theme)? {
    guard theme.schemes.count == 1 else { return nil }
    let base = isNamed ? theme.name : withoutSide(theme.name)
    let others = installed.filter {
      $0.schemes == [theme.schemes[0].opposite] && (isNamed ? $0.name : withoutSide($0.name)) == base
    }
    guard others.count == 1, let other = others.first, !base.isEmpty else { return nil }
    var both = theme
    both.name = base
    both[other.schemes[0]] = other[other.schemes[0]]
    let (light, dark) = theme.light == nil ? (other, theme) : (theme, other)
    both.title = title(light: light.title, dark: dark.title) ?? base
    both.author = author(of: [light, dark].compactMap(\.author))
    return (both, other)
  }

  /// The theme of both sides that includes this side, or would include it; nil if there is none.
  package func whole(among installed: [Theme]) -> Theme? {
    let base = withoutSide(theme.name)
    guard theme.schemes.count == 1, base != theme.name else { return nil }
    return installed.first { $0.name == base && $0.schemes.count == 2 }
  }

  /// A theme of both sides with this one's side instead of its own, whose images and values stay.
  package func replacing(in whole: Theme) -> Theme {
    var both = whole
    let scheme = theme.schemes[0]
    both[scheme] = theme[scheme]
    for (name, path) in whole[scheme]?.assets ?? [:] where both[scheme]?.assets[name] == nil {
      both[scheme]?.assets[name] = path
    }
    // The imported colours are not those of a picture.
    for (name, value) in whole[scheme]?.values ?? [:]
    where name != "follow-wallpaper" && both[scheme]?.values[name] == nil {
      both[scheme]?.values[name] = value
    }
    return both
  }
}
