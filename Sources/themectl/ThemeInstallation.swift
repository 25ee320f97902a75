import ArgumentParser
import Glibc
import ThemeClient
import Unix

/// Puts themes where the user's own are.
struct ThemeInstallation: ParsableArguments {
  @Flag(help: "Replace a theme of the same name that is there already.")
  var force = false

  /// Why a theme was not written.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a theme's file, and returns its path; without --force only where none is.
  func write(_ theme: Theme, text: String? = nil) throws(Refusal) -> String {
    do throws(ThemeFile.Problems) {
      _ = try ThemeFile(name: theme.name, groups: ThemeFile.groups(of: theme))
    } catch { throw Refusal(description: "\(error)") }
    guard let path = ThemePlaces.ofUser.newPath(of: theme.name) else {
      throw Refusal(description: "neither XDG_DATA_HOME nor HOME says where themes are kept")
    }
    guard force || !exists(path) else {
      throw Refusal(description: "there is \(path) already; --force replaces it")
    }
    let shadowed = ThemePlaces.ofUser.place(of: theme.name).flatMap { $0.path == path ? nil : $0.path }
    do throws(SystemError) {
      try writeFile(path, Array((text ?? ThemeFile.text(of: theme)).utf8))
    } catch { throw Refusal(description: "\(error)") }
    if let shadowed { complain("note: '\(theme.name)' takes the place of \(shadowed)") }
    return path
  }
}

private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
