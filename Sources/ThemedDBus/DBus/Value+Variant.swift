extension Value {
  /// The value inside variants: ReadOne and the portal's signals have one variant, Read has two, and some backends have
  /// one too many.
  public var unwrapped: Value {
    var value = self
    for _ in 0..<4 {
      guard case .variant(let inner) = value else { break }
      value = inner
    }
    return value
  }
}
