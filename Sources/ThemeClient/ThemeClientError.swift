public import ThemedText
internal import ThemedUnix
internal import ThemedVarlink

/// Why a call to the daemon failed.
///
/// The description says what to do about it.
public enum ThemeClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing listens at this path.
  case noDaemon(path: String, reason: String)
  /// Neither `THEMED_SOCKET` nor a runtime directory says where the daemon's socket is.
  case noSocketPath
  /// The daemon did not answer within this time. The connection is of no further use.
  case timedOut(after: Duration)
  /// The connection ended before the answer came. It is of no further use.
  case connectionLost(reason: String)
  /// The daemon is this other user's, and closed the connection. Trying again does not mend it.
  case anotherUsers(UInt32)
  /// What came is not the protocol, or not the interface. The connection is of no further use.
  case violation(String)
  /// The daemon answered with this error, about this parameter if about one. The connection can go on.
  case refused(error: Text, parameter: Text?)
  /// No theme of this name is installed. The connection can go on.
  case unknownTheme(Text)
  /// The theme's file has a mistake, or it has no such side: why, in words. The connection can go on.
  case unusableTheme(Text, problem: String)
  /// The system refused a descriptor, a thread or an address.
  case system(String)

  /// For a person.
  public var description: String {
    switch self {
    case .noDaemon(let path, let reason):
      "no themed at \(path) (\(reason)); start it with 'systemctl --user start themed.socket', "
        + "or run 'themed' in a terminal"
    case .noSocketPath:
      "cannot tell where themed listens: neither \(ThemeInterface.socketVariable) nor XDG_RUNTIME_DIR is set; "
        + "start this in a login session, or name the socket"
    case .timedOut(let time):
      "themed did not answer within \(time); its log says what it is doing: 'journalctl --user -u themed'"
    case .connectionLost(let reason): "themed closed the connection before it answered (\(reason)); try again"
    case .anotherUsers(let user):
      "this themed belongs to \(userName(user)), and answers nobody else: run this as \(userName(user))"
    case .violation(let reason):
      "what listens at the socket does not speak \(ThemeInterface.name): \(reason); is it themed, and of this version?"
    case .refused(let error, let parameter):
      "themed refused: \(error)" + (parameter.map { " (\($0))" } ?? "")
    case .unknownTheme(let name):
      "there is no theme '\(name)'; a theme is a file NAME.theme in ~/.local/share/themed/themes"
    case .unusableTheme(let name, let problem): "the theme '\(name)' cannot be shown: \(problem)"
    case .system(let reason): reason
    }
  }
}

extension ThemeClientError {
  init(_ violation: Violation) {
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
