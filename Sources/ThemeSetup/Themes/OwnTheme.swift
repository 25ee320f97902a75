package import ThemedModel
import ThemedSystem

/// A theme's file among the user's own.
package struct OwnTheme {
  package let theme: Theme
  package let path: String
  package let bytes: [UInt8]

  package static var all: [OwnTheme] {
    InstalledThemes(own: ThemeDirectories(data: Array(BaseDirectory.data.prefix(1)))).all.compactMap { place in
      guard let theme = ThemeExamination(place).theme,
        let bytes = try? readFile(place.path, maximum: ThemeExamination.maximumBytes)
      else { return nil }
      return OwnTheme(theme: theme, path: place.path, bytes: bytes)
    }
  }

  /// Writes a theme's file; without `isReplacing`, an existing file is an error.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file; nil writes the theme alone.
  ///   - otherwise: The alternative to --force if the file exists, in words.
  /// - Returns: Its path, and what the user should know.
  package static func write(
    _ theme: Theme, bytes: [UInt8]? = nil, isReplacing: Bool = false, otherwise: String
  ) throws(Refusal) -> (path: String, note: String?) {
    do throws(ThemeFile.Problems) {
      _ = try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme))
    } catch { throw Refusal("\(error)") }
    guard let path = InstalledThemes.ofUser.newPath(of: theme.name) else {
      throw Refusal("cannot tell where to put the theme: neither XDG_DATA_HOME nor HOME is set")
    }
    guard isReplacing || FileIdentity(of: path) == nil else {
      throw Refusal("the theme \(path) already exists; use --force to replace it, or \(otherwise)")
    }
    let shadowed = InstalledThemes.ofUser.place(of: theme.name).flatMap { Text($0.path) == Text(path) ? nil : $0.path }
    do throws(SystemError) {
      try writeFile(path, bytes ?? Array(ThemeFile.text(of: theme).utf8))
    } catch { throw Refusal("\(error)") }
    return (path, shadowed.map { "note: your theme '\(theme.name)' is now used instead of \($0)" })
  }

  /// The file with a theme's sides added after its content, comments included; nil if it has only its own theme, and
  /// can be written again.
  package func adding(_ other: Theme) throws(Refusal) -> [UInt8]? {
    guard Text(decoding: bytes) != Text(ThemeFile.text(of: theme)) else { return nil }
    var new = bytes
    if new.last != UInt8(ascii: "\n") { new.append(UInt8(ascii: "\n")) }
    let sides = ThemeFile.groups(of: other).filter { $0.name != "theme" }
    new += "\n\(ThemeFile.text(of: sides))".utf8
    guard new.count <= ThemeExamination.maximumBytes else { throw refusal("the file would be longer than 64 KiB") }
    // Groups for both sides must be valid for the new side too.
    do { _ = try ThemeFile(name: theme.name, KeyFile(strict: new)) } catch { throw refusal("\(error)") }
    return new
  }

  private func refusal(_ reason: String) -> Refusal {
    Refusal("cannot add a side to \(path): \(reason); use --name to make a theme with another name")
  }
}
