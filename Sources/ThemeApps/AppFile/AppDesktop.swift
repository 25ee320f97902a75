package import ThemedModel
package import ThemedSystem

extension App {
  /// A desktop whose settings themed-apply keeps in step: the group `[desktop]`.
  package struct Desktop: Sendable, Hashable {
    /// The names in `XDG_CURRENT_DESKTOP` on which the file is used.
    package var names: [Text] = []
    /// Whether the file is used on every desktop for which there is no other file.
    package var isFallback = false
    /// For how long after a switch the desktop changes other settings by itself, in milliseconds.
    package var settle = 0
    /// How long the scheme and the settings with `switch=yes` are written apart, in milliseconds.
    package var pause = 0
    /// Its settings, in the order of the file.
    package var settings: [DesktopSetting] = []

    package init() {}

    /// Whether the file names one of these desktops.
    package func isFor(_ desktops: [Text]) -> Bool { names.name(oneOf: desktops) }

    /// The setting from which the desktop's portal reports the scheme.
    package var schemeSetting: DesktopSetting? { settings.first { $0.isScheme } }
  }

  /// A setting of a desktop, which has a value for each side: the group `[setting NAME]`.
  package struct DesktopSetting: Sendable, Hashable {
    /// The name after `setting`.
    package var name: Text
    /// The command that prints the value; nil if the value cannot be read.
    package var read: [Text]?
    /// The text after which the value begins, in a line that `read` prints; nil if it prints nothing else.
    package var after: Text?
    /// The text that follows the value and ends the line; nil if the value ends the line.
    package var until: Text?
    /// The command that sets the value.
    package var write: [Text] = []
    /// The command that restores the desktop's default.
    package var reset: [Text]?
    /// The command that prints nothing while the setting has the desktop's default.
    package var own: [Text]?
    /// The command whose lines name the settings, if there is one for each screen, and the end of the lines that count.
    package var each: [Text]?
    package var eachEnd: Text?
    /// The text before which the name ends, in the lines that count; nil if the whole line is the name.
    package var eachUntil: Text?
    /// The name of the setting with ``each`` of which this is one.
    package private(set) var family: Text?
    /// The file that holds the value, and the key in it; used instead of commands that are missing.
    package var file: SettingFile?
    /// How long each command may take, in seconds.
    package var timeout = App.usualTimeout
    /// Whether the desktop's portal reports the scheme from this setting.
    package var isScheme = false
    /// The values of the file, by preference; an ordinary setting has none for `none`.
    package var values: [Preference: Text] = [:]
    /// The key of the theme's values that has the value for a side.
    package var themeValue: Text?
    /// The key of the theme's assets that has the value for a side, a path.
    package var asset: Text?
    /// How a path is written.
    package var form = Form.path
    /// The parts of names that mark the dark one of two, such as `-dark`.
    package var darkMarks: [Text] = []
    /// The places at which a guessed value may be installed: paths with `{value}`.
    package var installed: [InstalledPath] = []
    /// The signals after which the value is read again.
    package var changed: [BusSignal] = []
    /// The side to which the setting belongs, if the desktop has another one for the other side.
    package var side: ColorScheme?
    /// Whether the desktop's own switch sets it, so that its value after a flip is the user's choice.
    package var isPartOfSwitch = false
    /// The programs of which one has to be running.
    package var processes: [Text] = []
    /// Whether the program forgets the value when it exits, and starts with one of its own.
    package var isForgotten = false
    /// The programs of which none may be running.
    package var otherProcesses: [Text] = []
    /// The programs that need the value for light where the desktop would have no preference.
    package var explicitFor: [Text] = []
    /// The only desktops that show it, by their names in `XDG_CURRENT_DESKTOP`; empty if all do.
    package var desktops: [Text] = []

    package init(name: Text) { self.name = name }

    /// How a path is written.
    package enum Form: String, Sendable, Hashable, CaseIterable {
      case path
      /// As a `file:` address.
      case uri
    }

    /// Whether the value can have several lines, because it is all of a file.
    package var canHaveSeveralLines: Bool { write.isEmpty && read == nil && file?.group == nil }

    /// Whether one of these desktops shows the setting.
    package func isFor(_ names: [Text]) -> Bool { desktops.isEmpty || desktops.name(oneOf: names) }

    /// Whether the setting counts while this side is shown.
    package func isActive(on shown: ColorScheme) -> Bool { side == nil || side == shown }
  }

  /// The kinds of settings of a desktop.
  enum SettingKind: String, CaseIterable { case scheme }

  /// A value in a file.
  package struct SettingFile: Sendable, Hashable {
    package var path: AppPath
    /// The group of a key file; nil if the file has nothing but the value.
    package var group: Text?
    /// The key in the group; `*` for all keys.
    package var key: Text = "*"
  }

