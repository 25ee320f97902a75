import ThemedSystem

// Quotes foreign text in files for programs, scalar by scalar, since a Character may contain a quote and the text after
// it. `Text.quotedForShell` quotes for shells.

extension Text {
  /// A word that fish reads as exactly this text: within single quotes it has two escapes.
  var quotedForFish: String {
    let quoted = utf8.flatMap { "'\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return "'\(Text(decoding: quoted))'"
  }

  /// A scalar of YAML in double quotes that is read as this text, byte for byte.
  ///
  /// It escapes line ends, invisible characters and characters that YAML does not allow.
  var quotedForYAML: String {
    quoted { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.isVisible: nil
      case _ where scalar.value <= 0xFF: "\\x" + scalar.value.hexadecimal(2)
      case _ where scalar.value <= 0xFFFF: "\\u" + scalar.value.hexadecimal(4)
      default: "\\U" + scalar.value.hexadecimal(8)
      }
    }
  }

  /// A string of CSS in double quotes that is read as this text, byte for byte, except for NUL, which CSS cannot
  /// contain.
  ///
  /// It has no `<` either, which could end a style sheet within a page.
  var quotedForCSS: String {
    quoted { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "<": "\\3c "
      case _ where scalar.isVisible: nil
      default: "\\" + scalar.value.hexadecimal(1) + " "
      }
    }
  }

  /// A path as the content of `url()` in CSS, which would take some characters for parts of an address.
  var asCSSAddress: Text {
    guard utf8.contains(where: "%#?".utf8.contains) else { return self }
    let escaped = utf8.flatMap { byte -> [UInt8] in
      "%#?".utf8.contains(byte) ? Array("%\(UInt32(byte).hexadecimal(2))".utf8) : [byte]
    }
    return "file://\(Text(decoding: escaped))"
  }

  private func quoted(_ escaped: (Unicode.Scalar) -> String?) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in string.unicodeScalars {
      if let escape = escaped(scalar) { quoted += escape.unicodeScalars } else { quoted.append(scalar) }
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// The rest of a name in CSS, with a backslash before every character except letters, digits, `_` and `-`.
  var asCSSName: String {
    var name = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      if scalar.isASCII, !scalar.isWordOfASCII, scalar != "-" { name.append("\\") }
      name.append(scalar)
    }
    return String(name)
  }

  /// The rest of a variable's name, in upper case, with `_` for characters that it cannot contain.
  var asShellName: String {
    String(String.UnicodeScalarView(string.uppercased().unicodeScalars.map { $0.isWordOfASCII ? $0 : "_" }))
  }
}

extension Unicode.Scalar {
  fileprivate var isWordOfASCII: Bool { self == "_" || isASCII && UInt8(ascii: self).isLetterOrDigit }
}
