import Glibc
package import ThemeApps
package import ThemedInterface
package import ThemedModel
import ThemedSystem

/// A theme's file as it was read, and the remarks about it.
package struct ThemeExamination {
  /// The longest file that is read, in bytes; the daemon has the same limit.
  static let maximumBytes = 64 * 1024

  package let place: InstalledThemes.Place
  package private(set) var theme: Theme?
  package private(set) var remarks: [Remark] = []
  /// The file's bytes, if a mistake is in them.
  private var faultyBytes: [UInt8] = []

  package var errors: [Remark] { remarks.filter(\.isError) }
  package var warnings: [Remark] { remarks.filter { !$0.isError } }

  package init(_ place: InstalledThemes.Place) {
    self.place = place
    do throws(SystemError) {
      let bytes = try readFile(place.path, maximum: Self.maximumBytes)
      examine(bytes)
      if !errors.isEmpty { faultyBytes = bytes }
    } catch {
      let reason =
        error.code == EFBIG ? "the file is longer than 64 KiB" : "cannot read the file: \(SystemError.text(error.code))"
      remarks = [Remark(reason)]
    }
    remarks.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The line of the file with the mistake, as messages show it; nil for warnings and for the file as a whole.
  package func quotedLine(of remark: Remark) -> String? {
    remark.isError ? ThemeSetup.quotedLine(remark.line, of: faultyBytes) : nil
  }

  /// The daemon's information about a theme whose path it does not give.
  package init(_ listing: ThemeListing) {
    place = InstalledThemes.Place(name: listing.name, path: listing.path.string)
    if let problem = listing.problem { remarks = [Remark(problem)] }
    guard let title = listing.title else { return }
    var theme = Theme(name: listing.name, title: title)
    for scheme in ColorScheme.allCases {
      theme[scheme] = listing.swatch(for: scheme).map { Side(colors: $0) }
    }
    self.theme = theme
  }

  private mutating func examine(_ bytes: [UInt8]) {
    let text = KeyFile(bytes)
    remarks = text.faults.map { Remark(line: $0.line, $0.text) }
    remarks += text.problems.map { Remark(line: text.line(of: $0), "\($0)") }
    guard let file = read(text.groups, text) else { return }
    remarks += file.unknown.map {
      Remark(line: text.line(of: $0), isError: false, "\($0); themed ignores it")
    }
    examineAssets(of: file.theme, text)
    for scheme in file.theme.schemes { examineColors(of: file.theme, scheme, text) }
    if errors.isEmpty { theme = file.theme }
  }

  /// The file; if it is invalid, its valid parts.
  private mutating func read(_ groups: [ThemeFile.Group], _ text: KeyFile) -> ThemeFile? {
    do throws(ThemeFile.Problems) {
      return try ThemeFile(name: place.name, groups: groups)
    } catch {
      remarks += error.list.map { Remark(line: text.line(of: $0), "\($0)") }
      let faulty = Set(error.list.map { Spot(group: $0.group, key: $0.key) })
      let rest = groups.map { group in
        let isFaulty = { (key: Text?) in faulty.contains(Spot(group: group.name, key: key)) }
        return ThemeFile.Group(group.name, isFaulty(nil) ? [] : group.entries.filter { !isFaulty($0.key) })
      }
      // Remarks about names that depend on an invalid colour would be misleading, and the colour has a remark.
      let said = remarks
      defer { remarks = said }
      return rest == groups ? nil : read(rest, text)
    }
  }

  private struct Spot: Hashable {
    let group: Text?
    let key: Text?
  }

  private mutating func examineAssets(of theme: Theme, _ text: KeyFile) {
    let home = BaseDirectory.home.map { Text($0) }
    for scheme in theme.schemes {
      for (name, value) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(value, directory: place.directory, home: home)
        if let path, isReadableFile(path.string) { continue }
        let group: Text =
          text.value("\(scheme.rawValue).assets", name) == nil ? "both.assets" : "\(scheme.rawValue).assets"
        let problem = ThemeFile.Problem(
          group: group, key: name, value: value, expected: "the path of a file that can be read")
        // themed shows the theme without it.
        let remark = Remark(line: text.line(of: problem), isError: false, "\(problem); it is left out")
        if !remarks.contains(remark) { remarks.append(remark) }
      }
    }
  }

  private mutating func examineColors(of theme: Theme, _ scheme: ColorScheme, _ text: KeyFile) {
    guard let palette = theme.palette(for: scheme) else { return }
    let given = theme[scheme]?.colors ?? [:]
    let slots = Contrast.slots.filter { given[$0] != nil }.map { palette.contrast(of: $0, on: .base00) }
    let terminal = Contrast.terminal.filter { given[$0] != nil }.map { palette.contrast(of: $0, on: .background) }
    // The colours that themed derives itself say nothing about the theme.
    let own = palette.contrasts.filter {
      $0.text.isGiven(by: given) && ($0.ground == .background || $0.ground.isGiven(by: given))
    }
    for contrast in own + slots + terminal where !contrast.isReadable {
      let (role, ground) = (contrast.text, contrast.ground)
      warn(
        "the contrast of \(role.rawValue) on \(ground.rawValue) is \(ratioText(contrast.ratio)), but should be at least "
          + ratioText(Contrast.minimum), of: [role, ground], scheme, text)
    }
    for likeness in palette.likenesses where likeness.isAlike && likeness.role.isGiven(by: given) {
      let (role, other) = (likeness.role, likeness.other)
      warn(
        "\(role.rawValue) looks like \(other.rawValue): their distance in OKLab is \(Int(likeness.distance)), but should "
          + "be at least \(Int(likeness.minimum))", of: [role, other], scheme, text)
    }
  }

  /// Warns about colours of a side, at the line of the first of these roles that the file gives, by itself or by its
  /// slot, for this side or for both.
  private mutating func warn(_ words: String, of roles: [Role], _ scheme: ColorScheme, _ text: KeyFile) {
    let group: Text = "\(scheme.rawValue).palette"
    let keys: [Text] = (roles + roles.compactMap(\.slot)).flatMap { role -> [Text] in
      role == .primary ? ["primary", "tint"] : [role.rawValue]
    }
    let line = (keys.map(Optional.some) + [nil]).lazy.flatMap { key in
      [group, "both.palette"].lazy.compactMap { text.line(of: ThemeFile.Problem(group: $0, key: key, expected: "")) }
    }.first
    remarks.append(Remark(line: line, isError: false, "[\(group)] \(words)"))
  }

  /// How many warnings the themes have, and the command that lists them; nil if there are none.
  package static func noteAboutWarnings(of places: [InstalledThemes.Place]) -> String? {
    let doubtful = places.map(ThemeExamination.init).filter { !$0.warnings.isEmpty }
    let count = doubtful.map(\.warnings.count).reduce(0, +)
    guard count > 0 else { return nil }
    let names = doubtful.count > 3 ? "" : doubtful.map { " \(printable($0.place.name))" }.joined()
    return "note: \(count == 1 ? "1 warning" : "\(count) warnings") about colours in "
      + "\(doubtful.count == 1 ? "1 theme" : "\(doubtful.count) themes"); run 'themectl theme check\(names)'"
  }
}

/// A contrast ratio with two decimals, rounded down, so that a ratio below the minimum looks like it.
private func ratioText(_ ratio: Double) -> String {
  let hundredths = Int((ratio * 100).rounded(.down))
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

extension Role {
  /// Whether a theme that gives these colours gives its colour: itself, or by a slot or a terminal's colour.
  fileprivate func isGiven(by colors: [Role: Color]) -> Bool {
    colors[self] != nil
      || rules.contains { rule in
        switch rule {
        case .given(let role), .readableSlot(let role, _, _), .fainterSlot(let role, _): colors[role] != nil
        default: false
        }
      }
  }

  /// The slot that gives its colour, if the file has that slot.
  fileprivate var slot: Role? {
    switch rules.first {
    case .given(let slot), .readableSlot(let slot, _, _): slot
    default: nil
    }
  }
}
