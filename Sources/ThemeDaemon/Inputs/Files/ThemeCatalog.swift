internal import ThemeInterface
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
  /// Remembers what was read, even while no client asks.
  private let shelf = ThemeShelf()
  private var askers = 0
  private(set) var isWatched = false
  /// Whether the list is kept although no client asks for it.
  var isHeld = false {
    didSet { release() }
  }
  /// How many parts have been read, and whether nothing is left to read.
  private var readings = 0
  private var isComplete = true

  /// A list of the themes in these directories.
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
    let before = readings
    files.read(.themeList) { [unowned self] in
      if isComplete || readings == before { completion() } else { readOn(completion) }
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
    files.follow(.themeList, [], directories: watching ? directories.all : []) { [directories, shelf] in
      // Give back the memory that reading took for a moment.
      defer { giveMemoryBack() }
      return directories.listing(shelf, atMostMilliseconds: Limits.listSlice, $0.note)
    } alsoOf: {
      $0.links
    } use: { [unowned self] in
      readings += 1
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
