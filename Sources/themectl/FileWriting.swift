import ThemedText
import Glibc
import ThemedUnix

/// Writes a file whole: whatever happens, either the old content stands there or the new one.
///
/// A symbolic link stays, and what it leads to is written: people keep their files elsewhere, and link to them. The
/// file keeps its mode. What is written first is called by a name that nobody has, and is gone where this throws.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let target = try destination(of: path)
  let directory = Text(target).splitAtLast("/")?.before ?? "."
  try makeDirectories("\(directory.isEmpty ? "/" : directory)")
  var name = Array("\(directory)/.themectl.XXXXXX".utf8CString)
  let number = unsafe mkstemp(&name)
  guard number >= 0 else { throw SystemError("making a file in \(directory)", errno) }
  let file = FileDescriptor(owning: number)
  let temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  do throws(SystemError) {
    try fill(file, bytes, as: temporary, inPlaceOf: target)
  } catch {
    unsafe unlink(temporary)
    throw error
  }
  // The new name is on the disk when this is.
  let parent = unsafe open("\(directory)/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard parent >= 0 else { return }
  fsync(parent)
  close(parent)
}

private func fill(
  _ file: borrowing FileDescriptor, _ bytes: [UInt8], as temporary: String, inPlaceOf path: String
) throws(SystemError) {
  var status = stat()
  if unsafe stat(path, &status) == 0, fchmod(file.raw, status.st_mode & 0o777) != 0 {
    throw SystemError("giving \(temporary) the mode of \(path)", errno)
  }
  try writeAll(bytes, to: file, "writing \(temporary)")
  guard fsync(file.raw) == 0 else { throw SystemError("syncing \(temporary)", errno) }
  guard unsafe rename(temporary, path) == 0 else { throw SystemError("renaming \(path)", errno) }
}
