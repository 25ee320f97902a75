import ThemedDBus
import ThemedSystem

/// The bus's address, as the environment has it: sockets to be tried, or a reason of one line.
func fuzzAddress(_ bytes: [UInt8]) {
  do throws(BusAddress.Problem) {
    let text = Text(decoding: bytes)
    let sockets = try BusAddress.session(variable: text, runtimeDirectory: nil)
    require(!sockets.isEmpty, "neither an address nor a reason")
    require(sockets.count <= text.split(";", omittingEmpty: true).count, "more sockets than were named")
  } catch {
    let reason = error.description.utf8
    require(!reason.contains(10) && !reason.contains(0x1B) && reason.count < 2048, "a reason that is no short line")
  }
}
