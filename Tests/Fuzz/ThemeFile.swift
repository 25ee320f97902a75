import ThemedModel
import ThemedKeyFileOracle
import ThemedSystem

/// A theme's file: it is read as GLib reads it, and is a theme that is read back as it was, or refused with a reason of
/// one line.
func fuzzThemeFile(_ bytes: [UInt8]) {
  let difference = KeyFile.difference(on: bytes)
  require(difference == nil, difference ?? "")
  do {
    let file = try ThemeFile(name: "fuzz", KeyFile(strict: bytes))
    require(!file.theme.schemes.isEmpty, "a theme without a side")
    for scheme in file.theme.schemes {
      require(file.theme.palette(for: scheme)?.all.count == Role.all.count, "a palette that is not whole")
    }
    let text = Array(ThemeFile.text(of: file.theme).utf8)
    let again = try ThemeFile(name: "fuzz", KeyFile(strict: text))
    require(again.theme == file.theme, "a theme that is not read back as it was")
  } catch {
    let reason = "\(error)"
    require(!reason.isEmpty && !reason.contains("\n"), "refused without a reason of one line")
  }
}
