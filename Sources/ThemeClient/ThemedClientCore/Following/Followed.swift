public import ThemedInterface
public import ThemedModel
internal import ThemedSystem
public import ThemedVarlink

/// Something that a client can follow: the call to make, and how to tell which values are new.
///
/// A subject does no I/O. Everything else about following is the same for each subject, and is implemented once,
/// starting with ``FollowingSession``.
public protocol Followed: Sendable, Hashable {
  /// The type of the values that the daemon sends: one at the start and one after each change.
  associatedtype Value: Sendable, Hashable
  /// The part of a value that counts: two values with the same essence say the same.
  associatedtype Essence: Sendable, Hashable

  /// The call to make once, with the flag 'more'.
  var call: Call { get }

  /// The value in a reply; throws if the reply is an error, or does not belong to this call.
  func value(of reply: Reply) throws(CallError) -> Value

  /// The part of a value that counts.
  static func essence(of value: Value) -> Essence
}

/// The state for one app.
public struct FollowedState: Followed {
  private let app: Text?
  private let details: Bool

  /// The state of this app, or of a client without a name if `app` is nil.
  public init(app: String?, details: Bool) {
    (self.app, self.details) = (app.map { Text($0) }, details)
  }

  private var request: ThemeRequest<State> { .monitor(app: app?.string, details: details) }

  public var call: Call { request.call }

  public func value(of reply: Reply) throws(CallError) -> State {
    try request.value(of: reply)
  }

  /// The state without its serial: what is shown, and why.
  ///
  /// The serial can differ although this client sees no change. The daemon may have restarted, or a field that this
  /// client does not know may have changed. A slow reader may also have missed the states in between.
  public static func essence(of state: State) -> Resolution { state.resolution }
}

/// The list of installed themes.
public struct FollowedCatalog: Followed {
  /// The list; the daemon has only one list of themes.
  public init() {}

  public var call: Call { ThemeRequest.themes.call }

  public func value(of reply: Reply) throws(CallError) -> ThemeItems<ThemeListing> {
    try ThemeRequest.themes.value(of: reply)
  }

  /// Everything in the list.
  ///
  /// Problems are compared as bytes, because `String` treats canonically equivalent texts as equal.
  public struct Essence: Sendable, Hashable {
    private struct Theme: Hashable {
      let name, path: Text
      let title, problem: Text?
      let light, dark: [Role: Color]?
    }

    private let themes: [Theme]
    private let omitted: Int

    fileprivate init(_ list: ThemeItems<ThemeListing>) {
      themes = list.map { theme in
        Theme(
          name: theme.name, path: theme.path, title: theme.title, problem: theme.problem.map { Text($0) },
          light: theme.swatch(for: .light), dark: theme.swatch(for: .dark))
      }
      omitted = list.omitted
    }
  }

  public static func essence(of list: ThemeItems<ThemeListing>) -> Essence { Essence(list) }
}

/// The duty of the client that writes the desktop's own setting.
public struct FollowedDesktopDuty: Followed {
  public init() {}

  public var call: Call { ThemeRequest.desktopDuty.call }

  public func value(of reply: Reply) throws(CallError) -> DesktopDuty {
    try ThemeRequest.desktopDuty.value(of: reply)
  }

  public static func essence(of duty: DesktopDuty) -> DesktopDuty { duty }
}

/// Decides which values are new to a consumer that sees them one after the other.
public struct Changes<Subject: Followed>: Sendable, Hashable {
  private var last: Subject.Essence?

  public init() {}

  /// Whether this value differs from the previous one in anything that counts.
  public mutating func isNew(_ value: Subject.Value) -> Bool {
    let essence = Subject.essence(of: value)
    defer { last = essence }
    return essence != last
  }
}
