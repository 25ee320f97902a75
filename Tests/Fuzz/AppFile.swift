import ThemeApps
import ThemedSystem

/// An app's file: it is an app, or refused with reasons of one line each that are fit for a terminal; and whatever its
/// lines do to a user's file is undone.
func fuzzAppFile(_ bytes: [UInt8]) {
  let file = AppFile(name: "fuzz", bytes)
  require((file.app == nil) == file.remarks.contains(where: \.isError), "refused without a reason, or with one taken")
  for remark in file.remarks {
    require(!remark.text.isEmpty && Text(remark.text).shown() == remark.text, "a reason that is not fit for a terminal")
  }
  for setup in file.app?.setups ?? [] {
    let block = SetupBlock(app: "fuzz", setup)
    require(block.removed(from: block.inserted(into: nil)) == .noFile, "a file that is left behind")
    guard !block.isMarked(in: bytes) else { continue }
    require(block.removed(from: block.inserted(into: bytes)) == .bytes(bytes), "a file that is not what it was")
  }
}
