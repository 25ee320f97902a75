/// Which values say something new to one that sees them in turn: pure.
package struct Changes<Subject: Followed>: Sendable, Hashable {
  private var last: Subject.Essence?

  package init() {}

  /// Whether what counts of this value differs from the one before.
  package mutating func isNew(_ value: Subject.Value) -> Bool {
    let essence = Subject.essence(of: value)
    defer { last = essence }
    return essence != last
  }
}
