extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// The word of this closed set that equals a text, byte for byte; nil if the set does not contain the text.
  ///
  /// `init(rawValue:)` compares as String does, whose time grows with the square of the length of foreign text; but
  /// ASCII strings, which all words are, are compared byte for byte too.
  ///
  /// It is inlinable, like its callers, so that the compiler specializes it for each set. A lookup at run time took a
  /// sixth of the time of a program that asks for the state.
  @inlinable package init?(word text: Text) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let word = Self(rawValue: text.string) else { return nil }
    self = word
  }
}
