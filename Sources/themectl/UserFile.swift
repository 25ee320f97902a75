import CThemedLinux
import ThemeApps
import ThemedText
import Glibc
import ThemedUnix

/// One of the user's files in which an app needs a line.
struct UserFile {
  /// Why the file is not changed.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The longest file that gets a line, and the longest that is read, since a file may grow before the app is disabled.
  private static let (maximumSize, maximumRead) = (4 << 20, 64 << 20)

  let setup: App.Setup
  private let block: SetupBlock
  private let app: Text
  /// The path; nil if the directory with which it begins is unknown.
  let path: String?
  /// The content; nil if the file does not exist.
  private let bytes: [UInt8]?

  /// Reads the file that the program uses.
  ///
  /// A missing file is empty; a file that cannot be read is an error.
  ///
  /// - Parameter changes: changes that are planned already, which count as done.
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
  }

  /// The files at the program's places that have our block, or had one according to the record, in use or not.
  static func changed(
    _ setup: App.Setup, of app: Text, _ before: EnabledAsOf.Before = EnabledAsOf.Before(),
    after changes: FileChanges = FileChanges()
  ) throws(Refusal) -> [UserFile] {
    var files: [UserFile] = []
    // One place may be a link to another.
    var seen: [FileIdentity] = []
    for place in setup.places(in: AppPlaces.directories) {
      if let identity = FileIdentity(of: place.string) {
        if seen.contains(identity) { continue }
        seen.append(identity)
      }
      let file = try UserFile(setup, of: app, at: place, after: changes)
      // If another group of the app still has its block, the program has not rewritten the file.
      let isRewritten = before.files[place] != nil && file.bytes.map { !SetupBlock.isMarked(in: $0, by: app) } ?? false
      if file.isMarked || isRewritten { files.append(file) }
    }
    return files
  }

  /// The path for people.
  var shown: Text { path.map { Text($0).belowHome } ?? setup.files.first?.written ?? "" }

  /// Whether the file has the line.
  var isSetUp: Bool { bytes.map(block.stands) ?? false }

  /// Whether the file has our block.
  var isMarked: Bool { bytes.map(block.isMarked) ?? false }

  /// Whether the file has our block for any group of the app.
  var isMarkedByApp: Bool { bytes.map { SetupBlock.isMarked(in: $0, by: app) } ?? false }

  /// The advice to the user.
  var advice: String { "\(shown) has to \(setup.place == .start ? "begin with" : "contain"): \(setup.lines)" }

  /// The change that is made if the user agrees.
  var change: String {
    if bytes == nil { return "creates \(shown) with: \(setup.lines)" }
    let replaced = replacedLines.map { "line \($0.number)" as Text }
    let verb = replaced.count == 1 ? "becomes a comment" : "become comments"
    let making = replaced.isEmpty ? "" : "; your \(replaced.few) \(verb) until you disable it"
    let losers = (bytes.map(block.losers) ?? []).map { "\($0.name) (line \($0.line))" as Text }
    let winning = losers.isEmpty ? "" : "; this overrides your own \(losers.few)"
    return "adds to \(setup.place == .start ? "the beginning of " : "")\(shown): \(lines)\(making)\(winning)"
  }

  /// The lines that are added, joined into one.
  var lines: String {
    block.written(into: bytes).split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ")
  }

  /// The user's first setting in the file that overrides the line; nil if none is known.
  var winner: OwnSetting? {
    bytes.flatMap(block.winner).map { OwnSetting(file: shown, line: $0.line, name: $0.name) }
  }

  /// Why the line cannot be written; nil if nothing is in the way.
  var obstacle: String? {
    guard let path else { return unknownPlace.description }
    if bytes == nil, setup.needsFile {
      return "\(shown) does not exist, and a new file would replace the system's: copy the system's file there first"
    }
    if let bytes, bytes.looksLikeJSON {
      return
        "\(shown) looks like JSON, which has no comments to mark the line with; change it by hand so that it contains: "
        + "\(setup.lines)"
    }
    if let hidden = (setup.hides + (bytes == nil ? setup.newFileHides : [])).compactMap(\.existing).first {
      return "the program would stop reading \(hidden.belowHome) once \(shown) contains: \(setup.lines)"
    }
    return rivalry ?? reasonToLeave(path).map { "\(path) \($0); change it by hand: \(advice)" }
  }

  /// Why the line would make the file invalid; nil if it would not.
  var rivalry: String? {
    guard let path, let bytes, let rival = block.rival(in: bytes) else { return nil }
    let place = "\(Text(path).belowHome):\(rival.line)"
    let keys = setup.conflicts.joined(separator: ", ")
    switch rival.reason {
    case .isFirst:
      return
        "\(place): this has to stay the first line, but themed's line belongs above it; add it by hand: \(setup.lines)"
    case .unclear:
      return
        "\(place): themed does not understand this line and changes nothing; remove by hand what sets \(keys), and add: "
        + "\(setup.lines)"
    case .givesMore:
      return
        "\(place): this line sets more than \(keys), so themed cannot replace it and changes nothing; change it by hand "
        + "so that the file contains: \(setup.lines)"
    }
  }

  /// The user's own lines that become comments with the line, and are restored when it is removed.
  var replacedLines: [SetupBlock.ReplacedLine] { bytes.map(block.replacedLines) ?? [] }

  /// Plans to write the line.
  func insert(in changes: inout FileChanges) throws(Refusal) {
    guard let path else { throw unknownPlace }
    if let obstacle { throw Refusal(description: obstacle) }
    // An older line of ours is replaced.
    let old = isMarked ? try withoutBlock(at: path) : bytes
    let new = block.inserted(into: old)
    guard new.count <= Self.maximumSize else {
      throw Refusal(description: "\(path) is longer than \(Self.maximumSize >> 20) MiB; change it by hand: \(advice)")
    }
    changes.set(path, from: bytes, to: new)
  }

  /// Records what the file was before, so that it can be restored even if our comments are gone.
  ///
  /// For a file that already has the line, an earlier record stays.
  func note(in before: inout EnabledAsOf.Before) {
    guard let path = path.map({ Text($0) }) else { return }
    if before.files[path] != nil, isMarked || isSetUp { return }
    if case .bytes(let old)? = bytes.flatMap(block.removed) {
      before.files[path] = .some(old)
    } else {
      before.files[path] = .some(isMarked ? nil : bytes)
    }
  }

  /// How the user's file was restored.
  enum Restoring {
    /// As it was, with the changes made elsewhere in it since.
    case asBefore
    /// The program had rewritten it without our comments, so the user's lines came from the record.
    case fromRecord
  }

  /// Plans to remove the line and to restore the user's own lines; nil if the line is not ours.
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

  /// The content of the file without the block; nil if the file did not exist before.
  private func withoutBlock(at path: String) throws(Refusal) -> [UInt8]? {
    switch block.removed(from: bytes ?? []) {
    case .bytes(let old): return old
    case .noFile, nil: return nil
    case .changed(let line):
      throw Refusal(
        description: "\(path):\(line): the lines that themed added here were changed since: remove them by hand, "
          + "with the two comments around them; where a line of your own begins with "
          + "'\(setup.comment.start) |', remove only that mark")
    }
  }

  // MARK: Files

  private var unknownPlace: Refusal {
    Refusal(description: "cannot find \(shown): the variable that it begins with is not set")
  }

  /// Refuses files that are read-only, belong to another user or have hard links, because replacing would change them.
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
    return status.st_nlink > 1 ? "has another name (a hard link)" : nil
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
  /// Whether the content begins like JSON, whatever the file's name is.
  fileprivate var looksLikeJSON: Bool {
    let text = filter { $0 > 0x20 }.prefix(2).map { $0 }
    return ["{\"", "{}", "{/", "[{"].contains { Array($0.utf8) == text }
  }
}

/// A setting of the user's own that overrides ours.
struct OwnSetting: Equatable {
  /// The path of its file, for people.
  let file: Text
  let line: Int
  let name: Text

  /// Why our setting has no effect, to follow other words.
  var words: String { "hidden by your own setting at \(file):\(line) (\(name.shown(atMost: 80)))" }
}

extension AppPath {
  /// The absolute path, if something exists there.
  fileprivate var existing: Text? {
    resolved(in: AppPlaces.directories).flatMap { FileIdentity(of: $0.string) == nil ? nil : $0 }
  }
}
