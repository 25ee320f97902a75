import ThemeModel
import ArgumentParser
import ThemedText
import Glibc
import ThemeFiles
import ThemedUnix

/// Puts themes where the user's own are.
struct ThemeInstallation: ParsableArguments {
  @Flag(help: "Replace a theme of the same name that is there already.")
  var force = false

  /// Why a theme was not written.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a theme's file, and returns its path; without --force only where none is.
  ///
  /// - Parameters:
  ///   - isReplacing: Whether to replace it without --force, since nothing of it is lost.
  ///   - otherwise: What can be done where one is, beside --force.
  func write(
    _ theme: Theme, text: String? = nil, isReplacing: Bool = false, otherwise: String
  ) throws(Refusal) -> String {
    do throws(ThemeFile.Problems) {
      _ = try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme))
    } catch { throw Refusal(description: "\(error)") }
    guard let path = ThemePlaces.ofUser.newPath(of: theme.name) else {
      throw Refusal(description: "neither XDG_DATA_HOME nor HOME says where themes are kept")
    }
    guard force || isReplacing || !exists(path) else {
      throw Refusal(description: "there is \(path) already; --force replaces it, \(otherwise)")
    }
    let shadowed = ThemePlaces.ofUser.place(of: theme.name).flatMap { $0.path == path ? nil : $0.path }
    do throws(SystemError) {
      try writeFile(path, Array((text ?? ThemeFile.text(of: theme)).utf8))
    } catch { throw Refusal(description: "\(error)") }
    if let shadowed { complain("note: '\(theme.name)' takes the place of \(shadowed)") }
    return path
  }
}

extension ThemeInstallation {
  /// A theme of the user's own.
  struct Own {
    let theme: Theme
    let path: String
    /// Whether its file says nothing beyond the theme, such as a comment.
    let isWhole: Bool
  }

  /// Those that are good, by name.
  var ownThemes: [Own] {
    let places = ThemePlaces(ThemeSearchPath(directories: Array(ThemePlaces.ofUser.own.directories.prefix(1))))
    return places.all.compactMap { place in
      guard let theme = ThemeExamination(place).theme else { return nil }
      let bytes = try? readFile(place.path, maximum: ThemeExamination.maximumBytes)
      let isWhole = bytes.map { Text(decoding: $0) == Text(ThemeFile.text(of: theme)) } ?? false
      return Own(theme: theme, path: place.path, isWhole: isWhole)
    }
  }
}

private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
