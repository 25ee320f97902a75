import ThemedModel

@testable import ThemeDaemon

/// What the desktop last asked for, as it is kept: what is read is written again to the same.
func fuzzKeptReading(_ bytes: [UInt8]) {
  guard let kept = LastReading.parse(bytes) else { return }
  let content = LastReading.content(kept.reading, kept.desktop)
  guard let again = LastReading.parse(content) else { return require(false, "what was written cannot be read") }
  require(again.reading == kept.reading && again.desktop == kept.desktop, "what was written is something else")
}
