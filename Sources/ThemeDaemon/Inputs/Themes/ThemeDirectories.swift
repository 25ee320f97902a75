internal import Glibc
internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// Reads themes on demand, which may hang, so it needs a thread that may wait.
extension ThemeDirectories {
  /// A theme that was read, and the unknown keys of its file.
  struct Found: Sendable, Equatable {
    let theme: Theme
    let path: Text
    let unknown: [Text]
    /// The message about images that are missing and left out; nil if there are none.
    let missing: String?
    /// The paths of the theme's images, whether they exist or not.
    let images: [Text]
    /// The sides of the theme in the form in which they are shown.
    let sides: [ColorScheme: ShownTheme]
  }

  /// The installed themes as ListThemes returns them.
  struct Listing: Sendable {
    var list = ReplyList("themes")
    var listWithoutPaths = ReplyList("themes")
    /// The files among them that are symbolic links, because changes of their targets are not visible in the
    /// directories.
    var links: [Text] = []
    /// Whether everything was read before the time ran out.
    var isComplete = true

    /// Adds all themes to the list without paths, by parsing each element again.
    fileprivate mutating func addWithoutPaths(_ elements: [[UInt8]]) {
      for element in elements {
        guard let listing = ThemeListing(element) else {
          listWithoutPaths.omit(1)
          continue
        }
        listWithoutPaths.append(JSON.object(listing.withoutPaths.parameters).bytes)
      }
      // The same number of omitted themes, so that both lists have the same ones.
      listWithoutPaths.omit(list.omitted)
    }
  }

  /// Why an installed theme cannot be used: its file, and what is wrong with it.
  struct Fault: Error, Equatable, CustomStringConvertible {
    let path: Text
    let problem: String
    /// Whether it is not the file's fault, and may be over soon.
    var isTemporary = false
    var description: String { "\(path): \(problem)" }
  }

  /// The installed themes by name, with what a list shows of each.
  ///
  /// It reads those files that `shelf` does not know in their current version, until the list is full or the time has
  /// run out, but at least one. The time is for reading. It is at least as long as it took to find out what to read;
  /// otherwise a slow machine would read one theme for each look at all of them. Images are not checked. `note` is
  /// called with each path before it is accessed; `clock` counts milliseconds.
  func listing(
    _ shelf: ThemeShelf, atMostMilliseconds time: Int = .max, clock: () -> Int = monotonicMilliseconds,
    _ note: (Text) -> Void = { _ in }
  ) -> Listing {
    let begin = clock()
    var reading = 0
    var hasRead = false
    var listing = Listing()
    let installed = installed(atMost: Limits.countedThemes, note).sorted { $0.key < $1.key }
    var names: Set<Text> = []
    var elements: [[UInt8]] = []
    for (index, (name, path)) in installed.enumerated() {
      guard index < Limits.listedThemes, !listing.list.isFull else {
        listing.list.omit(installed.count - index)
        break
      }
      note(Text(path))
      // Before the read, so that a change during the read shows as another identity.
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

  /// A theme's element of the list, as JSON; nil if the theme is gone.
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

  /// Reads a whole theme, with absolute paths of readable images; nil if no theme of this name is installed.
  ///
  /// `note` is called with each path before it is accessed.
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

  /// The content and the path of the theme file that is used; nil if there is none.
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

  /// The theme with the absolute paths of its readable images, the images that are not readable, and the paths of all.
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
  /// Reads an element that ``ThemeDirectories`` made or kept, as JSON.
  fileprivate init?(_ element: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: element) else { return nil }
    do throws(VarlinkError) { try self.init(Parameters(object)) } catch { return nil }
  }
}
