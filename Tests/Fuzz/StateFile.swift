import ThemedModel
import ThemedSystem

@testable import ThemeDaemon

/// The state file: what is accepted is kept as it is.
func fuzzStateFile(_ bytes: [UInt8]) {
  guard let overrides = try? OverrideFile.parse(bytes) else { return }
  let content = OverrideFile.content(overrides)
  guard let again = try? OverrideFile.parse(content) else { fatalError("what was written cannot be read") }
  require(again == overrides && OverrideFile.content(again) == content, "what was written is something else")
  for app: Text? in [nil, "a", "org.example.App"] {
    _ = overrides.resolve(app: app, reading: Reading(scheme: .dark), defaults: Defaults())
  }
}
