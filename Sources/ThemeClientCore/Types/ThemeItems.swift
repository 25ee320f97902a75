package import ThemeInterface

/// What the daemon lists: as many as fit into one reply, and how many more there are.
///
/// ```swift
/// for theme in try await ThemeCalls().themes() { print(theme.name) }
/// ```
public struct ThemeItems<Element: Sendable & Hashable>: Sendable, Hashable {
  private let elements: [Element]
  /// How many more there are, which one reply has no room for; 0 unless there are thousands.
  public let omitted: Int

  /// A list of these, and so many more.
  public init(_ elements: [Element], omitted: Int = 0) {
    self.elements = elements
    self.omitted = omitted
  }

  package init<Inner>(_ inner: [Inner], omitted: Int64, _ convert: (Inner) -> Element) {
    self.init(inner.map(convert), omitted: Int(clamping: omitted))
  }
}

extension ThemeItems: RandomAccessCollection {
  /// Where the first one is.
  public var startIndex: Int { elements.startIndex }
  /// What comes behind the last one.
  public var endIndex: Int { elements.endIndex }
  /// The one at a place.
  public subscript(place: Int) -> Element { elements[place] }
}

/// A client that follows the state.
public struct ThemeSubscriber: Sendable, Hashable {
  /// The name that it gave itself.
  public let app: ThemeText?
  /// Its process.
  public let processID: Int
  /// Whether it follows by the socket for reading only.
  public let isReadOnly: Bool

  /// A client of this name and process.
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
