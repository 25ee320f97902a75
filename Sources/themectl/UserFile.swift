import CThemedLinux
import ThemeApps
import ThemedText
import Glibc
import ThemedUnix

/// A file of the user's that an app needs a line in.
struct UserFile {
  /// Why it is left alone.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest that a line is written into, and the longest that is read: it may grow before it is undone.
  private static let (maximumSize, maximumRead) = (4 << 20, 64 << 20)

  let setup: App.Setup
  private var block: SetupBlock
  private let app: Text
  /// Where it is; nil where the directory that its path begins with is not known.
  let path: String?
  /// What stands in it; nil where there is none.
  private let bytes: [UInt8]?

  /// Reads the file that the program has in use; one that is not there is none, and one that cannot be read is refused.
  ///
  /// - Parameter changes: what it is to be changed to already.
  init(_ setup: App.Setup, of app: Text, after changes: FileChanges = FileChanges()) throws(Refusal) {
    let place = setup.place(in: AppPlaces.directories) { FileIdentity(of: $0.string) != nil }
    try self.init(setup, of: app, at: place, after: changes)
  }

  private init(_ setup: App.Setup, of app: Text, at place: Text?, after changes: FileChanges) throws(Refusal) {
    path = place?.string
    bytes = try path.flatMap { (path) throws(Refusal) in
      if let pending = changes.pending(path) { return pending }
      return try Self.read(path)
    }
    self.setup = place.map { [bytes] in setup.adapted(to: $0, isNew: bytes == nil) } ?? setup
    block = SetupBlock(app: app, self.setup)
    self.app = app
    if let words = bytes.flatMap(block.parser) {
      block.maySeeOpen = Program.run(words.map(\.string), atMost: 2)?.status != 0
    }
  }

  /// The files at the program's places that have a block of ours, or had one as far as is known, in use or not.
  static func changed(
    _ setup: App.Setup, of app: Text, _ before: EnabledAsOf.Before = EnabledAsOf.Before(),
    after changes: FileChanges = FileChanges()
  ) throws(Refusal) -> [UserFile] {
    var files: [UserFile] = []
    // One of the places may be a link to another one.
    var seen: [FileIdentity] = []
    for place in setup.places(in: AppPlaces.directories) {
      if let identity = FileIdentity(of: place.string) {
        if seen.contains(identity) { continue }
        seen.append(identity)
      }
      let file = try UserFile(setup, of: app, at: place, after: changes)
      // The block of another of the app's groups says that its program has rewritten nothing.
      let isRewritten = before.files[place] != nil && file.bytes.map { !SetupBlock.isMarked(in: $0, by: app) } ?? false
      if file.isMarked || isRewritten { files.append(file) }
    }
    return files
  }

  /// Where it is, for people.
  var shown: Text { path.map { Text($0).belowHome } ?? setup.files.first?.written ?? "" }

  /// Whether it has the line.
  var isSetUp: Bool { bytes.map(block.stands) ?? false }

  /// Whether we have written into it.
  var isMarked: Bool { bytes.map(block.isMarked) ?? false }

  /// Whether we have written into it for any group of the app.
  var isMarkedByApp: Bool { bytes.map { SetupBlock.isMarked(in: $0, by: app) } ?? false }

  /// What to tell the user to do.
  var advice: String { "\(shown) has to \(setup.place == .start ? "begin with" : "have"): \(setup.lines)" }

  /// What is done if the user agrees.
  var change: String {
    guard let bytes else { return "\(shown) is made, with: \(setup.lines)" }
    // What is made a comment, and what stands above a line that wins.
    let losers = block.losers(in: bytes, including: included)
      .map { "\($0.name) at \($0.file?.belowHome ?? shown):\($0.line)" as Text }
    let replaced = replacedSettings + losers
    let replacing =
      replaced.isEmpty
      ? "" : "; this replaces your \(replaced.few), which 'themectl app disable \(app.asWord)' restores"
    let place =
      setup.place == .start
      ? ", as its beginning"
      : block.end(of: bytes).map { ", above line \($0.line) (\($0.text.shown(atMost: 40)))" } ?? ""
    return "\(shown) gets\(place): \(lines)\(replacing)"
  }

