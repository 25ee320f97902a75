internal import Synchronization
internal import ThemedSystem

/// Remembers theme files as elements of a list, so that a file is read again only after it has changed.
///
/// It is kept while no client asks, because one will ask again; it is never larger than the list. Threads share it, so
/// the next thread can use what a hanging thread has read.
final class ThemeShelf: Sendable {
  private struct Entry {
    let path: String
    let identity: FileIdentity
    /// The element as JSON.
    let element: [UInt8]
    /// Whether the file was changed a moment before it was read.
    ///
    /// Within the resolution of the file system's clock it could change again without a different time. So the element
    /// is used only for the list that it was read for.
    let isFresh: Bool
  }

  private let entries = Mutex<[Text: Entry]>([:])

  /// The element of the theme at this path, if the file is still the same.
  func element(_ name: Text, at path: String, _ identity: FileIdentity) -> [UInt8]? {
    guard let entry = entries.withLock({ $0[name] }), entry.identity == identity else { return nil }
    return Text(entry.path) == Text(path) ? entry.element : nil
  }

  /// Remembers an element that was read from the file with this identity.
  func keep(_ element: [UInt8], of name: Text, at path: String, _ identity: FileIdentity) {
    let isFresh = !identity.isOlder(thanSeconds: Limits.fileRest)
    let entry = Entry(path: path, identity: identity, element: element, isFresh: isFresh)
    entries.withLock { $0[name] = entry }
  }

  /// A list of exactly these themes was made: forgets all others, and those that may have changed unnoticed.
  func isComplete(with names: Set<Text>) {
    entries.withLock { entries in
      for (name, entry) in entries where entry.isFresh || !names.contains(name) { entries[name] = nil }
    }
  }
}
