import ThemeApps
import ThemedSystem

/// A template: it is refused with a reason of one line, or rendered; without a tag it is what comes of it, and what is
/// escaped is never shorter than what is not.
func fuzzTemplate(_ bytes: [UInt8]) {
  do throws(Template.Problem) {
    let template = try Template(parsing: bytes)
    let values: [Text: Text] = ["a": "<&>\"'", "b": "", "c": "x\u{301}"]
    let plain = try template.render(.none) { values[$0] }
    let escaped = try template.render(.html) { values[$0] }
    require(escaped.count >= plain.count, "what is escaped is shorter")
    if template.mentions.isEmpty { require(plain == escaped && plain.count <= bytes.count, "text that was not there") }
    if !bytes.contains(UInt8(ascii: "{")) { require(plain == bytes, "text that was changed") }
  } catch {
    let reason = "\(error)"
    require(!reason.isEmpty && Text(reason).shown() == reason, "refused without a reason of one line")
  }
}
