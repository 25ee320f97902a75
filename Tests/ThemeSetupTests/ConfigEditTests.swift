import Foundation
import Testing
import ThemedModel
import ThemedKeyFileOracle
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// Single keys of `themed.conf` are set and removed, and everything else in the file stays.
@Suite struct ConfigEditTests {
  private static let key = ConfigKey(group: "desktop", name: "in-step")

  private func text(_ edit: ConfigEdit) -> String { String(decoding: edit.bytes, as: UTF8.self) }

  private func setting(_ text: String, to value: Text = "yes") throws -> String {
    var edit = try ConfigEdit(Array(text.utf8))
    try edit.set(Self.key, to: value)
    let read = try KeyFile(strict: edit.bytes).value("desktop", "in-step")
    #expect(read == value && edit.value(Self.key) == value)
    return self.text(edit)
  }

  private func removing(_ text: String) throws -> String {
    var edit = try ConfigEdit(Array(text.utf8))
    edit.remove(Self.key)
    #expect(edit.value(Self.key) == nil)
    return self.text(edit)
  }

  @Test(arguments: [
    nil, "", "# mine", "[log]\nlevel=info", "[desktop]\nin-step=no\n", "[desktop]\n\n", "[a]\r\nb=c\r\n",
  ])
  func `A key is restored from an earlier content byte for byte, also after a second change of it`(before: String?)
    throws
  {
    let old = before.map { Array($0.utf8) }
    for values in [["yes"], ["yes", "no"]] as [[Text]] {
      var edit = try ConfigEdit(old ?? [])
      for value in values { try edit.set(Self.key, to: value) }
      #expect(try ConfigEdit.restoring(earlier([Self.key], old), in: edit.bytes, from: old) == old)
      // Other changes stay.
      let more = edit.bytes + Array("[more]\nx=y\n".utf8)
      let restored = try #require(try ConfigEdit.restoring(earlier([Self.key], old), in: more, from: old))
      #expect(String(decoding: restored, as: UTF8.self).hasSuffix("[more]\nx=y\n"))
      let value = try ConfigEdit(old ?? []).value(Self.key)
      #expect(try ConfigEdit(restored).value(Self.key) == value)
    }
  }

  private func earlier(_ keys: [ConfigKey], _ content: [UInt8]?) throws -> [(key: ConfigKey, value: Text?)] {
    let old = try ConfigEdit(content ?? [])
    return keys.map { (key: $0, value: old.value($0)) }
  }

