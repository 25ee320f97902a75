public import ThemedSystem

/// The source of each field's value, by the field's name on the wire, in the order of the names.
///
/// A sorted array: for a handful of fields a search is faster than hashing, and they are written without sorting.
public struct Origins: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  /// A field's name and the source of its value.
  public struct Element: Sendable, Hashable {
    /// The field's name.
    public let key: Text
    /// The source of its value.
    public var value: Origin
  }

  private var elements: [Element]

  /// No origins.
  public init() { elements = [] }

  /// No origins, with memory reserved for `count` of them.
  init(reserving count: Int) {
    elements = []
    elements.reserveCapacity(count)
  }

  /// The origins of these fields; the caller guarantees that their names differ.
  public init(_ origins: [(Text, Origin)]) {
    elements = origins.map(Element.init).sorted { $0.key < $1.key }
  }

  /// The origins of these fields, whose names must differ.
  public init(dictionaryLiteral elements: (Text, Origin)...) { self.init(elements) }

  /// The first position.
  public var startIndex: Int { 0 }
  /// The position after the last one.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  public subscript(index: Int) -> Element { elements[index] }

  /// The source of a field's value; nil if the field has no value.
  public subscript(name: Text) -> Origin? {
    get { elements.first { $0.key == name }?.value }
    set {
      let index = elements.firstIndex { $0.key >= name } ?? elements.count
      if index < elements.count, elements[index].key == name { elements.remove(at: index) }
      if let newValue { elements.insert(Element(key: name, value: newValue), at: index) }
    }
  }

  /// Adds an origin; the caller guarantees that the name comes after all others.
  mutating func append(_ name: Text, _ origin: Origin) { elements.append(Element(key: name, value: origin)) }

  /// The same fields with the origins that `body` returns.
  public func mapValues(_ body: (Origin) -> Origin) -> Origins {
    var mapped = self
    for index in mapped.elements.indices { mapped.elements[index].value = body(elements[index].value) }
    return mapped
  }
}
