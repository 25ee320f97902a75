internal import CGLib

/// A key file, as GLib reads it.
@safe
struct KeyFile: ~Copyable {
  private let raw: OpaquePointer

  /// Reads a text; throws GLib's reason, which quotes the line, where it is none.
  init(_ text: [UInt8]) throws(Configuration.Problem) {
    guard let raw = unsafe g_key_file_new() else { fatalError("out of memory") }
    unsafe self.raw = raw
    var error: UnsafeMutablePointer<GError>? = nil
    let characters = text.map(CChar.init(bitPattern:)) + [0]
    let isRead = unsafe g_key_file_load_from_data(raw, characters, gsize(text.count), G_KEY_FILE_NONE, &error)
    guard isRead == 0 else { return }
    let message = unsafe error.flatMap { unsafe $0.pointee.message }.map { unsafe String(cString: $0) }
    unsafe g_clear_error(&error)
    throw Configuration.Problem(description: message ?? "unreadable")
  }

  deinit { unsafe g_key_file_unref(raw) }

  /// What stands behind a key, without white space around it; nil where the key does not stand there.
  func value(_ group: String, _ key: String) -> String? {
    guard let value = unsafe g_key_file_get_value(raw, group, key, nil) else { return nil }
    defer { unsafe g_free(value) }
    return unsafe String(cString: g_strchomp(value))
  }

  /// Every key, as `[group] key`.
  var keys: [String] {
    unsafe strings(g_key_file_get_groups(raw, nil)).flatMap { group in
      unsafe strings(g_key_file_get_keys(raw, group, nil, nil)).map { "[\(group)] \($0)" }
    }
  }

  /// Takes over and frees a list of strings that ends with null.
  private func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe g_strfreev(list) }
    var result: [String] = []
    while let string = unsafe list[result.count] { unsafe result.append(String(cString: string)) }
    return result
  }
}
