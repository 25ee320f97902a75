import Testing
import ThemedClientCore
import ThemedInterface
import ThemedSystem
import ThemedVarlink

/// Settings that are asked for by their names.
@Suite struct SettingsByNameTests {
  private func settings(_ reply: JSON.Object, of names: [Text]) throws -> [String] {
    try ThemeRequest.configuration(of: names).value(of: Reply(reply)).settings
      .map { "\($0.name)=\($0.value) (\($0.origin))" }
  }

  @Test func `of all settings those are read that are named, and of those what is as it should be`() throws {
    func setting(_ name: String, _ value: JSON?, _ origin: JSON? = .word("default")) -> JSON {
      .object(["name": .word(name), "value": value, "origin": origin, "since": .integer(7)])
    }
    let reply: JSON.Object = [
      "path": .integer(7),
      "settings": .array([
        setting("a", .word("light")), setting("b", .word("dark")), .object([:]), .object(["name": .integer(7)]),
        .word("c"), setting("c", .integer(7)), setting("d", .word("dark"), nil), setting("e", .word(""), .word("/x")),
      ]),
    ]
    #expect(try settings(reply, of: ["e", "a", "c", "d", "x"]) == ["a=light (default)", "e= (/x)"])
    #expect(try settings(reply, of: []) == [])
  }

  @Test func `a reply without settings is an error`() {
    for reply: JSON.Object in [[:], ["settings": .null], ["settings": .object([:])]] {
      #expect(throws: CallError.self) { try settings(reply, of: ["a"]) }
    }
  }
}
