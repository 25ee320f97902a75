internal import ThemeResolution

/// Which states say something new to one that sees them in turn: pure.
///
/// What counts is what holds, not the serial: a daemon that was restarted counts anew, a change that only a newer
/// client would understand is none to this one, and a slow reader may find the state to be what it was.
package struct Changes: Sendable, Hashable {
  private var last: Resolution?

  package init() {}

  /// Whether this state differs from the one before.
  package mutating func isNew(_ state: ThemeState) -> Bool {
    defer { last = state.inner.resolution }
    return state.inner.resolution != last
  }
}
