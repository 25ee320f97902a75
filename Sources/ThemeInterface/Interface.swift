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
    /// Returns what the desktop's own setting has to become.
    case getDesktopTarget = "GetDesktopTarget"
    /// Reports that the desktop's own setting was written, or could not be.
    case reportDesktopTarget = "ReportDesktopTarget"

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
    # GetState returns the state once. Monitor returns the state now and after each
    # change.
    #
    # Terms:
    # scheme: light or dark.
    # theme: colors, images and settings for programs. A theme has a light side, a
    #   dark side, or both; each side is for the scheme of that name.
    # role: the use of a color, such as 'background' or 'text'. themed.theme(5)
    #   lists the roles.
    # details: the palette, assets and values of the theme that is shown.
    # app: a program that gives its name in GetState or Monitor.
    # override: a choice of the user, for one app or for all apps.
    # desktop: the graphical session, which reports the user's preferences through
    #   its settings portal.
    #
    # For each field of the state, the daemon asks these sources in turn: the
    # override for the app, the override for all apps, the schedule, the desktop,
    # the configured default. The first source that has a value decides the field.
    # If the daemon follows another daemon, that other daemon takes the place of the
    # desktop.
    #
    # Read-only socket: a service may listen on a second socket, for containers and
    # sandboxes. On this socket, the service answers GetState, Monitor, ListThemes,
    # GetTheme and the methods of org.varlink.service. It refuses every other method
    # of this interface with the error PermissionDenied of org.varlink.service,
    # whatever the parameters are. Replies on this socket contain no paths: paths
    # are empty strings, and maps of assets are empty. If a theme has a problem,
    # 'problem' is a general text, because the exact text names files. The replies
    # contain no times either: nextSwitch and expiresAt are null. Times of sunrise
    # and sunset would reveal where the user is. Clients of this socket cannot list
    # the overrides of individual apps. But the origins in the state show what is
    # overridden for all apps. The list of themes may be a few seconds old.
    #
    # Errors: a call with a missing, unknown or invalid parameter fails with the
    # error InvalidParameter of org.varlink.service. The error names the parameter,
    # such as 'app', or 'override.expiresAt' for a field of an override.
    #
    # Compatibility: new versions only ever add to this interface. They can add
    # methods, types and errors. They can add fields to types, calls and replies;
    # such a field can always be null. They can add values where a comment says that
    # later versions may add others. Ignore the fields that you do not know, and
    # expect unknown values. GetDiagnostics says how to find out whether a daemon
    # knows a field that you send.
    interface org.themed.theme

    # The scheme to show.
    type Scheme (light, dark)

    # The scheme of an override. 'auto' makes an app ignore the override for all
    # apps (see Override).
    type Mode (auto, light, dark)

    # The desktop's preference. 'none': the desktop has no preference.
    # 'unavailable': the daemon has not heard from a desktop yet.
    type Preference (light, dark, none, unavailable)

    # The user's choices instead of the desktop's preference. A null field is not
    # part of the override.
    #
    # app: the app to override, by the name that it gives in Monitor and GetState.
    #   An app should give its desktop file ID if it has one. The name has 1 to 255
    #   bytes without control characters. null: all apps.
    # scheme: light, dark or 'auto'. For an app, 'auto' means that the app ignores
    #   the scheme of the override for all apps. The app then shows what the
    #   schedule, the desktop or the default says. If app is null, 'auto' removes
    #   the scheme from the override for all apps.
    # accentColor: an sRGB color, '#rrggbb'.
    # lightTheme: the name of the theme to show while the scheme is light. When you
    #   set this field, the theme must be installed and must have a light side. If
    #   the theme or its light side is missing later, the next source decides the
    #   theme until both are back.
    # darkTheme: the same for dark.
    # auto: other fields that the override sets to 'auto'. The list may contain
    #   highContrast, reducedMotion, accentColor, lightTheme and darkTheme. For each
    #   of them, 'auto' means the same as for scheme. A field in this list cannot
    #   have a value as well.
    # expiresAt: when the override ends, in seconds since the epoch, at most ten
    #   years ahead. null: at no set time.
    # untilDesktopChanges: whether the override ends when the desktop's own
    #   preference has changed and settled (see settle-time in themed.conf(5)). If
    #   there is a schedule, the override also ends at the schedule's next switch.
    #   If expiresAt is set too, the override ends at the earliest of these times.
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

    # The source that decided a field of the state.
    #
    # rule: the name of that source. app_override: the override for the app.
    #   override: the override for all apps. schedule: the schedule. portal: the
    #   desktop. upstream: the daemon that is followed in place of the desktop.
    #   default: the configured default. Later versions may add others.
    # pinned: true if an override for this app sets the field to 'auto', so that the
    #   override for all apps does not apply to the field; null: no.
    # remembered: true if the field shows the desktop's preference from an earlier
    #   session, because the desktop of this session has not answered yet; null: no.
    # expiresAt, untilDesktopChanges: the end of the override that decided or pinned
    #   the field, as in Override. null: the override does not end this way, or no
    #   override is involved.
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
    # scheme: the scheme that the schedule asks for from then on.
    # utcOffset: how many seconds the clocks of the schedule's time zone are ahead
    #   of UTC at that time. null: not given. nextSwitch in State never gives it.
    type Switch (time: int, scheme: Scheme, utcOffset: ?int)

    # The whole state as the daemon resolves it. Its fields are always consistent:
    # the theme and its details are always those for the scheme. If the file of the
    # theme changes, there is a new state.
    #
    # instance: the name of the series of states that this state belongs to. A
    #   daemon that restarts may start a new series.
    # serial: the number of the state in its series. The numbers only grow; gaps
    #   mean nothing.
    # scheme: the scheme to show.
    # desktop: the desktop's preference, which may differ from the scheme that is
    #   shown. If another daemon is followed in place of the desktop: the scheme
    #   that the other daemon shows.
    # highContrast: whether to show higher contrast. null: no source has a value.
    # reducedMotion: whether to animate less. null: no source has a value.
    # accentColor: an sRGB color, '#rrggbb'. null: no source has a value.
    # origins: for each field that is not null, the source that decided the field.
    #   The keys are the names of the fields: scheme, highContrast, reducedMotion,
    #   accentColor, theme. If another daemon is followed, there is also an origin
    #   for desktop, with the rule upstream. Later versions may add others.
    # theme: the name of the theme to show; it has a side for the scheme. null: no
    #   theme is chosen, or the chosen theme or its side is missing.
    # themeTitle: the display title of the theme. null: no theme is shown.
    # transitionMilliseconds: how long a program may take to fade to this state. 0
    #   if motion is reduced; null without a theme.
    # nextSwitch: the schedule's next switch, for programs that prepare for it. The
    #   daemon also gives the next switch while an override is in force, although
    #   the switch may then change nothing that is shown. null: there is no
    #   schedule, or no switch within a year.
    # palette: a color for every role, '#rrggbb'. The keys are the names of the
    #   roles in themed.theme(5). Later versions may add roles. palette, assets and
    #   values are null without a theme, or if the call did not set 'details'.
    # assets: absolute paths of images. The keys are the purposes of the images,
    #   such as 'wallpaper'.
    # values: settings for programs. The keys are the names of the programs.
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
    # app: the name that the client gave. null: the client gave no name.
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
    # override. If 'clear' names a field, the override of that field is removed. A
    # call must name at least one field: it gives the field a value, or lists the
    # field in 'auto' or 'clear'. A field that 'clear' names must not have a value
    # or be in 'auto' as well.
    #
    # The change takes effect at once. The reply comes when the override is on disk,
    # or when writing it has failed.
    #
    # state: the new state of the app, without details. If app is null: the new
    #   state of a client without a name.
    # saved: whether the override is on disk. If not, the override is lost when the
    #   daemon stops; the daemon's log has the reason.
    method SetOverride(override: Override, clear: ?[]string) -> (
      state: State,
      saved: bool
    )

    # Removes overrides. state and saved are as in SetOverride.
    #
    # app: the app to remove overrides from. null: removes the override for all
    #   apps; individual apps keep theirs.
    # fields: the fields whose overrides to remove: scheme, highContrast,
    #   reducedMotion, accentColor, lightTheme, darkTheme. null: every field.
    # everyApp: if true, also removes the overrides of individual apps. app must
    #   then be null.
    method ClearOverride(app: ?string, fields: ?[]string, everyApp: ?bool) -> (
      state: State,
      saved: bool
    )

    # Switches from light to dark, or from dark to light, for one app or for all
    # apps. state and saved are as in SetOverride.
    #
    # expiresAt, untilDesktopChanges: when to switch back, as in Override.
    #
    # If neither of them is set, Toggle takes the first of these steps that changes
    # the scheme that is shown:
    #   1. Restore what the previous Toggle replaced.
    #   2. Remove the override of the scheme.
    #   3. Set an override of the scheme without an end.
    # A second Toggle therefore restores what was shown before. If that was an
    # override with an end, it keeps its end.
    #
    # If one of them is set, Toggle sets an override with this end. At the end, the
    # daemon restores what the override replaced. There is one exception: if an
    # earlier Toggle set the current override, and this override has an end, Toggle
    # sets no other override. It restores what the earlier Toggle replaced, if this
    # changes the scheme that is shown.
    method Toggle(app: ?string, expiresAt: ?int, untilDesktopChanges: ?bool) -> (
      state: State,
      saved: bool
    )

    # Lists the current overrides: first those for all apps, then those for
    # individual apps, sorted by app. The overrides of different fields can end at
    # different times, even for the same app. All fields of an app that have the
    # same end are listed as one override. The fields that are overridden for all
    # apps are grouped in the same way.
    #
    # ListOverrides, ListClients and ListThemes work alike. Without the flag 'more',
    # you get the list once. With this flag, you get the list at once and again
    # after each change, always the whole list. Several changes within a short time
    # may give only one list. A client that reads slowly gets only the newest list.
    #
    # overrides: the first overrides, as many as fit into one reply of 1 MiB.
    # omitted: how many overrides did not fit. null: none.
    method ListOverrides() -> (overrides: []Override, omitted: ?int)

    # Lists the clients that called Monitor, the oldest call first. Clients that
    # only follow lists are not included. The flag 'more' works as in ListOverrides.
    #
    # clients: the first clients, as many as fit into one reply of 1 MiB.
    # omitted: how many clients did not fit. null: none.
    method ListClients() -> (clients: []Client, omitted: ?int)

    # An installed theme, as a list or a chooser shows it.
    #
    # name: the name to choose the theme by.
    # path: the theme's file.
    # title: the display title. null: the file cannot be used.
    # light, dark: the sides that the theme has, each with some of its colors,
    #   '#rrggbb'. The keys are roles: background, text, primary, secondary, error,
    #   warning, success, info. Later versions may add others.
    # problem: why the file cannot be used, in words. null: the file can be used.
    #   ListThemes does not check the theme's images; GetTheme does.
    type ThemeListing (
      name: string,
      path: string,
      title: ?string,
      light: ?[string]string,
      dark: ?[string]string,
      problem: ?string
    )

    # Lists the installed themes, sorted by name. If several themes have the same
    # name, the list has only the theme that is used: the user's own, if there is
    # one. The flag 'more' works as in ListOverrides. If reading a theme directory
    # hangs, for example on a network file system, the call fails with the error
    # UnusableTheme. The error's parameter 'theme' is then an empty string.
    #
    # themes: the first themes, as many as fit into one reply of 1 MiB.
    # omitted: how many themes did not fit. null: none.
    method ListThemes() -> (themes: []ThemeListing, omitted: ?int)

    # The light or the dark side of a theme.
    #
    # palette: a color for every role, '#rrggbb'. The daemon derives the colors that
    #   the theme does not give.
    # given: the roles whose color the theme gives.
    # assets: absolute paths of images. The keys are the purposes of the images.
    # values: settings for programs. The keys are the names of the programs.
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
    # author: the author of the theme.
    # path: the theme's file.
    # problem: what is wrong with the file or with an image, in words. null: nothing
    #   is wrong. If the file has become invalid, the reply has its last valid
    #   version. Images that cannot be read are left out.
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
    # origin: the place that sets the value: 'default', the path of the
    #   configuration file, or 'command line'.
    type Setting (name: string, value: string, origin: string)

    # Returns the configuration that the daemon uses.
    #
    # path: the configuration file. null: the daemon does not know its path.
    # problem: what is wrong with the file, in words. Until the user corrects the
    #   file, the daemon uses the settings from before the mistake. null: nothing is
    #   wrong.
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
    # origin: 'configuration', or the name of the time zone if the place is the city
    #   of that time zone.
    type Coordinates (latitude: float, longitude: float, origin: string)

    # Returns the schedule and its next switches.
    #
    # mode: off, times, sun. Later versions may add others.
    # scheme: the scheme that the schedule asks for now. null: the schedule is off,
    #   or its scheme is not known yet.
    # switches: all switches of the next seven days, and at least the next two.
    # sunrise, sunset: the next sunrise and sunset, in seconds since the epoch, with
    #   the configured twilight and offsets. Both are given in every mode. null: the
    #   place is not known, or the sun does not rise or set within a year.
    # coordinates: the place for sunrise and sunset. null: the place is not known.
    # zone: the name of the time zone. null: the time zone is not known.
    # problem: why the daemon does not follow the schedule, or does not follow it as
    #   configured, in words. null: there is no problem.
    # warning: a warning about something that may surprise the user, in words, such
    #   as a time that is skipped when the clocks change. null: no warning.
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
    # state: the state of the connection. connected: the daemon is connected.
    #   waiting: the bus is not running yet. unusable: the address of the bus is not
    #   known, or is of an unsupported kind. unused: another daemon is followed.
    #   Later versions may add others.
    # address: the address at which the daemon looks for the bus. null: not known.
    # problem: why the daemon is not connected, in words. null: there is no problem.
    type Bus (state: string, address: ?string, problem: ?string)

    # The daemon's information about the desktop's settings portal, the D-Bus
    # service that reports the user's preferences.
    #
    # owner: the unique name of the portal on the bus. null: the portal is not
    #   running.
    # version: the version of the portal's Settings interface. null: not known.
    # value: the portal's last answer for the color scheme, in GVariant's text
    #   format. null: the daemon has no answer.
    # readAt: when the portal gave that answer, in seconds since the epoch. null:
    #   not known.
    # standsIn: whether the daemon uses an earlier answer because the portal is gone
    #   or has not answered yet. The daemon may have saved that answer in an earlier
    #   run.
    # deniedSignal: the value that the portal's last signal announced, if it was
    #   wrong: after the signal, the daemon asked the portal, and the portal gave a
    #   different value. Programs that trust the signal, and do not ask afterwards,
    #   show the value of the signal. null: the signal was not wrong.
    # lastError: the last error, in words. null: there was no error.
    # lastErrorAt: when the last error happened, in seconds since the epoch. null:
    #   there was no error.
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
    # connected: whether there is a connection. While there is no connection, the
    #   last state from that daemon stays in use.
    # heardAt: when that daemon last sent something, in seconds since the epoch.
    #   null: it has not sent anything yet.
    # problem: the last error, in words. null: there was no error.
    type Upstream (source: string, connected: bool, heardAt: ?int, problem: ?string)

    # A file of the daemon.
    #
    # path: the path of the file, even if the file does not exist. null: the daemon
    #   does not know the path.
    # problem: what is wrong with the file, in words. null: nothing is wrong.
    type File (path: ?string, problem: ?string)

    # The read-only socket.
    #
    # path, problem: as in File.
    # connections: how many clients are connected to this socket.
    type ReadOnlySocket (path: ?string, problem: ?string, connections: int)

    # A change of the state.
    #
    # time: in seconds since the epoch.
    # app: the app whose state changed. null: all apps that have no override of
    #   their own.
    # scheme: the scheme that was shown from then on.
    # desktop: the desktop's preference at that time.
    # cause: what caused the change, in words.
    # theme: the name of the theme that was shown from then on. null: no theme.
    type Change (
      time: int,
      app: ?string,
      scheme: Scheme,
      desktop: Preference,
      cause: string,
      theme: ?string
    )

    # How the desktop's own setting is kept in step with what is shown.
    #
    # inStep: whether the user wants that.
    # asked: what the desktop asked for by itself. While the desktop is kept in step,
    #   'desktop' in State has this value.
    # reported: what the desktop reports now.
    # target: the scheme that the desktop has to report, but does not report yet.
    #   null: the desktop is in step.
    # since: since when the desktop has that target, in seconds since the epoch.
    # writers: how many clients follow GetDesktopTarget, to write the setting.
    # problem: why the setting could not be written, in the writer's words. null: no
    #   writer has reported a problem.
    # switchedBackAt: when the desktop last left a target within a few seconds, in
    #   seconds since the epoch. The user did that, or another program that writes
    #   the same setting. null: not since the daemon started.
    type DesktopStep (
      inStep: bool,
      asked: Preference,
      reported: Preference,
      target: ?Scheme,
      since: ?int,
      writers: int,
      problem: ?string,
      switchedBackAt: ?int
    )

    # Explains the state that the daemon sends: returns what the daemon knows about
    # itself and its environment.
    #
    # version: the version of the daemon.
    # features: the features that this daemon supports and that the first release of
    #   this interface did not have. If a later version adds a field to a call, the
    #   comment on that field gives the name of a feature. Before you send that
    #   field, check that this list has the feature. The read-only socket refuses
    #   GetDiagnostics. There, send the field. If the call fails with
    #   InvalidParameter of org.varlink.service, repeat it without the field. No
    #   feature has been added yet.
    # session: whether a graphical session is running: up, down, unknown. Later
    #   versions may add others. The daemon does not start the portal without such a
    #   session.
    # configuration: the user's configuration file.
    # state: the file in which the daemon saves the overrides.
    # changes: the last twenty changes, the newest last.
    # themes: the files of the chosen themes. If a chosen theme is not installed,
    #   its path is null. null: the daemon does not support themes.
    # socket: the file of the socket, which may have been removed or replaced. null:
    #   the daemon does not watch this file.
    # readOnlySocket: the read-only socket. null: the daemon has none.
    # upstream: the daemon that is followed. null: the desktop is followed.
    # desktop: how the desktop's own setting is kept in step. null: the daemon cannot
    #   do that.
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
      upstream: ?Upstream,
      desktop: ?DesktopStep
    )

    # What the desktop's own setting has to become, for the client that writes it.
    #
    # number: distinguishes this target from earlier targets.
    # scheme: the scheme that the desktop has to report.
    # preferences: the values of the setting that are right, the best first. It is
    #   never empty. If the setting has one of these values, leave it as it is.
    type DesktopTarget (number: int, scheme: Scheme, preferences: []Preference)

    # Returns what has to be written to the desktop's own setting. The daemon itself
    # never writes it. A client with the flag 'more' must write each target, and call
    # ReportDesktopTarget for it. The flag works as in ListOverrides.
    #
    # inStep: whether the desktop is kept in step with what is shown for all apps.
    #   If it becomes false, the last target gives the desktop back what it asked for.
    # asked: what the desktop asked for by itself.
    # target: what to write now. null: nothing.
    method GetDesktopTarget() -> (
      inStep: bool,
      asked: Preference,
      target: ?DesktopTarget
    )

    # Reports that the desktop's setting has the value of a target. The daemon then
    # reads the desktop: if the desktop shows a different scheme by then, although it
    # has shown that of the target, the user has switched it.
    #
    # number: the number of the target. A number of an earlier target has no effect.
    # problem: why the setting could not be written, in words. null: it was written.
    method ReportDesktopTarget(number: int, problem: ?string) -> ()

    # The daemon already keeps overrides for the maximum number of apps.
    error TooManyOverrides (maximum: int)

    # No theme of this name is installed.
    error UnknownTheme (theme: string)

    # The theme cannot be used; 'problem' says why, in words. These are the reasons:
    #   - The file of the theme has a mistake.
    #   - Reading the file hangs.
    #   - The theme has no side for the scheme that it was chosen for.
    #   - The daemon is reading too many themes at the moment; try again later.
    #   - Reading a theme directory hangs, so that ListThemes fails; 'theme' is then
    #     an empty string.
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
