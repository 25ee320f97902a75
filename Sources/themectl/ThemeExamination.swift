import ForeignText
import Glibc
import ThemeClient
import Unix

/// A theme's file as it was read, and everything that can be said of it.
struct ThemeExamination {
  /// What is wrong, or may be.
  struct Remark: Hashable {
    /// The line, from 1; nil where it is about no single one.
    let line: Int?
    /// Whether the theme cannot be shown as it is.
    let isError: Bool
    /// What it is, in one line.
    let text: String
  }

  /// The longest file that is read, as the daemon has it.
  static let maximumBytes = 64 * 1024

  /// Where the file is.
  let place: ThemePlaces.Place
  /// The theme; nil where the file is wrong.
  private(set) var theme: Theme?
  /// The remarks, by line.
  private(set) var remarks: [Remark] = []

  /// What is wrong.
  var errors: [Remark] { remarks.filter(\.isError) }

  /// Reads a theme's file.
  init(_ place: ThemePlaces.Place) {
    self.place = place
    do throws(SystemError) {
      examine(try readFile(place.path, maximum: Self.maximumBytes))
    } catch {
      let reason =
        error.code == EFBIG ? "it is longer than 64 KiB" : "it cannot be read: \(SystemError.text(error.code))"
      remarks = [Remark(line: nil, isError: true, text: reason)]
    }
    remarks.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private mutating func examine(_ bytes: [UInt8]) {
    let text = KeyFileText(bytes)
    remarks = text.faults.map { Remark(line: $0.line, isError: true, text: $0.text) }
    guard let file = read(text.groups, text) else { return }
    remarks += file.unknown.map {
      Remark(line: text.line(of: $0), isError: false, text: "\($0); it is passed over")
    }
    examineAssets(of: file.theme, text)
    examineContrasts(of: file.theme, text)
    if errors.isEmpty { theme = file.theme }
  }

  /// The file; where it is wrong, what is left of it without what is wrong.
  private mutating func read(_ groups: [ThemeFile.Group], _ text: KeyFileText) -> ThemeFile? {
    do throws(ThemeFile.Problems) {
      return try ThemeFile(name: place.name, groups: groups)
    } catch {
      remarks += error.list.map { Remark(line: text.line(of: $0), isError: true, text: "\($0)") }
      let faulty = Set(error.list.map { Spot(group: $0.group, key: $0.key) })
      let rest = groups.map { group in
        let isFaulty = { (key: Text?) in faulty.contains(Spot(group: group.name, key: key)) }
        return ThemeFile.Group(
          group.name, isFaulty(nil) ? [] : group.entries.filter { !isFaulty($0.key) })
      }
      return try? ThemeFile(name: place.name, groups: rest)
    }
  }

  /// A group, or a key of one.
  private struct Spot: Hashable {
    let group: Text?
    let key: Text?
  }

  private mutating func examineAssets(of theme: Theme, _ text: KeyFileText) {
    let home = BaseDirectory.home.map { Text($0) }
    for scheme in theme.schemes {
      for (name, value) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(value, directory: place.directory, home: home)
        if let path, isReadableFile(path.string) { continue }
        let problem = ThemeFile.Problem(
          group: "\(scheme.rawValue).assets", key: name, value: value, expected: "the path of a file that can be read")
        remarks.append(Remark(line: text.line(of: problem), isError: true, text: "\(problem)"))
      }
    }
  }

  private mutating func examineContrasts(of theme: Theme, _ text: KeyFileText) {
    for scheme in theme.schemes {
      for contrast in theme.palette(for: scheme)?.contrasts ?? [] where !contrast.isReadable {
        let group: Text = "\(scheme.rawValue).palette"
        let roles = [contrast.text, contrast.ground] + [contrast.text, contrast.ground].compactMap(\.slot)
        let keys = roles.map { Text($0.rawValue) } + (roles.contains(.primary) ? ["tint"] : [])
        let line = (keys.map(Optional.some) + [nil]).lazy.compactMap {
          text.line(of: ThemeFile.Problem(group: group, key: $0, expected: ""))
        }.first
        let words =
          "[\(group)] the contrast of \(contrast.text.rawValue) on \(contrast.ground.rawValue) is "
          + "\(ratioText(contrast.ratio)), and should be at least \(ratioText(Contrast.minimum))"
        remarks.append(Remark(line: line, isError: false, text: words))
      }
    }
  }
}

/// A contrast ratio with two digits behind the point, rounded down: what is below the minimum looks so.
private func ratioText(_ ratio: Double) -> String {
  let hundredths = Int((ratio * 100).rounded(.down))
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

extension Role {
  /// The slot that it is taken from where that is given.
  fileprivate var slot: Role? {
    guard case .given(let slot)? = rules.first else { return nil }
    return slot
  }
}

private func isReadableFile(_ path: String) -> Bool {
  var status = stat()
  guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
  return unsafe access(path, R_OK) == 0
}
