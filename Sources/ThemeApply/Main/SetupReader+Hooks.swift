internal import Glibc
internal import ThemeApps
internal import ThemeModel
internal import ThemedSystem

extension SetupReader {
  /// Adds the hooks.
  func addHooks(_ configuration: Text, _ reading: inout Reading) {
    var hooks = HookSettings()
    switch read("\(configuration)/themed/apply.conf", maximum: Limits.configuration, &reading) {
    case .bytes(let bytes):
      let (settings, warnings) = HookSettings.read(bytes)
      hooks = settings
      reading.warnings += warnings.map { "apply.conf: \($0)" }
    case .absent: break
    case .unreadable(let reason):
      reading.setup.hasUnknownHooks = true
      reading.warnings.append(
        "cannot read \(configuration.shown(atMost: 300))/themed/apply.conf: \(reason); using the last good version")
    }
    add("", in: [hookDirectory(configuration: configuration)], hooks, &reading)
    guard hooks.runsDarkman else { return }
    let data = BaseDirectory.data.map { Text($0) }
    add("darkman/", in: data.map { "\($0)/darkman" }, hooks, &reading)
    for scheme in ColorScheme.allCases {
      let name: Text = "\(scheme.rawValue)-mode.d"
      add("\(name)/", in: data.map { "\($0)/\(name)" }, hooks, takesScheme: false, scheme: scheme, &reading)
    }
  }

  /// Adds the hooks of directories; if several have a hook of one name, the first counts.
  private func add(
    _ prefix: Text, in directories: [Text], _ settings: HookSettings, takesScheme: Bool = true,
    scheme: ColorScheme? = nil, _ reading: inout Reading
  ) {
    var seen: Set<Text> = []
    for directory in directories {
      var closed: [Text] = []
      defer { if let warning = Self.warning(of: closed, in: directory) { reading.warnings.append(warning) } }
      reading.directories.append(directory)
      for file in hooks(in: directory, &reading) where isHookName(file) && seen.insert(file).inserted {
        let path: Text = "\(directory)/\(file)"
        // Changed in its place, or made executable.
        guard isRegularFile(path.string) == true else { continue }
        guard isExecutableFile(path.string) else {
          closed.append(file)
          continue
        }
        guard reading.setup.hooks.count < Limits.hooks else {
          return reading.warnings.append(
            "themed-apply starts only \(Limits.hooks) hooks; ignoring \(path.shown(atMost: 300))")
        }
        reading.setup.hooks.append(
          Hook(
            name: "\(prefix)\(file)", path: path, takesScheme: takesScheme, scheme: scheme, seconds: settings.seconds))
      }
    }
  }

  /// One warning for all files of a directory that are not executable; nil if there are none.
  static func warning(of files: [Text], in directory: Text) -> String? {
    let place = directory.shown(atMost: 300)
    guard files.count > 1 else {
      return files.first.map {
        "\(place)/\($0.shown()) is not executable, so it is not run as a hook; make it executable with 'chmod +x'"
      }
    }
    let names = files.prefix(4).map { $0.shown() }.joined(separator: ", ") + (files.count > 4 ? ", …" : "")
    return "\(files.count) files in \(place) are not executable, so they are not run as hooks (\(names)); make them "
      + "executable with 'chmod +x', or move them elsewhere"
  }

  /// The names in a directory; if it cannot be listed, its hooks stay.
  private func hooks(in directory: Text, _ reading: inout Reading) -> [Text] {
    let raw = unsafe open(directory.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if raw >= 0 {
      close(raw)
      return names(inDirectory: directory.string)
    }
    let code = errno
    if code == ENOENT || code == ENOTDIR { return [] }
    if SystemError("listing", code).isTemporary { reading.isShort = true }
    reading.setup.hasUnknownHooks = true
    reading.warnings.append(
      "cannot list \(directory.shown(atMost: 300)): \(SystemError.text(code)); keeping its hooks as they were")
    return []
  }
}

/// The settings of hooks in `apply.conf`.
struct HookSettings: Equatable {
  var runsDarkman = false
  var seconds = Limits.hookSeconds

  /// Parses the file; unknown groups and keys are ignored, with a warning.
  static func read(_ bytes: [UInt8]) -> (settings: HookSettings, warnings: [String]) {
    var settings = HookSettings()
    let file = KeyFile(bytes)
    var warnings = file.faults.map { "line \($0.line): \($0.text)" }
    for group in file.groups {
      guard group.name == "hooks" else {
        warnings.append("unknown group [\(group.name.shown(atMost: 64))]; use [hooks]")
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
