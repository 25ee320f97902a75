internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

// What each right allows, in one place; checked before any parameter of a call.

extension Rights {
  /// Whether a connection with these rights may call this method; the methods of `org.varlink.service` are always
  /// allowed.
  func allows(_ method: ThemeInterface.Method) -> Bool {
    switch method {
    case .getState, .monitor, .listThemes, .getTheme: true
    // They change something.
    case .setOverride, .clearOverride, .toggle, .reportDesktopTarget: self == .all
    // They reveal the names of other programs and what they do; overrides of all apps are visible in the state.
    case .listOverrides, .listClients, .getDesktopTarget: self == .all
    // They reveal paths, and the user's location.
    case .getConfiguration, .getDiagnostics, .getSchedule: self == .all
    }
  }

  /// Whether a connection with these rights may follow this list, as a handover claims.
  func allows(_ list: FollowedList) -> Bool {
    switch list {
    case .overrides: allows(.listOverrides)
    case .clients: allows(.listClients)
    case .themes: allows(.listThemes)
    case .desktop: allows(.getDesktopTarget)
    }
  }

  var seesPaths: Bool { self == .all }
  /// Whether replies contain times of ends and switches: two times of the sun reveal a place on earth.
  var seesTimes: Bool { self == .all }
}

// Values without paths: on the wire, a path is null, and maps of assets are empty.

extension State {
  /// The state for read-only clients: without paths of images and without times of ends and switches.
  var forReaders: State {
    var told = self
    told.resolution.theme?.details?.assets = [:]
    told.resolution.nextSwitch = nil
    told.resolution.origins = resolution.origins.mapValues { origin in
      var origin = origin
      origin.expiresAt = nil
      return origin
    }
    return told
  }
}

extension InstalledTheme {
  var withoutPaths: InstalledTheme {
    var told = self
    (told.path, told.problem) = ("", problem.map { _ in ThemeListing.unsaidProblem })
    for scheme in ColorScheme.allCases { told.theme[scheme]?.assets = [:] }
    return told
  }
}

extension ThemeListing {
  /// The problem for clients that see no paths, because its real text names files.
  static let unsaidProblem = "its file has a mistake or does not respond"

  var withoutPaths: ThemeListing {
    var told = self
    (told.path, told.problem) = ("", problem.map { _ in Self.unsaidProblem })
    return told
  }
}
