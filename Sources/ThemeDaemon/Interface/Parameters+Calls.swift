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

  /// What to clear: the fields that are named, or all.
  mutating func fields() throws(VarlinkError) -> [Field] {
    guard let value = value("fields") else { return Field.allCases }
    guard case .array(let names) = value else { throw invalid("fields") }
    var fields: [Field] = []
    for name in names {
      guard case .string(let name) = name, let field = Field(word: name) else { throw invalid("fields") }
      fields.append(field)
    }
    return fields
  }

  /// The override to set, with all that is to be said of it.
  mutating func override() throws(VarlinkError) -> Override {
    var fields = try require(structure("override"), "override")
    try finish()
    let app = try fields.app()
    var override = try Override(reading: &fields)
    try fields.finish()
    override.app = app
    guard !override.saysNothing else { throw fields.invalid("scheme") }
    // What is no override has no end: else a lasting one would be lost to one that says to last for a time.
    let isRemoval = app == nil && override.scheme == .auto
    guard !isRemoval || override.expiresAt == nil else { throw fields.invalid("expiresAt") }
    guard !isRemoval || override.untilDesktopChanges != true else { throw fields.invalid("untilDesktopChanges") }
    try fields.requireEnd(of: override)
    return override
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
