public import Foundation

/// A directory of one test's own, with a path short enough for sockets, removed with all it holds.
public final class ScratchDirectory {
  /// The directory itself.
  public let url: URL

  /// Makes a new directory.
  public init() throws {
    url = URL(filePath: try TestRun.current.get().newDirectory())
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The absolute path of something inside.
  public func path(_ relative: String) -> String {
    url.appending(path: relative).path(percentEncoded: false)
  }

  /// Makes a directory inside, readable by its owner alone, and returns its path.
  @discardableResult
  public func directory(_ relative: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(relative), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return path(relative)
  }

  /// Writes a file inside, with the directories above it, and returns its path.
  @discardableResult
  public func write(_ text: String, to relative: String) throws -> String {
    let file = path(relative)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}
