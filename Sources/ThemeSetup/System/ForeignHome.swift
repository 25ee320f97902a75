import Glibc
import ThemedSystem

/// Another user's home in root's variables, as with `sudo -E`.
package enum ForeignHome {
  /// The first of the directories that belongs to another user, and that user's number; nil unless this is root.
  package static var found: (directory: String, owner: UInt32)? {
    guard geteuid() == 0 else { return nil }
    let directories = [BaseDirectory.home, BaseDirectory.configuration, BaseDirectory.state, BaseDirectory.data.first]
    return directories.lazy.compactMap(\.self).compactMap { directory in
      owner(of: directory).flatMap { $0 == 0 ? nil : (directory, $0) }
    }.first
  }
}
