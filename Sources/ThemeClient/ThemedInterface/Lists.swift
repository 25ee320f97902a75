public import ThemedSystem
public import ThemedVarlink

/// A list from the daemon: the items that fit into one reply, and the number of the other items.
public struct ThemeItems<Element: Sendable & Hashable>: Sendable, Hashable {
  private let elements: [Element]
  /// How many items did not fit into the reply; 0 unless there are thousands.
  public let omitted: Int

  /// Creates a list of these items.
  ///
  /// - Parameters:
  ///   - elements: The items.
  ///   - omitted: How many further items did not fit into the reply.
  public init(_ elements: [Element], omitted: Int = 0) {
    (self.elements, self.omitted) = (elements, omitted)
  }

  /// Reads the reply to a call for a list.
  ///
  /// - Parameters:
  ///   - reply: The reply's parameters.
  ///   - name: The parameter with the items.
  ///   - read: Reads an item.
  public init(
    reading reply: inout Parameters, _ name: Text, _ read: (Parameters) throws(VarlinkError) -> Element
  ) throws(VarlinkError) {
    elements = try reply.require(reply.structures(name, read), name)
    omitted = Int(clamping: try reply.integer("omitted") ?? 0)
  }
}

extension ThemeItems: RandomAccessCollection {
  /// The position of the first item.
  public var startIndex: Int { elements.startIndex }
  /// The position after the last item.
  public var endIndex: Int { elements.endIndex }
  /// The item at a position.
  public subscript(place: Int) -> Element { elements[place] }
}

/// A client that follows the state.
public struct Client: Sendable, Hashable {
  /// The name that the client gave; nil if the client gave no name.
  public let app: Text?
  /// The ID of the client's process.
  public let processID: Int
  /// Whether the client is connected to the read-only socket.
  public let isReadOnly: Bool

  /// Creates a client with this name and process.
  public init(app: Text?, processID: Int, isReadOnly: Bool = false) {
    (self.app, self.processID, self.isReadOnly) = (app, processID, isReadOnly)
  }

  public var parameters: JSON.Object {
    [
      "app": app.map(JSON.string), "pid": .integer(Int64(processID)), "readOnly": isReadOnly ? .bool(true) : nil,
    ]
  }

  /// The interface's `Client` as one line of JSON.
  public var json: String { JSON.object(parameters).text }

  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    app = try parameters.string("app")
    processID = Int(clamping: try parameters.require(parameters.integer("pid"), "pid"))
    isReadOnly = try parameters.bool("readOnly") ?? false
  }
}
