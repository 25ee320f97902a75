extension [String] {
  /// One string, with something between each and the next.
  ///
  /// It goes before the standard library's own, which looks types up at run time: the first time that takes as long as the
  /// start of a program.
  public func joined(separator: String = "") -> String {
    var whole = first ?? ""
    for word in dropFirst() { whole += separator + word }
    return whole
  }
}

extension [Text] {
  /// One text, with something between each and the next.
  public func joined(separator: String = "") -> Text { Text(map(\.string).joined(separator: separator)) }
}
