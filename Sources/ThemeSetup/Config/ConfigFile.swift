import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedModel
package import ThemedSystem

/// A change of keys in the user's `themed.conf`, which is checked before anything is written.
package struct ConfigChange {
  package let path: String
  private let settings: [(key: ConfigKey, value: Text?)]
  /// The content now; nil if the file does not exist.
  private let old: [UInt8]?
  /// The new content; nil if the file is to be removed.
  private let new: [UInt8]?

  /// Plans to set these keys, or to remove those without a value; throws if the file cannot be changed, with the lines
  /// to write by hand.
  package init(_ settings: [(key: ConfigKey, value: Text?)], in path: String, removesEmptyFile: Bool = false) throws {
    try self.init(path, settings) { old in
      var edit = try ConfigEdit(old ?? [])
      for (key, value) in settings {
        if let value { try edit.set(key, to: value) } else { edit.remove(key) }
      }
      // A link would lead to a missing file.
      let removes = old == nil || removesEmptyFile && !isSymbolicLink(path)
      return edit.bytes.isEmpty && removes ? nil : edit.bytes
    }
  }

  /// Plans to restore these earlier values, and the earlier content if it had them; nil stands for a missing key or file.
  package init(restoring earlier: [(key: ConfigKey, value: Text?)], from before: [UInt8]?, in path: String) throws {
    try self.init(path, earlier) { old in
      try old.flatMap { old in try ConfigEdit.restoring(earlier, in: old, from: before) }
    }
  }

  private init(
    _ path: String, _ settings: [(key: ConfigKey, value: Text?)], _ edit: ([UInt8]?) throws -> [UInt8]?
  ) throws {
    (self.path, self.settings) = (path, settings)
    do throws(SystemError) {
      old = try Self.read(path)
    } catch { throw Refusal("\(error)") }
    do { new = try edit(old) } catch let faults as KeyFile.Faults {
      throw Refusal(
        "\(Text(path).belowHome):\(faults.first.line): \(faults.first.text), so this file stays as it is; correct that "
          + "line, and run this again")
    } catch let refusal as Refusal {
      throw Refusal("\(Text(path).belowHome): \(refusal)")
    }
    if isNeeded, let obstacle { throw Refusal(obstacle, quoting: byHand) }
  }

  /// The path of the file that the daemon of this session reads; throws if that is unknown.
  package static func usualPath() throws -> String {
    guard let path = Configuration.usualPath else {
      throw Refusal("cannot find themed.conf: neither XDG_CONFIG_HOME nor HOME is set")
    }
    return path
  }

  /// The path of the file that the daemon at this socket reads; nil if no daemon runs.
  package static func path(readAt socket: String?) throws(Refusal) -> String? {
    let path: String?
    do throws(CallError) {
      var theme = try ThemeConnection(socket: socket, timeout: .toRead)
      path = try theme.call(.diagnostics).configuration.path
    } catch {
      guard error.code == .noDaemon else { throw Refusal(error, at: socket) }
      return nil
    }
    guard let path else {
      throw Refusal("themed has no home directory to read a file from: start it with HOME in its environment")
    }
    return path
  }

  package var isNeeded: Bool { old != new }

  /// The content before and after the change; empty if there is no file.
  package var contents: (old: [UInt8], new: [UInt8]) { (old ?? [], new ?? []) }

  /// The change, for people.
  package var plan: String {
    if new == nil { return "removes \(Text(path).belowHome)" }
    let words = settings.map { key, value in
      value.map { "[\(key.group)] \(key.name)=\($0)" as Text } ?? "no more [\(key.group)] \(key.name)"
    }
    return "\(old == nil ? "creates" : "changes") \(Text(path).belowHome): \(words.joined(separator: ", "))"
  }

  /// Writes the file, unless it has been changed meanwhile.
  package func perform() throws {
    guard isNeeded else { return }
    do {
      try EnabledList.locked(in: parent(of: path)) { _ in
        var changes = FileChanges()
        changes.set(path, from: old, to: new)
        try changes.carryOut()
      }
    } catch let error as SystemError {
      throw Refusal("\(Refusal(error))", quoting: error.code == StagedFile.changedMeanwhile ? [] : byHand)
    }
  }

  /// The value of a key in a file; nil if the file or the key is missing, or a line in the file is invalid.
  package static func value(_ key: ConfigKey, in path: String) -> Text? {
    guard let bytes = try? read(path) else { return nil }
    return try? ConfigEdit(bytes).value(key)
  }

  /// Whether the usual file says to keep the desktop in step.
  static var keepsDesktopInStep: Bool {
    Configuration.usualPath.flatMap { value(.desktopInStep, in: $0) } == "yes"
  }

  /// Whether the usual file sets a schedule; nil if its path is unknown.
  static var hasSchedule: Bool? {
    Configuration.usualPath.map { !["off", nil].contains(value(.schedule("mode"), in: $0)) }
  }

  /// The content of a configuration file; nil if it does not exist.
  static func read(_ path: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, maximum: Configuration.Limits.file)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  // MARK: Files that cannot be changed

  /// Why the file cannot be changed, and what to do; nil if nothing is in the way.
  private var obstacle: String? {
    guard let locked = LockedFile(path) else { return nil }
    return locked.isGenerated
      ? "\(locked.words), so it stays as it is; write these lines where the file is generated, for example in your Home "
        + "Manager configuration, and rebuild:"
      : "\(locked.words), so it stays as it is; write these lines into it by hand:"
  }

  /// The lines that the user has to write.
  private var byHand: [String] {
    settings.flatMap { key, value in value.map { key.lines($0) } ?? ["  (without \(key.name)= under [\(key.group)])"] }
  }
}
