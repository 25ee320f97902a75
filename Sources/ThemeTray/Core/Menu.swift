package import ThemedDBus
package import ThemedSystem

/// An entry of the menu, as a panel gets it over D-Bus.
package struct MenuEntry: Sendable, Hashable {
  package let id: Int32
  /// The words; nil for a line between entries.
  package var label: Text?
  package var isEnabled = true
  /// Whether it is chosen among its neighbours; nil if it is not a choice.
  package var isChosen: Bool?
  package var children: [MenuEntry] = []

  package init(
    _ id: Int32, _ label: Text? = nil, isEnabled: Bool = true, isChosen: Bool? = nil, children: [MenuEntry] = []
  ) {
    (self.id, self.label, self.isEnabled, self.isChosen, self.children) = (id, label, isEnabled, isChosen, children)
  }

  /// The words for a text from outside: an underscore would underline the letter after it.
  static func label(_ text: Text, atMost maximum: Int) -> Text {
    Text(decoding: text.shown(atMost: maximum).utf8.flatMap { $0 == UInt8(ascii: "_") ? [$0, $0] : [$0] })
  }

  /// The entry with this number: this one, or one below it.
  package subscript(id: Int32) -> MenuEntry? {
    if id == self.id { return self }
    for child in children { if let found = child[id] { return found } }
    return nil
  }

  /// This entry and all below it.
  package var all: [MenuEntry] { [self] + children.flatMap(\.all) }

  /// This entry without those below it.
  var alone: MenuEntry { MenuEntry(id, label, isEnabled: isEnabled, isChosen: isChosen) }

  /// The numbers in their order and depth: if they are the same, only properties have changed.
  var shape: [[Int32]] { [[id] + children.map(\.id)] + children.flatMap(\.shape) }

  // MARK: On the bus

  /// All properties of `com.canonical.dbusmenu` that differ from their defaults, or may change.
  package var properties: [(name: Text, value: Value)] {
    guard let label else {
      return id == 0 ? [("children-display", .variant(.string("submenu")))] : [("type", .variant(.string("separator")))]
    }
    var properties: [(Text, Value)] = [
      ("label", .variant(.string(label))), ("enabled", .variant(.boolean(isEnabled))),
    ]
    if let isChosen {
      properties.append(("toggle-type", .variant(.string("radio"))))
      properties.append(("toggle-state", .variant(.int32(isChosen ? 1 : 0))))
    }
    if !children.isEmpty { properties.append(("children-display", .variant(.string("submenu")))) }
    return properties
  }

  /// The properties with these names, or all without names, as `a{sv}`.
  package func properties(_ names: [Text]) -> Value {
    .dictionary(properties.filter { names.isEmpty || names.contains($0.name) })
  }

  /// The entry with those below it, as `(ia{sv}av)`; a negative depth means all of them.
  package func layout(depth: Int64, _ names: [Text]) -> Value {
    let children = depth == 0 ? [] : self.children.map { $0.layout(depth: depth - 1, names) }
    return .structure([.int32(id), properties(names), .array(children.map { .typed("(ia{sv}av)", $0) })])
  }
}

extension Value {
  /// A dictionary of variants, `a{sv}`.
  package static func dictionary(_ entries: [(name: Text, value: Value)]) -> Value {
    .array(entries.map { .structure([.string($0.name), $0.value]) })
  }
}
