import CThemedLinux
import Glibc
package import ThemeApps
package import ThemedSystem

/// One of the user's files in which an app needs a line.
package struct UserFile {
  /// The longest file that gets a line, and the longest that is read, since a file may grow before the app is disabled.
  static let (maximumSize, maximumRead) = (4 << 20, 64 << 20)

  package let setup: App.Setup
  private var block: SetupBlock
  /// The same for a file that does not exist.
  private let newBlock: SetupBlock?
  private let app: Text
  /// The path; nil if the directory with which it begins is unknown.
  package let path: String?
  /// The content; nil if the file does not exist.
  private let bytes: [UInt8]?
  /// The system's file that the program reads if the user has none.
  private let system: Text?
  /// The places that the program reads after this one, besides this one.
  private let laterPlaces: ArraySlice<Text>

  /// Reads the file that the program uses.
  ///
  /// A missing file is empty; a file that cannot be read is an error.
  ///
  /// - Parameter changes: changes that are planned already, which count as done.
  package init(_ setup: App.Setup, of app: Text, after changes: FileChanges = FileChanges()) throws(Refusal) {
    let place = setup.place(in: AppPlaces.directories) { path in
      // Another app's new file goes with that app.
      FileIdentity(of: path.string) != nil && (try? Self.read(path.string))?.isNewFile(ofOtherThan: app) != true
    }
    try self.init(setup, of: app, at: place, after: changes)
    guard setup.readsAll, let path, !isSetUp, LockedFile(path) != nil else { return }
    let others = setup.places(in: AppPlaces.directories).filter { $0 != place && LockedFile($0.string) == nil }
    if let other = others.first { try self.init(setup, of: app, at: other, after: changes) }
  }

  private init(_ setup: App.Setup, of app: Text, at place: Text?, after changes: FileChanges) throws(Refusal) {
    path = place?.string
    bytes = try path.flatMap { (path) throws(Refusal) in
      if let pending = changes.pending(path) { return pending }
      return try Self.read(path)
    }
    system = setup.systemFile(in: AppPlaces.directories) { FileIdentity(of: $0.string) != nil }
    laterPlaces = setup.readsAll ? setup.places(in: AppPlaces.directories).prefix { $0 != place } : []
    var adapted = place.map { [bytes, system] in setup.adapted(to: $0, isNew: bytes == nil, system: system) } ?? setup
    newBlock = place.map { [system] place in
      SetupBlock(app: app, setup.adapted(to: place, isNew: true, system: system))
    }
    // In the second language of Vim, a quote begins a string.
    if adapted.comment.start == "\"", bytes.map(SetupBlock.isVim9Script) == true { adapted.comment = .hash }
    self.setup = adapted
    block = SetupBlock(app: app, self.setup)
    self.app = app
    if let words = bytes.flatMap(block.parser) {
      block.maySeeOpen = Program.run(words.map(\.string), atMost: 2)?.status != 0
    }
  }

  /// The files that have our block, or had one according to the record, in use or not: those at the program's places, and
  /// those of the record, which may be at other places now, since a variable has changed.
  package static func changed(
    _ setup: App.Setup, of app: Text, _ before: EnabledRecord.Before = EnabledRecord.Before(),
    after changes: FileChanges = FileChanges()
  ) throws(Refusal) -> [UserFile] {
    var files: [UserFile] = []
    // A place may be a link to another one.
    var seen: [FileIdentity] = []
    let places = setup.places(in: AppPlaces.directories)
    for place in places + before.files.keys.filter({ !places.contains($0) }).sorted() {
      if let identity = FileIdentity(of: place.string) {
        if seen.contains(identity) { continue }
        seen.append(identity)
      }
      let file = try UserFile(setup, of: app, at: place, after: changes)
      // If another group of the app still has its block, the program has not rewritten the file.
      let isRewritten =
        places.contains(place) && before.files[place] != nil
        && file.bytes.map { !SetupBlock.isMarked(in: $0, by: app) } ?? false
      if file.isMarked || isRewritten { files.append(file) }
    }
    return files
  }

  /// The text of a new file before the line; nil if the line is all of it.
  private var beginning: [UInt8]? {
    if setup.copiesSystemFile { return system.flatMap { try? Self.read($0.string) } }
    return setup.interpreter.map { Array("#!\($0)\n".utf8) }
  }

  /// The text into which the line goes.
  private var text: [UInt8]? { bytes ?? beginning }

  package var shown: Text { path.map { Text($0).belowHome } ?? setup.files.first?.written ?? "" }

  package var isSetUp: Bool { bytes.map { block.stands(in: $0) } ?? false }

  /// Whether the line has to be written; the line of an older version, if it cannot be replaced, still works.
  var needsLine: Bool { !isSetUp || hasOlderLine && obstacle == nil }

  /// Whether the line of an older version of the program stays, because it cannot be replaced.
  var keepsOlderLine: Bool { isSetUp && hasOlderLine && obstacle != nil }

  private var hasOlderLine: Bool { bytes.map { !block.stands(in: $0, isStrict: true) } ?? false }

  var isMarked: Bool { bytes.map(block.isMarked) ?? false }

  var isMarkedByApp: Bool { bytes.map { SetupBlock.isMarked(in: $0, by: app) } ?? false }

  /// The change for the user to make, with every line to comment out and the exact line to add.
  package var advice: String {
    let replaced = replacedSettings.map(\.string).joined(separator: ", ")
    let first = replaced.isEmpty ? "" : "comment out your \(replaced), and "
    let header = bytes.flatMap(block.header).map { "add below line \($0.number) (\($0.text.shown(atMost: 40)))" }
    return "\(first)\(header ?? (setup.place == .start ? "begin the file with" : "add")): \(lines)"
  }

  package var change: String {
    guard let bytes else {
      let copied = setup.copiesSystemFile ? system.map { "a copy of \($0), and: " } : nil
      return "creates \(shown) with: \(copied ?? "")\(lines)\(otherReaders)"
    }
    // Settings that become comments, and settings above our line, which overrides them.
    let numbers = Set(replacedLines.map(\.number))
    let losers = block.losers(in: bytes, including: included)
      .filter { $0.file != nil || !numbers.contains($0.line) }
      .map { "\($0.name) at \($0.file?.belowHome ?? shown):\($0.line)" as Text }
    let replaced = replacedSettings + losers
    let replacing =
      replaced.isEmpty
      ? "" : "; this replaces your \(replaced.few), which 'themectl app disable \(app.asWord)' restores"
    let beginning =
      switch setup.place {
      case .start: "the beginning of "
      case .blockEnd: "each \(setup.block) { } in "
      case .end, .beforeSections: ""
      }
    let above =
      setup.place == .start
      ? "" : block.end(of: bytes).map { ", above line \($0.line) (\($0.text.shown(atMost: 40)))" } ?? ""
    return "adds to \(beginning)\(shown)\(above): \(lines)\(replacing)"
  }

  /// The programs of other apps that will read the new file instead of the system's.
  private var otherReaders: String {
    let words = setup.newFileReaders.compactMap { name -> String? in
      guard let app = AppPlaces().examination(of: name)?.app, app.isInstalled, let other = app.setups.first else {
        return nil
      }
      let isThere = { (place: Text) in FileIdentity(of: place.string) != nil }
      let used = other.place(in: AppPlaces.directories) { isThere($0) || $0.string == path }
      guard used?.string == path, let system = other.systemFile(in: AppPlaces.directories, exists: isThere) else {
        return nil
      }
      return "; \(app.title) then reads it instead of \(system), unless you enable \(name), too"
    }
    return words.joined()
  }

  /// The user's settings that become comments, each with its lines; a table with its settings.
  private var replacedSettings: [Text] {
    var found: [(name: Text, lines: ClosedRange<Int>)] = []
    for line in replacedLines {
      guard let name = bytes.flatMap({ block.name(ofReplaced: line, in: $0) }) else { continue }
      if let last = found.last, name == last.name || name.hasPrefix("\(last.name)."),
        line.number == last.lines.upperBound + 1
      {
        found[found.count - 1].lines = last.lines.lowerBound...line.number
      } else {
        found.append((name, line.number...line.number))
      }
    }
    return found.map { name, lines in
      "\(name) at \(shown):\(lines.lowerBound)\(lines.count > 1 ? "-\(lines.upperBound)" : "")"
    }
  }

  /// Why the line in the file never runs; nil if it runs, or if the file does not contain it.
  var reasonNotRun: String? {
    guard let barrier = bytes.flatMap(block.barrier) else { return nil }
    let text = barrier.text.shown(atMost: 60)
    switch barrier.reason {
    case .ends: return "its line in \(shown) never runs: line \(barrier.line) (\(text)) ends the script above it"
    case .isOpen: return "its line in \(shown) never runs: line \(barrier.line) (\(text)) is never closed"
    case .quotes:
      return "its line in \(shown) never runs: it is part of the text that line \(barrier.line) (\(text)) begins"
    }
  }

  /// Reads the files that a file of the user's includes, except those that themed-apply writes.
  private func included(_ written: Text, from file: Text?) -> [IncludedFile] {
    guard let own = path.map({ Text($0) }), let path = Self.path(written, from: file ?? own) else { return [] }
    var paths = [path]
    if let (directory, name) = path.splitAtLast("/"), name.contains("*") {
      let pattern = SettingPattern(name)
      paths = names(inDirectory: directory.string).filter { pattern.matches($0) && !$0.hasPrefix(".") }
        .map { "\(directory)/\($0)" }
    }
    return paths.compactMap { path in
      guard !AppTarget.isOurs(path.string), let bytes = try? readFile(path.string, maximum: 1 << 20) else { return nil }
      return IncludedFile(path: path, bytes: bytes)
    }
  }

  /// The absolute path for a path that is written in a file of the user's.
  private static func path(_ written: Text, from file: Text) -> Text? {
    for (start, directory) in [
      ("~/", BaseDirectory.home), ("$HOME/", BaseDirectory.home), ("${HOME}/", BaseDirectory.home),
      ("$XDG_CONFIG_HOME/", BaseDirectory.configuration), ("${XDG_CONFIG_HOME}/", BaseDirectory.configuration),
    ] as [(Text, String?)] {
      if let rest = written.dropping(prefix: start) { return directory.map { "\($0)/\(rest)" } }
    }
    if written.hasPrefix("/") { return written }
    return file.splitAtLast("/").map { "\($0.before)/\(written)" }
  }

  package var lines: String {
    if setup.template != nil { return setup.lines }
    return block.written(into: text).split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ")
  }

  /// The user's settings that override the line in the file.
  ///
  /// - Parameter onceWritten: Whether to look at the file as it will be when the line has been written.
  func winners(onceWritten: Bool) -> [OwnSetting.Place] {
    let own = text.map { block.winners(in: $0, onceWritten: onceWritten || !isMarked, including: included) } ?? []
    return own.map { OwnSetting.Place(file: $0.file?.belowHome ?? shown, line: $0.line, name: $0.name) } + laterSettings
  }

  /// The user's settings in the files that the program reads after this one.
  private var laterSettings: [OwnSetting.Place] {
    var setup = setup
    setup.hiddenWhere = .anywhere
    return laterPlaces.flatMap { [setup] place in
      let bytes = (try? Self.read(place.string)) ?? []
      return SetupBlock(app: app, setup).winners(in: bytes) { included($0, from: $1 ?? place) }
        .map { OwnSetting.Place(file: ($0.file ?? place).belowHome, line: $0.line, name: $0.name) }
    }
  }

  /// Why the line cannot be written; nil if nothing is in the way.
  var obstacle: String? {
    guard let path else { return unknownPlace.description }
    if bytes == nil, setup.needsFile, system == nil || (setup.copiesSystemFile ? text == nil : setup.systemLine == nil)
    {
      return "\(shown) does not exist, and a new file would replace the system's: copy the system's file there first"
    }
    if let bytes, bytes.looksLikeJSON {
      return
        "\(shown) looks like JSON, which has no comments to mark the line with; change it by hand so that it contains: "
        + "\(setup.lines)"
    }
    if block.lacksPlace(in: text ?? []) {
      let except = setup.blockExcept.map { $0.written.split("*", omittingEmpty: true).map(\.string).joined() }.joined(
        separator: ", ")
      let words = except.isEmpty ? "" : "; a block with one of these stays as it is: \(except)"
      return "\(shown) has no block \(setup.block) { } for themed's lines\(words)"
    }
    func hidden(by paths: [AppPath]) -> Text? {
      paths.compactMap(\.existing).first { !AppTarget.isOurs($0.string) }
    }
    if let hidden = hidden(by: setup.hides) {
      return "the program would stop reading \(hidden.belowHome) once \(shown) contains: \(setup.lines)"
    }
    if bytes == nil, let hidden = hidden(by: setup.newFileHides) {
      return "\(shown) does not exist, and a new file would hide \(hidden.belowHome); if you do not need that, create "
        + "the file with: \(setup.lines)"
    }
    return conflict ?? reasonToChangeByHand(path)
  }

  var conflict: String? {
    guard let path, let text, let rival = block.rival(in: text) else { return nil }
    let place = "\(Text(path).belowHome):\(rival.line)"
    let keys = setup.conflicts.joined(separator: ", ")
    let own = replacedSettings.map(\.string).joined(separator: ", ")
    switch rival.reason {
    case .isFirst:
      return
        "\(place): this has to stay the first line, but themed's line belongs above it; add it by hand: \(setup.lines)"
    case .unclear:
      return
        "\(place): themed does not understand this line and changes nothing; by hand, remove the lines that set "
        + "\(keys)\(own.isEmpty ? "" : " (\(own))"), and add: \(setup.lines)"
    case .isOpen:
      return
        "\(place): this is never closed, so themed's line below it would never run; close it, or add this above it: "
        + "\(setup.lines)"
    case .givesMore:
      return
        "\(place): this line sets more than \(keys), so themed cannot replace it and changes nothing; change it by "
        + "hand so that the file contains: \(setup.lines)"
    }
  }

  /// The user's own lines that become comments with the line, and are restored when it is removed.
  var replacedLines: [SetupBlock.ReplacedLine] { bytes.map(block.replacedLines) ?? [] }

  package func insert(in changes: inout FileChanges) throws(Refusal) {
    guard let path else { throw unknownPlace }
    if let obstacle { throw Refusal(obstacle) }
    // An older line of ours is replaced.
    var (rest, isNew, fitting) = (bytes, bytes == nil, block)
    if isMarked {
      isNew = try withoutBlock(at: path) == nil
      // A copy of the system's file stays as it is, since that file may be gone.
      rest = try withoutBlock(at: path, keepsCopy: true)
      if rest == nil, let newBlock { fitting = newBlock }
    }
    let new = fitting.inserted(into: rest ?? beginning, isNew: isNew)
    guard new.count <= Self.maximumSize else {
      throw Refusal("\(path) is longer than \(Self.maximumSize >> 20) MiB; change it by hand: \(advice)")
    }
    changes.set(path, from: bytes, to: new)
  }

  /// Records what the file was before, so that it can be restored even if our comments are gone.
  ///
  /// For a file that already has the line, an earlier record stays.
  package func note(in before: inout EnabledRecord.Before) {
    guard let path = path.map({ Text($0) }) else { return }
    // Another group of the app may have changed the file just before.
    if before.files[path] != nil, isMarkedByApp || isSetUp { return }
    if case .bytes(let old)? = bytes.flatMap({ block.removed(from: $0) }) {
      before.files[path] = .some(old)
    } else {
      before.files[path] = .some(isMarked ? nil : bytes)
    }
  }

  /// Plans to remove the line, if it is ours, and to restore the user's own lines.
  ///
  /// Returns whether the user's lines came from the record, because the program had rewritten the file without our
  /// comments.
  @discardableResult
  package func remove(_ before: EnabledRecord.Before, in changes: inout FileChanges) throws(Refusal) -> Bool {
    guard let path, let bytes else { return false }
    guard !isMarked else {
      try checkPermission(path)
      changes.set(path, from: bytes, to: try withoutBlock(at: path, before.files[Text(path)]))
      return false
    }
    guard let original = before.files[Text(path)], let restored = block.restored(bytes, as: original) else {
      return false
    }
    try checkPermission(path)
    let old: [UInt8]? = if case .bytes(let old) = restored { old } else { nil }
    changes.set(path, from: bytes, to: original == nil && old == beginning ? nil : old)
    return true
  }

  /// The content of the file without the block; nil if the file did not exist before.
  ///
  /// - Parameter original: the file's content before, if it is known.
  private func withoutBlock(
    at path: String, _ original: [UInt8]?? = nil, keepsCopy: Bool = false
  ) throws(Refusal) -> [UInt8]? {
    switch block.removed(from: bytes ?? [], before: original, keepsCopy: keepsCopy) {
    // Of a file that themed created, nothing is left but the text that themed put before the line.
    case .bytes(let old): return original == .some(nil) && old == beginning ? nil : old
    case .noFile, nil: return nil
    case .changed(let lines):
      let places = lines.map { "\(path):\($0)" }.joined(separator: ", ")
      throw Refusal(
        "\(places): the lines that themed added here have been changed: remove them and the "
          + "two comments around them by hand; if a line begins with '\(setup.comment.start) |', it is your own: "
          + "remove only that mark")
    case .beginningGone(let line):
      throw Refusal(
        "\(path):\(line): this comment ends the lines that themed added, but the comment above them "
          + "is missing: remove this comment and themed's lines above it (\(setup.lines)) by hand; if a line begins "
          + "with '\(setup.comment.start) |', it is your own: remove only that mark")
    }
  }

  // MARK: Files

  private var unknownPlace: Refusal {
    Refusal("cannot find \(shown): the variable that it begins with is not set")
  }

  /// Refuses files that are generated or protected.
  private func checkPermission(_ path: String) throws(Refusal) {
    guard let locked = LockedFile(path) else { return }
    let lines = isMarked ? "the lines between the comments 'themed: \(app) …'" : "these lines: \(setup.lines)"
    let own =
      bytes.map(block.hasReplacedLines) == true
      ? "; if a line begins with '\(setup.comment.start) |', it is your own: remove only that mark" : ""
    throw Refusal("\(locked.words); \(locked.isGenerated ? "where it is generated" : "by hand"), remove \(lines)\(own)")
  }

  /// Why the file is not changed, and the change for the user to make; nil if nothing is in the way.
  private func reasonToChangeByHand(_ path: String) -> String? {
    guard let locked = LockedFile(path) else { return nil }
    if setup.template != nil {
      return "\(locked.words), but themed-apply has to rewrite its colours: the program reads them from this file only"
    }
    let place = locked.isGenerated ? "change it where it is generated" : "change it by hand"
    return "\(locked.words); \(place): \(advice)"
  }

  private static func read(_ path: String) throws(Refusal) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, maximum: maximumRead)
    } catch {
      guard error.code == ENOENT else { throw Refusal(error) }
      return nil
    }
  }
}

extension [UInt8] {
  /// Whether this is a file that themed created for another app, and that contains nothing else.
  fileprivate func isNewFile(ofOtherThan app: Text) -> Bool {
    SetupBlock.newFileOwner(of: self) != nil && !SetupBlock.isNewFile(self, of: app)
  }

  fileprivate var looksLikeJSON: Bool {
    let text = filter { $0 > 0x20 }.prefix(2).map { $0 }
    return ["{\"", "{}", "{/", "[{"].contains { Array($0.utf8) == text }
  }
}

extension AppPath {
  fileprivate var existing: Text? {
    resolved(in: AppPlaces.directories).flatMap { FileIdentity(of: $0.string) == nil ? nil : $0 }
  }
}
