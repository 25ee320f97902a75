extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// The word of this closed set that a text is, byte for byte; nil where it is none of them.
  ///
  /// `init(rawValue:)` compares as String does, and so in a time that grows with the square of what a stranger sends; but of
  /// ASCII, which all words are, a String too is compared byte for byte.
  ///
  /// Inlinable, as what uses it is: made for each set, and not looked up at run time among all that conforms to anything,
  /// which took a sixth of what a program does that asks for the state.
  @inlinable public init?(word text: Text) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let word = Self(rawValue: text.string) else { return nil }
    self = word
  }
}
