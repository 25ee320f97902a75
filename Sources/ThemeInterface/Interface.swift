public import ThemedText
public import ThemedVarlink

/// The interface that clients call: its name, its text and its methods.
public enum ThemeInterface {
  /// The one place that names it.
  public static var name: Text { "org.themed.theme" }

  /// The methods.
  public enum Method: String, CaseIterable, Sendable {
    /// The state now.
    case getState = "GetState"
    /// The state now, then after each change.
    case monitor = "Monitor"
    /// Sets an override.
    case setOverride = "SetOverride"
    /// Removes an override.
    case clearOverride = "ClearOverride"
    /// Shows the opposite.
    case toggle = "Toggle"
    /// The overrides that hold.
    case listOverrides = "ListOverrides"
    /// Who monitors.
    case listClients = "ListClients"
    /// The themes that are installed.
    case listThemes = "ListThemes"
    /// A theme.
    case getTheme = "GetTheme"
    /// The configuration in force.
    case getConfiguration = "GetConfiguration"
    /// When the schedule switches.
    case getSchedule = "GetSchedule"
    /// Why the daemon shows what it shows.
    case getDiagnostics = "GetDiagnostics"

    /// Its name with its interface, as calls give it.
    public var fullName: Text { "\(ThemeInterface.name).\(rawValue)" }

    /// The method that a call names, if this interface has it.
    public init?(fullName: Text) {
      // What is called most comes first: the search is shorter than a hash of the name.
      guard let method = Self.byFullName.first(where: { $0.fullName == fullName })?.method else { return nil }
      self = method
    }

    private static let byFullName = allCases.map { (fullName: $0.fullName, method: $0) }
  }

  /// More overrides than the daemon keeps.
  public static func tooManyOverrides(maximum: Int) -> VarlinkError {
    VarlinkError(name: "\(name).TooManyOverrides", parameters: ["maximum": .integer(Int64(maximum))])
  }

  /// No theme of this name is installed.
  public static func unknownTheme(_ theme: Text) -> VarlinkError {
    VarlinkError(name: "\(name).UnknownTheme", parameters: ["theme": .string(theme)])
  }

  /// A theme that cannot be shown, and why, in words.
  public static func unusableTheme(_ theme: Text, problem: String) -> VarlinkError {
    VarlinkError(name: "\(name).UnusableTheme", parameters: ["theme": .string(theme), "problem": .word(problem)])
  }

