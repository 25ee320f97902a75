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

  /// The longest that is read, in bytes.
  private static let maximumSize = 4 << 20

  let setup: App.Setup
  private let block: SetupBlock
  /// Where it is; nil where the directory that its path begins with is not known.
  let path: String?
  /// What stands in it; nil where there is none.
  private let bytes: [UInt8]?

  /// Reads the file that the program has in use; one that is not there is none, and one that cannot be read is refused.
  init(_ setup: App.Setup, of app: Text) throws(Refusal) {
    let place = setup.place(in: AppPlaces.directories) { FileIdentity(of: $0.string) != nil }
    try self.init(setup, of: app, at: place)
  }

  private init(_ setup: App.Setup, of app: Text, at place: Text?) throws(Refusal) {
    path = place?.string
    bytes = try path.flatMap { (path) throws(Refusal) in try Self.read(path) }
    self.setup = place.map { [bytes] in setup.adapted(to: $0, isNew: bytes == nil) } ?? setup
    block = SetupBlock(app: app, self.setup)
  }

  /// The files at the program's places that have a block of ours, in use or not.
  static func marked(_ setup: App.Setup, of app: Text) throws(Refusal) -> [UserFile] {
    var files: [UserFile] = []
    for place in setup.places(in: AppPlaces.directories) {
      let file = try UserFile(setup, of: app, at: place)
      if file.isMarked { files.append(file) }
    }
    return files
  }

  /// Where it is, for people.
  var shown: Text { path.map { Text($0).belowHome } ?? setup.files.first?.written ?? "" }

  /// Whether it has the line.
  var isSetUp: Bool { bytes.map(block.stands) ?? false }

  /// Whether we have written into it.
  var isMarked: Bool { bytes.map(block.isMarked) ?? false }

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
    if let hidden = (setup.hides + (bytes == nil ? setup.newFileHides : [])).compactMap(\.existing).first {
      return "\(hidden.belowHome) would no longer be read once \(shown) has: \(setup.lines)"
    }
    return rivalry ?? reasonToLeave(path).map { "\(path) \($0)" }
  }

  /// Why the line would make the file one that cannot be read; nil where it would not.
  var rivalry: String? {
    guard let path, let bytes, let rival = block.rival(in: bytes) else { return nil }
    let place = "\(Text(path).belowHome):\(rival.line)"
    let keys = setup.conflicts.joined(separator: ", ")
    switch rival.reason {
    case .isFirst:
      return "\(place): this has to stay the first line, and themed's line belongs above it; add it by hand: \(setup.lines)"
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

  /// Writes the line, with a copy of the file beside it; the path of the copy, nil where there was no file.
  func insert() throws(Refusal) -> String? {
    guard let path else { throw unknownPlace }
    if bytes == nil, let obstacle { throw Refusal(description: obstacle) }
    if let rivalry { throw Refusal(description: rivalry) }
    guard !isMarked else {
      // An older line of ours makes way.
      let old = try withoutBlock(at: path)
      try replace(with: block.inserted(into: old))
      return nil
    }
    let isFirst = bytes.map { !SetupBlock.isAnyMarked(in: $0) } ?? false
    let copy = isFirst ? try bytes.map { (bytes) throws(Refusal) in try writeCopy(of: bytes) } : nil
    try replace(with: block.inserted(into: bytes))
    return copy
  }

  /// Takes the line away, and the copy that says no more than the file does then; false where it is not ours.
  func remove() throws(Refusal) -> Bool {
    guard let path, isMarked else { return false }
    guard let old = try withoutBlock(at: path) else {
      try checkUnchanged()
      do throws(SystemError) {
        // A link was there before the file that it leads to.
        guard unsafe unlink(try destination(of: path)) == 0 else { throw SystemError("removing \(path)", errno) }
      } catch { throw Refusal(error) }
      return true
    }
    try replace(with: old)
    for copy in copies where (try? Self.read(copy)) == .some(old) { unsafe unlink(copy) }
    return true
  }

  /// What is in the file without the block; nil where there was none.
  private func withoutBlock(at path: String) throws(Refusal) -> [UInt8]? {
    switch block.removed(from: bytes ?? []) {
    case .bytes(let old): return old
    case .noFile, nil: return nil
    case .changed(let line):
      throw Refusal(
        description: "\(path):\(line): what themed added begins here and was changed since: remove it by hand, "
          + "with the two comments around it")
    }
  }

  // MARK: Files

  private var unknownPlace: Refusal { Refusal(description: "no variable says where \(shown) is") }

  /// The names of copies beside it.
  private var copies: [String] {
    guard let path else { return [] }
    return [path + ".before-themed"] + (2...9).map { "\(path).before-themed-\($0)" }
  }

  private func writeCopy(of bytes: [UInt8]) throws(Refusal) -> String {
    for copy in copies {
      let there = try Self.read(copy)
      if there == bytes { return copy }
      guard there == nil else { continue }
      do throws(SystemError) {
        try writeFile(copy, bytes)
      } catch { throw Refusal(error) }
      return copy
    }
    throw Refusal(description: "there are copies \(copies[0]) and so on to -9: remove those that are not needed")
  }

  private func replace(with new: [UInt8]) throws(Refusal) {
    guard let path else { throw unknownPlace }
    try checkUnchanged()
    try checkPermission(path)
    do throws(SystemError) {
      try writeFile(path, new)
    } catch {
      throw Refusal(
        description: "\(error); change it by hand: \(advice)")
    }
  }

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
    return status.st_nlink > 1 ? "has another name, by a hard link" : nil
  }

  /// An editor may have saved it meanwhile.
  private func checkUnchanged() throws(Refusal) {
    guard let path, try Self.read(path) == bytes else {
      throw Refusal(description: "\(path ?? "it") was changed meanwhile; try again")
    }
  }

  private static func read(_ path: String) throws(Refusal) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, maximum: maximumSize)
    } catch {
      guard error.code == ENOENT else { throw Refusal(error) }
      return nil
    }
  }
}

extension UserFile.Refusal {
  init(_ error: SystemError) { description = "\(error)" }
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