  /// A path with `{value}` that exists if the value is installed.
  package struct InstalledPath: Sendable, Hashable {
    /// The path as the app file writes it; it may begin with `$XDG_DATA_DIRS`, which means the user's data, too.
    package let written: Text

    package init?(_ written: Text) {
      let rest = written.dropping(prefix: "$XDG_DATA_DIRS/").map { "/\($0)" as Text } ?? written
      guard AppPath(rest) != nil, rest.split("{").count == 2, rest.holds("{value}") else { return nil }
      self.written = written
    }

    /// The paths for a value, which has to be a name.
    package func paths(_ value: Text, in directories: AppPath.Directories, data: [Text]) -> [Text] {
      guard !value.isEmpty, !value.hasPrefix("."), !value.contains("/"), !value.hasControls else { return [] }
      let filled = Placeholders.filling(written) { $0 == "value" ? value : nil }
      if let rest = filled.dropping(prefix: "$XDG_DATA_DIRS/") { return data.map { "\($0)/\(rest)" } }
      return [AppPath(filled)?.resolved(in: directories)].compactMap(\.self)
    }
  }

  /// Signals on the session bus; nil stands for any sender, path or argument.
  package struct BusSignal: Sendable, Hashable {
    package var sender, path: Text?
    package var interface, member: Text
    /// The first argument: a word, or a path that may be that of a directory.
    package var argument: Text?
  }
}

extension App {
  /// Whether `themectl setup` proposes the app on a desktop with these names.
  package func isProposed(on names: [Text]) -> Bool {
    isProposed && (desktops.isEmpty || names.isEmpty || desktops.name(oneOf: names))
  }
}

extension App.DesktopSetting {
  /// The names that could be this one's counterpart on a side, the likeliest first; empty if the marks say nothing.
  package func counterparts(of name: Text, on side: ColorScheme) -> [Text] {
    let parts = name.split("-")
    func isMark(_ part: Text) -> Bool { darkMarks.contains { $0 == "-\(part)" } }
    let isDark = parts.dropFirst().contains(where: isMark)
    switch side {
    case .dark:
      if isDark { return [name] }
      // At the end, or before one of the last parts, as in Mint-Y-Dark-Aqua.
      return darkMarks.flatMap { mark in
        stride(from: parts.count, through: 1, by: -1).map { index in
          let rest: Text = index < parts.count ? "-\(Array(parts[index...]).joined(separator: "-") as Text)" : ""
          return "\(Array(parts[..<index]).joined(separator: "-") as Text)\(mark)\(rest)"
        }
      }
    case .light:
      guard isDark else { return [] }
      let kept = parts.prefix(1) + parts.dropFirst().filter { !isMark($0) }
      return [Array(kept).joined(separator: "-")]
    }
  }

  /// A command's words for a value; nil if the value could end a part of a word.
  package static func words(_ words: [Text], value: Text) -> [Text]? {
    guard
      value.canBePartOfWord || words.allSatisfy({ $0 == "{value}" || !Placeholders.names(in: $0).contains("value") })
    else {
      return nil
    }
    return words.map { word in
      Placeholders.filling(word) { $0 == "value" ? value : $0 == "quoted" ? value.quotedAsVariant : nil }
    }
  }

  /// The setting that a line of `each` names.
  package func instance(_ line: Text) -> App.DesktopSetting {
    // Nothing else is filled here, and braces stay as they are written.
    func filled(_ words: [Text]?) -> [Text]? { words?.map { $0.replacing("{each}", with: line) } }
    var setting = self
    setting.name = "\(name) \(line)"
    (setting.read, setting.reset, setting.own) = (filled(read), filled(reset), filled(own))
    setting.write = filled(write) ?? []
    setting.after = after.map { $0.replacing("{each}", with: line) }
    (setting.each, setting.eachEnd, setting.eachUntil, setting.family) = (nil, nil, nil, name)
    return setting
  }
}

extension [Text] {
  /// Whether these names of desktops contain one of those of a session, in small or large letters.
  fileprivate func name(oneOf session: [Text]) -> Bool {
    session.contains { desktop in contains { $0.lowercased == desktop.lowercased } }
  }
}

extension Text {
  /// Whether the text cannot end a part of a word, which may be in a program's own language, such as sway's.
  package var canBePartOfWord: Bool { !hasControls && !utf8.contains { "'\"\\;,`$".utf8.contains($0) } }

  /// The text as a string in GVariant's notation, which gsettings reads.
  package var quotedAsVariant: Text {
    let quote = UInt8(ascii: "'")
    let bytes = utf8.flatMap { $0 == quote || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
    return Text(decoding: [quote] + bytes + [quote])
  }

  /// The text without GVariant's quotes and escapes, if it is a quoted string.
  package var withoutVariantQuotes: Text {
    let bytes = Array(utf8)
    guard bytes.count >= 2, let quote = bytes.first, bytes.last == quote, "'\"".utf8.contains(quote) else {
      return self
    }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in bytes[1..<(bytes.count - 1)] {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
        continue
      }
      // A quote in the middle means that this is more than one string, and of other escapes only controls matter.
      if !isEscaped, byte == quote { return self }
      if isEscaped, byte != quote, byte != UInt8(ascii: "\\") { return self }
      text.append(byte)
      isEscaped = false
    }
    return isEscaped ? self : Text(decoding: text)
  }

  /// The text with another text in place of a part.
  func replacing(_ part: Text, with other: Text) -> Text {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if rest.starts(with: part.utf8) {
        bytes += other.utf8
        rest = rest.dropFirst(part.count)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return Text(decoding: bytes)
  }

  /// The text with small ASCII letters.
  var lowercased: Text {
    Text(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
  }
}
