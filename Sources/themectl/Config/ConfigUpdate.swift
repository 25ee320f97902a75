import ArgumentParser
import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

/// A change of settings in themed.conf, which is checked as the daemon does before it is written.
struct ConfigUpdate {
  typealias Setting = (key: ConfigKey, value: Text?)

  /// How long the daemon may take to use the file, in milliseconds.
  private static let patience = 5_000

  private let change: ConfigChange
  private let daemon: Daemon
  private let keys: [ConfigKey]
  /// The configuration after the change.
  private let configuration: Configuration

  /// Plans to set these keys, or to remove those without a value; throws if the file cannot be changed or would be wrong.
  init(_ settings: [Setting], _ daemon: Daemon) throws {
    let used = try ConfigChange.path(readAt: daemon.socket)
    // A service that starts later may read another file.
    if used == nil { try EnvironmentComparison.requireSameFiles() }
    let path = try used ?? ConfigChange.usualPath()
    change = try ConfigChange(settings, in: path)
    (self.daemon, keys) = (daemon, settings.map(\.key))
    let wasRight = (try? Configuration(parsing: change.contents.old, origin: "")) != nil
    do throws(Configuration.Problem) {
      configuration = try Configuration(parsing: change.contents.new, origin: wasRight ? "" : Text(path))
    } catch {
      guard wasRight else {
        throw failed("\(error); correct that first, because themed does not read the file until then")
      }
      // Without the line, which is not written.
      throw ValidationError(Text(error.description).split(" ", maxSplits: 1).last?.string ?? "\(error)")
    }
  }

  var place: Text { Text(change.path).belowHome }

  /// Every setting after the change.
  var settings: [ThemeConfiguration.Setting] { configuration.settings }

  /// Writes the file, and waits until the daemon uses it; false if no daemon runs.
  func perform() throws -> Bool {
    try change.perform()
    let (names, start) = (keys.map(\.wireName), monotonicMilliseconds())
    let wanted = configuration.settings.filter { names.contains($0.name) }
    while true {
      let used: ThemeConfiguration
      do throws(CallError) {
        var theme = try ThemeConnection(socket: daemon.socket, timeout: .toRead)
        used = try theme.call(.configuration(of: names))
      } catch {
        guard error.code == .noDaemon else { throw ended(by: error, at: daemon.socket) }
        return false
      }
      // A daemon of another version does not have every setting.
      let missing = keys.filter { used.value(of: $0.wireName) == nil }
      if wanted.allSatisfy({ setting in used.value(of: setting.name).map { $0 == setting.value } ?? true }) {
        if !missing.isEmpty {
          complain(
            "note: the themed that runs is of another version and does not know \(missing.map(\.word).few); "
              + "'systemctl --user restart themed' starts the installed one")
        }
        return true
      }
      guard monotonicMilliseconds() - start < Self.patience else {
        throw failed("\(place) is written, but themed does not use it; run 'themectl config' to see what it uses")
      }
      usleep(20_000)
    }
  }
}
