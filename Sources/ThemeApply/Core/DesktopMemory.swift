internal import ThemeApps
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The value of a desktop's setting.
enum SettingValue: Sendable, Hashable {
  /// The setting is not set, or does not exist.
  case unset
  case text(Text)

  var text: Text? { if case .text(let text) = self { text } else { nil } }

  /// The absolute path of the file that the value names, such as a wallpaper.
  var path: Text? { text.flatMap { $0.hasPrefix("/") ? $0 : $0.pathOfFileAddress } }
}

/// The memory of a setting.
struct SettingMemory: Sendable, Hashable {
  /// A value that the user chose by hand.
  struct Choice: Sendable, Hashable {
    var value: SettingValue
    /// The theme that was shown then; empty if there was none.
    var theme: Text
    /// The theme's image for the setting when the value was chosen; nil if it had none, or if that is not known.
    var asset: Text?
    /// The image that the user had chosen before for the same theme, which may be on its way into the theme.
    var earlier: Text?
    /// Whether another theme, or another image of the same theme, was chosen since.
    var isOutdated = false
  }

  /// The value before the first switch; nil if it could not be read.
  var original: SettingValue?
  /// Whether the user had never set it, so that the value was the desktop's default; nil if that is not known.
  var wasDefault: Bool?
  /// The value that is being written, as long as it was not seen.
  var writing: SettingValue?
  /// Whether it was ever written.
  var wasWritten = false
  /// The value that was read last.
  var seen: SettingValue?
  /// The process of its program when it was read or written last.
  var program: Text?
  /// The value that the program had when it started last.
  var started: SettingValue?
  /// The value that it had at the start before, as long as it is starting.
  var startedBefore: SettingValue?
  /// The value that was there when a side was shown last.
  var last: [ColorScheme: SettingValue] = [:]
  /// The value of a side before a theme named one, as long as it has that of a theme.
  var before: [ColorScheme: SettingValue] = [:]
  /// The value that the user chose by hand for a side.
  var chosen: [ColorScheme: Choice] = [:]

  /// Whether a value was written or seen here last, so that no other program wrote it.
  func knows(_ value: SettingValue) -> Bool { value == writing || value == seen }
}

/// The memory of a desktop.
struct DesktopMemory: Sendable, Hashable {
  /// The side for which its settings were written last.
  var side: ColorScheme
  /// The theme that was shown then; empty if there was none.
  var theme: Text = ""
  /// Whether the desktop itself switched to that side.
  var isFlipped = false
  /// The preference that the desktop asked for by itself, which it gets back; nil if that is not known.
  var asked: Preference?
  /// Whether the user enabled the app by its name.
  var isByName = false
  var settings: [Text: SettingMemory] = [:]
}

/// The content of `desktop-settings.json`: the memory of each desktop, by the name of its app.
struct DesktopMemories: Sendable, Hashable {
  static let maximumSize = 1 << 20
  /// The version of the format.
  private static let version: Int64 = 1

  /// Why a file cannot be used.
  enum Refusal: Error, Hashable {
    case newer
    case damaged(Text)
  }

  var desktops: [Text: DesktopMemory] = [:]

  static func path(state: Text) -> Text { "\(state)/themed/desktop-settings.json" }

  var bytes: [UInt8] {
    var all = JSON.Object()
    for (name, desktop) in desktops.sorted(by: { $0.key < $1.key }) { all.append(name, desktop.json) }
    return JSON.object(["version": .integer(Self.version), "desktops": .object(all)]).bytes + [0x0A]
  }

  init(desktops: [Text: DesktopMemory] = [:]) { self.desktops = desktops }

  init(reading bytes: [UInt8]) throws(Refusal) {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: bytes) } catch { throw .damaged(Text("\(error)")) }
    guard case .object(let object) = json, case .integer(let version)? = object["version"] else {
      throw .damaged("it has no version")
    }
    guard version == Self.version else { throw version > Self.version ? .newer : .damaged("unknown version") }
    guard case .object(let all)? = object["desktops"] else { throw .damaged("it has no desktops") }
    for member in all.members {
      guard App.isValidName(member.name), let desktop = DesktopMemory(member.value) else {
        throw .damaged("invalid entry '\(member.name.shown(atMost: 80))'")
      }
      desktops[member.name] = desktop
    }
  }
}

extension DesktopMemories {
  /// Takes over the memory of another desktop with the same settings, when a desktop is kept in step for the first time.
  ///
  /// Xfce and sway, for example, share GNOME's settings: what was there before the first switch is known from the other.
  mutating func adopt(_ recipe: DesktopRecipe, from recipes: [DesktopRecipe]) {
    guard desktops[recipe.app.name] == nil, let scheme = recipe.desktop.schemeSetting else { return }
    for other in recipes where other.app.name != recipe.app.name {
      guard let memory = desktops[other.app.name], let theirs = other.desktop.schemeSetting, theirs.isSame(as: scheme)
      else { continue }
      var adopted = DesktopMemory(side: memory.side, theme: memory.theme, asked: memory.asked)
      for setting in recipe.desktop.settings {
        guard let same = other.desktop.settings.first(where: { $0.isSame(as: setting) }) else { continue }
        adopted.settings[setting.name] = memory.settings[same.name]
      }
      desktops[recipe.app.name] = adopted
      return
    }
  }
}

