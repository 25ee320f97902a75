internal import CThemedGLib

/// A key file as GLib reads it, which ours is compared with.
@safe
struct GLibKeyFile: ~Copyable {
  private let raw: OpaquePointer

  /// Reads a text; nil where GLib refuses it, and where it holds a NUL byte: GLib would take the line up to there.
  init?(_ text: [UInt8]) {
    guard !text.contains(0) else { return nil }
    guard let raw = unsafe g_key_file_new() else { fatalError("out of memory") }
    let characters = withoutBlanksAtLineEnds(text).map(CChar.init(bitPattern:)) + [0]
    guard
      unsafe g_key_file_load_from_data(raw, characters, gsize(characters.count - 1), G_KEY_FILE_NONE, nil) != 0
    else {
      unsafe g_key_file_unref(raw)
      return nil
    }
    unsafe self.raw = raw
  }

  deinit { unsafe g_key_file_unref(raw) }

  /// The names of the groups, in order.
  var groups: [[CChar]] { unsafe strings(g_key_file_get_groups(raw, nil)) }

  /// The keys of a group, none twice, but those with a locale: which of them are there depends on the user's language.
  func keys(of group: [CChar]) -> [[CChar]] {
    var seen: Set<[CChar]> = []
    return unsafe strings(g_key_file_get_keys(raw, group, nil, nil)).filter { key in
      let name = bytes(key)
      let isTranslation = name.last == UInt8(ascii: "]") && name.dropLast().last != UInt8(ascii: "[")
      return !isTranslation && seen.insert(key).inserted
    }
  }

  /// What stands behind a key, as it is written.
  func value(_ group: [CChar], _ key: [CChar]) -> [UInt8]? {
    unsafe string(g_key_file_get_value(raw, group, key, nil))
  }

  /// What stands behind a key, escapes resolved; nil where it is no text.
  func text(_ group: [CChar], _ key: [CChar]) -> [UInt8]? {
    var error: UnsafeMutablePointer<GError>? = nil
    let text = unsafe string(g_key_file_get_string(raw, group, key, &error))
    // A text with a wrong escape in it is returned, beside the error.
    guard unsafe error == nil else {
      unsafe g_clear_error(&error)
      return nil
    }
    return text
  }

  /// Takes over and frees a string.
  private func string(_ string: UnsafeMutablePointer<gchar>?) -> [UInt8]? {
    guard let string = unsafe string else { return nil }
    defer { unsafe g_free(string) }
    return unsafe bytes(characters(string))
  }

  /// Takes over and frees a list of strings that ends with null.
  private func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [[CChar]] {
    guard let list = unsafe list else { return [] }
    defer { unsafe g_strfreev(list) }
    var result: [[CChar]] = []
    while let string = unsafe list[result.count] { unsafe result.append(characters(string)) }
    return result
  }

  /// The characters of a string, and the NUL that ends it.
  private func characters(_ string: UnsafeMutablePointer<gchar>) -> [CChar] {
    var count = 0
    while unsafe string[count] != 0 { count += 1 }
    return unsafe Array(UnsafeBufferPointer(start: string, count: count + 1))
  }
}

/// The bytes of characters, without the NUL that ends them.
func bytes(_ characters: [CChar]) -> [UInt8] { characters.dropLast().map { UInt8(bitPattern: $0) } }

/// A text without the blanks at its lines' ends, which GLib would take for parts of values.
private func withoutBlanksAtLineEnds(_ text: [UInt8]) -> [UInt8] {
  let blanks = Array(" \t\r\u{C}".utf8)
  return Array(
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      line.lastIndex { !blanks.contains($0) }.map { line[...$0] } ?? []
    }.joined(separator: [UInt8(ascii: "\n")]))
}
