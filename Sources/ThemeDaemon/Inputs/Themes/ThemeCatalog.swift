internal import Synchronization
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The list of installed themes, which is read while a client asks for it, and after each change while a client follows
/// it.
final class ThemeCatalog {
  /// The lists that clients follow, of which this is one.
  weak var lists: Lists?
  /// The current list; nil if it has not been read or no client asks for it.
  private(set) var list: ReplyList?
  /// The same list without paths.
  private(set) var listWithoutPaths: ReplyList?

  private let directories: ThemeDirectories
  private let files: FileReader
  private let log: Log
  private var askers = 0
  private(set) var isWatched = false
  /// Whether the list is kept although no client asks for it.
  var isHeld = false { didSet { release() } }
  /// How many parts have been read, and whether nothing is left to read.
  private var partsRead = 0
  private var isComplete = true

  init(_ directories: ThemeDirectories, files: FileReader, log: Log) {
    (self.directories, self.files, self.log) = (directories, files, log)
  }

  /// Why the list cannot be read, if that is so.
  var trouble: String? { files.trouble(of: .themeList) }

  /// Reads the list, and calls back when it is complete or has taken too long.
  ///
  /// With `isFollowing`, later changes are read as well, as long as clients follow the list.
  func read(isFollowing: Bool, _ completion: @escaping () -> Void) {
    if isFollowing ? !isWatched : !files.follows(.themeList) { follow(watching: isFollowing) }
    askers += 1
    readOn { [unowned self] in
      completion()
      askers -= 1
      release()
    }
  }

  /// Reads one part after the other, as long as each is read in time.
  private func readOn(_ completion: @escaping () -> Void) {
    let before = partsRead
    files.read(.themeList) { [unowned self] in
      if isComplete || partsRead == before { completion() } else { readOn(completion) }
    }
  }

  /// Stops reading the list if no client asks for it or follows it.
  func release() {
    guard askers == 0, !isHeld, lists?.isFollowed(.themes) != true else { return }
    (list, listWithoutPaths, isComplete) = (nil, nil, true)
    files.forget(.themeList)
    guard isWatched else { return }
    isWatched = false
    files.endWatches()
  }

  private func follow(watching: Bool) {
    isWatched = watching
    // For as long as a client asks for the list: thousands of themes take megabytes.
    let shelf = ThemeShelf()
    files.follow(.themeList, [], directories: watching ? directories.all : []) { [directories] in
      // Give back the memory that reading took for a moment.
      defer { giveMemoryBack() }
      return directories.listing(shelf, atMostMilliseconds: Limits.listSlice, $0.note)
    } alsoOf: {
      $0.links
    } use: { [unowned self] in
      partsRead += 1
      isComplete = $0.isComplete
      guard isComplete else {
        // A change that no call is waiting for.
        if askers == 0 { read(isFollowing: isWatched) {} }
        return
      }
      if $0.list.isFull, list?.isFull != true {
        log.warning("too many themes are installed: ListThemes leaves out \($0.list.omitted) of them")
      }
      list = $0.list
      listWithoutPaths = $0.listWithoutPaths
      lists?.changed(.themes)
    }
  }
}

/// Remembers theme files as elements of a list, so that a file is read again only after it has changed.
///
/// It is kept while a client asks for the list or follows it, and is never larger than the list. Threads share it, so the
/// next thread can use what a hanging thread has read.
final class ThemeShelf: Sendable {
  private struct Entry {
    let path: String
    let identity: FileIdentity
    let element: [UInt8]
    /// Whether the file was changed a moment before it was read.
    ///
    /// Within the resolution of the file system's clock it could change again without a different time. So the element
    /// is used only for the list that it was read for.
    let isFresh: Bool
  }

  private let entries = Mutex<[Text: Entry]>([:])

  func element(_ name: Text, at path: String, _ identity: FileIdentity) -> [UInt8]? {
    guard let entry = entries.withLock({ $0[name] }), entry.identity == identity else { return nil }
    return Text(entry.path) == Text(path) ? entry.element : nil
  }

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
