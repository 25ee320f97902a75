import ThemeModel

@testable import ThemeDaemon

/// What the desktop last asked for, as it is kept: what is read is written again to the same.
func fuzzKeptReading(_ bytes: [UInt8]) {
  guard let reading = LastReading.parse(bytes) else { return }
  let content = LastReading.content(reading)
  require(LastReading.parse(content) == reading, "what was written is something else")
}
