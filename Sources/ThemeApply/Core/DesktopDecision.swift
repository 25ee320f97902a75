internal import ThemeApps
internal import ThemedModel
internal import ThemedSystem

/// Decides the values of a desktop's settings from the memory, what is shown, and what was read: pure.
///
/// Every value belongs to a side. A value that neither themed-apply wrote nor saw before was chosen by hand, for the
/// side that was shown then. If the desktop itself switched, its switch may have changed other settings, too: these
/// belong to the new side.
struct DesktopDecision: Sendable {
  /// The state that all apps get.
  struct Look: Sendable, Hashable {
    var side: ColorScheme
    /// The theme's name; empty if there is none.
    var theme: Text = ""
    /// The values and assets of the theme on this side.
    var values: [Text: Text] = [:]
    var assets: [Text: Text] = [:]
  }

  /// The program that keeps a setting, as it runs now.
  struct Program: Sendable, Hashable {
    /// Distinguishes this process from every other one.
    var process: Text
    /// How long its first value may still be on its way, in milliseconds.
    var startsFor = 0
  }

  let desktop: App.Desktop
  /// The programs of settings, by the settings' names in the app file.
  let programs: [Text: Program]
  /// The state that all apps get.
  var look: Look
  /// The values of the scheme that are right, the best first; empty if the desktop does not have to be switched.
  let preferences: [Preference]
  private(set) var memory: DesktopMemory
  /// The values that were read last.
  private(set) var values: [Text: SettingValue] = [:]
  /// Whether the side differs from the side before.
  let isSwitch: Bool
  /// Whether the desktop itself switched.
  let isFlip: Bool
  /// Whether a program runs that takes no preference for the side before.
  let isExplicit: Bool
  /// Whether the user has just switched the desktop, which the daemon does not show yet.
  private let isAhead: Bool

  /// - Parameters:
  ///   - memory: The memory of these settings; nil if they were never handled.
  ///   - values: The values that were read; settings that cannot be read are missing.
  ///   - defaults: Whether the user never set a setting, as far as that is known.
  ///   - families: The settings with `each` whose lines could be read.
  ///   - programs: The programs of settings, by the settings' names in the app file.
  ///   - isSettling: Whether the desktop may still be changing settings because of the last switch.
  ///   - isExplicit: Whether a program runs that takes no preference for the side before.
  ///   - takesAll: Whether the values of settings for the other side alone count, too, since they are to be left.
  init(
    _ desktop: App.Desktop, _ look: Look, preferences: [Preference], memory old: DesktopMemory?,
    values: [Text: SettingValue], defaults: [Text: Bool] = [:], families: Set<Text> = [],
    programs: [Text: Program] = [:], isSettling: Bool = false, isExplicit: Bool = false, takesAll: Bool = false
  ) {
    (self.desktop, self.look, self.preferences, self.values) = (desktop, look, preferences, values)
    self.programs = programs
    self.isExplicit = isExplicit
    let scheme = desktop.schemeSetting
    let schemeValue = scheme.flatMap { values[$0.name] }
    let side =
      old?.side ?? scheme.flatMap { $0.side(of: schemeValue) }
      ?? (preferences.isEmpty ? look.side : look.side.opposite)
    isSwitch = side != look.side
    let isKnown = scheme.flatMap { old?.settings[$0.name] }.flatMap { memory in schemeValue.map { memory.knows($0) } }
    isFlip = isSwitch && old != nil && !(isKnown ?? !preferences.isEmpty)
    isAhead = !isSwitch && isKnown == false && scheme?.side(of: schemeValue) == look.side.opposite
    memory = old ?? DesktopMemory(side: side)
    for setting in desktop.settings
    where (takesAll || setting.isActive(on: look.side)) && !(setting.isScheme && isAhead) {
      guard let value = values[setting.name] else { continue }
      take(value, of: setting, leaving: side, isSettling, isDefault: defaults[setting.name])
    }
    for family in families {
      let program = programs[family]
      // While it starts, more settings may come that it has in its own file.
      let known = program?.startsFor ?? 0 > 0 ? nil : program?.process
      memory.settings[family, default: SettingMemory()].program = known
    }
    if isSwitch { memory.isFlipped = isFlip }
    (memory.side, memory.theme) = (look.side, look.theme)
    for (name, setting) in memory.settings {
      // A theme that is chosen later names its own values.
      if let choice = setting.chosen[look.side], choice.theme != look.theme {
        memory.settings[name]?.chosen[look.side]?.isOutdated = true
      }
    }
    for setting in desktop.settings where setting.isActive(on: look.side) { compareAsset(of: setting) }
  }

