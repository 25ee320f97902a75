internal import ThemedSystem
internal import ThemedVarlink

/// A list as a reply: the first elements, as many as fit, and the number of the others.
///
/// The elements are kept as JSON: thousands of them take a third of the memory, and are compared at once.
struct ReplyList: Sendable, Hashable {
  private let name: Text
  private var elements: [UInt8] = []
  /// How many elements do not fit.
  private(set) var omitted = 0

  /// A list without elements, which is the field `name` of its reply.
  init(_ name: Text) {
    self.name = name
  }

  /// A list of these objects.
  init(_ name: Text, _ objects: some Sequence<JSON.Object>) {
    self.init(name)
    var element: [UInt8] = []
    for object in objects {
      element.removeAll(keepingCapacity: true)
      object.write(to: &element)
      append(element)
    }
  }

  /// Whether an element did not fit: after that, no further one is added.
  var isFull: Bool { omitted > 0 }

  /// Adds an element in JSON, or only counts it.
  mutating func append(_ element: [UInt8]) {
    guard !isFull, elements.count + element.count < Limits.list else { return omit(1) }
    if !elements.isEmpty { elements.append(UInt8(ascii: ",")) }
    elements += element
  }

  /// Counts this many omitted elements.
  mutating func omit(_ count: Int) { omitted += count }

  /// The whole message, with its closing NUL; `continues` says whether more follow.
  func frame(continues: Bool) -> [UInt8] {
    // An empty reply, into which the elements are inserted.
    let reply = Reply([name: .array([]), "omitted": isFull ? .integer(Int64(omitted)) : nil], continues: continues)
      .frame
    let start = #"{"parameters":{"":["#.utf8.count + name.count
    return reply[..<start] + elements + reply[start...]
  }
}
