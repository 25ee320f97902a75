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
  private let block: SetupBlock
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
    if bytes == nil { return "\(shown) is made, with: \(setup.lines)" }
    let replaced = replacedLines.map { "line \($0.number)" as Text }
    let verb = replaced.count == 1 ? "becomes a comment" : "become comments"
    let making = replaced.isEmpty ? "" : "; your \(replaced.few) \(verb) until you disable it"
    let losers = (bytes.map(block.losers) ?? []).map { "\($0.name) (line \($0.line))" as Text }
    let winning = losers.isEmpty ? "" : "; this wins over your own \(losers.few)"
    return "\(shown) gets\(setup.place == .start ? ", as its beginning" : ""): \(lines)\(making)\(winning)"
  }

  /// What is added to it, in one line.
  var lines: String {
    block.written(into: bytes).split("\n", omittingEmpty: true).map(\.string).joined(separator: ", and: ")
  }

  /// The first setting of the user's in it that wins over the line; nil if none does, as far as is known.
  var winner: OwnSetting? {
    bytes.flatMap(block.winner).map { OwnSetting(file: shown, line: $0.line, name: $0.name) }
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
    if let hidden = (setup.hides + (bytes == nil ? setup.newFileHides : [])).compactMap(\.existing).first {
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
    if case .bytes(let old)? = bytes.flatMap({ block.removed(from: $0) }) {
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
      changes.set(path, from: bytes, to: try withoutBlock(at: path, before.files[Text(path)]))
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
  ///
  /// - Parameter original: what it was before, as far as that is known.
  private func withoutBlock(at path: String, _ original: [UInt8]?? = nil) throws(Refusal) -> [UInt8]? {
    switch block.removed(from: bytes ?? [], before: original) {
    case .bytes(let old): return old
    case .noFile, nil: return nil
    case .changed(let line):
      throw Refusal(
        description: "\(path):\(line): what themed added begins here and was changed since: remove it by hand, "
          + "with the two comments around it; of your own lines in it, which begin with "
          + "'\(setup.comment.start) |', take away only that")
    case .beginningGone(let line):
      throw Refusal(
        description: "\(path):\(line): what themed added ends here, and the comment where it began is gone: remove by "
          + "hand this comment and what themed added above it (\(setup.lines)); of your own lines there, which begin "
          + "with '\(setup.comment.start) |', take away only that")
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
    FileWaits.begin(path)
    defer { FileWaits.end() }
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
  /// Why files were not changed, with what to do about it.
  init(_ error: any Error) {
    guard let error = error as? SystemError else {
      description = "\(error)"
      return
    }
    description =
      error.code == StagedFile.changedMeanwhile
      ? "\(error.operation); nothing was changed, try again" : "\(error)\(Self.advice(error))"
  }

  /// What to do about an error, to follow it; nothing where nobody knows.
  static func advice(_ error: SystemError) -> String {
    switch error.code {
    case EACCES, EPERM:
      "; nothing was changed: make the file and its directory writable for you ('chmod u+w'), and try again"
    case EROFS: "; nothing was changed: its file system is read-only ('findmnt -T' says which)"
    case ENOSPC, EDQUOT: "; nothing was changed: make room on its disk, and try again"
    default: ""
    }
  }
}

extension [UInt8] {
  /// Whether this begins as JSON does, whatever the file is called.
  fileprivate var looksLikeJSON: Bool {
    let text = filter { $0 > 0x20 }.prefix(2).map { $0 }
    return ["{\"", "{}", "{/", "[{"].contains { Array($0.utf8) == text }
  }
}

/// A setting of the user's own that wins over what we wrote.
struct OwnSetting: Equatable {
  /// Its file, for people.
  let file: Text
  let line: Int
  let name: Text

  /// Why nothing is seen, behind other words.
  var words: String { "hidden by your own setting at \(file):\(line) (\(name.shown(atMost: 80)))" }
}

extension AppPath {
  /// The absolute path, if something is there.
  fileprivate var existing: Text? {
    resolved(in: AppPlaces.directories).flatMap { FileIdentity(of: $0.string) == nil ? nil : $0 }
  }
}
