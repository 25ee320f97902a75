extension RawRepresentable where RawValue == String, Self: CaseIterable {
  /// The word of this closed set that a text is, byte for byte; nil where it is none of them.
  ///
  /// `init(rawValue:)` compares as String does, and so in a time that grows with the square of what a stranger sends.
  ///
  /// Inlinable, as what uses it is: made for each set, and not looked up at run time among all that conforms to anything,
  /// which took a sixth of what a program does that asks for the state.
  @inlinable public init?(word text: Text) {
    guard let word = Self.allCases.first(where: { Text($0.rawValue) == text }) else { return nil }
    self = word
  }
}
