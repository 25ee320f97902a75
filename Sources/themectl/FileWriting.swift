import ThemedUnix

/// Writes a file whole: whatever happens, either the old content stands there or the new one.
///
/// A symbolic link stays, and what it leads to is written: people keep their files elsewhere, and link to them. The
/// file keeps its mode.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  try replaceFile(try destination(of: path), with: bytes, keepingMode: true)
}