  /// Marks the choice for this side as outdated if the theme got another image since, for example by `themectl theme
  /// new --force`.
  private mutating func compareAsset(of setting: App.DesktopSetting) {
    guard let asset = image(for: setting), var choice = memory.settings[setting.name]?.chosen[look.side],
      choice.theme == look.theme, !choice.isOutdated
    else { return }
    if choice.asset == nil || asset == choice.value.path {
      (choice.asset, choice.earlier) = (asset, nil)
    } else if asset != choice.asset, asset != choice.earlier {
      choice.isOutdated = true
    }
    memory.settings[setting.name]?.chosen[look.side] = choice
  }

  /// The theme's image for a setting on this side; nil if there is none, or if the daemon cannot read it, for example
  /// on a disk that is not mounted.
  private func image(for setting: App.DesktopSetting) -> Text? { setting.asset.flatMap { look.assets[$0] } }

  /// Takes a value that was read.
  private mutating func take(
    _ value: SettingValue, of setting: App.DesktopSetting, leaving old: ColorScheme, _ isSettling: Bool,
    isDefault: Bool?
  ) {
    var new = memory.settings[setting.name] ?? SettingMemory()
    let (isNew, started) = (hasNewProgram(setting), new.started)
    defer {
      // It may still be on its way, unless another value has come.
      if value != new.seen { new.writing = nil }
      new.startedBefore = isStarting(setting) ? isNew ? started ?? new.original : new.startedBefore : nil
      new.seen = value
      new.program = program(setting)?.process
      memory.settings[setting.name] = new
    }
    guard new.original != nil else {
      let side = isFlip ? look.side : old
      if let family = setting.family, memory.settings[family] != nil, value != .unset, !isNew {
        // It did not exist before, such as the wallpaper of a desktop that had only its own: it was chosen by hand.
        new.original = .unset
        new.last[side.opposite] = .unset
        new.chosen[side] = SettingMemory.Choice(
          value: value, theme: side == look.side ? look.theme : memory.theme,
          asset: side == look.side ? image(for: setting) : nil)
        return
      }
      (new.original, new.wasDefault) = (value, isDefault)
      // Until the desktop is in step, its scheme is not that of this side.
      let isPending = setting.isScheme && !preferences.isEmpty && side == look.side
      if setting.isActive(on: side), !setting.isForOther(value, than: side), !isPending { new.last[side] = value }
      return
    }
    if isNew { new.started = value }
    guard !new.knows(value) else { return }
    if setting.isForgotten, isNew || new.startedBefore != nil {
      // It is the program's own, but another one than at its last start was chosen in the program's own file.
      let isChoice =
        isNew ? started != nil && started != value : ![started, new.startedBefore, new.original].contains(value)
      new.started = value
      guard isChoice else { return }
    }
    let chosen = new.chosen
    // The image of the other side is not known here.
    let (shown, asset, isImage) = (look.side, image(for: setting), setting.asset != nil)
    let choice = { (theme: Text, side: ColorScheme) -> SettingMemory.Choice in
      var new = SettingMemory.Choice(value: value, theme: theme, asset: side == shown ? asset : nil)
      if isImage, let old = chosen[side], old.theme == theme, !old.isOutdated { new.earlier = old.value.path }
      return new
    }
    // A setting for one side only is for that side, whenever it was chosen.
    if let own = setting.side {
      new.chosen[own] = choice(look.theme, own)
      return
    }
    // The desktop's own switch may have set it.
    let isOfFlip = isSwitch ? isFlip : isSettling && memory.isFlipped
    if isOfFlip, setting.isPartOfSwitch {
      new.chosen[look.side] = choice(look.theme, look.side)
    } else if isSwitch, isFlip, desktop.settle > 0 {
      new.last[look.side] = value
    } else if isSwitch {
      // A script that switches the desktop may have set the theme of the new side before.
      let owner = setting.isForOther(value, than: old) ? look.side : old
      new.chosen[owner] = choice(memory.theme, owner)
    } else if isSettling {
      if memory.isFlipped { new.last[look.side] = value }
    } else {
      new.chosen[look.side] = choice(look.theme, look.side)
    }
  }

  private func program(_ setting: App.DesktopSetting) -> Program? { programs[setting.family ?? setting.name] }

  private func isStarting(_ setting: App.DesktopSetting) -> Bool { program(setting)?.startsFor ?? 0 > 0 }

  /// Whether the program of a setting was started since the setting, or the list to which it belongs, was read or
  /// written last.
  private func hasNewProgram(_ setting: App.DesktopSetting) -> Bool {
    let known = memory.settings[setting.name]?.program ?? setting.family.flatMap { memory.settings[$0]?.program }
    return program(setting).map { $0.process != known } ?? false
  }

  // MARK: What is written

  /// Whether the desktop is not switched yet, but has to be: the daemon says so a moment after it shows the other side.
  var awaitsTarget: Bool {
    guard preferences.isEmpty, isSwitch, !isFlip, let scheme = desktop.schemeSetting else { return false }
    return scheme.side(of: values[scheme.name]) != look.side
  }