  @Test func `several keys are restored together, and another change between them stays`() throws {
    let (mode, light) = (ConfigKey.schedule("mode"), ConfigKey.schedule("light"))
    for before in [nil, "# mine\n[schedule]\nmode=off\n", "[log]\nlevel=info"] {
      let old = before.map { Array($0.utf8) }
      var edit = try ConfigEdit(old ?? [])
      for (key, value) in [(Self.key, "yes"), (mode, "times"), (light, "08:00")] { try edit.set(key, to: Text(value)) }
      #expect(try ConfigEdit.restoring(earlier([Self.key, mode, light], old), in: edit.bytes, from: old) == old)
      try edit.set(.schedule("dark"), to: "21:00")
      let restored = try ConfigEdit(
        #require(try ConfigEdit.restoring(earlier([Self.key, mode, light], old), in: edit.bytes, from: old)))
      #expect(restored.value(.schedule("dark")) == "21:00")
      #expect(restored.value(light) == nil && restored.value(Self.key) == nil)
      #expect(try restored.value(mode) == ConfigEdit(old ?? []).value(mode))
    }
  }

  @Test(arguments: [
    ("", "[desktop]\nin-step=yes\n"),
    ("\n", "\n[desktop]\nin-step=yes\n"),
    ("[log]\nlevel=info\n", "[log]\nlevel=info\n\n[desktop]\nin-step=yes\n"),
    ("[log]\nlevel=info", "[log]\nlevel=info\n\n[desktop]\nin-step=yes\n"),
    ("[log]\r\nlevel=info\r\n", "[log]\r\nlevel=info\r\n\r\n[desktop]\r\nin-step=yes\r\n"),
    ("# mine", "# mine\n\n[desktop]\nin-step=yes\n"),
    ("# mine\n\n", "# mine\n\n[desktop]\nin-step=yes\n"),
  ])
  func `A missing group is added at the end, apart from what is above it`(before: String, after: String) throws {
    #expect(try setting(before) == after)
  }

  @Test(arguments: [
    ("[desktop]\n", "[desktop]\nin-step=yes\n"), ("[desktop]", "[desktop]\nin-step=yes\n"),
    ("[desktop]\r\n", "[desktop]\r\nin-step=yes\r\n"),
    ("[desktop]\na=b\n\n[log]\nx=y\n", "[desktop]\na=b\nin-step=yes\n\n[log]\nx=y\n"),
    ("[desktop]\n# why\na=b\n# end\n", "[desktop]\n# why\na=b\nin-step=yes\n# end\n"),
    ("[desktop]\n# in-step=no\n# a=b\nc=d\n", "[desktop]\n# in-step=no\nin-step=yes\n# a=b\nc=d\n"),
    ("[desktop]\n#in-step = no", "[desktop]\n#in-step = no\nin-step=yes\n"),
    ("[desktop]\na=b\n[log]\nx=y\n[desktop]\nc=d\n", "[desktop]\na=b\n[log]\nx=y\n[desktop]\nc=d\nin-step=yes\n"),
    // The key of another group, and a translation, are other keys.
    ("[log]\nin-step=no\n[desktop]\n", "[log]\nin-step=no\n[desktop]\nin-step=yes\n"),
    ("[desktop]\nin-step[de]=no\n", "[desktop]\nin-step[de]=no\nin-step=yes\n"),
  ])
  func `A missing key is added to its group, below the comment that has it`(before: String, after: String) throws {
    #expect(try setting(before) == after)
  }

  @Test(arguments: [
    ("[desktop]\nin-step=no\n", "[desktop]\nin-step=yes\n"), ("[desktop]\nin-step=no", "[desktop]\nin-step=yes"),
    ("[desktop]\nin-step=\n", "[desktop]\nin-step=yes\n"), ("[desktop]\nin-step=  \n", "[desktop]\nin-step=yes  \n"),
    ("[desktop]\n  in-step = no  \n# end\n", "[desktop]\n  in-step = yes  \n# end\n"),
    ("[desktop]\r\nin-step\t=\tno\r\n", "[desktop]\r\nin-step\t=\tyes\r\n"),
    ("[desktop]\nin-step=yes\n", "[desktop]\nin-step=yes\n"),
    ("[desktop]\n# in-step=no\nin-step=no\n", "[desktop]\n# in-step=no\nin-step=yes\n"),
    // The last one counts, in whatever group of the name it is.
    ("[desktop]\nin-step=yes\nin-step=no\n", "[desktop]\nin-step=yes\nin-step=yes\n"),
    ("[desktop]\nin-step=a\n[log]\n[desktop]\nin-step=b\n", "[desktop]\nin-step=a\n[log]\n[desktop]\nin-step=yes\n"),
    ("  [desktop]  \nin-step=no\n", "  [desktop]  \nin-step=yes\n"),
    ("[desktop]\nname=\u{e9}\u{1F600}\nin-step=no\n", "[desktop]\nname=\u{e9}\u{1F600}\nin-step=yes\n"),
  ])
  func `Of a key that is there only the value changes`(before: String, after: String) throws {
    #expect(try setting(before) == after)
  }

  @Test(arguments: [
    ("", ""), ("[log]\nx=y", "[log]\nx=y"), ("[desktop]\n# in-step=no\n", "[desktop]\n# in-step=no\n"),
    ("[desktop]\na=b\nin-step=no\nc=d\n", "[desktop]\na=b\nc=d\n"),
    ("[desktop]\nin-step=no\n[log]\n[desktop]\nin-step=yes\nin-step=no\na=b\n", "[log]\n[desktop]\na=b\n"),
    ("[desktop]\nin-step=no\n", ""), ("[log]\nx=y\n\n[desktop]\nin-step=no\n\n", "[log]\nx=y\n"),
    ("[desktop]\nin-step=no\n\n[log]\nx=y\n", "[log]\nx=y\n"),
    ("[desktop]\n# my own words\nin-step=no\n", "[desktop]\n# my own words\n"),
  ])
  func `A key is removed wherever it is, and its group if nothing else is in it`(before: String, after: String) throws {
    #expect(try removing(before) == after)
  }

  @Test(arguments: ["", "[log]\nlevel=info\n", "# mine\n", "[desktop]\na=b\n\n[log]\n", "[log]\r\nlevel=info\r\n"])
  func `What was set and removed again leaves the file as it was`(text: String) throws {
    #expect(try removing(setting(text)) == text)
  }

  @Test(arguments: ["a\nb", " yes", "yes ", "a\rb\n", "\0"])
  func `A value that would not be read as it is written is refused`(value: Text) throws {
    var edit = try ConfigEdit(Array("[desktop]\n".utf8))
    #expect(throws: Refusal.self) { try edit.set(Self.key, to: value) }
  }

  @Test(arguments: ["key=value\n", "[desktop]\nwords\n", "[desktop\n", "a\0b"])
  func `A file with a mistake is refused, as the daemon does not read it`(text: String) {
    #expect(throws: KeyFile.Faults.self) { try ConfigEdit(Array(text.utf8)) }
  }

  @Test func `In random files exactly one key changes, as GLib reads them`() throws {
    var generator = SeededGenerator(seed: 48)
    let parts = [
      "[desktop]", "[log]", "in-step=no", "in-step = a", "#in-step=b", "# words", "", " ", "x=y", "level=info",
      "in-step[de]=c", " [desktop] ",
    ]
    for _ in 0..<2_000 {
      let ending = Bool.random(using: &generator) ? "\n" : "\r\n"
      var text = "[first]" + ending
      for _ in 0..<Int.random(in: 0...9, using: &generator) {
        text += parts[Int.random(in: 0..<parts.count, using: &generator)] + ending
      }
      if Bool.random(using: &generator) { text = String(text.dropLast()) }
      let before = try KeyFile(strict: Array(text.utf8))
      for after in [try setting(text), try removing(text)] {
        let read = try KeyFile(strict: Array(after.utf8))
        for (group, key) in before.keys where !(group == "desktop" && key == "in-step") {
          #expect(read.value(group, key) == before.value(group, key), "\(text) became \(after)")
        }
        let comments = { (text: String) in text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("#") } }
        #expect(comments(after) == comments(text), "\(text) became \(after)")
      }
    }
  }