  /// The interface as `GetInterfaceDescription` serves it.
  ///
  /// The comments are its documentation. It stands here as it is served, name and all: put together at each start, it
  /// would lie in the memory of every daemon, 32 KiB that hardly anybody asks for.
  public static let description = """
    # Whether to show light or dark: the desktop's preference merged with what the
    # user overrides, and every change of it.
    #
    # A service may listen on a second socket, which is for reading only. There it
    # answers GetState, Monitor, ListThemes, GetTheme and org.varlink.service, and
    # every other method of this interface with the error PermissionDenied of
    # org.varlink.service, whatever the parameters are. It tells no paths there:
    # where there would be one, the text is empty, maps of assets are empty, and a
    # problem is told without its reason. It tells no times either: nextSwitch and
    # expiresAt are null, since those of the sun would say where the user is. What
    # is overridden for single apps cannot be listed there, and what is overridden
    # for all stands in the state, by its origins. The list of themes may be some
    # seconds old.
    #
    # Within this name only nullable fields, methods, types and errors are ever
    # added: a client passes over the fields that it does not know.
    interface org.themed.theme

    # What to show.
    type Scheme (light, dark)

    # What an override says. 'auto' is the desktop's preference.
    type Mode (auto, light, dark)

    # What the desktop asks for. 'none': it has no preference. 'unavailable': no
    # desktop has been heard yet.
    type Preference (light, dark, none, unavailable)

    # What the user wants instead of the desktop's preference; a field that is null
    # is not meant.
    #
    # app: the name that the app gives itself in Monitor and GetState, a desktop
    #   file ID where it has one, 1 to 255 bytes without control characters; null:
    #   all apps.
    # scheme: 'auto' pins an app to the desktop, whatever the override of all apps
    #   says. For all apps it is the desktop, as without an override: with no end.
    # accentColor: an sRGB color, '#rrggbb'.
    # lightTheme, darkTheme: the theme to show where the scheme is light, or dark,
    #   by name. It is installed and has that side when it is set; as long as it
    #   later has not, the next rule decides.
    # auto: the other fields of an app that are pinned to what lies below the
    #   overrides, whatever those of all apps say: highContrast, reducedMotion,
    #   accentColor, lightTheme, darkTheme; none that is given as well. For all apps
    #   it is as without an override of these: with no end.
    # expiresAt: when it ends, in seconds since the epoch, at most ten years ahead;
    #   null: never.
    # untilDesktopChanges: whether it ends when the desktop's own preference, once
    #   settled, is another than it was; and at the schedule's next switch, where
    #   there is a schedule. With expiresAt too, the first ends it.
    type Override (
      app: ?string,
      scheme: ?Mode,
      highContrast: ?bool,
      reducedMotion: ?bool,
      accentColor: ?string,
      lightTheme: ?string,
      darkTheme: ?string,
      auto: ?[]string,
      expiresAt: ?int,
      untilDesktopChanges: ?bool
    )

    # What decided a field of the state.
    #
    # rule: app_override, override (of all apps), schedule, portal, upstream
    #   (another daemon, which is followed in the desktop's place), default; expect
    #   others.
    # pinned: whether an override of this app pins the field to what lies below the
    #   overrides, by 'auto'; null: no.
    # expiresAt, untilDesktopChanges: when and how the override ends by itself that
    #   decided the field or pinned it, as in Override; null: not so.
    type Origin (
      rule: string,
      pinned: ?bool,
      expiresAt: ?int,
      untilDesktopChanges: ?bool
    )

    # The schedule's turn to light or dark: when, in seconds since the epoch; what
    # it says from then on; and how many seconds the clocks of its time zone are
    # then ahead of UTC, null where that is not told.
    type Switch (time: int, scheme: Scheme, utcOffset: ?int)

    # The whole resolved state.
    #
    # instance: names one life of the daemon's history.
    # serial: orders the states of one instance. It grows; gaps mean nothing.
    # scheme: what to show.
    # desktop: what the desktop asks for, whatever is shown; where another daemon is
    #   followed in its place, what that one shows.
    # highContrast: whether to show higher contrast; null where nobody says.
    # reducedMotion: whether to move less; null where nobody says.
    # accentColor: an sRGB color, '#rrggbb'; null where nobody says.
    # origins: what decided each field that is not null, by the field's name:
    #   scheme, highContrast, reducedMotion, accentColor, theme; and desktop, by
    #   the rule upstream, as long as another daemon is followed; expect others.
    # theme: the theme to show, by name, on the side of the scheme; null where none
    #   is chosen that is there. A state is one moment's: scheme, theme and details
    #   belong together, and a theme whose file changes makes a new state.
    # themeTitle: what people call it.
    # transitionMilliseconds: how long a program may take to fade to it; 0 where
    #   motion is reduced; null without a theme.
    # nextSwitch: the schedule's next, whatever is shown, for who wants to prepare;
    #   null without a schedule.
    # palette: a color for every role, as '#rrggbb', by the role's name as
    #   themed.theme(5) lists them; expect others. This and the next two are null
    #   without a theme, and where 'details' was not true.
    # assets: absolute paths of images, by what they are for, such as 'wallpaper'.
    # values: by the program that they are for.
    type State (
      instance: string,
      serial: int,
      scheme: Scheme,
      desktop: Preference,
      highContrast: ?bool,
      reducedMotion: ?bool,
      accentColor: ?string,
      origins: [string]Origin,
      theme: ?string,
      themeTitle: ?string,
      transitionMilliseconds: ?int,
      nextSwitch: ?Switch,
      palette: ?[string]string,
      assets: ?[string]string,
      values: ?[string]string
    )

    # A client that monitors: the name it gave, its process, and whether it came by
    # the socket for reading only; null: no.
    type Client (app: ?string, pid: int, readOnly: ?bool)

    # The state now, for the app of this name, or with null for one without a name.
    # With details, also the palette, assets and values of the theme.
    method GetState(app: ?string, details: ?bool) -> (state: State)

    # The state now, then the whole state after each change of this app's own
    # state. A slow reader gets the newest state only. With details, also the
    # palette, assets and values of the theme. [Requires 'more' flag]
    method Monitor(app: ?string, details: ?bool) -> (state: State)

    # Overrides each field that is given, for all apps or for one, in the place of
    # what was overridden there; the fields that are null stay as they were, but for
    # those that 'clear' names, which are overridden no more. At least one field is
    # given, 'auto' or cleared, and none is both. Returns the state that results, of
    # that app. It holds at once. The reply comes when it is on the disk (saved), or
    # could not be written there (not saved: it is lost when the daemon ends; the
    # daemon's log has the reason). The state has no details.
    method SetOverride(override: Override, clear: ?[]string) -> (
      state: State,
      saved: bool
    )

    # Removes what is overridden for all apps, or for one: the fields of these names
    # (scheme, highContrast, reducedMotion, accentColor, lightTheme, darkTheme), or
    # with null every one. With everyApp, and no app, it is removed for all apps and
    # for each single one.
    method ClearOverride(app: ?string, fields: ?[]string, everyApp: ?bool) -> (
      state: State,
      saved: bool
    )

    # Shows the opposite of what is shown: goes back to what the last Toggle put
    # away, where that does it; else removes the override of the scheme, where that
    # does; else sets one, without an end. Twice is nothing: what was shown before
    # is shown, and ends when it would have.
    #
    # expiresAt, untilDesktopChanges: as in Override. One with this end is set, and
    #   what it took the place of holds again when it ends; or, where one that a
    #   Toggle gave an end holds, that is gone back from.
    method Toggle(app: ?string, expiresAt: ?int, untilDesktopChanges: ?bool) -> (
      state: State,
      saved: bool
    )

    # The overrides that hold, those of all apps first, then by app; the fields that
    # end at the same time are one override. With 'more' it is followed.
    #
    # This list and the next two are told in the same way: once; or, where the call
    # has the flag 'more', at once and again when the list is another one, each time
    # as a whole. Changes that come close together are told as one, and a slow
    # reader gets the newest list only.
    #
    # overrides: as many as fit into one reply of 1 MiB, the first ones.
    # omitted: how many more there are; null: none.
    method ListOverrides() -> (overrides: []Override, omitted: ?int)

    # The clients that monitor, in the order in which they began to; those that
    # follow lists alone are none. With 'more' it is followed, as ListOverrides is.
    #
    # clients: as many as fit into one reply of 1 MiB, the first ones.
    # omitted: how many more there are; null: none.
    method ListClients() -> (clients: []Client, omitted: ?int)

    # A theme that is installed, as much of it as shows it among others.
    #
    # name, path: what it is chosen by, and where its file is.
    # title: what people call it; null where the file cannot be used.
    # light, dark: the sides that it has, each as some of its colors, as '#rrggbb',
    #   by role: background, text, primary, secondary, error, warning, success and
    #   info; expect others.
    # problem: why the file cannot be used, in words. Whether its images can be read
    #   GetTheme tells.
    type ThemeListing (
      name: string,
      path: string,
      title: ?string,
      light: ?[string]string,
      dark: ?[string]string,
      problem: ?string
    )

    # The themes that are installed, by name; of those with the same name the one
    # that holds, which is the user's own if there is one. With 'more' it is
    # followed, as ListOverrides is. Where their directories do not answer, it is an
    # UnusableTheme without a name.
    #
    # themes: as many as fit into one reply of 1 MiB, the first ones.
    # omitted: how many more there are; null: none.
    method ListThemes() -> (themes: []ThemeListing, omitted: ?int)

    # One side of a theme.
    #
    # palette: a color for every role, as '#rrggbb', given or derived.
    # given: the roles that the theme gives.
    # assets: absolute paths of images, by what they are for.
    # values: by the program that they are for.
    type ThemeSide (
      palette: [string]string,
      given: []string,
      assets: [string]string,
      values: [string]string
    )

    # A theme: what it is chosen by, what people call it, who made it, where its
    # file is, what is wrong with the file where the theme is what it said before,
    # or with images, which are left out as long as they cannot be read, and the
    # sides that it has.
    type Theme (
      name: string,
      title: string,
      author: ?string,
      path: string,
      problem: ?string,
      light: ?ThemeSide,
      dark: ?ThemeSide
    )

    # The theme of this name.
    method GetTheme(name: string) -> (theme: Theme)

    # A setting of the daemon.
    #
    # name: as themed.conf has it, '[group] key', or the command line, '--option':
    #   '--upstream' is there while another daemon is followed.
    # value: what is in force.
    # origin: default, the path of the file that says so, or 'command line'.
    type Setting (name: string, value: string, origin: string)

    # The configuration in force. 'problem' says what is wrong with the file; what
    # held before it went wrong stays in force. 'unknown' are the keys of the file,
    # '[group] key', that mean nothing to this version, and are passed over.
    method GetConfiguration() -> (
      path: ?string,
      problem: ?string,
      settings: []Setting,
      unknown: ?[]string
    )

    # Where the sun is looked at, in degrees north and east; 'origin' says where
    # that comes from: configuration, or the name of a time zone.
    type Coordinates (latitude: float, longitude: float, origin: string)

    # The schedule, and what it will say.
    #
    # mode: off, times, sun; expect others.
    # scheme: what it says now; null where it is off, or nothing is known of it yet.
    # switches: those of the next seven days, and the next two, however far ahead.
    # sunrise, sunset: the next ones, as a schedule by the sun counts them, whatever
    #   the mode; null where no place is known, or the sun does not rise or set
    #   within a year.
    # coordinates: where the sun is looked at; null where no place is known.
    # zone: the name of the time zone; null where it is not known.
    # problem: why the schedule is not followed, or not as it is configured, in
    #   words.
    # warning: what may surprise, in words: a time that the clocks will skip.
    method GetSchedule() -> (
      mode: string,
      scheme: ?Scheme,
      switches: []Switch,
      sunrise: ?int,
      sunset: ?int,
      coordinates: ?Coordinates,
      zone: ?string,
      problem: ?string,
      warning: ?string
    )

    # How the daemon stands with the session bus.
    #
    # state: connected, waiting (until the bus is there), unusable (no address of it
    #   is known, or of a kind that is not supported), or unused (another daemon is
    #   followed); expect others.
    # address: where it is looked for.
    # problem: why it is not connected to, in words.
    type Bus (state: string, address: ?string, problem: ?string)

    # What the daemon knows of the desktop's settings portal.
    #
    # owner: the unique name of its connection; null where it does not run.
    # version: of its Settings interface; null where it has not told.
    # value: its last answer about the color scheme, as GVariant writes values.
    # readAt: when it gave that, in seconds since the epoch.
    # standsIn: whether what was read last stands in for a portal that is gone, or
    #   has not answered yet. It may have been read by a daemon before this one.
    # deniedSignal: the value of the last signal that the read after it denied;
    #   programs that trust the signal show it still.
    # lastError: what last went wrong, in words, and lastErrorAt, when.
    type Portal (
      owner: ?string,
      version: ?int,
      value: ?string,
      readAt: ?int,
      standsIn: bool,
      deniedSignal: ?string,
      lastError: ?string,
      lastErrorAt: ?int
    )

    # The daemon that is followed in the desktop's place.
    #
    # source: '-' for what 'themectl share' sends, else its socket.
    # connected: whether it can be heard; while not, what it last said holds.
    # heardAt: when it last said something, in seconds since the epoch.
    # problem: what last went wrong with it, in words.
    type Upstream (source: string, connected: bool, heardAt: ?int, problem: ?string)

    # A file of the daemon: where it is or would be (null: no place is known), and
    # what is wrong with it, in words.
    type File (path: ?string, problem: ?string)

    # The socket for reading only: its file, as File has it, and how many
    # connections there are to it.
    type ReadOnlySocket (path: ?string, problem: ?string, connections: int)

    # A change of the state: when, in seconds since the epoch; whose state (null:
    # that of all apps without rules of their own); what was shown from then on, and
    # what the desktop asked for; what it came from, in words; and the theme, by
    # name.
    type Change (
      time: int,
      app: ?string,
      scheme: Scheme,
      desktop: Preference,
      cause: string,
      theme: ?string
    )

    # What the daemon knows of itself and of its surroundings, to explain what it
    # shows.
    #
    # version: the daemon's.
    # features: what came to this interface after it was first released, and this
    #   daemon has, by name. An input of these is sent only to a daemon that lists
    #   it.
    # session: whether a graphical session is up, without which the portal is not
    #   started: up, down, unknown; expect others.
    # configuration: the file that the user writes.
    # state: the file that the overrides are kept in.
    # changes: the last twenty, the newest last.
    # themes: the files of the themes that are chosen; one that is chosen and not
    #   installed has no path.
    # socket: the socket's file, which may have been removed or replaced.
    # readOnlySocket: the socket for reading only; null where there is no place for
    #   one.
    # upstream: the daemon that is followed; null where the desktop is.
    method GetDiagnostics() -> (
      version: string,
      features: []string,
      bus: Bus,
      session: string,
      portal: Portal,
      configuration: File,
      state: File,
      changes: []Change,
      themes: ?[]File,
      socket: ?File,
      readOnlySocket: ?ReadOnlySocket,
      upstream: ?Upstream
    )

    # There are overrides of as many apps as the daemon keeps.
    error TooManyOverrides (maximum: int)

    # No theme of this name is installed.
    error UnknownTheme (theme: string)

    # The theme's file has a mistake or does not answer, or it has no such side, or
    # more themes are read at once than the service reads, which passes: why, in
    # words.
    error UnusableTheme (theme: string, problem: string)

    """
}

