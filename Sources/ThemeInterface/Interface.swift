public import ThemedSystem
public import ThemedVarlink

/// The interface that clients call: its name, its text and its methods.
public enum ThemeInterface {
  /// Its name; no other place in the sources spells it out.
  public static var name: Text { "org.themed.theme" }

  /// The methods.
  public enum Method: String, CaseIterable, Sendable {
    /// Returns the current state.
    case getState = "GetState"
    /// Returns the current state, then the state after each change.
    case monitor = "Monitor"
    /// Sets an override.
    case setOverride = "SetOverride"
    /// Removes an override.
    case clearOverride = "ClearOverride"
    /// Switches to the opposite of what is shown.
    case toggle = "Toggle"
    /// Lists the overrides in force.
    case listOverrides = "ListOverrides"
    /// Lists the clients that follow the state.
    case listClients = "ListClients"
    /// Lists the installed themes.
    case listThemes = "ListThemes"
    /// Returns one theme in full.
    case getTheme = "GetTheme"
    /// Returns the configuration in force.
    case getConfiguration = "GetConfiguration"
    /// Returns the schedule and its next switches.
    case getSchedule = "GetSchedule"
    /// Returns why the daemon shows what it shows.
    case getDiagnostics = "GetDiagnostics"

    /// The name with the interface in front, as calls give it.
    public var fullName: Text { "\(ThemeInterface.name).\(rawValue)" }

    /// The method with this full name; nil if this interface has none.
    public init?(fullName: Text) {
      // The most frequent calls come first: the search takes less time than hashing the name.
      guard let method = Self.byFullName.first(where: { $0.fullName == fullName })?.method else { return nil }
      self = method
    }

    private static let byFullName = allCases.map { (fullName: $0.fullName, method: $0) }
  }

  /// The error for an override that exceeds the number that the daemon keeps.
  public static func tooManyOverrides(maximum: Int) -> VarlinkError {
    VarlinkError(name: "\(name).TooManyOverrides", parameters: ["maximum": .integer(Int64(maximum))])
  }

  /// The error for a theme that is not installed.
  public static func unknownTheme(_ theme: Text) -> VarlinkError {
    VarlinkError(name: "\(name).UnknownTheme", parameters: ["theme": .string(theme)])
  }

  /// The error for a theme that cannot be shown, with the reason in words.
  public static func unusableTheme(_ theme: Text, problem: String) -> VarlinkError {
    VarlinkError(name: "\(name).UnusableTheme", parameters: ["theme": .string(theme), "problem": .word(problem)])
  }

