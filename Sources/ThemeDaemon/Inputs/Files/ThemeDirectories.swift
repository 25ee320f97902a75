internal import ThemeResolution
internal import ThemedText
internal import Glibc
internal import ThemeFiles
internal import ThemeInterface
internal import ThemeModel
internal import ThemedUnix
internal import ThemedVarlink

/// The directories that themes are installed in, the user's own first: what they hold is read when it is asked for.
///
/// Reading may wait for ever: it is for a thread that may.
struct ThemeDirectories: Sendable {
  private let places: ThemeSearchPath
  private let home: String?

  /// The directories below those for data, the user's own first.
  init(data: [String], home: String?) {
    places = ThemeSearchPath(data: data)
    self.home = home
  }

  /// A theme that was read, and what in its file means nothing.
  struct Found: Sendable, Equatable {
    let theme: Theme
    let path: Text
    let unknown: [Text]
    /// What is said of the images that are not there, and are left out; nil where all are.
    let missing: String?
    /// Where the theme's images are, or are to be.
    let images: [Text]
    /// The theme's sides as they are shown.
    let sides: [ColorScheme: ShownTheme]
  }

  /// The themes that are installed, as ListThemes has them.
  struct Listing: Sendable {
    var list = ReplyList("themes")
    /// The same themes without any paths.
    var listWithoutPaths = ReplyList("themes")
    /// Those of the files that are symbolic links: what happens where they lead to is not seen in the directories.
    var links: [Text] = []
    /// Whether no time has run out before all was read.
    var isComplete = true

    /// Adds the same themes to the list without paths, once all are known: each is taken apart for it.
    fileprivate mutating func addWithoutPaths(_ elements: [[UInt8]]) {
      for element in elements {
        guard let listing = ThemeListing(element) else {
          listWithoutPaths.omit(1)
          continue
        }
        listWithoutPaths.append(JSON.object(listing.withoutPaths.parameters).bytes)
      }
      // As many as there, so that both leave out the same.
      listWithoutPaths.omit(list.omitted)
    }
  }

  /// Why a theme that is installed cannot be used: its file, and what is wrong with it.
  struct Fault: Error, Equatable, CustomStringConvertible {
    let path: Text
    let problem: String
    /// Whether it is not the file's, and may be over soon.
    var isTemporary = false
    var description: String { "\(path): \(problem)" }
  }

  /// Where the file of a theme may be, the one that holds first.
  func paths(of name: Text) -> [String] { places.paths(of: name) }

  /// The directories themselves.
  var all: [String] { places.directories }

  /// The themes that are installed, by name, with what is to be shown of each: those are read that `shelf` does not know
  /// as they are now, up to the one that does not fit any more, or until the time has run out, but one in any case.
  ///
  /// The time is for reading. It is never shorter than finding out what is left to read took: otherwise a slow machine
  /// would read one theme for each look at all of them. Of their images nothing is looked at. `note` is called with each
  /// path before it is looked at; `clock` counts milliseconds.
  func listing(
    _ shelf: ThemeShelf, atMostMilliseconds time: Int = .max, clock: () -> Int = monotonicMilliseconds,
    _ note: (Text) -> Void = { _ in }
  ) -> Listing {
    let begin = clock()
    var reading = 0
    var hasRead = false
    var listing = Listing()
    let installed = places.installed(atMost: Limits.countedThemes, note).sorted { $0.key < $1.key }
    var names: Set<Text> = []
    var elements: [[UInt8]] = []
    for (index, (name, path)) in installed.enumerated() {
      guard index < Limits.listedThemes, !listing.list.isFull else {
        listing.list.omit(installed.count - index)
        break
      }
      note(Text(path))
      // Before it is read: what changes meanwhile has another identity.
      let identity = FileIdentity(of: path)
      var element = identity.flatMap { shelf.element(name, at: path, $0) }
      if element == nil {
        let now = clock()
        guard !hasRead || reading < max(time, min(now - begin - reading, Limits.longestListSlice)) else {
          listing.isComplete = false
          return listing
        }
        hasRead = true
        element = read(name, path, identity, shelf, note)
        reading += clock() - now
      }
      guard let element else { continue }
      names.insert(name)
      listing.list.append(element)
      if !listing.list.isFull { elements.append(element) }
      if listing.links.count < Limits.watchedLinks, isSymbolicLink(path) { listing.links.append(Text(path)) }
    }
    shelf.isComplete(with: names)
    listing.addWithoutPaths(elements)
    return listing
  }

