import Appearance
import ForeignText

@testable import ThemeDaemon

/// The state file: what is accepted is kept as it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Input.all(start, count)
  guard let overrides = try? OverrideFile.parse(bytes) else { return 0 }
  let content = OverrideFile.content(overrides)
  guard let again = try? OverrideFile.parse(content) else { fatalError("what was written cannot be read") }
  require(again == overrides && OverrideFile.content(again) == content, "what was written is something else")
  for app: Text? in [nil, "a", "org.example.App"] {
    _ = overrides.resolve(app: app, reading: Reading(scheme: .dark), defaults: Defaults())
  }
  return 0
}
