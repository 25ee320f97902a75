internal import ThemeInterface
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem
internal import ThemedVarlink

// Decodes and checks the parameters of calls; strictly, because a caller would not notice a misunderstanding.

extension Parameters {
  /// The caller's name.
  mutating func app() throws(VarlinkError) -> Text? {
    guard let name = try string("app") else { return nil }
    guard isAppName(name) else { throw invalid("app") }
    return name
  }

  /// The override to set and the fields to clear, with all rules checked.
  mutating func override() throws(VarlinkError) -> (override: Override, clear: [Field]) {
    var fields = try require(structure("override"), "override")
    let clear = try self.fields("clear") ?? []
    try finish()
    let app = try fields.app()
    var override = try Override(reading: &fields)
    try fields.finish()
    override.app = app
    let said = override.fields
    guard !said.isEmpty || !clear.isEmpty else { throw invalid("override") }
    // The scheme is pinned by its own value.
    if !override.auto.isEmpty {
      guard !override.auto.contains(.scheme), !override.given.contains(where: override.auto.contains) else {
        throw fields.invalid("auto")
      }
    }
    guard clear.isEmpty || !said.contains(where: clear.contains) else { throw invalid("clear") }
    // A removal has no end; otherwise a call with an end would remove a lasting override for good.
    let isRemoval = said.isEmpty || app == nil && override.pins
    guard !isRemoval || override.expiresAt == nil else { throw fields.invalid("expiresAt") }
    guard !isRemoval || override.untilDesktopChanges != true else { throw fields.invalid("untilDesktopChanges") }
    try fields.requireEnd(of: override)
    return (override, clear)
  }

  /// The end of a toggle, as an override without fields.
  mutating func ending() throws(VarlinkError) -> Override {
    let ending = Override(
      expiresAt: try integer("expiresAt"), untilDesktopChanges: try bool("untilDesktopChanges"))
    try finish()
    try requireEnd(of: ending)
    return ending
  }

  /// Refuses an end in the past or too far in the future.
  private func requireEnd(of override: Override) throws(VarlinkError) {
    guard let expiresAt = override.expiresAt else { return }
    let now = WallClock.now
    guard expiresAt > now, expiresAt - now <= Limits.expiry else { throw invalid("expiresAt") }
  }
}
