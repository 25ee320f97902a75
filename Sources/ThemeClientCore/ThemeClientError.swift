internal import ThemeInterface
package import ThemedText
internal import ThemedUnix
package import ThemedVarlink

/// Why something that was asked of the daemon failed.
///
/// The description says what to do about it. What kind of failure it is says ``code``, of which later versions may know
/// more; the other properties say the rest, where it applies:
///
/// ```swift
/// switch error.code {
/// case .noDaemon: startOne(at: error.path)
/// case .unknownTheme: offerThemes(near: error.theme)
/// default: print(error)
/// }
/// ```
public struct ThemeClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failures; a `switch` over them has a default.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: UInt8 {
      case noDaemon, noSocketPath, timedOut, connectionLost, anotherUsers, violation, refused, unknownTheme
      case unusableTheme, cancelled, system
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The name of the kind, as it is written here.
    public var description: String { "\(kind)" }

    /// Nothing listens at ``ThemeClientError/path``, for this ``ThemeClientError/reason``.
    public static let noDaemon = Code(.noDaemon)
    /// Neither `THEMED_SOCKET` nor a runtime directory says where the daemon's socket is.
    public static let noSocketPath = Code(.noSocketPath)
    /// The daemon did not answer within ``ThemeClientError/timeout``.
    ///
    /// A ``ThemeConnection`` is of no further use then.
    public static let timedOut = Code(.timedOut)
    /// The connection ended before the answer came, for this ``ThemeClientError/reason``.
    ///
    /// A ``ThemeConnection`` is of no further use then.
    public static let connectionLost = Code(.connectionLost)
    /// The daemon is another ``ThemeClientError/user``'s, and closed the connection; trying again does not mend it.
    public static let anotherUsers = Code(.anotherUsers)
    /// What came is not the protocol, or not the interface, for this ``ThemeClientError/reason``.
    ///
    /// A ``ThemeConnection`` is of no further use then.
    public static let violation = Code(.violation)
    /// The daemon answered with ``ThemeClientError/refusal``, about ``ThemeClientError/parameter`` if about one.
    public static let refused = Code(.refused)
    /// No theme is installed of the name ``ThemeClientError/theme``.
    public static let unknownTheme = Code(.unknownTheme)
    /// The file of ``ThemeClientError/theme`` has a mistake, or it has no such side: ``ThemeClientError/reason``.
    public static let unusableTheme = Code(.unusableTheme)
    /// The task was cancelled before the answer came; what was asked for may have been done.
    public static let cancelled = Code(.cancelled)
    /// The system refused a descriptor, a thread or an address: ``ThemeClientError/reason``.
    public static let system = Code(.system)
  }

  /// What kind of failure it is.
  public let code: Code
  /// Why, in words; not for every kind.
  public private(set) var reason: String?
  /// Where the daemon was looked for.
  public private(set) var path: String?
  /// How long the answer was waited for.
  public private(set) var timeout: Duration?
  /// The other user whom the daemon belongs to.
  public private(set) var user: UInt32?
  /// The full name of the error that the daemon answered with.
  public private(set) var refusal: ThemeText?
  /// The parameter that the daemon's error is about.
  public private(set) var parameter: ThemeText?
  /// The theme that it is about.
  public private(set) var theme: ThemeText?

  /// Whether the daemon refused because the socket is one for reading only, where it says what is shown and which themes
  /// there are, tells no paths, and changes nothing.
  ///
  /// Then ``code`` is ``Code/refused``. No later try mends it: who shares that socket decided so, for a container mostly.
  public var isOfReadOnlySocket: Bool { refusal?.inner == VarlinkError.permissionDenied.name }

  private static let tooManyOverrides = ThemeInterface.tooManyOverrides(maximum: 0).name

  private init(_ code: Code, reason: String? = nil) {
    self.code = code
    self.reason = reason
  }

  /// For a person.
  public var description: String {
    let reason = reason ?? "for no known reason"
    switch code {
    case .noDaemon:
      return "no themed at \(path ?? "its socket") (\(reason)); start it with 'systemctl --user start themed.socket', "
        + "or run 'themed' in a terminal"
    case .noSocketPath:
      return "cannot tell where themed listens: neither \(ThemeInterface.socketVariable) nor XDG_RUNTIME_DIR is set; "
        + "start this in a login session, or name the socket"
    case .timedOut:
      return "themed did not answer within \(timeout ?? .zero); its log says what it is doing: "
        + "'journalctl --user -u themed'"
    case .connectionLost: return "themed closed the connection before it answered (\(reason)); try again"
    case .anotherUsers:
      let owner = user.map(userName) ?? "another user"
      return "this themed belongs to \(owner), and answers nobody else: run this as \(owner)"
    case .violation:
      return "what listens at the socket does not speak \(ThemeInterface.name): \(reason); is it themed, and of this "
        + "version?"
    case .refused where isOfReadOnlySocket:
      return "this socket is for reading only: it says what is shown and which themes there are, and neither changes "
        + "nor tells anything else; that is for themed's other socket, where this program may reach it"
    case .refused where refusal?.inner == Self.tooManyOverrides:
      return "themed keeps no more overrides: 'themectl overrides' lists them, and 'themectl unset' ends one"
    case .refused: return "themed refused: \(refusal ?? "")" + (parameter.map { " (\($0))" } ?? "")
    case .unknownTheme:
      return "there is no theme '\(theme ?? "")'; a theme is a file NAME.theme in ~/.local/share/themed/themes"
    case .unusableTheme: return "the theme '\(theme ?? "")' cannot be shown: \(reason)"
    case .cancelled: return "the task was cancelled before themed answered"
    default: return reason
    }
  }
}

