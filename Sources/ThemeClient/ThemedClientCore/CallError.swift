internal import ThemedInterface
public import ThemedSystem
public import ThemedVarlink

/// Why a call to the daemon failed.
///
/// The description tells the user what happened and what to do. ``code`` tells your program which kind of failure it
/// is; later versions may add kinds. The other properties have the details of that kind:
///
/// ```swift
/// switch error.code {
/// case .noDaemon: startOne(at: error.path)
/// case .unknownTheme: offerThemes(near: error.theme)
/// default: print(error)
/// }
/// ```
public struct CallError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failures.
  ///
  /// Later versions may add kinds, so a `switch` needs a default.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: UInt8 {
      case noDaemon, noSocketPath, timedOut, connectionLost, anotherUsers, violation, refused, unknownTheme
      case unusableTheme, themesUnavailable, cancelled, system
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The name of the kind, such as `noDaemon`.
    public var description: String { "\(kind)" }

    /// No daemon listens at ``CallError/path``; ``CallError/reason`` says why.
    public static let noDaemon = Code(.noDaemon)
    /// The path of the daemon's socket is not known.
    ///
    /// Neither `THEMED_SOCKET` nor `XDG_RUNTIME_DIR` is set, and the user has no directory in `/run/user`.
    public static let noSocketPath = Code(.noSocketPath)
    /// The daemon did not answer within ``CallError/timeout``.
    ///
    /// A ``ThemeConnection`` that has thrown this error cannot be used any more.
    public static let timedOut = Code(.timedOut)
    /// The connection ended before the answer arrived; ``CallError/reason`` says why.
    ///
    /// A ``ThemeConnection`` that has thrown this error cannot be used any more.
    public static let connectionLost = Code(.connectionLost)
    /// The daemon belongs to another user and closed the connection; retrying does not help.
    ///
    /// ``CallError/user`` is the ID of that user.
    public static let anotherUsers = Code(.anotherUsers)
    /// The answer violates the protocol or the interface; ``CallError/reason`` says how.
    ///
    /// A ``ThemeConnection`` that has thrown this error may be unusable: create a new one.
    public static let violation = Code(.violation)
    /// The daemon refused the call with the error ``CallError/refusal``.
    ///
    /// ``CallError/parameter`` is the parameter at fault, if the error names one.
    public static let refused = Code(.refused)
    /// No theme with the name ``CallError/theme`` is installed.
    public static let unknownTheme = Code(.unknownTheme)
    /// The theme ``CallError/theme`` cannot be used; ``CallError/reason`` says why.
    ///
    /// There are these reasons:
    ///
    /// - The file of the theme cannot be read, or has a mistake.
    /// - Reading the file hangs, or the daemon could not read it in time.
    /// - You chose the theme for light or for dark, and the theme has no colours for that scheme.
    public static let unusableTheme = Code(.unusableTheme)
    /// The daemon cannot read themes at the moment; ``CallError/reason`` says why.
    ///
    /// A directory does not respond, the system is short of resources, or the daemon is reading too many themes. Try
    /// again later.
    public static let themesUnavailable = Code(.themesUnavailable)
    /// The task was cancelled before the answer arrived; the daemon may already have carried out the call.
    public static let cancelled = Code(.cancelled)
    /// The operating system refused a descriptor, a thread or an address; ``CallError/reason`` says why.
    public static let system = Code(.system)
  }

  /// The kind of failure.
  public let code: Code
  /// The reason in words; not every kind has one.
  public private(set) var reason: String?
  /// The path at which no daemon listens.
  public private(set) var path: String?
  /// How long the call waited for the answer.
  public private(set) var timeout: Duration?
  /// The ID of the other user that the daemon belongs to.
  public private(set) var user: UInt32?
  /// The full name of the error with which the daemon answered.
  public private(set) var refusal: Text?
  /// The parameter that the daemon's error names.
  public private(set) var parameter: Text?
  /// The theme that the error is about.
  public private(set) var theme: Text?

  /// Whether the daemon refused the call because the socket is read-only.
  ///
  /// If so, ``code`` is ``Code/refused``, and retrying does not help. A read-only socket is meant for containers and
  /// sandboxes. On this socket, the daemon returns the state and the themes, without file paths and times. It accepts
  /// no changes.
  public var isOfReadOnlySocket: Bool { refusal == VarlinkError.permissionDenied.name }

  private static let tooManyOverrides = ThemeInterface.tooManyOverrides(maximum: 0).name

  private init(_ code: Code, reason: String? = nil) {
    (self.code, self.reason) = (code, reason)
  }

  /// The message for a person: what happened, and what to do.
  public var description: String {
    let reason = reason ?? "for an unknown reason"
    switch code {
    case .noDaemon:
      return "no themed at \(path ?? "its socket") (\(reason)); start it with 'systemctl --user start themed.socket', "
        + "or run 'themed' in a terminal"
    case .noSocketPath:
      return "cannot find themed's socket: neither \(ThemeInterface.socketVariable) nor XDG_RUNTIME_DIR is set; "
        + "run this in a login session, or set \(ThemeInterface.socketVariable)"
    case .timedOut:
      return "themed did not answer within \(timeout ?? .zero); see its log: 'journalctl --user -u themed'"
    case .connectionLost: return "lost the connection to themed before it answered: \(reason); try again"
    case .anotherUsers:
      let owner = user.map(userName) ?? "another user"
      return "this themed belongs to \(owner) and answers only that user; run this as \(owner)"
    case .violation:
      return "the program that listens at the socket does not speak \(ThemeInterface.name): \(reason); check that it "
        + "is themed, and which version it is"
    case .refused where isOfReadOnlySocket:
      return "this socket is read-only: it reports what is shown and which themes are installed, and refuses all other "
        + "requests; run this outside the container or sandbox, or set \(ThemeInterface.socketVariable) to themed's "
        + "main socket"
    case .refused where refusal == Self.tooManyOverrides:
      return "themed cannot keep overrides for more apps; list them with 'themectl overrides', and remove some with "
        + "'themectl unset --app NAME'"
    case .refused
    where refusal == VarlinkError.methodNotFound("").name || refusal == VarlinkError.interfaceNotFound("").name:
      return "themed and this program are of different versions: themed does not know the method; restart it with "
        + "'systemctl --user restart themed'"
    case .refused: return "themed refused the call: \(refusal ?? "")" + (parameter.map { " (parameter '\($0)')" } ?? "")
    case .unknownTheme:
      return "there is no theme '\(theme ?? "")'; a theme is a file NAME.theme in ~/.local/share/themed/themes"
    case .themesUnavailable: return "themed cannot read the themes: \(reason)"
    case .unusableTheme:
      return "the theme '\(theme ?? "")' cannot be used here: \(reason); 'themectl theme list' lists the themes and "
        + "their sides"
    case .cancelled: return "the task was cancelled before themed answered"
    default: return reason
    }
  }
}

