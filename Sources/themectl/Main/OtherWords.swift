import ThemedInterface
import ThemeSetup
import ThemedSystem

/// The words that people type instead of a command's name.
enum OtherWords {
  /// The command lines that these words may mean, which the rest of the words follow; empty if they mean none.
  static func lines(for words: [Text], below path: [Text]) -> [[Text]] {
    if path.isEmpty, words.count > 1, verbs.contains(words[0].lowercasedASCII) {
      let rest = Array(words.dropFirst())
      if SetField.firstWords.contains(rest[0]) { return [["themectl", "set"] + rest] }
      if isTheme(rest[0]) { return [["themectl", "set", "theme"] + rest] }
    }
    // A theme may have the name of a scheme.
    if path.isEmpty, SetField.firstWords.contains(words[0].lowercasedASCII) { return [["themectl", "set"] + words] }
    if path.isEmpty, words.count == 2, SetField.firstWords.contains(words[1]), isApp(words[0]) {
      return [["themectl", "set", words[1], "--app", words[0]]]
    }
    // A word may have a meaning of its own before a certain other word.
    for count in [2, 1] where words.count >= count {
      let typed: Text = (path + words.prefix(count).map(\.lowercasedASCII)).joined(separator: " ")
      guard let entry = entries.first(where: { $0.typed.contains(typed) }) else { continue }
      return entry.meant.map { $0.split(" ") + ($0.hasPrefix("themectl ") ? words.dropFirst(count) : []) }
    }
    if path.isEmpty, let scheme = schemes[words[0].lowercasedASCII] {
      return [["themectl", "set", scheme] + words.dropFirst()]
    }
    let call = ["themectl"] as [Text]
    switch path {
    case [] where isTheme(words[0]): return [call + ["set", "theme"] + words]
    case ["theme"] where isTheme(words[0]):
      return [call + ["set", "theme"] + words, call + ["theme", "show"] + words]
    case [] where isApp(words[0]), ["app"] where isApp(words[0]):
      return [call + ["app", "show"] + words, call + ["app", "enable"] + words]
    case ["config"] where isConfigurationKey(words[0]):
      return [call + ["config", words.count == 1 ? "get" : "set"] + words]
    default: return []
    }
  }

  /// The words for light and dark, some of which are spelt almost like another setting.
  static let schemes: [Text: Text] = [
    "black": "dark", "dark-mode": "dark", "darkmode": "dark", "dim": "dark", "night": "dark", "on": "dark",
    "bright": "light", "day": "light", "light-mode": "light", "lightmode": "light", "white": "light",
  ]

  /// The first words of all entries, for a word that is only similar to one.
  static var firstWords: [Text] { entries.flatMap(\.typed).filter { !$0.contains(" ") } + schemes.keys }

  /// Every command line that is suggested.
  static var suggestions: [Text] { entries.flatMap(\.meant) }

  private static func isTheme(_ name: Text) -> Bool { InstalledThemes.ofUser.place(of: name) != nil }
  static func isApp(_ name: Text) -> Bool { AppPlaces().examination(of: name) != nil }

  /// Whether `themectl config` takes this word for a setting.
  static func isConfigurationKey(_ word: Text) -> Bool {
    [ThemeConfiguration.Setting].defaults.keys.contains { $0.word == word || $0.name == word }
  }

  private static let verbs: [Text] = ["apply", "change", "choose", "pick", "put", "select", "switch", "turn", "use"]

  private static let entries: [(typed: [Text], meant: [Text])] = [
    // See what is shown.
    (["follow", "listen", "stream", "subscribe", "tail", "watch"], ["themectl monitor"]),
    (["current", "mode", "now", "query", "state"], ["themectl get"]),
    (["explain", "info", "show", "why"], ["themectl status"]),
    (["ls", "list"], ["themectl theme list", "themectl app list", "themectl overrides"]),
    (["themes"], ["themectl theme list"]),
    (["apps", "hooks", "programs"], ["themectl app list"]),
    (["palette", "colors", "colours"], ["themectl theme show"]),
    (["wallpaper"], ["themectl get assets.wallpaper"]),
    (["debug", "diagnose", "health", "test"], ["themectl doctor"]),
    (["check"], ["themectl doctor", "themectl theme check", "themectl app check"]),
    // Override it.
    (["off"], ["themectl set light", "themectl unset"]),
    (["high-contrast"], ["themectl set contrast high"]),
    (["change", "flip", "invert", "swap", "switch"], ["themectl toggle"]),
    (["clear", "delete", "remove", "reset", "revert"], ["themectl unset"]),
    (["choose", "pick", "select"], ["themectl theme choose"]),
    (["next"], ["themectl schedule", "themectl theme next"]),
    (["clock", "location", "times", "timer"], ["themectl schedule"]),
    (["sun", "sunrise", "sunset", "enable schedule"], ["themectl schedule sun"]),
    (["disable schedule"], ["themectl schedule off"]),
    // Set it up.
    (["configure", "init", "install"], ["themectl setup"]),
    (["undo"], ["themectl unset", "themectl setup --undo"]),
    (["uninstall"], ["themectl setup --undo"]),
    (["enable"], ["themectl app enable"]),
    (["disable"], ["themectl app disable"]),
    (["add"], ["themectl app add"]),
    (["use"], ["themectl app use"]),
    (["enable desktop", "sync"], ["themectl desktop enable"]),
    (["disable desktop"], ["themectl desktop disable"]),
    (["enable portal"], ["themectl portal enable"]),
    (["disable portal"], ["themectl portal disable"]),
    (["conf", "configuration", "edit", "options", "preferences", "settings"], ["themectl config"]),
    (["forward", "remote", "ssh"], ["themectl share"]),
    (["version"], ["themectl --version"]),
    (["daemon", "start"], ["systemctl --user start themed.service"]),
    (["reload", "restart"], ["systemctl --user restart themed.service"]),
    (["stop"], ["systemctl --user stop themed.socket themed-readonly.socket themed.service"]),
    (["journal", "log", "logs"], ["journalctl --user --unit themed.service"]),
    // Below a command.
    (["theme apply", "theme enable", "theme select", "theme use"], ["themectl set theme"]),
    (["theme clear", "theme disable", "theme remove", "theme reset"], ["themectl unset theme"]),
    (["theme current", "theme get"], ["themectl get theme"]),
    (["theme pick"], ["themectl theme choose"]),
    (["theme create", "theme make"], ["themectl theme new"]),
    (["theme add", "theme install"], ["themectl theme import"]),
    (["theme info"], ["themectl theme show"]),
    (["theme dark"], ["themectl set dark"]),
    (["theme light"], ["themectl set light"]),
    (["app on", "app follow"], ["themectl app enable"]),
    (["app off", "app remove", "app unset"], ["themectl app disable"]),
    (["app set"], ["themectl app use"]),
    (["app install"], ["themectl app enable", "themectl app add"]),
    (["app get", "app info", "app status"], ["themectl app show"]),
    (["desktop on", "desktop set", "desktop start"], ["themectl desktop enable"]),
    (["desktop off", "desktop stop", "desktop unset"], ["themectl desktop disable"]),
    (["portal install", "portal on", "portal start"], ["themectl portal enable"]),
    (["portal off", "portal remove", "portal stop"], ["themectl portal disable"]),
    (["config edit", "config list", "config ls", "config print"], ["themectl config show"]),
    (["config change", "config write"], ["themectl config set"]),
    (["config read"], ["themectl config get"]),
    (["config delete", "config remove", "config reset"], ["themectl config unset"]),
  ]
}
