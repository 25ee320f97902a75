internal import ThemeInterface
internal import ThemeModel
internal import ThemeResolution
internal import ThemedText
internal import ThemedVarlink

// What each right allows: the one place that says it, looked at before any parameter of a call.

extension Rights {
  /// Whether one with these rights may call this method; the methods of `org.varlink.service` everybody may.
  func allows(_ method: ThemeInterface.Method) -> Bool {
    switch method {
    case .getState, .monitor, .listThemes, .getTheme: true
    // They change something.
    case .setOverride, .clearOverride, .toggle: self == .all
    // They tell what other programs are called and do; what is overridden for all apps stands in the state,
    case .listOverrides, .listClients: self == .all
    // where files lie, and where the user is.
    case .getConfiguration, .getDiagnostics, .getSchedule: self == .all
    }
  }

  /// Whether one with these rights may follow this list, as a handover says that he does.
  func allows(_ list: FollowedList) -> Bool {
    switch list {
    case .overrides: allows(.listOverrides)
    case .clients: allows(.listClients)
    case .themes: allows(.listThemes)
    }
  }

  /// Whether paths are told.
  var seesPaths: Bool { self == .all }
  /// Whether it is told when something ends or switches: of the sun, two such times are a place on earth.
  var seesTimes: Bool { self == .all }
}

// What is told without paths: on the wire all that it needs to be what it is, and nothing in the place of the rest.

extension State {
  /// What is told of it to who may only read: neither the paths of images nor when anything ends or switches.
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
  /// What is told of it to who sees no paths.
  var withoutPaths: InstalledTheme {
    var told = self
    (told.path, told.problem) = ("", problem.map { _ in ThemeListing.unsaidProblem })
    for scheme in ColorScheme.allCases { told.theme[scheme]?.assets = [:] }
    return told
  }
}

extension ThemeListing {
  /// What is told of a problem, whose words name files, to who sees no paths.
  static let unsaidProblem = "its file has a mistake or does not respond"

  /// What is told of it to who sees no paths.
  var withoutPaths: ThemeListing {
    var told = self
    (told.path, told.problem) = ("", problem.map { _ in Self.unsaidProblem })
    return told
  }
}