  /// The value to write to the setting of the scheme; nil if it is right.
  var wantedScheme: Text? {
    guard let scheme = desktop.schemeSetting, !preferences.isEmpty else { return nil }
    let value = values[scheme.name]
    if let preference = scheme.preference(of: value), preferences.contains(preference) { return nil }
    let memory = memory.settings[scheme.name]
    // Names of the user's own, where the file has only the usual ones.
    let own = [chosen(scheme), named(scheme), memory?.last[look.side]].compactMap { $0?.text }
      .first { !$0.isEmpty && !scheme.values.values.contains($0) }
    let isLight = isExplicit && look.side == .light && preferences.contains(.light)
    let usual = (isLight ? [.light] : preferences).lazy.compactMap { scheme.values[$0] }.first
    let wanted = own ?? usual ?? scheme.values[look.side == .dark ? .dark : .light]
    return wanted.flatMap { .text($0) == value ? nil : $0 }
  }

  /// The value of an ordinary setting for the side that is shown; nil if it stays as it is.
  ///
  /// - Parameters:
  ///   - writesAgain: Whether a value that cannot be read is written although it was written before.
  ///   - isInstalled: Whether a guessed name is installed.
  func wanted(
    _ setting: App.DesktopSetting, writesAgain: Bool = false, isInstalled: (Text) -> Bool
  ) -> SettingValue? {
    guard setting.isActive(on: look.side), !setting.isScheme else { return nil }
    let value = values[setting.name]
    let memory = memory.settings[setting.name]
    let wanted =
      chosen(setting) ?? named(setting) ?? last(setting)
      ?? (guess(setting, memory, isInstalled) ?? setting.values[Preference(look.side)]).map { .text($0) }
      ?? memory?.before[look.side] ?? (setting.canBeRead ? nil : memory?.before[look.side.opposite])
    // A value that cannot be read is written once, and a reset is not repeated: it may restart other programs.
    let isThere =
      value.map { $0 == wanted }
      ?? (wanted == memory?.seen && memory?.writing == nil
        && (wanted == .unset || !isSwitch && !writesAgain && !hasNewProgram(setting)))
    return isThere ? nil : wanted
  }

  /// The user's choice by hand for this side, if no other theme, and no other image of the theme, was chosen since.
  private func chosen(_ setting: App.DesktopSetting) -> SettingValue? {
    memory.settings[setting.name]?.chosen[look.side].flatMap { $0.isOutdated ? nil : $0.value }
  }

  /// The path of the picture that the user has chosen as the wallpaper of this side, if the theme follows the wallpaper
  /// and was made from another picture; see `themectl theme new --follow-wallpaper`.
  var newPicture: Text? {
    guard look.values["follow-wallpaper"] == "yes" else { return nil }
    let choices = desktop.settings.filter { $0.asset == "wallpaper" && $0.isActive(on: look.side) }.compactMap {
      let choice = chosen($0)
      return choice == values[$0.name] ? choice?.path : nil
    }
    return choices.first.flatMap { $0 == look.assets["wallpaper"] ? nil : $0 }
  }

  /// The value from when this side was shown last, and no theme named one.
  private func last(_ setting: App.DesktopSetting) -> SettingValue? {
    let memory = memory.settings[setting.name]
    let before = memory?.before[look.side]
    if before == .unset, setting.hasDefault(on: look.side) { return nil }
    let last = before ?? memory?.last[look.side]
    // Some desktops do not notice that a value is missing.
    return last == .unset && setting.values[Preference(look.side)] != nil ? nil : last
  }

  /// The value that the theme names.
  private func named(_ setting: App.DesktopSetting) -> SettingValue? {
    if let value = setting.themeValue.flatMap({ look.values[$0] }), value.isPlainName { return .text(value) }
    if let path = setting.asset.flatMap({ look.assets[$0] }), path.hasPrefix("/"), !path.hasControls {
      return .text(setting.form == .uri ? path.asFileAddress : path)
    }
    return nil
  }

  /// The counterpart of what the other side has.
  private func guess(
    _ setting: App.DesktopSetting, _ memory: SettingMemory?, _ isInstalled: (Text) -> Bool
  ) -> Text? {
    guard !setting.darkMarks.isEmpty else { return nil }
    let other = look.side.opposite
    let base = (memory?.chosen[other]?.value ?? memory?.last[other] ?? values[setting.name])?.text
    return base.flatMap { setting.counterparts(of: $0, on: look.side).first(where: isInstalled) }
  }

  // MARK: What was written

