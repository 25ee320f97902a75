import Glibc
import ThemeApps
import ThemedSystem

/// The list of enabled apps, as it is on the disk.
struct EnabledList {
  let path: String
  private(set) var apps: EnabledApps
  /// The content of the file; nil if it does not exist.
  private let bytes: [UInt8]?

  /// Reads the list; if that fails, the command says why and fails.
  init() throws {
    guard let configuration = BaseDirectory.configuration else {
      throw failed("cannot find the list of enabled apps: neither XDG_CONFIG_HOME nor HOME is set")
    }
    path = EnabledApps.path(configuration: Text(configuration)).string
    do throws(SystemError) {
      let read = try readFile(path, maximum: EnabledApps.maximumSize)
      (bytes, apps) = (read, EnabledApps(read))
    } catch {
      guard error.code == ENOENT else { throw failed("\(error)") }
      (bytes, apps) = (nil, EnabledApps())
    }
  }

  /// Whether the list's file does not exist yet.
  var isNew: Bool { bytes == nil }

  /// The names of the enabled apps, for code that changes nothing; empty if the list cannot be read.
  static var names: [Text] { seen.names }

  /// The list, for code that changes nothing.
  static var seen: EnabledApps {
    guard let configuration = BaseDirectory.configuration else { return EnabledApps() }
    let path = EnabledApps.path(configuration: Text(configuration)).string
    return EnabledApps((try? readFile(path, maximum: EnabledApps.maximumSize)) ?? [])
  }

  /// Runs a closure that reads and changes files, while no other command does so; it gets the directories that were
  /// made for that.
  ///
  /// - Parameter place: the directory to lock; nil for the usual one.
  static func locked<Value>(in place: String? = nil, _ body: (_ made: [String]) throws -> Value) throws -> Value {
    guard let directory = place ?? BaseDirectory.configuration.map({ "\($0)/themed" }) else { return try body([]) }
    var made: [String] = []
    while true {
      let lock: FileDescriptor
      do throws(SystemError) {
        made += missingDirectories(above: "\(directory)/")
        try makeDirectories(directory)
        lock = try openDirectory(directory)
      } catch { throw failed("\(error)\(Refusal.advice(error))") }
      let outcome = ThemedSystem.lock(lock, atMostMilliseconds: 10_000) { holder in
        complain("waiting for \(Self.words(holder)), which has locked \(Text(directory).belowHome)")
      }
      if case .held(let holder) = outcome {
        throw failed(
          "nothing was changed, since \(Self.words(holder)) has locked \(Text(directory).belowHome): run this again "
            + "when that process has exited")
      }
      // Another command may have removed the empty directory meanwhile.
      if let now = try? openDirectory(directory), FileNumber(of: now) == FileNumber(of: lock) {
        // Directories that stay empty are removed again.
        defer { for directory in made { unsafe rmdir(directory) } }
        return try body(made)
      }
    }
  }

  private static func openDirectory(_ path: String) throws(SystemError) -> FileDescriptor {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("cannot open \(path)", errno) }
    return FileDescriptor(owning: number)
  }

  private static func words(_ process: Int32?) -> String {
    guard let process else { return "another process" }
    return "process \(process)" + (commandName(process).map { " (\(printable($0)))" } ?? "")
  }

  /// Adds or removes an app, and plans to write the list if it changes.
  ///
  /// - Parameter before: the state before; a list that we created is removed when it is empty again.
  mutating func set(_ name: Text, isEnabled: Bool, _ before: EnabledRecord.Before, in changes: inout FileChanges) {
    let old = apps
    if isEnabled { apps.insert(name) } else { apps.remove(name) }
    guard apps != old else { return }
    let isGone = apps.bytes.isEmpty && before.files[Text(path)] == .some(nil)
    changes.set(path, from: bytes, to: isGone ? nil : apps.bytes)
  }
}
