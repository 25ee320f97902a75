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
  /// The file that the program reads while that one is not there, and what stands in it; nil where there is none such.
  private let alternative: (file: AppPath, bytes: [UInt8])?

  /// Reads the file; one that is not there is none, and one that cannot be read is refused.
  init(_ setup: App.Setup, of app: Text) throws(Refusal) {
    self.setup = setup
    block = SetupBlock(app: app, setup)
    path = setup.file.resolved(in: AppPlaces.directories)?.string
    bytes = try path.flatMap { (path) throws(Refusal) in try Self.read(path) }
    alternative = try bytes == nil ? Self.alternative(setup.alternatives) : nil
  }

  private static func alternative(_ files: [AppPath]) throws(Refusal) -> (file: AppPath, bytes: [UInt8])? {
    for file in files {
      guard let path = file.resolved(in: AppPlaces.directories)?.string, let bytes = try read(path) else { continue }
      return (file, bytes)
    }
    return nil
  }

  /// The file that the program reads now, or will.
  var file: AppPath { alternative?.file ?? setup.file }

  /// Whether it has the line.
  var isSetUp: Bool { (bytes ?? alternative?.bytes).map(block.stands) ?? false }

  /// Whether we have written into it.
  var isMarked: Bool { bytes.map(block.isMarked) ?? false }

  /// What to tell the user to do.
  var advice: String { setup.advice }

  /// What adds the line, for the user to paste into a shell; nil where a new file is not ours to propose: beside others,
  /// it may take the place of one of them, or of what the program does without any.
  var command: Text? {
    guard let path, let directory = Text(path).splitAtLast("/")?.before else { return nil }
    let isDirectoryThere = FileIdentity(of: directory.string) != nil
    guard bytes != nil || !isDirectoryThere else { return nil }
    // A last line without an end gets one.
    let isUnended = bytes.flatMap(\.last).map { $0 != 0x0A } ?? false
    let lines = (isUnended ? [""] : []) + setup.line.split("\n", omittingEmpty: true)
    let words = lines.map(\.quotedToBeRead).joined(separator: " ")
    let making = isDirectoryThere ? "" : "mkdir -p \(directory.asPlace) && "
    return Text("\(making)printf '%s\\n' \(words) >> \(Text(path).asPlace)")
  }

  /// Why the line cannot be written; nil where nothing is in the way.
  var obstacle: String? {
    guard let path else { return unknownPlace.description }
    if bytes == nil, setup.needsFile {
      return "there is no \(setup.file.shown), and a new one would take the place of the system's: copy that there "
        + "first"
    }
    return rivalry ?? reasonToLeave(path).map { "\(path) \($0)" }
  }

  /// Why the line would make the file one that cannot be read, or that hides another one; nil where it would not.
  var rivalry: String? {
    if let alternative {
      return "there is no \(setup.file.shown), and a new one may hide \(alternative.file.shown); change that by hand, "
        + "so that it comes to the same as: \(setup.lines)"
    }
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

  private var unknownPlace: Refusal { Refusal(description: "no variable says where \(setup.file.written) is") }

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

extension Text {
  /// The word of a shell that is this path.
  fileprivate var asPlace: String {
    belowHome.dropping(prefix: "~/").map { "~/\($0.asWord)" } ?? asWord
  }

  /// A word of a shell, in the quotes that need no escape where there are such.
  fileprivate var quotedToBeRead: String {
    let isPlain = contains("'") && !utf8.contains { "\"$`\\!".utf8.contains($0) }
    return isPlain ? "\"\(string)\"" : quotedForShell
  }
}
