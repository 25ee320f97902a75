internal import CThemedLinux
internal import Glibc
internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

/// The overrides' file on disk with its lock, as the thread that keeps it accesses it.
///
/// It is unchecked because only that thread uses it, one job at a time.
final class OverrideStore: SavedFile, @unchecked Sendable {
  private let path: String
  private var lock: StateLock

  /// The store of the file at `path`.
  init(_ path: String) {
    self.path = path
    lock = StateLock(besideFile: path)
  }

  /// Takes the lock and reads the file; a missing file has no overrides.
  ///
  /// Only a file that could be read and is invalid is set aside, under the lock: a file that cannot be read may be
  /// valid.
  func load() -> Saver.Outcome {
    do throws(SystemError) {
      let isOurs = try isLockOurs()
      let (overrides, fault) = try read()
      guard isOurs else {
        return fault == nil ? .loaded(overrides, isOurs: false, warning: another) : .anothers(another)
      }
      removeTemporaryFiles(beside: path)
      return .loaded(
        overrides, isOurs: true, warning: try fault.map { (fault) throws(SystemError) in try setAside(fault) })
    } catch {
      return .failed("\(error)")
    }
  }

  /// Replaces the file if the lock is ours.
  func save(_ content: [UInt8]) -> Saver.Outcome {
    do throws(SystemError) {
      guard try lock.take() else { return .anothers(another) }
      try replaceFile(path, with: content)
      return .saved
    } catch {
      return .failed("\(error)")
    }
  }

  private var another: String {
    "overrides are not saved: another themed uses \(path)"
  }

  /// Whether no other daemon holds the lock.
  private func isLockOurs() throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try lock.take()
    } catch {
      // The file may be readable without being writable; saving takes the lock first and will report it.
      guard [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, ENOTDIR].contains(error.code) else { throw error }
      return true
    }
  }

  /// The content of the file, and what is wrong with it.
  private func read() throws(SystemError) -> (overrides: Overrides, fault: String?) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, maximum: Limits.stateFile)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return (Overrides(), nil) }
      guard error.code == EFBIG || isRegularFile(path) == false else { throw error }
      return (Overrides(), "is not a file that themed wrote: \(error)")
    }
    do throws(OverrideFile.Damage) {
      return (try OverrideFile.parse(bytes), nil)
    } catch {
      return (Overrides(), "is damaged: \(error)")
    }
  }

  /// Renames the file; returns the warning.
  private func setAside(_ fault: String) throws(SystemError) -> String {
    let start = "\(path).damaged-\(time(nil))"
    let names = (1...100).lazy.map { $0 == 1 ? start : "\(start)-\($0)" }
    do throws(SystemError) {
      let aside = try moveAside(path, to: names)
      return "\(path) \(fault); it was moved to \(aside), and no override is restored"
    } catch {
      throw SystemError("\(path) \(fault); \(error.operation)", error.code)
    }
  }
}

/// The overrides as a file: `overrides.json` in the state directory.
struct OverrideFile {
  /// Why a state file cannot be used although it could be read.
  struct Damage: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private static let version: Int64 = 1

  /// The content of the file for `overrides`.
  static func content(_ overrides: Overrides) -> [UInt8] {
    let list = overrides.list.map { entry($0.override, $0.end) }
    let toggled = overrides.toggled.map { app, toggled in
      let before = toggled.before
      let override = Override(
        app: app, scheme: before.map { Mode($0.value) }, expiresAt: before?.end.expiresAt,
        untilDesktopChanges: before?.end.desktopWas.map { _ in true })
      return entry(override, before?.end ?? End())
    }
    var file: JSON.Object = ["version": .integer(version), "overrides": .array(list)]
    if !toggled.isEmpty { file["toggled"] = .array(toggled) }
    return JSON.object(file).bytes + [UInt8(ascii: "\n")]
  }

  private static func entry(_ override: Override, _ end: End) -> JSON {
    var entry = override.parameters
    entry["desktopWas"] = end.desktopWas.map { .word($0.rawValue) }
    entry["turn"] = end.turn.map { .object($0.parameters) }
    return .object(entry)
  }