  // MARK: Files

  private func change(_ path: String, to value: Text? = "yes") throws {
    try ConfigChange([(key: Self.key, value: value)], in: path).perform()
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `A link stays a link and the file behind it keeps its mode`() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("[desktop]\nin-step=no\n", to: "dotfiles/themed.conf")
    try setMode(0o640, of: path)
    let link = directory.path("themed.conf")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dotfiles/themed.conf")
    try change(link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dotfiles/themed.conf")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[desktop]\nin-step=yes\n")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(ConfigChange.value(Self.key, in: link) == "yes")
  }

  @Test func `A missing directory is made, and nothing is written if nothing changes`() throws {
    let directory = try ScratchDirectory()
    let path = directory.path("a/themed/themed.conf")
    try change(path, to: nil)
    #expect(!FileManager.default.fileExists(atPath: directory.path("a")))
    try change(path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[desktop]\nin-step=yes\n")
    let number = FileNumber(of: path)
    try change(path)
    #expect(FileNumber(of: path) == number)
  }

  @Test func `A file that is read-only or has a mistake stays as it is`() throws {
    let directory = try ScratchDirectory()
    for (text, mode) in [("[log]\n", 0o400), ("words\n", 0o600)] {
      let path = try directory.write(text, to: "themed.conf")
      try setMode(mode, of: path)
      #expect(throws: (any Error).self) { try change(path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `A save between the look and the write is not lost`() throws {
    let directory = try ScratchDirectory()
    let path = try directory.write("[log]\n", to: "themed.conf")
    let change = try ConfigChange([(key: Self.key, value: "yes")], in: path)
    try directory.write("[log]\nlevel=debug\n", to: "themed.conf")
    #expect(throws: (any Error).self) { try change.perform() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[log]\nlevel=debug\n")
  }
}
