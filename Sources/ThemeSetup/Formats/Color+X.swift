import ThemedModel
package import ThemedSystem

extension Color {
  /// A colour as X and terminals write it: `rgb:rrrr/gggg/bbbb`, with one to four digits for each part, or `#` with as
  /// many for all three; nil if the text is neither.
  package init?(xSpecification text: Text) {
    let parts: [Text]
    if let named = text.dropping(prefix: "rgb:") {
      parts = named.split("/")
    } else if let digits = text.dropping(prefix: "#"), digits.count.isMultiple(of: 3) {
      let (bytes, width) = (Array(digits.utf8), digits.count / 3)
      parts = (0..<3).map { Text(decoding: bytes[($0 * width)..<(($0 + 1) * width)]) }
    } else {
      return nil
    }
    let components = parts.compactMap(\.asShareOfAll)
    guard parts.count == 3, components.count == 3 else { return nil }
    self.init(red: components[0], green: components[1], blue: components[2])
  }
}

extension Text {
  /// One to four hexadecimal digits as a share of the largest number with as many digits.
  fileprivate var asShareOfAll: Double? {
    guard 1...4 ~= count, utf8.allSatisfy(\.isHexadecimalDigit), let value = Int(string, radix: 16) else { return nil }
    return Double(value) / Double((1 << (4 * count)) - 1)
  }
}