  /// The user's settings that become comments, each with its first line.
  private var replacedSettings: [Text] {
    guard let bytes else { return [] }
    var names: [Text] = []
    return replacedLines.compactMap { line in
      let name = block.name(ofReplaced: line, in: bytes)
      // What stands in a table goes with it.
      guard !names.contains(where: { $0 == name || name.hasPrefix("\($0).") }), !line.text.isEmpty else { return nil }
      names.append(name)
      return "\(name) at \(shown):\(line.number)"
    }
  }

  /// Why the line, which stands in the file, never runs; nil if it runs, or does not stand there.
  var idleness: String? {
    guard let barrier = bytes.flatMap(block.barrier) else { return nil }
    let text = barrier.text.shown(atMost: 60)
    switch barrier.reason {
    case .ends: return "its line in \(shown) never runs: line \(barrier.line) (\(text)) ends the file above it"
    case .isOpen: return "its line in \(shown) never runs: what line \(barrier.line) (\(text)) begins has no end"
    case .quotes:
      return "its line in \(shown) never runs: it is part of the text that line \(barrier.line) (\(text)) begins"
    }
  }

  /// Finds the files that a file of the user's includes; those that are written for apps are none of the user's.
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

  /// Where a path leads that stands in a file of the user's.
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

  /// What is added to it, in one line.
  var lines: String {
    block.written(into: bytes).split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ")
  }

  /// The first setting of the user's in it that wins over the line; nil if none does, as far as is known.
  var winner: OwnSetting? {
    bytes.flatMap { block.winner(in: $0, including: included) }
      .map { .setting(file: $0.file?.belowHome ?? shown, line: $0.line, name: $0.name) }
  }

  /// Why the line cannot be written; nil where nothing is in the way.
  var obstacle: String? {
    guard let path else { return unknownPlace.description }
    if bytes == nil, setup.needsFile {
      return "there is no \(shown), and a new one would take the place of the system's: copy that there first"
    }
    if let bytes, bytes.looksLikeJSON {
      return
        "\(shown) looks like JSON, which has no comments that a line can stand between; change it by hand, so that "
        + "it has: \(setup.lines)"
    }
    let hides = (setup.hides + (bytes == nil ? setup.newFileHides : [])).compactMap(\.existing)
    if let hidden = hides.first(where: { !AppTarget.isOurs($0.string) }) {
      return "\(hidden.belowHome) would no longer be read once \(shown) has: \(setup.lines)"
    }
    return rivalry ?? reasonToLeave(path).map { "\(path) \($0); change it by hand: \(advice)" }
  }

  /// Why the line would make the file one that cannot be read; nil where it would not.
  var rivalry: String? {
    guard let path, let bytes, let rival = block.rival(in: bytes) else { return nil }
    let place = "\(Text(path).belowHome):\(rival.line)"
    let keys = setup.conflicts.joined(separator: ", ")
    switch rival.reason {
    case .isFirst:
      return
        "\(place): this has to stay the first line, and themed's line belongs above it; add it by hand: \(setup.lines)"
    case .unclear:
      return "\(place): themed does not understand this line, and changes nothing; by hand, take out what sets "
        + "\(keys), and add: \(setup.lines)"
    case .isOpen:
      return
        "\(place): what begins here has no end, so a line of themed's would never run below it; end it, or add this above "
        + "it: \(setup.lines)"
    case .givesMore:
      return "\(place): this sets more than what has to make way (\(keys)), and themed changes nothing; change it by "
        + "hand so that it has: \(setup.lines)"
    }
  }

  /// The user's own lines that become comments when the line is written, and come back when it is taken away.
  var replacedLines: [SetupBlock.ReplacedLine] { bytes.map(block.replacedLines) ?? [] }

