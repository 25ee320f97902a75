import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// The app files of the apps that are enabled, as they were then: what was done by one is undone by it, though it was
/// changed or removed since.
struct EnabledAsOf {
  private let path: String?

  /// The app file of this name as it was when it was enabled.
  init(_ name: Text) {
    path = App.isValidName(name) ? BaseDirectory.state.map { "\($0)/themed/enabled/\(name)\(App.suffix)" } : nil
  }

  /// What it asked for; nil where nothing was kept.
  func app(_ name: Text) -> App? {
    guard let path, let bytes = try? readFile(path, maximum: AppFile.maximumSize) else { return nil }
    return AppFile(name: name, bytes).app
  }

  /// Keeps the app file that lies there.
  func keep(_ file: String) throws(SystemError) {
    guard let path else { return }
    try writeFile(path, try readFile(file, maximum: AppFile.maximumSize))
  }

  /// Forgets it.
  func forget() {
    if let path { unsafe unlink(path) }
  }
}
