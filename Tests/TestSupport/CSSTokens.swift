public import ThemedSystem

/// A style sheet taken apart as CSS Syntax 3 has it, as far as ours go; nil where a browser would find a mistake.
public struct CSSTokens {
  /// A token; white space is none.
  public enum Token: Hashable {
    /// A name.
    case word(Text)
    /// A name with the parenthesis behind it.
    case function(Text)
    /// What a string in double quotes says.
    case string(Text)
    /// What stands behind `#`.
    case hash(Text)
    /// Anything else.
    case mark(Unicode.Scalar)

    /// The name; nil where it is none.
    public var word: Text? { if case .word(let text) = self { text } else { nil } }
  }

  /// The tokens, in order.
  public private(set) var list: [Token] = []
  private var rest: ArraySlice<Unicode.Scalar>

  /// Takes a style sheet apart.
  public init?(_ text: String) {
    rest = Array(text.unicodeScalars)[...]
    while let next = rest.first {
      switch next {
      case " ", "\n", "\t": rest.removeFirst()
      case "\"":
        guard let text = string() else { return nil }
        list.append(.string(text))
      case "#":
        rest.removeFirst()
        list.append(.hash(name()))
      case "{", "}", "(", ")", ":", ";", "@":
        rest.removeFirst()
        list.append(.mark(next))
      default:
        let word = name()
        guard !word.isEmpty else { return nil }
        if rest.first == "(" {
          rest.removeFirst()
          list.append(.function(word))
        } else {
          list.append(.word(word))
        }
      }
    }
  }

  private mutating func string() -> Text? {
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let next = rest.popFirst() {
      switch next {
      case "\"": return Text(String(text))
      // A line's end, or what the preprocessing of CSS makes of these.
      case "\n", "\r", "\u{C}", "\0": return nil
      case "\\":
        guard let scalar = escaped() else { return nil }
        text.append(scalar)
      default: text.append(next)
      }
    }
    return nil
  }

  private mutating func name() -> Text {
    var text = String.UnicodeScalarView()
    while let next = rest.first {
      switch next {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": text.append(next)
      case _ where next.value >= 0x80: text.append(next)
      case "\\":
        rest.removeFirst()
        guard let scalar = escaped() else { return "" }
        text.append(scalar)
        continue
      default: return Text(String(text))
      }
      rest.removeFirst()
    }
    return Text(String(text))
  }

  private mutating func escaped() -> Unicode.Scalar? {
    var digits = ""
    while digits.count < 6, let next = rest.first, next.isASCII, next.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(next)
      rest.removeFirst()
    }
    guard !digits.isEmpty else {
      guard let next = rest.popFirst(), !["\n", "\r", "\u{C}"].contains(next) else { return nil }
      return next
    }
    if let next = rest.first, [" ", "\n", "\t"].contains(next) { rest.removeFirst() }
    return UInt32(digits, radix: 16).flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}

extension CSSTokens {
  /// The values of the custom properties whose names begin with `prefix`, each of which has to be one string within
  /// `url()`: by the rest of the name, in the order of the sheet; nil where one is something else.
  public func urls(_ prefix: Text) -> [Text: [Text]]? {
    var urls: [Text: [Text]] = [:]
    for (index, token) in list.enumerated() {
      guard let name = token.word?.dropping(prefix: prefix) else { continue }
      let rest = Array(list[index...].prefix(6).dropFirst())
      guard rest.count == 5, case .string(let text) = rest[2] else { return nil }
      guard rest == [.mark(":"), .function("url"), .string(text), .mark(")"), .mark(";")] else { return nil }
      urls[name, default: []].append(text)
    }
    return urls
  }
}
