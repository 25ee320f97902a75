internal import ThemeApps
internal import ThemeModel
internal import ThemedSystem

/// The settings in `apply.conf`.
struct ApplySettings: Equatable {
  var runsDarkman = false
  var seconds = Limits.hookSeconds
  /// The user's own looks of programs, by the names of the apps.
  var looks: [Text: OwnLook] = [:]

  /// Parses the file; unknown groups and keys are ignored, with a warning.
  static func read(_ bytes: [UInt8]) -> (settings: ApplySettings, warnings: [String]) {
    var settings = ApplySettings()
    let file = KeyFile(bytes)
    var warnings = file.faults.map { "line \($0.line): \($0.text)" }
    for group in file.groups {
      if let (app, look) = OwnLook.read(group) {
        settings.looks[app] = look
        if look == nil {
          warnings.append("[use \(app)]: expected light= and dark=, with two paths of files or two names of themes")
        }
        continue
      }
      guard group.name == "hooks" else {
        warnings.append("unknown group [\(group.name.shown(atMost: 64))]; use [hooks] or [use NAME]")
        continue
      }
      for entry in group.entries {
        switch entry.key {
        case "darkman":
          switch entry.value {
          case "yes", "true": settings.runsDarkman = true
          case "no", "false": settings.runsDarkman = false
          default: warnings.append("darkman=\(entry.value.shown(atMost: 64)): expected yes or no")
          }
        case "timeout":
          if let seconds = Int(entry.value.string), (1...Limits.hookSecondsAtMost).contains(seconds) {
            settings.seconds = seconds
          } else {
            warnings.append(
              "timeout=\(entry.value.shown(atMost: 64)): expected seconds, from 1 to \(Limits.hookSecondsAtMost)")
          }
        default: warnings.append("unknown key \(entry.key.shown(atMost: 64)); use darkman or timeout")
        }
      }
    }
    return (settings, warnings)
  }
}