extension DesktopMemories {
  /// Forgets a desktop that was restored, and the same settings of other desktops, which have their values from before.
  mutating func forget(_ recipe: DesktopRecipe, among recipes: [DesktopRecipe]) {
    desktops[recipe.app.name] = nil
    for other in recipes where other.app.name != recipe.app.name && desktops[other.app.name] != nil {
      for setting in other.desktop.settings where recipe.desktop.settings.contains(where: { $0.isSame(as: setting) }) {
        desktops[other.app.name]?.settings[setting.name] = nil
      }
    }
  }
}

extension App.DesktopSetting {
  /// Whether two desktops' settings are the same one.
  func isSame(as other: Self) -> Bool {
    write == other.write && file == other.file && side == other.side && each == nil && family == nil
  }
}

extension DesktopMemory {
  fileprivate var json: JSON {
    var all = JSON.Object()
    for (name, setting) in settings.sorted(by: { $0.key < $1.key }) { all.append(name, setting.json) }
    return .object([
      "side": .word(side.rawValue), "theme": .string(theme), "flipped": .bool(isFlipped), "byName": .bool(isByName),
      "asked": asked.map { .word($0.rawValue) }, "settings": .object(all),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard case .object(let object) = json, case .string(let word)? = object["side"],
      let side = ColorScheme(word: word), case .string(let theme)? = object["theme"], !theme.hasControls,
      case .bool(let isFlipped)? = object["flipped"], case .bool(let isByName)? = object["byName"],
      case .object(let all)? = object["settings"]
    else { return nil }
    self.init(side: side, theme: theme, isFlipped: isFlipped, isByName: isByName)
    if case .string(let word)? = object["asked"] { asked = Preference(word: word) }
    for member in all.members {
      guard !member.name.hasControls, let setting = SettingMemory(member.value) else { return nil }
      settings[member.name] = setting
    }
  }
}

extension SettingMemory {
  fileprivate var json: JSON {
    var json: JSON.Object = [
      "original": original?.json, "default": wasDefault.map { .bool($0) }, "writing": writing?.json,
      "written": wasWritten ? .bool(true) : nil, "seen": seen?.json,
      "program": program.map { .string($0) }, "started": started?.json, "startedBefore": startedBefore?.json,
    ]
    for side in ColorScheme.allCases where last[side] != nil || before[side] != nil || chosen[side] != nil {
      json.append(
        Text(side.rawValue),
        .object([
          "last": last[side]?.json, "before": before[side]?.json, "chosen": chosen[side]?.value.json,
          "theme": (chosen[side]?.theme).map { .string($0) },
          "asset": (chosen[side]?.asset).map { .string($0) },
          "earlier": (chosen[side]?.earlier).map { .string($0) },
          "outdated": chosen[side]?.isOutdated == true ? .bool(true) : nil,
        ]))
    }
    return .object(json)
  }

  fileprivate init?(_ json: JSON) {
    guard case .object(let object) = json else { return nil }
    do throws(SettingValue.Invalid) {
      original = try SettingValue.reading(object["original"])
      if case .bool(let isDefault)? = object["default"] { wasDefault = isDefault }
      writing = try SettingValue.reading(object["writing"])
      wasWritten = object["written"] == .bool(true)
      seen = try SettingValue.reading(object["seen"])
      if case .string(let text)? = object["program"] { program = text }
      started = try SettingValue.reading(object["started"])
      startedBefore = try SettingValue.reading(object["startedBefore"])
      for side in ColorScheme.allCases {
        guard let sideObject = object[Text(side.rawValue)] else { continue }
        guard case .object(let sideObject) = sideObject else { return nil }
        last[side] = try SettingValue.reading(sideObject["last"])
        before[side] = try SettingValue.reading(sideObject["before"])
        guard let value = try SettingValue.reading(sideObject["chosen"]) else { continue }
        guard case .string(let theme)? = sideObject["theme"], !theme.hasControls else { return nil }
        var choice = Choice(value: value, theme: theme, isOutdated: sideObject["outdated"] == .bool(true))
        if case .string(let asset)? = sideObject["asset"] { choice.asset = asset }
        if case .string(let earlier)? = sideObject["earlier"] { choice.earlier = earlier }
        chosen[side] = choice
      }
    } catch { return nil }
  }
}

extension SettingValue {
  fileprivate struct Invalid: Error {}

  /// A string; null if it is unset.
  fileprivate var json: JSON { text.map { .string($0) } ?? .null }

  /// The value; nil if there is none.
  fileprivate static func reading(_ json: JSON?) throws(Invalid) -> SettingValue? {
    switch json {
    case nil: return nil
    case .null?: return .unset
    // The value becomes an argument of a program, or all of a file.
    case .string(let text)? where !text.hasControlsInLines: return .text(text)
    default: throw Invalid()
    }
  }
}
