/// Texts that strangers may write into names, titles, authors and values: each has broken some program that reads or
/// writes a grammar of bytes over Characters, or without a thought of who reads it next.
public enum Strangers {
  /// Everything in one line that a title may hold: no control character.
  public static let titles: [String] = [
    "plain", " two  spaces ", "'", "''", "'\\''", "\"", "\\", "\\\\", "a\\", "`touch pwned`", "$(touch pwned)",
    "${HOME}",
    "$HOME", "!!", "~", "*", "?", "[a]", "a=b", "#", ";", "; touch pwned #", "| touch pwned", "&& touch pwned", "<",
    ">",
    "</style>", "<!--", "*/", "/*", "{", "}", "url(x)", "%s%n", "-n", "--", "- x", "? x", ": x", "a: b", "&a", "*a",
    "|",
    "@x", "%TAG", "---", "...", "null", "~", "0x10", "1e3", "\u{0301}", "e\u{0301}", "\u{00E9}",
    // A quote and what stands on it are one Character.
    "x'\u{0301}; touch pwned #", "x'\u{0301}$(touch pwned)'\u{0301}", "\"\u{0301}; touch pwned \"\u{0301}",
    "\\\u{0301}'; touch pwned #", "`\u{0301}touch pwned`\u{0301}", "$\u{0301}(touch pwned)", "=\u{0301}", "#\u{0301}",
    "[\u{0301}", " \u{0301}", "\\s\u{0301}", "'\u{200D}'", "'\u{200D}; touch pwned #", "\u{200D}'", "'\u{FE0F}x",
    "'\u{20DD}; touch pwned #", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", "\u{1F1E9}\u{1F1EA}'",
    "\u{1100}\u{1161}'\u{11A8}", "a" + String(repeating: "\u{0323}\u{0301}", count: 60),
    "'" + String(repeating: "\u{0301}", count: 100), "\u{2028}", "a\u{2029}b", "\u{2028}touch pwned", "\u{FEFF}",
    "\u{FEFF}a", "a\u{FEFF}", "\u{202E}dlrow", "\u{2066}x\u{2069}", "\u{200B}", "\u{00AD}", "\u{E000}", "\u{10FFFD}",
    "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{1FFFE}", "\u{E0001}", "\u{00A0}", "\u{3000}", "\u{200C}\u{200D}",
  ]

  /// What a value may hold besides: every control character but NUL, lines, orders to a terminal.
  public static let texts: [String] =
    titles + [
      "\r\n", "a\r\nb", "\n", "\n\n", "a\nb\n", "'\r\n; touch pwned #", "'\n; touch pwned #", "\r", "a\rtouch pwned",
      "\r\n'\u{0301}\r\n", "=\r\n", "\t", "\ta\t", " \t ", "\u{85}", "a\u{85}touch pwned", "\u{B}", "a\u{C}b", "\u{7}",
      "\u{8}", "\u{1B}[31m", "\u{1B}]0;pwned\u{7}", "\u{9B}31m", "\u{7F}", "\u{80}", "\u{9F}", "a\n[group]\nb=c",
      "x\\\n\"; touch pwned", "\\a ", "\\\r\n",
    ]
}
