/// Why something was not done, in words for the user.
package struct Refusal: Error, Hashable, CustomStringConvertible {
  /// The reasons; nearly always one.
  package let reasons: [String]
  /// The lines of a file, or for the user to write by hand, that belong below the last reason.
  package let lines: [String]

  package var description: String { reasons.joined(separator: "; ") }

  package init(_ description: String, quoting lines: [String] = []) { (reasons, self.lines) = ([description], lines) }

  package init(reasons: [String]) { (self.reasons, lines) = (reasons, []) }
}
