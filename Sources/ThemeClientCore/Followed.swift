internal import ThemeInterface
package import ThemeResolution
internal import ThemedText
package import ThemedVarlink

/// Something that can be followed: what is called for it, and which of its values say something new.
///
/// Pure. All else that it takes to follow is the same for each, and stands once, from ``FollowingSession`` up.
package protocol Followed: Sendable, Hashable {
  /// What is told at first, and after each change.
  associatedtype Value: Sendable, Hashable
  /// What counts of a value: those in which it is the same say the same.
  associatedtype Essence: Sendable, Hashable

  /// What is called, once with 'more'.
  var call: Call { get }

  /// What a reply to it says; throws the error that it is, or that it is none to this call.
  func value(of reply: Reply) throws(ThemeClientError) -> Value

  /// What counts of a value.
  static func essence(of value: Value) -> Essence
}

/// The state, as an app sees it.
package struct FollowedState: Followed {
  private let app: Text?
  private let details: Bool

  /// The state of this app, or with nil of one without a name; with details or without.
  package init(app: String?, details: Bool) {
    (self.app, self.details) = (app.map { Text($0) }, details)
  }

  private var request: Request<State> { .monitor(app: app?.string, details: details) }

  package var call: Call { request.call }

  package func value(of reply: Reply) throws(ThemeClientError) -> ThemeState {
    ThemeState(try request.value(of: reply))
  }

  /// What holds, not the serial: a daemon that was restarted counts anew, a change that only a newer client would
  /// understand is none to this one, and a slow reader may find the state to be what it was.
  package static func essence(of state: ThemeState) -> Resolution { state.inner.resolution }
}

/// The list of the themes that are installed.
package struct FollowedCatalog: Followed {
  /// There is but one.
  package init() {}

  package var call: Call { Request.listThemes.call }

  package func value(of reply: Reply) throws(ThemeClientError) -> ThemeItems<ThemeSummary> {
    ThemeItems(try Request.listThemes.value(of: reply))
  }

  /// All of it, what is wrong with a file as bytes: two texts that Unicode has as the same are two.
  package struct Essence: Sendable, Hashable {
    private struct Theme: Hashable {
      let name, path: Text
      let title, problem: Text?
      let light, dark: [Text: Color]?
    }

    private let themes: [Theme]
    private let omitted: Int

    fileprivate init(_ list: ThemeItems<ThemeSummary>) {
      themes = list.map(\.inner).map { theme in
        Theme(
          name: theme.name, path: theme.path, title: theme.title, problem: theme.problem.map { Text($0) },
          light: theme.light, dark: theme.dark)
      }
      omitted = list.omitted
    }
  }

  package static func essence(of list: ThemeItems<ThemeSummary>) -> Essence { Essence(list) }
}