  /// Records values before they are written, so that they are recognised even if this process is killed.
  mutating func remember(writing values: [Text: SettingValue]) {
    for (name, value) in values {
      var new = memory.settings[name] ?? SettingMemory()
      (new.writing, new.wasWritten) = (value, true)
      if let setting = desktop.settings.first(where: { $0.name == name }), chosen(setting) == nil,
        named(setting) == value
      {
        let old = setting.hasDefault(on: look.side) ? nil : self.values[name]
        new.before[look.side] = new.before[look.side] ?? new.last[look.side] ?? old ?? .unset
      }
      memory.settings[name] = new
    }
  }

  /// Takes the values that are there after everything was written, except for settings that could not be read or written.
  mutating func finish(_ new: [Text: SettingValue], failed: Set<Text> = []) {
    for setting in desktop.settings where setting.isActive(on: look.side) && !failed.contains(setting.name) {
      var kept = memory.settings[setting.name] ?? SettingMemory()
      guard let value = new[setting.name] ?? values[setting.name] ?? kept.writing ?? kept.seen else { continue }
      if setting.isScheme, isAhead, value != kept.writing { continue }
      // While it settled, somebody may have switched the desktop: the next run finds out.
      if desktop.settle > 0, new[setting.name] != nil, let writing = kept.writing, value != writing { continue }
      // Otherwise it may still be on its way.
      if value == kept.writing { kept.writing = nil }
      kept.seen = value
      if !setting.canBeRead { kept.program = program(setting)?.process }
      if chosen(setting) != nil || named(setting) == nil { kept.before[look.side] = nil }
      memory.settings[setting.name] = kept
      // Until the desktop is in step, its scheme is not that of this side.
      guard !setting.isScheme || preferences.isEmpty else { continue }
      if !setting.isForOther(value, than: look.side) { memory.settings[setting.name]?.last[look.side] = value }
    }
    values.merge(new) { $1 }
  }

  /// Takes values that were read again because the desktop changes settings by itself.
  mutating func take(again new: [Text: SettingValue]) {
    for (name, value) in new {
      values[name] = value
      memory.settings[name]?.seen = value
    }
  }
}

extension DesktopDecision {
  /// The values that give back what was there before; settings that were never written stay as they are.
  ///
  /// - Parameter after: The side that the desktop shows after that.
  static func leaving(_ desktop: App.Desktop, _ memory: DesktopMemory, after side: ColorScheme) -> [Text: SettingValue]
  {
    var values: [Text: SettingValue] = [:]
    for setting in desktop.settings where !setting.isScheme {
      guard let kept = memory.settings[setting.name], kept.wasWritten else { continue }
      values[setting.name] = kept.chosen[setting.side ?? side]?.value ?? kept.original ?? .unset
    }
    return values
  }
}

extension App.DesktopSetting {
  /// The preference for which a value of the scheme's setting stands; nil if it is a name of the user's own.
  func preference(of value: SettingValue?) -> Preference? {
    guard let text = value?.text else { return nil }
    return [.dark, .light, .none].first { values[$0] == text }
  }

  /// The side for which a value of the scheme's setting stands; nil if it is not known.
  func side(of value: SettingValue?) -> ColorScheme? {
    switch preference(of: value) {
    case .dark?: .dark
    case .light?, .none?: .light
    default: nil
    }
  }

  /// Whether there is a value for a side of which nothing is remembered.
  func hasDefault(on side: ColorScheme) -> Bool { !darkMarks.isEmpty || values[Preference(side)] != nil }

  /// Whether the value can be read.
  var canBeRead: Bool { read != nil || file != nil }

  /// Whether a value is the file's own one for the other side.
  func isForOther(_ value: SettingValue, than side: ColorScheme) -> Bool {
    guard !isScheme, let text = value.text, let other = values[Preference(side.opposite)] else { return false }
    return other == text && values[Preference(side)] != text
  }
}

extension Preference {
  init(_ side: ColorScheme) { self = side == .dark ? .dark : .light }
}

extension Text {
  /// The absolute path of a `file:` address; nil for any other text.
  var pathOfFileAddress: Text? {
    guard let path = dropping(prefix: "file://"), path.hasPrefix("/") else { return nil }
    var (bytes, rest) = ([UInt8](), path.utf8[...])
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(\.hexadecimalDigit)
      guard byte == UInt8(ascii: "%"), digits.count == 2, digits != [0, 0] else {
        bytes.append(byte)
        continue
      }
      bytes.append(digits[0] << 4 | digits[1])
      rest = rest.dropFirst(2)
    }
    return Text(decoding: bytes)
  }

  /// The absolute path as a `file:` address.
  var asFileAddress: Text {
    let digits = Array("0123456789ABCDEF".utf8)
    return Text(
      decoding: Array("file://".utf8)
        + utf8.flatMap { byte -> [UInt8] in
          let isPlain = byte.isLetterOrDigit || "/-._~".utf8.contains(byte)
          return isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        })
  }
}
