public import ThemedSystem

/// The settings of themed-apply in `themed.conf`: the group `[hooks]`, and a group `[use NAME]` for each look of the
/// user's own.
///
/// The daemon reads them, too, so that a mistake is reported like every other mistake in that file.
public struct ApplySettings: Sendable, Equatable {
  /// The most groups `[use NAME]` in a file.
  public static let maximumLooks = 256
  /// The timeouts that hooks may have, in seconds.
  public static let timeouts = 1...600

  /// `[hooks] darkman`: whether the scripts that the user wrote for darkman are run.
  public var runsDarkman = false
  /// `[hooks] timeout`: how long a hook may take, in seconds.
  public var timeout = 30
  /// The user's own looks of programs, by the names of the apps.
  public var looks: [Text: OwnLook] = [:]

  public init() {}

  /// Reads the settings from a file; throws the first mistake.
  public init(_ file: KeyFile) throws(ThemeFile.Problem) {
    if let value = file.value("hooks", "darkman") {
      guard value == "yes" || value == "no" else {
        throw ThemeFile.Problem(group: "hooks", key: "darkman", value: value, expected: "yes or no")
      }
      runsDarkman = value == "yes"
    }
    if let value = file.value("hooks", "timeout") {
      guard let number = Int(value.string), Self.timeouts.contains(number) else {
        throw ThemeFile.Problem(
          group: "hooks", key: "timeout", value: value,
          expected: "a number of seconds from \(Self.timeouts.lowerBound) to \(Self.timeouts.upperBound)")
      }
      timeout = number
    }
    for (group, app) in OwnLook.groups(of: file) {
      guard let look = try OwnLook(file, app) else { continue }
      guard looks.count < Self.maximumLooks else {
        throw ThemeFile.Problem(group: group, expected: "left out: a file has \(Self.maximumLooks) such groups at most")
      }
      looks[app] = look
    }
  }

  /// Reads the settings from the text of a file, and nothing else in it; throws the place of the first mistake.
  public static func read(_ text: [UInt8], at path: Text) throws(Mistake) -> ApplySettings {
    let file: KeyFile
    do throws(KeyFile.Faults) { file = try KeyFile(strict: text) } catch {
      throw Mistake(description: "\(path):\(error.first.line): \(error.first.text)")
    }
    do throws(ThemeFile.Problem) { return try ApplySettings(file) } catch {
      throw Mistake(description: "\(path)\(file.line(of: error).map { ":\($0)" } ?? ""): \(error)")
    }
  }

  /// A mistake in the file: the path, the line, and what is wrong.
  public struct Mistake: Error, CustomStringConvertible {
    public let description: String
  }
}