extension ThemeInterface {
  /// Where the daemon listens: what `THEMED_SOCKET` says, else a place in the runtime directory.
  ///
  /// Nil where neither is known. The socket has a directory of its own, which can be mounted into a sandbox.
  public static func socketPath(override: String?, runtimeDirectory: String?) -> String? {
    override ?? runtimeDirectory.map { "\($0)/themed/\(name)" }
  }

  /// What the directory is called that the socket for reading only lies in.
  private static let readOnlyDirectory: Text = "readonly"

  /// Where the socket for reading only is, beside the other one at `path`.
  ///
  /// It has a directory of its own, since that is what a container is given: a new daemon's socket is seen in it, and
  /// the other one is not there.
  public static func readOnlySocketPath(beside path: String) -> String {
    guard let (directory, name) = Text(path).splitAtLast("/") else { return "\(readOnlyDirectory)/\(path)" }
    return "\(directory)/\(readOnlyDirectory)/\(name)"
  }

  /// Whether a socket at `path` is for reading only: whoever listens or connects there goes by that.
  public static func isReadOnly(socketPath path: String) -> Bool {
    // As the kernel reads it: what is empty, and ".", leads nowhere else.
    let parts = Text(path).split("/", omittingEmpty: true).filter { $0 != "." }
    return parts.dropLast().last == readOnlyDirectory
  }

  /// What came to the interface after it was first released, as `GetDiagnostics` lists it: nothing yet.
  public static let features: [Text] = []

  /// The variable that overrides the socket's path, for client and daemon.
  public static let socketVariable = "THEMED_SOCKET"
}
