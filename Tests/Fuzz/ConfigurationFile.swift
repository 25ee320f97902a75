import ThemedInterface
import ThemedModel
import ThemedKeyFileOracle
import ThemedSystem

@testable import ThemeDaemon

/// The configuration: it is read as GLib reads it, and used whole, or refused with a reason of one line that names the
/// file.
func fuzzConfigurationFile(_ bytes: [UInt8]) {
  let difference = KeyFile.difference(on: bytes)
  require(difference == nil, difference ?? "")
  do throws(Configuration.Problem) {
    let configuration = try Configuration(parsing: bytes, origin: "conf")
    require(0...Configuration.Limits.settleTime ~= configuration.settleTime, "a settle time out of range")
    require(1...Limits.connections ~= configuration.connections, "connections out of range")
    require(1...Limits.mostOverrides ~= configuration.overrides, "overrides out of range")
    let known = Set(configuration.settings.map(\.name))
    require(known.isDisjoint(with: configuration.unknown), "known and unknown")
  } catch {
    let description = error.description.utf8
    require(description.starts(with: "conf:".utf8) && description.count > 6, "refused without a reason")
  }
}
