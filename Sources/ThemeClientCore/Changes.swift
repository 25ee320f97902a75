/// Decides which values are new to a consumer that sees them one after the other.
package struct Changes<Subject: Followed>: Sendable, Hashable {
  private var last: Subject.Essence?

  package init() {}

  /// Whether this value differs from the previous one in anything that counts.
  package mutating func isNew(_ value: Subject.Value) -> Bool {
    let essence = Subject.essence(of: value)
    defer { last = essence }
    return essence != last
  }
}
