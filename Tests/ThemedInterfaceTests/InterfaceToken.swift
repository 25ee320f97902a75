/// A word or a mark of an interface's text.
struct InterfaceToken: Hashable {
  let text: String
  let line: Int

  /// The tokens of a text, without its comments.
  static func tokens(of bytes: [UInt8]) throws(InterfaceText.Mistake) -> [InterfaceToken] {
    var tokens: [InterfaceToken] = []
    var rest = bytes[...]
    var line = 1
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        rest.removeFirst()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): rest.removeFirst()
      case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case _ where byte.isOfName:
        // A hyphen is a name's within it, and an arrow's else.
        let word = rest.prefix { $0.isOfName || "._-".utf8.contains($0) }
        tokens.append(InterfaceToken(text: String(decoding: word, as: UTF8.self), line: line))
        rest = rest.dropFirst(word.count)
      case _ where rest.starts(with: "->".utf8):
        tokens.append(InterfaceToken(text: "->", line: line))
        rest = rest.dropFirst(2)
      case _ where "():,?[]".utf8.contains(byte):
        tokens.append(InterfaceToken(text: String(decoding: [byte], as: UTF8.self), line: line))
        rest.removeFirst()
      default: throw .init(line: line, problem: "the byte \(byte) means nothing")
      }
    }
    return tokens
  }
}

/// What may be called what.
enum InterfaceName {
  /// Whether an interface may be called this: words with dots between them, and hyphens within.
  static func isInterface(_ name: String) -> Bool {
    let words = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return words.count > 1 && name.utf8.first?.isLetter == true
      && words.allSatisfy { word in
        word.first?.isOfName == true && word.last?.isOfName == true
          && word.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") }
      }
  }

  /// Whether a type, a method or an error may be.
  static func isMember(_ name: String) -> Bool {
    name.utf8.first.map { $0.isLetter && $0 & 0x20 == 0 } == true && name.utf8.allSatisfy(\.isOfName)
  }

  /// Whether a field, or a word of an enumeration, may be.
  static func isField(_ name: String) -> Bool {
    let words = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    return name.utf8.first?.isLetter == true && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isOfName) }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isOfName: Bool { isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
