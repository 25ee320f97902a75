package import ThemedModel
internal import ThemedSystem

extension KeyFile {
  /// A key of a group.
  private struct Place: Hashable {
    let group: Text
    let key: Text?
  }

  /// In what our reader of key files and GLib's differ on this text, for a message; nil where they agree on what it
  /// says, or that it is none.
  package static func difference(on text: [UInt8]) -> String? {
    KeyFile(text).difference(from: GLibKeyFile(text)).map { "\(Text(decoding: text).shown().debugDescription): \($0)" }
  }

  private func difference(from other: consuming GLibKeyFile?) -> String? {
    guard let other else { return faults.isEmpty ? "GLib refuses it" : nil }
    let names = other.groups
    // Names that are no text are one for us where they look alike.
    guard names.allSatisfy({ Self.text($0) != nil }) else { return nil }
    if let fault = faults.first { return "GLib takes line \(fault.line): \(fault.text)" }
    let groups = groups
    guard groups.map(\.name) == names.map(Self.text) else { return "GLib has other groups" }
    let wrong = Set(problems.map { Place(group: $0.group ?? "", key: $0.key) })
    for (group, name) in zip(groups, names) {
      let keys = other.keys(of: name)
      guard keys.allSatisfy({ Self.text($0) != nil }) else { return nil }
      guard group.entries.map(\.key) == keys.map(Self.text) else { return "GLib has other keys in [\(group.name)]" }
      for (entry, key) in zip(group.entries, keys) {
        let isWrong = wrong.contains(Place(group: group.name, key: entry.key))
        let written = other.value(name, key).map { Text(decoding: $0) }
        let said = other.text(name, key).map { Text(decoding: $0) }
        guard value(group.name, entry.key) == written, (isWrong ? nil : entry.value) == said else {
          return "to GLib [\(group.name)] \(entry.key) is something else"
        }
      }
    }
    return nil
  }

  /// A name of GLib's; nil where it is no text.
  private static func text(_ name: [CChar]) -> Text? { Text(validating: bytes(name)) }
}