  /// Has the line written, once everything else is known to be possible.
  func insert(in changes: inout FileChanges) throws(Refusal) {
    guard let path else { throw unknownPlace }
    if let obstacle { throw Refusal(description: obstacle) }
    // An older line of ours makes way.
    let old = isMarked ? try withoutBlock(at: path) : bytes
    let new = block.inserted(into: old)
    guard new.count <= Self.maximumSize else {
      throw Refusal(description: "\(path) is longer than \(Self.maximumSize >> 20) MiB; change it by hand: \(advice)")
    }
    changes.set(path, from: bytes, to: new)
  }

  /// What was there before, for who undoes it although our comments are gone: of a file that has the line already, what
  /// is known of it.
  func note(in before: inout EnabledAsOf.Before) {
    guard let path = path.map({ Text($0) }) else { return }
    if before.files[path] != nil, isMarked || isSetUp { return }
    if case .bytes(let old)? = bytes.flatMap(block.removed) {
      before.files[path] = .some(old)
    } else {
      before.files[path] = .some(isMarked ? nil : bytes)
    }
  }

  /// How the user's file came back.
  enum Restoring {
    /// As it was, with what was changed elsewhere in it since.
    case asBefore
    /// Its program had rewritten it without our comments, so the user's lines came from what it was before.
    case fromRecord
  }

  /// Has the line taken away, and the user's own put back; nil if it is not ours.
  func remove(_ before: EnabledAsOf.Before, in changes: inout FileChanges) throws(Refusal) -> Restoring? {
    guard let path, let bytes else { return nil }
    guard !isMarked else {
      try checkPermission(path)
      changes.set(path, from: bytes, to: try withoutBlock(at: path))
      return .asBefore
    }
    guard let original = before.files[Text(path)], let restored = block.restored(bytes, as: original) else {
      return nil
    }
    try checkPermission(path)
    if case .bytes(let old) = restored {
      changes.set(path, from: bytes, to: old)
    } else {
      changes.set(path, from: bytes, to: nil)
    }
    return .fromRecord
  }

  /// What is in the file without the block; nil where there was none.
  private func withoutBlock(at path: String) throws(Refusal) -> [UInt8]? {
    switch block.removed(from: bytes ?? []) {
    case .bytes(let old): return old
    case .noFile, nil: return nil
    case .changed(let line):
      throw Refusal(
        description: "\(path):\(line): what themed added begins here and was changed since: remove it by hand, "
          + "with the two comments around it; of your own lines in it, which begin with "
          + "'\(setup.comment.start) |', take away only that")
    }
  }

  // MARK: Files

  private var unknownPlace: Refusal { Refusal(description: "no variable says where \(shown) is") }

  /// A file that its owner has closed to programs, or that is somebody else's, would be another one when replaced.
  private func checkPermission(_ path: String) throws(Refusal) {
    if let reason = reasonToLeave(path) {
      throw Refusal(description: "\(path) \(reason); change it by hand: \(advice)")
    }
  }

  private func reasonToLeave(_ path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    if status.st_uid != geteuid() { return "belongs to another user" }
    if status.st_mode & S_IWUSR == 0 { return "is read-only" }
    if unsafe access(path, W_OK) != 0, errno == EROFS { return "is on a read-only file system" }
    return status.st_nlink > 1 ? "has another name, by a hard link" : nil
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

extension UserFile.Refusal {
  init(_ error: SystemError) {
    description =
      error.code == StagedFile.changedMeanwhile ? "\(error.operation); nothing was changed, try again" : "\(error)"
  }
}

extension [UInt8] {
  /// Whether this begins as JSON does, whatever the file is called.
  fileprivate var looksLikeJSON: Bool {
    let text = filter { $0 > 0x20 }.prefix(2).map { $0 }
    return ["{\"", "{}", "{/", "[{"].contains { Array($0.utf8) == text }
  }
}

extension AppPath {
  /// The absolute path, if something is there.
  fileprivate var existing: Text? {
    resolved(in: AppPlaces.directories).flatMap { FileIdentity(of: $0.string) == nil ? nil : $0 }
  }
}