  /// Reads what ``content(_:)`` made.
  static func parse(_ bytes: [UInt8]) throws(Damage) -> Overrides {
    var overrides = Overrides()
    do {
      guard case .object(let object) = try JSON(parsing: bytes) else {
        throw Damage(description: "it is not a JSON object")
      }
      var file = Parameters(object)
      guard try file.integer("version") == version else {
        throw Damage(description: "its version is not \(version), the only one that this daemon reads")
      }
      guard case .array(let list)? = file.value("overrides") else {
        throw Damage(description: "'overrides' is missing or not a list")
      }
      let toggled: [JSON]
      switch file.value("toggled") {
      case nil: toggled = []
      case .array(let list)?: toggled = list
      default: throw Damage(description: "'toggled' is not a list")
      }
      try file.finish()
      for (override, end) in try entries(list) { overrides[app: override.app].set(override, until: end) }
      // After the rules, because setting a scheme forgets what a toggle replaced.
      for (override, end) in try entries(toggled) {
        overrides[app: override.app].toggled = Toggled(
          before: override.scheme.map {
            OverriddenField($0.scheme, until: end)
          })
      }
    } catch let damage as Damage {
      throw damage
    } catch let error as VarlinkError {
      throw Damage(description: "a wrong or unknown member: \(JSON.object(error.parameters).text)")
    } catch {
      throw Damage(description: "\(error)")
    }
    return overrides
  }

  private static func entries(_ list: [JSON]) throws -> [(Override, End)] {
    try list.map { value in
      guard case .object(let object) = value else { throw Damage(description: "an override is not a JSON object") }
      var parameters = Parameters(object.withAccentAsText)
      let override = try Override(reading: &parameters)
      let desktopWas = try parameters.word("desktopWas", of: Preference.self)
      let turn = try parameters.structure("turn", Switch.init)
      try parameters.finish()
      // No client could name this app, or remove its override.
      guard override.app.map(isAppName) ?? true else { throw Damage(description: "the name of an app is invalid") }
      // No clock shows such times, and they cannot be calculated with.
      guard override.expiresAt.map(Limits.expiryTimes.contains) ?? true else {
        throw Damage(description: "the end of an override is invalid")
      }
      guard turn.map({ Limits.expiryTimes.contains($0.time) }) ?? true else {
        throw Damage(description: "the time of a schedule's switch is invalid")
      }
      let end = desktopWas.map { End(expiresAt: override.expiresAt, desktopWas: $0, turn: turn) }
      return (override, end ?? End(of: override, desktop: .unavailable))
    }
  }
}

extension JSON.Object {
  /// The object with the accent colour as `#rrggbb`; earlier versions saved it as three numbers from 0 to 1.
  var withAccentAsText: JSON.Object {
    guard case .object(let components)? = self["accentColor"] else { return self }
    var parts = Parameters(components)
    func component(_ name: Text) -> Double? { (try? parts.number(name)) ?? nil }
    guard let red = component("red"), let green = component("green"), let blue = component("blue"),
      let color = Color(red: red, green: green, blue: blue), (try? parts.finish()) != nil
    else { return self }
    var object = self
    object["accentColor"] = .word(color.hexadecimal)
    return object
  }
}

/// Decides which of several daemons with different sockets saves its overrides in the one state file.
///
/// Only the thread that saves the file uses it, so that a home directory that hangs blocks nothing else.
struct StateLock: ~Copyable {
  private let path: String
  private var held: FileDescriptor?
  /// The file number of the lock that is held.
  private var number: FileNumber?

  /// The lock of a file, which is not taken yet.
  init(besideFile file: String) {
    path = file + ".lock"
  }

  /// Takes the lock, or checks that the held one is still at its path; false if another daemon holds it.
  mutating func take() throws(SystemError) -> Bool {
    if let number, number == FileNumber(of: path) { return true }
    // Our lock file was removed or replaced, so another daemon may hold the new one.
    held = nil
    number = nil
    try makeDirectories(parent(of: path))
    let lock: FileDescriptor
    do throws(SystemError) { lock = try openLockFile(path) } catch {
      // If this is not a file, no other daemon can lock it either.
      if [EISDIR, ELOOP, ENXIO, ENODEV].contains(error.code) { return true }
      throw error
    }
    do throws(SystemError) {
      guard try tryToLock(lock) else { return false }
    } catch {
      // The file system does not support locks.
      guard [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(error.code) else {
        throw SystemError("cannot lock \(path)", error.code)
      }
    }
    number = FileNumber(of: lock)
    held = consume lock
    return true
  }
}
