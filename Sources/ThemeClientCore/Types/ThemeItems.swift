package import ThemeInterface

/// A list from the daemon: the items that fit into one reply, and the number of the other items.
///
/// ```swift
/// for theme in try await ThemeCalls().themes() { print(theme.name.shown()) }
/// ```
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
    self.elements = elements
    self.omitted = omitted
  }

  package init<Inner>(_ inner: [Inner], omitted: Int64, _ convert: (Inner) -> Element) {
    self.init(inner.map(convert), omitted: Int(clamping: omitted))
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
public struct ThemeSubscriber: Sendable, Hashable {
  /// The name that the client gave; nil if the client gave no name.
  public let app: ThemeText?
  /// The ID of the client's process.
  public let processID: Int
  /// Whether the client is connected to the read-only socket.
  public let isReadOnly: Bool

  /// Creates a client with this name and process, for your program's tests.
  public init(app: ThemeText?, processID: Int, isReadOnly: Bool = false) {
    self.app = app
    self.processID = processID
    self.isReadOnly = isReadOnly
  }

  package init(_ inner: Client) {
    self.init(
      app: inner.app.map { ThemeText($0) }, processID: Int(clamping: inner.pid), isReadOnly: inner.isReadOnly)
  }
}
