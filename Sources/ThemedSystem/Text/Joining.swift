extension [String] {
  /// One string, with a separator between the elements.
  ///
  /// It is used in place of the standard library's version, which looks types up at run time; the first time, that
  /// takes as long as the start of a program.
  package func joined(separator: String = "") -> String {
    var whole = first ?? ""
    for word in dropFirst() { whole += separator + word }
    return whole
  }
}

extension [Text] {
  /// One text, with a separator between the elements.
  package func joined(separator: String = "") -> Text { Text(map(\.string).joined(separator: separator)) }
}
