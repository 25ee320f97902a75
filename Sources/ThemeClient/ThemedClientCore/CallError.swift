internal import ThemedInterface
public import ThemedSystem
public import ThemedVarlink

/// Why a call to the daemon failed; the description tells a person what happened, and what to do.
public struct CallError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failures, with the names that ThemeClient gives them.
  public enum Code: String, Sendable, Hashable {
    case noDaemon, noSocketPath, timedOut, connectionLost, otherUser, protocolViolation, refused, unknownTheme
    case unusableTheme, themesUnavailable, cancelled, system
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
  /// If so, ``code`` is ``Code.refused``, and retrying does not help. A read-only socket is meant for containers and
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
    case .otherUser:
      let owner = user.map(userName) ?? "another user"
      return "this themed belongs to \(owner) and answers only that user; run this as \(owner)"
    case .protocolViolation:
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

  public static func otherUser(_ user: UInt32) -> Self {
    var error = Self(.otherUser)
    error.user = user
    return error
  }

  public static func violation(_ reason: String) -> Self { Self(.protocolViolation, reason: reason) }

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
