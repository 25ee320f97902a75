internal import ThemedClientCore
internal import ThemedSystem

/// Why a call to the daemon failed.
///
/// The description tells the user what happened and what to do. ``code`` tells your program which kind of failure it
/// is:
///
/// ```swift
/// switch error.code {
/// case .noDaemon: startOne(at: error.path)
/// case .unknownTheme: offerThemes(near: error.theme)
/// default: print(error)
/// }
/// ```
public struct ThemeError: Error, Sendable, Hashable, CustomStringConvertible {
  private let inner: CallError

  init(_ inner: CallError) { self.inner = inner }

  /// The kind of failure.
  public var code: Code { inner.isOfReadOnlySocket ? .readOnly : Code(inner.code) }
  /// The message for a person: what happened, and what to do.
  public var description: String { Text(inner.description).shown() }
  /// The reason in words; not every kind has one.
  public var reason: String? { inner.reason.map { Text($0).shown() } }
  /// The path at which no daemon listens.
  public var path: String? { inner.path }
  /// The ID of the other user that the daemon belongs to.
  public var peerUserID: UInt32? { inner.user }
  /// The full name of the error with which the daemon answered.
  public var errorName: String? { inner.refusal?.string }
  /// The parameter that the daemon's error names.
  public var parameter: String? { inner.parameter?.string }
  /// The theme that the error is about.
  public var theme: String? { inner.theme?.string }

  /// The kinds of failures.
  ///
  /// Later versions may add kinds, so a `switch` needs a default.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind, such as `noDaemon`.
    public let description: String

    private init(_ name: String) { description = name }

    fileprivate init(_ inner: CallError.Code) { self.init(inner.rawValue) }

    /// No daemon listens at ``ThemeError/path``; ``ThemeError/reason`` says why.
    public static let noDaemon = Code(CallError.Code.noDaemon)
    /// The path of the daemon's socket is not known.
    ///
    /// Neither `THEMED_SOCKET` nor `XDG_RUNTIME_DIR` is set, and the user has no directory in `/run/user`.
    public static let noSocketPath = Code(CallError.Code.noSocketPath)
    /// The daemon did not answer within the timeout.
    public static let timedOut = Code(CallError.Code.timedOut)
    /// The connection ended before anything of the answer arrived; ``ThemeError/reason`` says why.
    public static let connectionLost = Code(CallError.Code.connectionLost)
    /// The daemon belongs to another user, ``ThemeError/peerUserID``, and closed the connection; retrying does not help.
    public static let otherUser = Code(CallError.Code.otherUser)
    /// The answer violates the protocol or the interface, or ends in the middle; ``ThemeError/reason`` says how.
    public static let protocolViolation = Code(CallError.Code.protocolViolation)
    /// The daemon refused the call with the error ``ThemeError/errorName``.
    ///
    /// ``ThemeError/parameter`` is the parameter at fault, if the error names one.
    public static let refused = Code(CallError.Code.refused)
    /// The daemon refused the call because the socket is read-only; retrying does not help.
    ///
    /// A read-only socket is meant for containers and sandboxes. On this socket, the daemon returns the state and the
    /// themes, without file paths and times. It accepts no changes.
    public static let readOnly = Code("readOnly")
    /// No theme with the name ``ThemeError/theme`` is installed.
    public static let unknownTheme = Code(CallError.Code.unknownTheme)
    /// The theme ``ThemeError/theme`` cannot be used; ``ThemeError/reason`` says why.
    ///
    /// There are these reasons:
    ///
    /// - The file of the theme cannot be read, or has a mistake.
    /// - Reading the file hangs, or the daemon could not read it in time.
    /// - You chose the theme for light or for dark, and the theme has no colours for that scheme.
    public static let unusableTheme = Code(CallError.Code.unusableTheme)
    /// The daemon cannot read themes at the moment; ``ThemeError/reason`` says why.
    ///
    /// A directory does not respond, the system is short of resources, or the daemon is reading too many themes. Try
    /// again later.
    public static let themesUnavailable = Code(CallError.Code.themesUnavailable)
    /// The task was cancelled before the answer arrived; the daemon may already have carried out the call.
    public static let cancelled = Code(CallError.Code.cancelled)
    /// The operating system refused a descriptor, a thread or an address; ``ThemeError/reason`` says why.
    public static let system = Code(CallError.Code.system)
  }
}

/// Runs the body, and gives its error the public type.
func publicly<Value: ~Copyable>(_ body: () throws(CallError) -> Value) throws(ThemeError) -> Value {
  do throws(CallError) { return try body() } catch { throw ThemeError(error) }
}