  /// The text of the interface, as `GetInterfaceDescription` serves it; its comments are the documentation.
  ///
  /// It is one literal, name included. If the daemon assembled it at start, the text would take 32 KiB of memory in
  /// every daemon, and hardly any client asks for it.
  public static let description = """
    # Reports whether programs should show light or dark, and with which theme.
    # GetState returns the state once; Monitor returns it now and after each change.
    #
    # For each field of the state the daemon asks its sources in this order, and the
    # first one that has a value decides: the override for the app, the override for
    # all apps, the schedule, the desktop, the configured default. If the daemon
    # follows another daemon, that daemon takes the place of the desktop.
    #
    # Read-only socket: a service may listen on a second socket, for containers and
    # sandboxes. On it, the service answers GetState, Monitor, ListThemes, GetTheme
    # and org.varlink.service. It refuses every other method of this interface with
    # the error PermissionDenied of org.varlink.service, whatever the parameters
    # are. Replies on this socket contain no paths: paths are empty strings, maps of
    # assets are empty, and problems are reported without the reason. The replies
    # contain no times either, because sunrise and sunset would reveal where the
    # user is: nextSwitch and expiresAt are null. Clients cannot list the overrides
    # of single apps here, but the origins in the state show what is overridden for
    # all apps. The list of themes may be a few seconds old.
    #
    # Compatibility: new versions only ever add nullable fields, methods, types and
    # errors to this interface. Ignore the fields that you do not know.
    interface org.themed.theme

    # What to show.
    type Scheme (light, dark)

    # The scheme of an override. With 'auto', an app ignores the override for all
    # apps (see Override).
    type Mode (auto, light, dark)

    # What the desktop asks for. 'none': the desktop has no preference.
    # 'unavailable': the daemon has not heard from a desktop yet.
    type Preference (light, dark, none, unavailable)

    # What the user wants instead of the desktop's preference. A null field is not
    # part of the override.
    #
    # app: the app to override, by the name that it gives in Monitor and GetState.
    #   This is the app's desktop file ID if it has one. 1 to 255 bytes without
    #   control characters. null: all apps.
    # scheme: for an app, 'auto' means that the app ignores the override for all
    #   apps, and shows what the schedule, the desktop or the default says. Without
    #   an app, 'auto' removes the override for all apps.
    # accentColor: an sRGB color, '#rrggbb'.
    # lightTheme, darkTheme: the name of the theme to show while the scheme is
    #   light, or dark. When you set it, the theme must be installed and have that
    #   side. If the theme or the side is missing later, the next source decides
    #   until it is back.
    # auto: other fields that the override sets to 'auto'. The list may contain
    #   highContrast, reducedMotion, accentColor, lightTheme and darkTheme. For each
    #   of them, 'auto' means the same as for scheme. A field in this list cannot
    #   have a value as well.
    # expiresAt: when the override ends, in seconds since the epoch, at most ten
    #   years ahead. null: at no set time.
    # untilDesktopChanges: whether the override ends when the desktop's own
    #   preference has changed and settled, see settle-time in themed.conf(5). If
    #   there is a schedule, the override also ends at the schedule's next switch.
    #   If expiresAt is set too, whichever comes first ends the override.
    #
    # An override for all apps that contains 'auto' cannot have an end.
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
    # rule: app_override, override (for all apps), schedule, portal (the desktop),
    #   upstream (the daemon that is followed in place of the desktop), default.
    #   Later versions may add others.
    # pinned: true if an override for this app sets the field to 'auto'; null: no.
    # remembered: true if the field shows the desktop's preference from an earlier
    #   session, because the desktop of this session has not answered yet; null: no.
    # expiresAt, untilDesktopChanges: when the override that decided or pinned the
    #   field ends, as in Override. null: it does not end this way, or no override
    #   is involved.
    type Origin (
      rule: string,
      pinned: ?bool,
      remembered: ?bool,
      expiresAt: ?int,
      untilDesktopChanges: ?bool
    )

    # A switch of the schedule to light or dark.
    #
    # time: in seconds since the epoch.
    # scheme: what the schedule says from then on.
    # utcOffset: how many seconds the clocks of the schedule's time zone are ahead
    #   of UTC at that time. null: not given; nextSwitch in State never gives it.
    type Switch (time: int, scheme: Scheme, utcOffset: ?int)

    # The whole state as the daemon resolves it. Its fields are always consistent:
    # the theme and the details are those for the scheme. If the file of the theme
    # changes, there is a new state.
    #
    # instance: identifies a series of states. A daemon that restarts may begin a
    #   new series.
    # serial: orders the states of one instance. It only grows; gaps mean nothing.
    # scheme: what to show.
    # desktop: what the desktop asks for, which may differ from what is shown. If
    #   another daemon is followed in place of the desktop: what that daemon shows.
    # highContrast: whether to show higher contrast. null: no source has a value.
    # reducedMotion: whether to animate less. null: no source has a value.
    # accentColor: an sRGB color, '#rrggbb'. null: no source has a value.
    # origins: what decided each field that is not null, by the field's name:
    #   scheme, highContrast, reducedMotion, accentColor, theme. If another daemon
    #   is followed, there is also an origin for desktop, with the rule upstream.
    #   Later versions may add others.
    # theme: the name of the theme to show; it has a side for the scheme. null: no
    #   theme is chosen, or the chosen theme or its side is missing.
    # themeTitle: the display title of the theme.
    # transitionMilliseconds: how long a program may take to fade to this state. 0
    #   if motion is reduced; null without a theme.
    # nextSwitch: the schedule's next switch, for programs that prepare for it. It
    #   is given even if an override is in force, so that the switch will change
    #   nothing that is shown. null: there is no schedule, or no switch within a
    #   year.
    # palette: a color for every role, '#rrggbb', by the names of the roles in
    #   themed.theme(5). Later versions may add roles. palette, assets and values
    #   are null without a theme, or if the call did not set 'details'.
    # assets: absolute paths of images, by purpose, such as 'wallpaper'.
    # values: settings for programs, by the name of the program.
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

    # A client that called Monitor.
    #
    # app: the name that the client gave. null: none.
    # pid: the client's process.
    # readOnly: true if the client is connected to the read-only socket; null: no.
    type Client (app: ?string, pid: int, readOnly: ?bool)

    # Returns the current state of an app. If app is null, returns the state of a
    # client without a name. If details is true, the state includes the palette,
    # assets and values of the theme.
    method GetState(app: ?string, details: ?bool) -> (state: State)

    # Returns the current state of an app, then the whole state after each change of
    # that app's state. The parameters are those of GetState. A client that reads
    # slowly gets only the newest state. [Requires 'more' flag]
    method Monitor(app: ?string, details: ?bool) -> (state: State)

    # Overrides each field that has a value, for one app or for all apps. The new
    # value replaces the earlier override of that field. Null fields keep their
    # override, unless 'clear' names them: then it is removed. A call must name at
    # least one field: by giving it a value, or by listing it in 'auto' or 'clear'.
    # It must not name a field in 'clear' and set it as well.
    #
    # The change takes effect at once. The reply comes when the override is on disk,
    # or when writing it has failed.
    #
    # state: the new state of that app, without details.
    # saved: whether the override is on disk. If not, it is lost when the daemon
    #   stops; the daemon's log has the reason.
    method SetOverride(override: Override, clear: ?[]string) -> (
      state: State,
      saved: bool
    )

    # Removes overrides. state and saved are as in SetOverride.
    #
    # app: the app to remove overrides from. null: the override for all apps; single
    #   apps keep theirs.
    # fields: which fields: scheme, highContrast, reducedMotion, accentColor,
    #   lightTheme, darkTheme. null: every field.
    # everyApp: if true, also removes the overrides of every single app. app must
    #   then be null.
    method ClearOverride(app: ?string, fields: ?[]string, everyApp: ?bool) -> (
      state: State,
      saved: bool
    )

    # Shows the opposite of what is shown, for one app or for all apps. Toggle tries
    # three ways in this order, and uses the first one that shows the opposite: it
    # restores what the previous Toggle replaced, removes the override of the
    # scheme, or sets an override without an end. A second Toggle restores what was
    # shown before. If that came from an override with an end, the restored override
    # ends when it would have ended anyway. state and saved are as in SetOverride.
    #
    # expiresAt, untilDesktopChanges: when to switch back, as in Override. With
    #   either of them, Toggle sets an override that has this end. When that
    #   override ends, what it replaced is restored. Exception: if the current
    #   override has an end and was set by Toggle, this call restores what that
    #   earlier call replaced, if that shows the opposite.
    method Toggle(app: ?string, expiresAt: ?int, untilDesktopChanges: ?bool) -> (
      state: State,
      saved: bool
    )

    # Lists the current overrides: first those for all apps, then those for single
    # apps, sorted by app. The fields of one app can have been overridden with
    # different ends: those with the same end are listed as one override. The same
    # holds for all apps.
    #
    # ListOverrides, ListClients and ListThemes work alike. Without the flag 'more'
    # you get the list once. With it, you get the list at once and again after each
    # change, always the whole list. Several changes within a short time may give
    # only one list, and a client that reads slowly gets only the newest list.
    #
    # overrides: the first ones, as many as fit into one reply of 1 MiB.
    # omitted: how many more there are. null: none.
    method ListOverrides() -> (overrides: []Override, omitted: ?int)

    # Lists the clients that called Monitor, the oldest call first. Clients that
    # only follow lists are not included. 'more' works as in ListOverrides.
    #
    # clients: the first ones, as many as fit into one reply of 1 MiB.
    # omitted: how many more there are. null: none.
    method ListClients() -> (clients: []Client, omitted: ?int)

    # What a list or a chooser shows of an installed theme.
    #
    # name: the name to choose the theme by.
    # path: the theme's file.
    # title: the display title. null: the file cannot be used.
    # light, dark: the sides that the theme has, each with some of its colors,
    #   '#rrggbb', by role: background, text, primary, secondary, error, warning,
    #   success, info. Later versions may add others.
    # problem: why the file cannot be used, in words. ListThemes does not check the
    #   theme's images; GetTheme does.
    type ThemeListing (
      name: string,
      path: string,
      title: ?string,
      light: ?[string]string,
      dark: ?[string]string,
      problem: ?string
    )

    # Lists the installed themes, sorted by name. If several have the same name, the
    # list has only the one that is used: the user's own, if there is one. 'more'
    # works as in ListOverrides. If reading a theme directory hangs, for example on
    # a network file system, the call fails with the error UnusableTheme. The
    # error's parameter 'theme' is then an empty string.
    #
    # themes: the first ones, as many as fit into one reply of 1 MiB.
    # omitted: how many more there are. null: none.
    method ListThemes() -> (themes: []ThemeListing, omitted: ?int)

    # One side of a theme, light or dark.
    #
    # palette: a color for every role, '#rrggbb', given by the theme or derived.
    # given: the roles whose color the theme gives.
    # assets: absolute paths of images, by purpose.
    # values: settings for programs, by the name of the program.
    type ThemeSide (
      palette: [string]string,
      given: []string,
      assets: [string]string,
      values: [string]string
    )

    # An installed theme, in full.
    #
    # name: the name to choose the theme by.
    # title: the display title.
    # author: who made the theme.
    # path: the theme's file.
    # problem: what is wrong with the file or with an image, in words. If the file
    #   has become invalid, the reply has its last valid version. Images that cannot
    #   be read are left out.
    # light, dark: the sides that the theme has.
    type Theme (
      name: string,
      title: string,
      author: ?string,
      path: string,
      problem: ?string,
      light: ?ThemeSide,
      dark: ?ThemeSide
    )

    # Returns the theme with this name.
    method GetTheme(name: string) -> (theme: Theme)

    # A setting of the daemon.
    #
    # name: '[group] key' as in themed.conf, or '--option' for a setting of the
    #   command line. '--upstream' is listed only while another daemon is followed.
    # value: the value that the daemon uses.
    # origin: where the value comes from: 'default', the path of the configuration
    #   file, or 'command line'.
    type Setting (name: string, value: string, origin: string)

    # Returns the configuration that the daemon uses.
    #
    # path: the configuration file. null: the daemon does not know its path.
    # problem: what is wrong with the file, in words. Until that is fixed, the
    #   daemon uses the settings from before the mistake.
    # settings: all settings.
    # unknown: the keys in the file, as '[group] key', that this version does not
    #   know and ignores.
    method GetConfiguration() -> (
      path: ?string,
      problem: ?string,
      settings: []Setting,
      unknown: ?[]string
    )

    # The place for which sunrise and sunset are computed.
    #
    # latitude, longitude: in degrees north and east.
    # origin: 'configuration', or the name of the time zone that the place is taken
    #   from.
    type Coordinates (latitude: float, longitude: float, origin: string)

    # Returns the schedule and its next switches.
    #
    # mode: off, times, sun. Later versions may add others.
    # scheme: what the schedule says now. null: it is off, or not known yet.
    # switches: all switches of the next seven days, and at least the next two.
    # sunrise, sunset: the next ones, in seconds since the epoch, with the
    #   configured twilight and offsets. They are given in every mode. null: the
    #   place is not known, or the sun does not rise or set within a year.
    # coordinates: the place for sunrise and sunset. null: it is not known.
    # zone: the name of the time zone. null: it is not known.
    # problem: why the daemon does not follow the schedule, or does not follow it as
    #   configured, in words.
    # warning: what may surprise the user, in words, such as a time that is skipped
    #   when the clocks change.
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

    # The daemon's connection to the session bus.
    #
    # state: connected; waiting (the bus is not there yet); unusable (its address is
    #   not known, or of an unsupported kind); unused (another daemon is followed).
    #   Later versions may add others.
    # address: where the daemon looks for the bus.
    # problem: why the daemon is not connected, in words.
    type Bus (state: string, address: ?string, problem: ?string)

    # What the daemon knows about the desktop's settings portal.
    #
    # owner: the unique name of the portal on the bus. null: the portal is not
    #   running.
    # version: the version of the portal's Settings interface. null: not known.
    # value: the portal's last answer for the color scheme, in GVariant's text
    #   format.
    # readAt: when the portal gave that answer, in seconds since the epoch.
    # standsIn: whether the daemon uses an earlier answer because the portal is gone
    #   or has not answered yet. The daemon may have saved that answer in an earlier
    #   run.
    # deniedSignal: the value in the portal's last signal, if the portal then
    #   returned a different value when asked. Programs that trust the signal still
    #   show it.
    # lastError: the last error, in words.
    # lastErrorAt: when it happened, in seconds since the epoch.
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

    # The daemon that is followed in place of the desktop.
    #
    # source: the socket of that daemon, or '-' if 'themectl share' sends its
    #   states.
    # connected: whether there is a connection. While there is none, the last state
    #   from that daemon stays in use.
    # heardAt: when that daemon last sent something, in seconds since the epoch.
    # problem: the last error, in words.
    type Upstream (source: string, connected: bool, heardAt: ?int, problem: ?string)

    # A file of the daemon.
    #
    # path: where the file is or would be. null: the daemon does not know its path.
    # problem: what is wrong with the file, in words.
    type File (path: ?string, problem: ?string)

    # The read-only socket.
    #
    # path, problem: as in File.
    # connections: how many connections there are to it.
    type ReadOnlySocket (path: ?string, problem: ?string, connections: int)

    # A change of the state.
    #
    # time: in seconds since the epoch.
    # app: the app whose state changed. null: all apps that have no override of
    #   their own.
    # scheme: what was shown from then on.
    # desktop: what the desktop asked for.
    # cause: what caused the change, in words.
    # theme: the name of the theme.
    type Change (
      time: int,
      app: ?string,
      scheme: Scheme,
      desktop: Preference,
      cause: string,
      theme: ?string
    )

    # Returns what the daemon knows about itself and its environment, to explain
    # what it shows.
    #
    # version: the version of the daemon.
    # features: the names of the features that this daemon supports and that the
    #   first release of this interface did not have. Before you send an input that
    #   was added later, check that it is in this list.
    # session: whether a graphical session is running: up, down, unknown. Later
    #   versions may add others. The daemon does not start the portal without such a
    #   session.
    # configuration: the user's configuration file.
    # state: the file in which the daemon saves the overrides.
    # changes: the last twenty changes, the newest last.
    # themes: the files of the chosen themes. If a chosen theme is not installed,
    #   its path is null.
    # socket: the file of the socket. It may have been removed or replaced.
    # readOnlySocket: the read-only socket. null: the daemon has none.
    # upstream: the daemon that is followed. null: the desktop is followed.
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

    # The daemon already keeps overrides for the maximum number of apps.
    error TooManyOverrides (maximum: int)

    # No theme of this name is installed.
    error UnknownTheme (theme: string)

    # The theme cannot be used; 'problem' says why, in words. Its file has a
    # mistake, reading it hangs, or the theme lacks the side, light or dark, that it
    # was chosen for. Or the service is reading too many themes at the moment; in
    # that case, try again later.
    error UnusableTheme (theme: string, problem: string)

    """
}

