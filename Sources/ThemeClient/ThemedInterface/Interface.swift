public import ThemedSystem
public import ThemedVarlink

/// The interface that clients call, and the second one for the programs that come with the daemon.
public enum ThemeInterface {
  /// The name of the interface that only grows; no other place in the sources spells it out.
  public static var name: Text { "org.themed.theme" }

  /// The name of the interface for administration and diagnosis, which every version may change.
  public static var adminName: Text { "org.themed.admin" }

  public enum Method: String, CaseIterable, Sendable {
    case getState = "GetState"
    case monitor = "Monitor"
    case setOverride = "SetOverride"
    case clearOverride = "ClearOverride"
    case toggle = "Toggle"
    case listOverrides = "ListOverrides"
    case listThemes = "ListThemes"
    case getTheme = "GetTheme"
    case listClients = "ListClients"
    case getConfiguration = "GetConfiguration"
    case getSchedule = "GetSchedule"
    case getDiagnostics = "GetDiagnostics"
    case getDesktopTarget = "GetDesktopTarget"
    case reportDesktopTarget = "ReportDesktopTarget"

    /// The name of the interface that has the method.
    public var interface: Text {
      switch self {
      case .getState, .monitor, .setOverride, .clearOverride, .toggle, .listOverrides, .listThemes, .getTheme: name
      case .listClients, .getConfiguration, .getSchedule, .getDiagnostics, .getDesktopTarget, .reportDesktopTarget:
        adminName
      }
    }

    /// The name with the interface in front, as calls give it.
    public var fullName: Text { "\(interface).\(rawValue)" }

    /// The method with this full name; nil if neither interface has it.
    public init?(fullName: Text) {
      // The most frequent calls come first: the search takes less time than hashing the name.
      guard let method = Self.byFullName.first(where: { $0.fullName == fullName })?.method else { return nil }
      self = method
    }

    private static let byFullName = allCases.map { (fullName: $0.fullName, method: $0) }
  }

  public static func tooManyOverrides(maximum: Int) -> VarlinkError {
    VarlinkError(name: "\(name).TooManyOverrides", parameters: ["maximum": .integer(Int64(maximum))])
  }

  public static func unknownTheme(_ theme: Text) -> VarlinkError {
    VarlinkError(name: "\(name).UnknownTheme", parameters: ["theme": .string(theme)])
  }

  /// The error for a theme that cannot be shown, with the reason in words.
  public static func unusableTheme(_ theme: Text, problem: String) -> VarlinkError {
    VarlinkError(name: "\(name).UnusableTheme", parameters: ["theme": .string(theme), "problem": .word(problem)])
  }

  /// The error for themes that cannot be read at the moment, with the reason in words.
  public static func themesUnavailable(_ problem: String) -> VarlinkError {
    VarlinkError(name: "\(name).ThemesUnavailable", parameters: ["problem": .word(problem)])
  }

  /// Both interfaces with their texts, as `GetInterfaceDescription` serves them; their comments are the documentation.
  public static var interfaces: [Introspection.Interface] {
    [
      (name, String(decoding: PackageResources.org_themed_theme_varlink, as: UTF8.self)),
      (adminName, String(decoding: PackageResources.org_themed_admin_varlink, as: UTF8.self)),
    ]
  }
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

  /// The environment variable that overrides the socket's path, for clients and the daemon.
  public static let socketVariable = "THEMED_SOCKET"
}
