internal import CGLib
internal import ForeignText
internal import Themes

/// A key file, as GLib reads it.
@safe
struct KeyFile: ~Copyable {
  private let raw: OpaquePointer

  /// Reads a text; throws GLib's reason, which quotes the line, where it is none.
  init(_ text: [UInt8]) throws(Configuration.Problem) {
    guard let raw = unsafe g_key_file_new() else { fatalError("out of memory") }
    unsafe self.raw = raw
    // GLib would take each line up to there, and for a group the rest, too.
    guard !text.contains(0) else { throw Configuration.Problem(description: "it holds a NUL byte, and is no text") }
    var error: UnsafeMutablePointer<GError>? = nil
    let characters = ThemeFile.withoutBlanksAtLineEnds(text).map(CChar.init(bitPattern:)) + [0]
    let isRead = unsafe g_key_file_load_from_data(raw, characters, gsize(characters.count - 1), G_KEY_FILE_NONE, &error)
    guard isRead == 0 else { return }
    let message = unsafe error.flatMap { unsafe $0.pointee.message }.map { unsafe Text(String(cString: $0)) }
    unsafe g_clear_error(&error)
    // It quotes the line.
    throw Configuration.Problem(description: message?.shown(atMost: Limits.problem) ?? "unreadable")
  }

  deinit { unsafe g_key_file_unref(raw) }

  /// What stands behind a key, without white space around it; nil where the key does not stand there.
  func value(_ group: Text, _ key: Text) -> Text? {
    guard let value = unsafe g_key_file_get_value(raw, group.string, key.string, nil) else { return nil }
    defer { unsafe g_free(value) }
    return unsafe Text(String(cString: value))
  }

  /// Every key, as `[group] key`.
  var keys: [Text] {
    unsafe strings(g_key_file_get_groups(raw, nil)).flatMap { group in
      unsafe strings(g_key_file_get_keys(raw, group.string, nil, nil)).map { "[\(group)] \($0)" }
    }
  }

  /// Every group with its keys and their values, escapes resolved; throws the values that are no text.
  func groups() throws(ThemeFile.Problems) -> [ThemeFile.Group] {
    var problems: [ThemeFile.Problem] = []
    let groups = unsafe strings(g_key_file_get_groups(raw, nil)).map { group in
      // A key that stands twice is listed twice, with the value that holds, the last.
      var seen: Set<Text> = []
      let keys = unsafe strings(g_key_file_get_keys(raw, group.string, nil, nil)).filter { seen.insert($0).inserted }
      let entries = keys.map { key in
        if let text = text(group, key) { return ThemeFile.Entry(key, text) }
        let expected = "text in UTF-8, with no escapes but \\s, \\n, \\t, \\r and \\\\"
        problems.append(ThemeFile.Problem(group: group, key: key, value: value(group, key), expected: expected))
        return ThemeFile.Entry(key, "")
      }
      return ThemeFile.Group(group, entries)
    }
    guard problems.isEmpty else { throw ThemeFile.Problems(problems) }
    return groups
  }

  /// What stands behind a key, escapes resolved; nil where it is no text.
  private func text(_ group: Text, _ key: Text) -> Text? {
    var error: UnsafeMutablePointer<GError>? = nil
    let text = unsafe g_key_file_get_string(raw, group.string, key.string, &error)
    defer { unsafe g_free(text) }
    // A text with a wrong escape in it is returned, beside the error.
    guard unsafe error == nil else {
      unsafe g_clear_error(&error)
      return nil
    }
    return unsafe text.map { unsafe Text(String(cString: $0)) }
  }

  /// Takes over and frees a list of strings that ends with null.
  private func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [Text] {
    guard let list = unsafe list else { return [] }
    defer { unsafe g_strfreev(list) }
    var result: [Text] = []
    while let string = unsafe list[result.count] { unsafe result.append(Text(String(cString: string))) }
    return result
  }
}