  /// A theme as the list has it, in JSON; nil where it has gone meanwhile.
  private func read(
    _ name: Text, _ path: String, _ identity: FileIdentity?, _ shelf: ThemeShelf, _ note: (Text) -> Void
  ) -> [UInt8]? {
    let listing: ThemeListing
    var file = Text(path)
    var isKept = true
    do throws(Fault) {
      guard let found = try text(of: name, note) else { return nil }
      file = found.path
      listing = ThemeListing(try parse(found.text, name, file).theme, path: file)
    } catch {
      listing = ThemeListing(name: name, path: error.path, problem: error.problem)
      isKept = !error.isTemporary
    }
    let element = JSON.object(listing.parameters).bytes
    if isKept, let identity, file == Text(path) { shelf.keep(element, of: name, at: path, identity) }
    return element
  }

  /// Reads a theme whole, its assets as absolute paths of files that can be read; nil where none of this name is
  /// installed.
  ///
  /// `note` is called with each path before it is looked at.
  func read(_ name: Text, _ note: (Text) -> Void = { _ in }) throws(Fault) -> Found? {
    guard let (path, text) = try text(of: name, note) else { return nil }
    let file = try parse(text, name, path)
    let located = locateAssets(of: file.theme, Text(parent(of: path.string)), note)
    let missing =
      located.missing.isEmpty
      ? nil : "\(path): \(ThemeFile.Problems(located.missing)); missing images are left out until they exist"
    return Found(
      theme: located.theme, path: path, unknown: file.unknown.map { Text("\($0)") },
      missing: missing.map { Text($0).shown(atMost: Limits.problem) }, images: located.images,
      sides: located.theme.shown)
  }

  /// What the file of a theme says that holds, and where it is; nil where there is none.
  private func text(of name: Text, _ note: (Text) -> Void) throws(Fault) -> (path: Text, text: [UInt8])? {
    for path in paths(of: name) {
      note(Text(path))
      do throws(SystemError) {
        return (Text(path), try readFile(path, maximum: Limits.themeFile))
      } catch {
        if error.code == ENOENT || error.code == ENOTDIR { continue }
        throw Fault(path: Text(path), problem: SystemError.text(error.code), isTemporary: error.isTemporary)
      }
    }
    return nil
  }

  private func parse(_ text: [UInt8], _ name: Text, _ path: Text) throws(Fault) -> ThemeFile {
    do {
      return try ThemeFile(name: name, KeyFile(strict: text))
    } catch {
      throw Fault(path: path, problem: Text("\(error)").shown(atMost: Limits.problem))
    }
  }

  /// The theme with the absolute paths of those images that are files that can be read, those that are not, and the
  /// paths of all.
  private func locateAssets(
    of theme: Theme, _ directory: Text, _ note: (Text) -> Void
  ) -> (theme: Theme, missing: [ThemeFile.Problem], images: [Text]) {
    var theme = theme
    var missing: [ThemeFile.Problem] = []
    var images: Set<Text> = []
    for scheme in theme.schemes {
      for (asset, text) in (theme[scheme]?.assets ?? [:]).sorted(by: { $0.key < $1.key }) {
        let path = Side.assetPath(text, directory: directory, home: home.map { Text($0) })
        if let path {
          note(path)
          images.insert(path)
          if isReadableFile(path.string) {
            theme[scheme]?.assets[asset] = path
            continue
          }
        }
        theme[scheme]?.assets[asset] = nil
        let expected = "the path of a readable file"
        missing.append(
          ThemeFile.Problem(group: "\(scheme.rawValue).assets", key: asset, value: text, expected: expected))
      }
    }
    return (theme, missing, images.sorted())
  }
}

extension ThemeListing {
  /// What ``ThemeDirectories`` has written, or kept, as JSON.
  fileprivate init?(_ element: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: element) else { return nil }
    do throws(VarlinkError) { try self.init(Parameters(object)) } catch { return nil }
  }
}
