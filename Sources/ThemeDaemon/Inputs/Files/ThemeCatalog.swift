internal import ThemeInterface
internal import ThemedUnix
internal import ThemedLog

/// The list of the themes that are installed: read while somebody asks for it, and again after each change while somebody
/// follows it.
final class ThemeCatalog {
  /// Called when it was read.
  var onReading: () -> Void = {}
  /// Whether somebody follows it.
  var isFollowed: () -> Bool = { false }
  /// What was read last; nil where it is not read, or nobody asks for it.
  private(set) var list: ReplyList?
  /// The same without any paths.
  private(set) var listWithoutPaths: ReplyList?

  private let directories: ThemeDirectories
  private let files: FileReader
  private let log: Log
  /// What stays known when nobody asks any more.
  private let shelf = ThemeShelf()
  private var askers = 0
  private(set) var isWatched = false
  /// Whether what was read is kept though nobody asks for it.
  var isHeld = false {
    didSet { release() }
  }
  /// How often something of it was read, and whether nothing is left to be read.
  private var readings = 0
  private var isComplete = true

  /// A list of what lies in these directories.
  init(_ directories: ThemeDirectories, files: FileReader, log: Log) {
    (self.directories, self.files, self.log) = (directories, files, log)
  }

  /// Why it is not read, where that is so.
  var trouble: String? { files.trouble(of: .themeList) }

  /// Reads it, and calls back when that is done, or has taken too long; with `isFollowing`, what changes from then on is
  /// read as well, for those who follow it by then.
  func read(isFollowing: Bool, _ completion: @escaping () -> Void) {
    if isFollowing ? !isWatched : !files.follows(.themeList) { follow(watching: isFollowing) }
    askers += 1
    readOn { [unowned self] in
      completion()
      askers -= 1
      release()
    }
  }

  /// Reads part after part, as long as each is read in time.
  private func readOn(_ completion: @escaping () -> Void) {
    let before = readings
    files.read(.themeList) { [unowned self] in
      if isComplete || readings == before { completion() } else { readOn(completion) }
    }
  }

  /// Reads it no more where nobody asks for it or follows it.
  func release() {
    guard askers == 0, !isHeld, !isFollowed() else { return }
    (list, listWithoutPaths, isComplete) = (nil, nil, true)
    files.forget(.themeList)
    guard isWatched else { return }
    isWatched = false
    files.endWatches()
  }

  private func follow(watching: Bool) {
    isWatched = watching
    files.follow(.themeList, [], directories: watching ? directories.all : []) { [directories, shelf] in
      // What reading takes for a moment is given back.
      defer { giveMemoryBack() }
      return directories.listing(shelf, atMostMilliseconds: Limits.listSlice, $0.note)
    } alsoOf: {
      $0.links
    } use: { [unowned self] in
      readings += 1
      isComplete = $0.isComplete
      guard isComplete else {
        // A change that nobody waits for by a call.
        if askers == 0 { read(isFollowing: isWatched) {} }
        return
      }
      if $0.list.isFull, list?.isFull != true {
        log.warning("too many themes are installed: ListThemes leaves out \($0.list.omitted) of them")
      }
      list = $0.list
      listWithoutPaths = $0.listWithoutPaths
      onReading()
    }
  }
}
