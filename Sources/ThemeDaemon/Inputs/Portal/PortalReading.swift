internal import ThemeModel
internal import ThemedDBus

/// A key of the portal's namespace `org.freedesktop.appearance`.
enum Setting: String, CaseIterable, Sendable {
  case colorScheme = "color-scheme"
  case contrast = "contrast"
  case accentColor = "accent-color"
  case reducedMotion = "reduced-motion"
}

extension Reading {
  /// Takes over the portal's value of `setting`; returns whether it has the type of the portal's specification.
  ///
  /// Other types are accepted as far as they make sense, and otherwise count as "no preference".
  mutating func learn(_ setting: Setting, _ value: Value) -> Bool {
    let value = value.unwrapped
    switch setting {
    case .colorScheme: scheme = value.preference
    case .contrast: highContrast = value.integer == 1
    case .reducedMotion: reducedMotion = value.integer == 1
    case .accentColor:
      accentColor = value.color
      if case .structure(let parts) = value, parts.count == 3 { return true }
      return false
    }
    if case .uint32 = value { return true }
    return false
  }
}

extension Reading {
  /// The portal does not have `setting`; every portal has a color scheme.
  mutating func forget(_ setting: Setting) {
    switch setting {
    case .colorScheme: break
    case .contrast: highContrast = nil
    case .reducedMotion: reducedMotion = nil
    case .accentColor: accentColor = nil
    }
  }
}

extension Value {
  /// The beginning of the value for a message, because a portal's value may be long.
  var excerpt: String { text(atMost: 80) }

  /// The value as a color scheme of the portal.
  var colorScheme: Preference { unwrapped.preference }

  fileprivate var preference: Preference {
    // Some backends send `i` instead of `u`.
    switch integer {
    case 1: .dark
    case 2: .light
    default: .none
    }
  }

  /// The value as a colour with eight bits per component, as clients get it; smaller differences are no change.
  fileprivate var color: Color? {
    guard case .structure(let parts) = self, parts.count == 3, case .double(let red) = parts[0],
      case .double(let green) = parts[1], case .double(let blue) = parts[2]
    else { return nil }
    return Color(red: red, green: green, blue: blue)?.rounded
  }
}
