internal import CThemedLinux
internal import Glibc

/// The new content of a file, complete and on disk, but not yet in place: everything that can fail fails before
/// anything changes.
///
/// Two steps follow. ``put()`` gives it the file's name, and ``settle()`` removes the old file. Until then,
/// ``takeBack()`` undoes everything and restores the old file itself, with its number, times and links.
public final class StagedFile {
  /// The error code of ``put()`` if another program has changed the file meanwhile.
  public static let changedMeanwhile = ESTALE

  public let path: String
  private let old: [UInt8]?
  private let new: [UInt8]?
  private let other: String
  private let madeDirectories: [String]
  private var step = Step.staged

  private enum Step {
    case staged
    /// `other` is the old file, if there was one.
    case put
    /// The file system cannot exchange two names: to undo this, the old content is written again.
    case written
    case over
  }

  /// Writes `new` beside `path`, with the mode, the group and the extended attributes of the file; nil removes the
  /// file.
  ///
  /// - Parameter old: The expected content; nil if there should be no file.
  public init(_ path: String, expecting old: [UInt8]?, writing new: [UInt8]?) throws(SystemError) {
    (self.path, self.old, self.new) = (path, old, new)
    FileWaits.begin(path)
    defer { FileWaits.end() }
    let directory = parent(of: path)
    let made = missingDirectories(above: path)
    do throws(SystemError) {
      try makeDirectories(directory)
      removeAbandonedFiles(beside: path)
      let temporary = try TemporaryFile(beside: path)
      other = temporary.path
      madeDirectories = made
      do throws(SystemError) {
        guard let new else { return }
        try writeAll(new, to: temporary.descriptor, "cannot write the new \(path)")
        // After writing, because the kernel clears the setgid bit when an ordinary user writes.
        if old != nil {
          try Self.copyAttributes(from: path, to: temporary.descriptor)
        } else if new.starts(with: Array("#!".utf8)), fchmod(temporary.descriptor.raw, 0o700) != 0 {
          throw SystemError(errnoOf: "cannot make the new \(path) executable")
        }
        guard fsync(temporary.descriptor.raw) == 0 else {
          throw SystemError(errnoOf: "cannot sync the new \(path)")
        }
      } catch {
        unsafe unlink(other)
        throw error
      }
    } catch {
      for directory in made { unsafe rmdir(directory) }
      throw error
    }
  }

  deinit {
    // Such as after a failed put().
    if step != .over { takeBack() }
  }

  /// Gives it the file's name, if the file still has the expected content.
  ///
  /// It checks the old file after that has lost its name, so that a save in between is noticed.
  public func put() throws(SystemError) {
    guard step == .staged else { return }
    FileWaits.begin(path)
    defer { FileWaits.end() }
    guard old != nil else { return try putNew() }
    // A removal moves the file to the other name, over the empty file there.
    if unsafe (new == nil ? rename(path, other) : themed_rename_exchange(other, path)) == 0 {
      step = .put
      guard (try? readFile(other, maximum: .max)) == .some(old ?? []) else {
        takeBack()
        throw SystemError("cannot replace \(path), because it was changed meanwhile", Self.changedMeanwhile)
      }
    } else {
      guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
        throw SystemError(
          errnoOf: errno == ENOENT ? "cannot replace \(path), because it was removed" : "cannot replace \(path)")
      }
      guard try readFile(path, maximum: .max) == old else {
        throw SystemError("cannot replace \(path), because it was changed meanwhile", Self.changedMeanwhile)
      }
      guard unsafe rename(other, path) == 0 else {
        throw SystemError(errnoOf: "cannot replace \(path)")
      }
      step = .written
    }
    try syncDirectory(parent(of: path))
  }

  private func putNew() throws(SystemError) {
    guard new != nil else { return drop() }
    if unsafe themed_rename_no_replace(other, path) != 0 {
      let code = errno
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(code), FileNumber(of: path) == nil else {
        let isThere = code == EEXIST || FileNumber(of: path) != nil
        throw SystemError("cannot create \(path)", isThere ? Self.changedMeanwhile : code)
      }
      guard unsafe rename(other, path) == 0 else { throw SystemError(errnoOf: "cannot create \(path)") }
    }
    step = .put
    try syncDirectory(parent(of: path))
  }

  /// Removes the old file; after this there is no way back.
  public func settle() {
    if step == .put || step == .written { unsafe unlink(other) }
    step = .over
  }

  /// Undoes ``put()``, unless another program has changed the file since.
  public func takeBack() {
    switch step {
    case .staged: return drop()
    case .over: return
    case .written:
      if let old, (try? readFile(path, maximum: .max)) == .some(new ?? []) {
        try? replaceFile(path, with: old, keepingMode: true)
      }
    case .put where old == nil:
      if (try? readFile(path, maximum: .max)) == .some(new ?? []) { unsafe unlink(path) }
    case .put where new == nil:
      // Not every file system can refuse to replace a file.
      if unsafe themed_rename_no_replace(other, path) != 0, FileNumber(of: path) == nil {
        _ = unsafe rename(other, path)
      }
    case .put:
      guard unsafe themed_rename_exchange(other, path) == 0 else { break }
      // Another program saved the file again: its version stays.
      if (try? readFile(other, maximum: .max)) != .some(new ?? []) { _ = unsafe themed_rename_exchange(other, path) }
      unsafe unlink(other)
    }
    step = .over
    for directory in madeDirectories { unsafe rmdir(directory) }
  }

  private func drop() {
    step = .over
    unsafe unlink(other)
    for directory in madeDirectories { unsafe rmdir(directory) }
  }

  /// Copies the mode, the group and the extended attributes, including access lists, as far as this user may set them.
  private static func copyAttributes(from path: String, to file: borrowing FileDescriptor) throws(SystemError) {
    let old = try FileDescriptor("cannot open \(path)", unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    var (status, own) = (stat(), stat())
    guard unsafe fstat(old.raw, &status) == 0, unsafe fstat(file.raw, &own) == 0 else {
      throw SystemError(errnoOf: "cannot read \(path)")
    }
    // Changing the group clears the setgid bit, so the mode is set last.
    var mode = status.st_mode & 0o7777
    if status.st_gid != own.st_gid, fchown(file.raw, uid_t.max, status.st_gid) != 0 {
      // The permissions of the old group must not go to another group.
      mode &= ~(S_ISGID | 0o070)
    }
    for name in attributeNames(of: old) {
      let count = unsafe fgetxattr(old.raw, name, nil, 0)
      var value = [UInt8](repeating: 0, count: max(0, count))
      guard count >= 0, unsafe fgetxattr(old.raw, name, &value, value.count) == count else { continue }
      _ = unsafe fsetxattr(file.raw, name, &value, value.count, 0)
    }
    guard fchmod(file.raw, mode) == 0 else { throw SystemError(errnoOf: "cannot set the mode of the new \(path)") }
  }

  private static func attributeNames(of file: borrowing FileDescriptor) -> [String] {
    let count = flistxattr(file.raw, nil, 0)
    guard count > 0 else { return [] }
    var names = [CChar](repeating: 0, count: count)
    guard unsafe flistxattr(file.raw, &names, names.count) == count else { return [] }
    return names.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }
}

/// The missing directories above a path, the deepest first.
public func missingDirectories(above path: String) -> [String] {
  var missing: [String] = []
  var directory = parent(of: path)
  while Text(directory) != "/", FileNumber(of: directory) == nil {
    missing.append(directory)
    directory = parent(of: directory)
  }
  return missing
}
