public import ThemedText

/// What decided each field, by the field's name on the wire, in the order of the names.
///
/// They are a handful: one after another is found sooner than by hashes, and what is in order is told without sorting it.
public struct Origins: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  /// A field's name and what decided it.
  public struct Element: Sendable, Hashable {
    /// The field's name.
    public let key: Text
    /// What decided it.
    public var value: Origin
  }

  private var elements: [Element]

  /// Those of no field.
  public init() { elements = [] }

  /// Those of no field, with room for so many.
  init(reserving count: Int) {
    elements = []
    elements.reserveCapacity(count)
  }

  /// Those of fields whose names the caller knows to differ.
  public init(_ origins: [(Text, Origin)]) {
    elements = origins.map(Element.init).sorted { $0.key < $1.key }
  }

  /// Those of fields whose names differ.
  public init(dictionaryLiteral elements: (Text, Origin)...) { self.init(elements) }

  /// The first place.
  public var startIndex: Int { 0 }
  /// The place behind the last one.
  public var endIndex: Int { elements.count }
  /// What stands at a place.
  public subscript(index: Int) -> Element { elements[index] }

  /// What decided a field; nil where nothing is said of it.
  public subscript(name: Text) -> Origin? {
    get { elements.first { $0.key == name }?.value }
    set {
      let index = elements.firstIndex { $0.key >= name } ?? elements.count
      if index < elements.count, elements[index].key == name { elements.remove(at: index) }
      if let newValue { elements.insert(Element(key: name, value: newValue), at: index) }
    }
  }

  /// Adds what decided a field whose name the caller knows to be behind all others.
  mutating func append(_ name: Text, _ origin: Origin) { elements.append(Element(key: name, value: origin)) }

  /// The same fields, each with what `body` makes of its origin.
  public func mapValues(_ body: (Origin) -> Origin) -> Origins {
    var mapped = self
    for index in mapped.elements.indices { mapped.elements[index].value = body(elements[index].value) }
    return mapped
  }
}
