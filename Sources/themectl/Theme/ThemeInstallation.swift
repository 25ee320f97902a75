import ArgumentParser
import ThemeModel
import ThemedSystem

/// Writes themes into the user's own directory.
struct ThemeInstallation: ParsableArguments {
  @Flag(help: "Replace an existing theme of the same name.")
  var force = false

  /// Why a theme was not written.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a theme's file, and returns its path; without --force, an existing file is an error.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file; nil writes the theme alone.
  ///   - isReplacing: Whether to replace it without --force, because nothing of it is lost.
  ///   - otherwise: The alternative to --force if the file exists, in words.
  func write(
    _ theme: Theme, bytes: [UInt8]? = nil, isReplacing: Bool = false, otherwise: String
  ) throws(Refusal) -> String {
    do throws(ThemeFile.Problems) {
      _ = try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme))
    } catch { throw Refusal(description: "\(error)") }
    guard let path = ThemePlaces.ofUser.newPath(of: theme.name) else {
      throw Refusal(description: "cannot tell where to put the theme: neither XDG_DATA_HOME nor HOME is set")
    }
    guard force || isReplacing || FileIdentity(of: path) == nil else {
      throw Refusal(description: "the theme \(path) already exists; use --force to replace it, or \(otherwise)")
    }
    let shadowed = ThemePlaces.ofUser.place(of: theme.name).flatMap { $0.path == path ? nil : $0.path }
    do throws(SystemError) {
      try writeFile(path, bytes ?? Array(ThemeFile.text(of: theme).utf8))
    } catch { throw Refusal(description: "\(error)") }
    if let shadowed { complain("note: your theme '\(theme.name)' is now used instead of \(shadowed)") }
    return path
  }
}

extension ThemeInstallation {
  /// A theme of the user's own.
  struct Own {
    let theme: Theme
    let path: String
    /// The content of its file.
    let bytes: [UInt8]

    /// The file with a theme's sides added after its content, comments included; nil if it has only its own theme, and
    /// can be written again.
    func adding(_ other: Theme) throws(Refusal) -> [UInt8]? {
      guard Text(decoding: bytes) != Text(ThemeFile.text(of: theme)) else { return nil }
      var new = bytes
      if new.last != UInt8(ascii: "\n") { new.append(UInt8(ascii: "\n")) }
      let sides = ThemeFile.groups(of: other).filter { $0.name != "theme" }
      new += "\n\(ThemeFile.text(of: sides))".utf8
      guard new.count <= ThemeExamination.maximumBytes else { throw refusal("the file would be longer than 64 KiB") }
      // What it says for both sides has to be right for the new one, too.
      do { _ = try ThemeFile(name: theme.name, KeyFile(strict: new)) } catch { throw refusal("\(error)") }
      return new
    }

    private func refusal(_ reason: String) -> Refusal {
      Refusal(description: "cannot add a side to \(path): \(reason); use --name to make a theme with another name")
    }
  }

  /// The user's valid themes, by name.
  var ownThemes: [Own] {
    let places = ThemePlaces(ThemeSearchPath(directories: Array(ThemePlaces.ofUser.own.directories.prefix(1))))
    return places.all.compactMap { place in
      guard let theme = ThemeExamination(place).theme,
        let bytes = try? readFile(place.path, maximum: ThemeExamination.maximumBytes)
      else { return nil }
      return Own(theme: theme, path: place.path, bytes: bytes)
    }
  }
}
