internal import CThemedLinux
internal import Glibc

/// The names in a directory in order, without `.` and `..`; empty if the directory cannot be read.
public func names(inDirectory path: String) -> [Text] {
  var names: [Text] = []
  forEachName(inDirectory: path) {
    names.append($0)
    return true
  }
  return names.sorted()
}

/// Calls `body` with a new private directory, and removes that directory afterwards with everything in it.
public func withTemporaryDirectory<Value>(_ body: (String) throws -> Value) throws -> Value {
  let place = environment("TMPDIR").flatMap { Text($0).hasPrefix("/") ? $0 : nil } ?? "/tmp"
  var name = Array("\(place)/themed-XXXXXX".utf8) + [0]
  let isMade = unsafe name.withUnsafeMutableBytes { bytes in
    unsafe bytes.bindMemory(to: CChar.self).baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
  }
  guard isMade else { throw SystemError(errnoOf: "cannot create a directory in \(place)") }
  let path = String(decoding: name.dropLast(), as: UTF8.self)
  defer { removeTree(path) }
  return try body(path)
}

/// Removes a file, or a directory with everything in it on the same file system; of a symbolic link, only the link.
private func removeTree(_ path: String, on device: dev_t? = nil) {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { return }
  if status.st_mode & S_IFMT == S_IFDIR {
    guard device == nil || device == status.st_dev else { return }
    for name in names(inDirectory: path) { removeTree("\(path)/\(name)", on: status.st_dev) }
  }
  unsafe remove(path)
}

/// Why the names in a directory cannot be read; nil if they can, or if the directory does not exist.
public func problem(ofDirectory path: String) -> String? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  guard let directory = unsafe opendir(path) else { return errno == ENOENT ? nil : SystemError.text(errno) }
  unsafe closedir(directory)
  return nil
}

/// Calls `body` with each name in a directory except `.` and `..`, in any order, until it returns false; never if the
/// directory cannot be read.
public func forEachName(inDirectory path: String, _ body: (Text) -> Bool) {
  FileWaits.begin(path)
  let opened = unsafe opendir(path)
  FileWaits.end()
  guard let directory = unsafe opened else { return }
  defer { unsafe closedir(directory) }
  while let entry = unsafe next(of: directory, path) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe Text(String(cString: $0)) }
    }
    guard name != ".", name != ".." else { continue }
    guard body(name) else { return }
  }
}

private func next(of directory: OpaquePointer, _ path: String) -> UnsafeMutablePointer<dirent>? {
  FileWaits.begin(path)
  defer { FileWaits.end() }
  return unsafe readdir(directory)
}