extension ThemeInterface {
  /// The path of the daemon's socket: the value of `THEMED_SOCKET`, or a place in the runtime directory.
  ///
  /// Nil if neither is known. The socket has a directory of its own, so that a sandbox can mount it.
  public static func socketPath(override: String?, runtimeDirectory: String?) -> String? {
    override ?? runtimeDirectory.map { "\($0)/themed/\(name)" }
  }

  /// The name of the directory of the read-only socket.
  private static let readOnlyDirectory: Text = "readonly"

  /// The path of the read-only socket that belongs to the socket at `path`.
  ///
  /// It has a directory of its own to give to a container. The container then sees the socket of a restarted daemon,
  /// but never the other socket.
  public static func readOnlySocketPath(beside path: String) -> String {
    guard let (directory, name) = Text(path).splitAtLast("/") else { return "\(readOnlyDirectory)/\(path)" }
    return "\(directory)/\(readOnlyDirectory)/\(name)"
  }

  /// Whether a socket at `path` is read-only; daemon and clients both decide by the path.
  public static func isReadOnly(socketPath path: String) -> Bool {
    // The kernel skips empty parts and "." in the same way.
    let parts = Text(path).split("/", omittingEmpty: true).filter { $0 != "." }
    return parts.dropLast().last == readOnlyDirectory
  }

  /// The additions to the interface since its first release, as `GetDiagnostics` lists them; there are none yet.
  public static let features: [Text] = []

  /// The environment variable that overrides the socket's path, for clients and the daemon.
  public static let socketVariable = "THEMED_SOCKET"
}