// MARK: One of each kind

extension CallError {
  public static func noDaemon(path: String, reason: String) -> Self {
    var error = Self(.noDaemon, reason: reason)
    error.path = path
    return error
  }

  public static let noSocketPath = Self(.noSocketPath)
  public static let cancelled = Self(.cancelled)

  public static func timedOut(after timeout: Duration) -> Self {
    var error = Self(.timedOut)
    error.timeout = timeout
    return error
  }

  public static func connectionLost(reason: String) -> Self { Self(.connectionLost, reason: reason) }

  public static func anotherUsers(_ user: UInt32) -> Self {
    var error = Self(.anotherUsers)
    error.user = user
    return error
  }

  public static func violation(_ reason: String) -> Self { Self(.violation, reason: reason) }

  public static func refused(error name: Text, parameter: Text?) -> Self {
    var error = Self(.refused)
    (error.refusal, error.parameter) = (name, parameter)
    return error
  }

  public static func unknownTheme(_ name: Text) -> Self {
    var error = Self(.unknownTheme)
    error.theme = name
    return error
  }

  public static func unusableTheme(_ name: Text, problem: String) -> Self {
    var error = Self(.unusableTheme, reason: problem)
    error.theme = name
    return error
  }

  public static func themesUnavailable(_ problem: String) -> Self { Self(.themesUnavailable, reason: problem) }

  public static func system(_ reason: String) -> Self { Self(.system, reason: reason) }
}

extension CallError {
  public init(_ violation: Violation) { self = .violation(violation.description) }

  /// The error in a reply; nil if the reply is a success.
  init?(_ reply: Reply) {
    guard let error = reply.error else { return nil }
    var problem = ""
    if case .string(let text)? = reply.parameters["problem"] { problem = text.string }
    if error == ThemeInterface.themesUnavailable(problem).name {
      self = .themesUnavailable(problem)
      return
    }
    if case .string(let theme)? = reply.parameters["theme"] {
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

  /// The error for a reply with a parameter that does not match the interface.
  public init(inReply error: VarlinkError) {
    guard case .string(let name)? = error.parameters["parameter"] else {
      self = .violation(error.name.string)
      return
    }
    self = .violation("the reply's '\(name)' is missing or has the wrong type")
  }
}
