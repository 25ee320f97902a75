import ThemeModel
import ThemedSystem

/// Finds schemes that belong together though their files' names do not tell light from dark, such as latte and mocha.
///
/// Kin are schemes of one family. The file names the family; otherwise schemes are kin if their titles, or without
/// titles their files' names, differ only in the last word, or if one of them has one word more.
struct SchemeKin {
  private let schemes: [ReadScheme]
  private let names: [Set<Text>]
  /// The schemes by the names of their families.
  private var places: [Text: [Int]] = [:]

  init(_ schemes: [ReadScheme]) {
    self.schemes = schemes
    names = schemes.map(\.familyNames)
    for (index, names) in names.enumerated() {
      for name in names { places[name, default: []].append(index) }
    }
  }

  /// The schemes for the other side that may belong to this one.
  private func kin(of index: Int) -> [Int] {
    Set(names[index].flatMap { places[$0] ?? [] }).filter { schemes[$0].side != schemes[index].side }.sorted()
  }

  /// The scheme for the other side, if each of the two is the other's only kin.
  func partner(of index: Int) -> Int? {
    let kin = kin(of: index)
    return kin.count == 1 && self.kin(of: kin[0]).count == 1 ? kin[0] : nil
  }

  /// A line for each light scheme that has kin but no partner, with the options that pair it.
  var doubts: [String] {
    let told = allDoubts
    guard told.count > 3 else { return told }
    return ["\(told.count) light schemes have several possible dark ones; use --light and --dark to pair two"]
  }

  private var allDoubts: [String] {
    schemes.indices.filter { schemes[$0].side == .light && partner(of: $0) == nil }.compactMap { index in
      let files = kin(of: index).map { schemes[$0].path }
      guard !files.isEmpty else { return nil }
      let named = files.count > 3 ? "\(files.count) files" : files.joined(separator: ", ")
      return
        "\(schemes[index].path): its dark side may be \(named); use --light and --dark to pair two"
    }
  }
}

extension ReadScheme {
  /// The possible names of its family.
  fileprivate var familyNames: Set<Text> {
    if let family = scheme.family { return Set([slug(family)].filter { !$0.isEmpty }) }
    let name = withoutSide(scheme.title.map(slug) ?? stem(of: Text(path), withoutSide: false))
    let words = name.utf8.split { "-_.".utf8.contains($0) }.map { Text(decoding: $0) }
    return Set([words, words.dropLast()].map { $0.joined(separator: "-") }.filter { !$0.isEmpty })
  }
}

/// The common name of two schemes: the words with which both files' names begin, or else those of both titles.
func commonName(of schemes: [ReadScheme]) -> Text? {
  let names = schemes.map { stem(of: Text($0.path), withoutSide: true).split("-", omittingEmpty: true) }
  let words = names.map { $0.flatMap { $0.split("_", omittingEmpty: true) } }
  let common = zip(words[0], words[1]).prefix { $0 == $1 }.map(\.0).joined(separator: "-")
  if !common.isEmpty { return common }
  let titles = schemes.compactMap(\.scheme.title)
  return titles.count == 2 ? title(light: titles[0], dark: titles[1]).map(slug).flatMap { $0.isEmpty ? nil : $0 } : nil
}
