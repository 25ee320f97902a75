extension Value {
  /// The value within variants: ReadOne and signals of the portal have one, Read has two, and some backends one too many.
  public var unwrapped: Value {
    var value = self
    for _ in 0..<4 {
      guard case .variant(let inner) = value else { break }
      value = inner
    }
    return value
  }
}
