import Glibc
import ThemedInterface
import ThemedModel
import ThemedSystem

/// Another program that writes the desktop's light/dark setting by itself.
package struct OtherWriter: Equatable {
  package let title: String
  /// The step after which it no longer does.
  package let fix: String
  /// The command that does it; nil if there is none.
  package var command: String?

  package var note: String {
    "\(title) also switches the desktop between light and dark, so the two would fight; \(fix)"
      + (command.map { ": \($0)" } ?? "")
  }
}

/// The known programs that write the desktop's setting, as far as they run.
package enum OtherWriters {
  package static var running: [OtherWriter] {
    let processes = ownProcesses
    return [
      darkman(processes), yinYang(processes), koi(processes), nightThemeSwitcher(processes), plasma(processes),
      cosmic(processes),
    ].compactMap(\.self)
  }

  private static func darkman(_ processes: Set<Text>) -> OtherWriter? {
    guard processes.contains("darkman") else { return nil }
    return OtherWriter(
      title: "darkman", fix: "stop it", command: "systemctl --user disable --now darkman.service")
  }

  private static func yinYang(_ processes: Set<Text>) -> OtherWriter? {
    let unit = "yin_yang.timer"
    let isActive = UserManager.isRunning && UserManager.run(["is-active", "--quiet", unit])?.status == 0
    guard isActive || processes.contains("yin_yang") else { return nil }
    return OtherWriter(
      title: "Yin & Yang", fix: isActive ? "stop it" : "close it",
      command: isActive ? "systemctl --user disable --now \(unit)" : nil)
  }

  private static func koi(_ processes: Set<Text>) -> OtherWriter? {
    processes.contains("koi") ? OtherWriter(title: "Koi", fix: "close it, and remove it from the autostart") : nil
  }

  private static func nightThemeSwitcher(_ processes: Set<Text>) -> OtherWriter? {
    let name = "nightthemeswitcher@romainvigier.fr"
    // gsettings leaves files in the user's directories.
    guard processes.contains("gnome-shell"), programInPath("gsettings") != nil, ForeignHome.found == nil else {
      return nil
    }
    let keys = ["enabled-extensions", "disabled-extensions", "disable-user-extensions"]
    let told = Program.runAll(keys.map { ["gsettings", "get", "org.gnome.shell", $0] }, atMost: 5)
      .map { $0?.lines.first ?? "" }
    guard told[0].holds("'\(name)'"), !told[1].holds("'\(name)'"), told[2] != "true" else { return nil }
    return OtherWriter(
      title: "the GNOME extension Night Theme Switcher", fix: "disable it", command: "gnome-extensions disable \(name)")
  }

  private static func plasma(_ processes: Set<Text>) -> OtherWriter? {
    guard processes.contains("plasmashell"), value("kdeglobals", "KDE", "AutomaticLookAndFeel") == "true" else {
      return nil
    }
    return OtherWriter(
      title: "Plasma's own day and night switch",
      fix: "turn it off in System Settings, under Colors & Themes, or let Plasma switch and turn off themed's schedule")
  }

  private static func cosmic(_ processes: Set<Text>) -> OtherWriter? {
    guard processes.contains("cosmic-comp"), let directory = BaseDirectory.configuration,
      let bytes = try? readFile(
        "\(directory)/cosmic/com.system76.CosmicTheme.Mode/v1/auto_switch", maximum: 4096),
      bytes.starts(with: "true".utf8)
    else { return nil }
    return OtherWriter(
      title: "COSMIC's own day and night switch",
      fix: "turn it off in COSMIC Settings, under Desktop, Appearance")
  }

  private static func value(_ file: String, _ group: Text, _ key: Text) -> Text? {
    guard let directory = BaseDirectory.configuration,
      let bytes = try? readFile("\(directory)/\(file)", maximum: 1 << 20)
    else { return nil }
    return KeyFile(bytes).value(group, key)
  }

  /// The names of the programs that run in this user's session; of a script, also the script's own name.
  private static var ownProcesses: Set<Text> {
    var found: Set<Text> = []
    for name in names(inDirectory: "/proc") {
      guard let number = Int32(name.string), owner(of: "/proc/\(number)") == geteuid(), !isElsewhere(number) else {
        continue
      }
      if let command = commandName(number) { found.insert(command) }
      for word in words("/proc/\(number)/cmdline").prefix(2) { found.insert(word.splitAtLast("/")?.behind ?? word) }
    }
    return found
  }

  /// Whether a process has another runtime directory, and with it another session bus.
  private static func isElsewhere(_ process: Int32) -> Bool {
    guard let own = BaseDirectory.runtime else { return false }
    let theirs = words("/proc/\(process)/environ").lazy.compactMap { $0.dropping(prefix: "XDG_RUNTIME_DIR=") }.first
    return theirs.map { $0.withoutSlashAtEnd != Text(own) } ?? false
  }

  private static func words(_ path: String) -> [Text] {
    ((try? readFile(path, maximum: 1 << 20)) ?? []).split(separator: 0).map { Text(decoding: $0) }
  }
}
