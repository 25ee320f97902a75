import ThemedText
import ThemeClient

@testable import themectl

/// A scheme of strangers, in YAML: it is read whole, or refused with a reason of one line.
func fuzzScheme(_ bytes: [UInt8]) {
  do {
    let file = try YAMLFile(parsing: bytes)
    let names = file.members.map(\.name)
    require(names.count <= 4096 && file.members.allSatisfy { $0.line >= 1 }, "more than was allowed")
    let scheme = try Scheme(file)
    require(scheme.colors.count >= 16, "a scheme without its colours")
  } catch {
    let reason = "\(error)".utf8
    require(!reason.isEmpty && !reason.contains(10) && !reason.contains(0x1B), "refused without a reason of one line")
  }
}
