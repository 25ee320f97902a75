internal import ThemeResolution
internal import ThemedText
internal import ThemedLoop
internal import ThemeInterface
internal import ThemedVarlink

// What calls say, decoded and checked; strictly, since whoever is misunderstood would not notice.

extension Parameters {
  /// The caller's name.
  mutating func app() throws(VarlinkError) -> Text? {
    guard let name = try string("app") else { return nil }
    guard isAppName(name) else { throw invalid("app") }
    return name
  }

  /// The override to set, and the fields to clear, with all that is to be said of it.
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
    // The scheme has a word of its own.
    if !override.auto.isEmpty {
      guard !override.auto.contains(.scheme), !override.given.contains(where: override.auto.contains) else {
        throw fields.invalid("auto")
      }
    }
    guard clear.isEmpty || !said.contains(where: clear.contains) else { throw invalid("clear") }
    // What is no override has no end: else a lasting one would be lost to one that says to last for a time.
    let isRemoval = said.isEmpty || app == nil && override.pins
    guard !isRemoval || override.expiresAt == nil else { throw fields.invalid("expiresAt") }
    guard !isRemoval || override.untilDesktopChanges != true else { throw fields.invalid("untilDesktopChanges") }
    try fields.requireEnd(of: override)
    return (override, clear)
  }

  /// When a toggle ends, and nothing else: an override of nothing, with that end.
  mutating func ending() throws(VarlinkError) -> Override {
    let ending = Override(
      expiresAt: try integer("expiresAt"), untilDesktopChanges: try bool("untilDesktopChanges"))
    try finish()
    try requireEnd(of: ending)
    return ending
  }

  /// Refuses an end in the past, or too far ahead.
  private func requireEnd(of override: Override) throws(VarlinkError) {
    guard let expiresAt = override.expiresAt else { return }
    let now = WallClock.now
    guard expiresAt > now, expiresAt - now <= Limits.expiry else { throw invalid("expiresAt") }
  }
}
