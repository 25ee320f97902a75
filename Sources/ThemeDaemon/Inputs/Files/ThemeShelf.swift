internal import ThemedText
internal import Synchronization
internal import ThemedUnix

/// What is known of theme files that were read for a list, each as the list says it: a file is read again only where it is
/// another one by now.
///
/// Kept while nobody asks, since somebody will again; it is never larger than the list. Threads share it: one that hangs
/// in a file leaves what it has read to the next.
final class ThemeShelf: Sendable {
  private struct Entry {
    let path: String
    let identity: FileIdentity
    /// JSON.
    let element: [UInt8]
    /// Whether it was changed a moment before it was read.
    ///
    /// Within the grain of a file system's clock it may be changed again, and look as it did: so it is taken as it is for
    /// the list that it was read for, and for no other.
    let isFresh: Bool
  }

  private let entries = Mutex<[Text: Entry]>([:])

  /// What is known of the theme whose file lies there, if this is the file that was read.
  func element(_ name: Text, at path: String, _ identity: FileIdentity) -> [UInt8]? {
    guard let entry = entries.withLock({ $0[name] }), entry.identity == identity else { return nil }
    return Text(entry.path) == Text(path) ? entry.element : nil
  }

  /// Keeps what was read of a file that was this one before.
  func keep(_ element: [UInt8], of name: Text, at path: String, _ identity: FileIdentity) {
    let isFresh = !identity.isOlder(thanSeconds: Limits.fileRest)
    let entry = Entry(path: path, identity: identity, element: element, isFresh: isFresh)
    entries.withLock { $0[name] = entry }
  }

  /// A list of these themes was made: nothing is kept of others, and of none that may have changed unseen.
  func isComplete(with names: Set<Text>) {
    entries.withLock { entries in
      for (name, entry) in entries where entry.isFresh || !names.contains(name) { entries[name] = nil }
    }
  }
}