// MARK: One of each kind

extension ThemeClientError {
  package static func noDaemon(path: String, reason: String) -> Self {
    var error = Self(.noDaemon, reason: reason)
    error.path = path
    return error
  }

  package static let noSocketPath = Self(.noSocketPath)
  package static let cancelled = Self(.cancelled)

  package static func timedOut(after timeout: Duration) -> Self {
    var error = Self(.timedOut)
    error.timeout = timeout
    return error
  }

  package static func connectionLost(reason: String) -> Self { Self(.connectionLost, reason: reason) }

  package static func anotherUsers(_ user: UInt32) -> Self {
    var error = Self(.anotherUsers)
    error.user = user
    return error
  }

  package static func violation(_ reason: String) -> Self { Self(.violation, reason: reason) }

  package static func refused(error name: Text, parameter: Text?) -> Self {
    var error = Self(.refused)
    (error.refusal, error.parameter) = (ThemeText(name), parameter.map { ThemeText($0) })
    return error
  }

  package static func unknownTheme(_ name: Text) -> Self {
    var error = Self(.unknownTheme)
    error.theme = ThemeText(name)
    return error
  }

  package static func unusableTheme(_ name: Text, problem: String) -> Self {
    var error = Self(.unusableTheme, reason: problem)
    error.theme = ThemeText(name)
    return error
  }

  package static func system(_ reason: String) -> Self { Self(.system, reason: reason) }
}

extension ThemeClientError {
  package init(_ violation: Violation) {
    self = .violation(violation.description)
  }

  /// The error that a reply is; nil for one of success.
  init?(_ reply: Reply) {
    guard let error = reply.error else { return nil }
    if case .string(let theme)? = reply.parameters["theme"] {
      var problem = ""
      if case .string(let text)? = reply.parameters["problem"] { problem = text.string }
      if error == ThemeInterface.unknownTheme(theme).name {
        self = .unknownTheme(theme)
        return
      }
      if error == ThemeInterface.unusableTheme(theme, problem: problem).name {
        self = .unusableTheme(theme, problem: problem)
        return
      }
    }
    var parameter: Text?
    if case .string(let name)? = reply.parameters["parameter"] { parameter = name }
    self = .refused(error: error, parameter: parameter)
  }

  /// A parameter of a reply that is not as the interface has it.
  init(inReply error: VarlinkError) {
    guard case .string(let name)? = error.parameters["parameter"] else {
      self = .violation(error.name.string)
      return
    }
    self = .violation("the reply's '\(name)' is missing or has the wrong type")
  }
}
