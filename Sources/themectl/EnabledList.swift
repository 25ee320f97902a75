import ArgumentParser
import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// The list of enabled apps, as it lies on the disk.
struct EnabledList {
  let path: String
  private(set) var apps: EnabledApps
  /// What stands in it; nil if there is none.
  private let bytes: [UInt8]?

  /// Reads the list; what keeps that from being done is told to the user, and ends the command.
  init() throws {
    guard let configuration = BaseDirectory.configuration else {
      complain("neither XDG_CONFIG_HOME nor HOME says where the list of enabled apps is kept")
      throw ExitCode.failed
    }
    path = EnabledApps.path(configuration: Text(configuration)).string
    do throws(SystemError) {
      let read = try readFile(path, maximum: EnabledApps.maximumSize)
      (bytes, apps) = (read, EnabledApps(read))
    } catch {
      guard error.code == ENOENT else {
        complain("\(error)")
        throw ExitCode.failed
      }
      (bytes, apps) = (nil, EnabledApps())
    }
  }

  /// Whether there is no such file yet.
  var isNew: Bool { bytes == nil }

  /// Those that are enabled, for what only looks; none where that cannot be told.
  static var names: [Text] { seen.names }

  /// The list, for what only looks.
  static var seen: EnabledApps {
    guard let configuration = BaseDirectory.configuration else { return EnabledApps() }
    let path = EnabledApps.path(configuration: Text(configuration)).string
    return EnabledApps((try? readFile(path, maximum: EnabledApps.maximumSize)) ?? [])
  }

  /// Reads and changes what lies on the disk, while no other command does; `body` gets the directories that were made for
  /// that.
  static func locked<Value>(_ body: (_ made: [String]) throws -> Value) throws -> Value {
    guard let configuration = BaseDirectory.configuration else { return try body([]) }
    let directory = "\(configuration)/themed"
    var made: [String] = []
    while true {
      let lock: FileDescriptor
      do throws(SystemError) {
        made += missingDirectories(above: "\(directory)/")
        try makeDirectories(directory)
        lock = try openDirectory(directory)
      } catch {
        complain("\(error)\(UserFile.Refusal.advice(error))")
        throw ExitCode.failed
      }
      let outcome = ThemedUnix.lock(lock, atMostMilliseconds: 10_000) { holder in
        complain("waiting for the lock of \(Text(directory).belowHome), held by \(Self.words(holder))")
      }
      if case .held(let holder) = outcome {
        complain(
          "nothing was done, since \(Self.words(holder)) has the lock of \(Text(directory).belowHome): type this again "
            + "when that has ended")
        throw ExitCode.failed
      }
      // Another command may have removed it meanwhile, as empty.
      if let now = try? openDirectory(directory), FileNumber(of: now) == FileNumber(of: lock) {
        // Those in which nothing is written go again.
        defer { for directory in made { unsafe rmdir(directory) } }
        return try body(made)
      }
    }
  }

  private static func openDirectory(_ path: String) throws(SystemError) -> FileDescriptor {
    FileWaits.begin(path)
    defer { FileWaits.end() }
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("opening \(path)", errno) }
    return FileDescriptor(owning: number)
  }

  /// A process, for people.
  private static func words(_ process: Int32?) -> String {
    guard let process else { return "another process" }
    return "process \(process)" + (commandName(process).map { " (\(printable($0)))" } ?? "")
  }

  /// Adds or removes an app, and has the list written if that changes it.
  ///
  /// - Parameter before: what was there before; a list that was not there is removed when nothing is in it any more.
  mutating func set(_ name: Text, isEnabled: Bool, _ before: EnabledAsOf.Before, in changes: inout FileChanges) {
    let old = apps
    if isEnabled { apps.insert(name) } else { apps.remove(name) }
    guard apps != old else { return }
    let isGone = apps.bytes.isEmpty && before.files[Text(path)] == .some(nil)
    changes.set(path, from: bytes, to: isGone ? nil : apps.bytes)
  }
}
