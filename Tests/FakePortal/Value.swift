import CThemedDBus

/// Appends a value written as `TYPE:TEXT`.
///
/// The types are D-Bus's: `y`, `n`, `q`, `i`, `u`, `x`, `t`, `b`, `d`, `s` and `v` (a variant of the value behind it,
/// as in `v:u:1`); further `c:RED,GREEN,BLUE`, a structure of three doubles, `a:`, an empty array of strings,
/// `z:COUNT`, a string of so many bytes, `ay:COUNT`, so many bytes, `m:COUNT,TEXT`, a string with so many combining
/// marks behind it, and `h:`, the descriptor of standard input.
func append(_ value: String, to iterator: inout DBusMessageIter) {
  let (type, text) = split(value)
  switch type {
  case "y": unsafe append(UInt8(text) ?? 0, themed_dbus_type_byte, &iterator)
  case "n": unsafe append(Int16(text) ?? 0, themed_dbus_type_int16, &iterator)
  case "q": unsafe append(UInt16(text) ?? 0, themed_dbus_type_uint16, &iterator)
  case "i": unsafe append(Int32(text) ?? 0, themed_dbus_type_int32, &iterator)
  case "u": unsafe append(UInt32(text) ?? 0, themed_dbus_type_uint32, &iterator)
  case "x": unsafe append(Int64(text) ?? 0, themed_dbus_type_int64, &iterator)
  case "t": unsafe append(UInt64(text) ?? 0, themed_dbus_type_uint64, &iterator)
  case "b": unsafe append(dbus_bool_t(text == "true" ? 1 : 0), themed_dbus_type_boolean, &iterator)
  case "d": unsafe append(Double(text) ?? 0, themed_dbus_type_double, &iterator)
  case "s", "z":
    let string = type == "z" ? String(repeating: "z", count: Int(text) ?? 0) : text
    unsafe string.withCString { pointer in
      unsafe append(Optional(pointer), themed_dbus_type_string, &iterator)
    }
  case "m":
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let marks = String(repeating: "\u{301}\u{323}", count: (Int(parts[0]) ?? 0) / 2)
    unsafe (parts[1] + marks).withCString { pointer in
      unsafe append(Optional(pointer), themed_dbus_type_string, &iterator)
    }
  case "ay":
    let bytes = [UInt8](repeating: 0, count: Int(text) ?? 0)
    unsafe enclose(themed_dbus_type_array, "y", &iterator) { inner in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        unsafe _ = dbus_message_iter_append_fixed_array(&inner, themed_dbus_type_byte, &start, CInt(bytes.count))
      }
    }
  case "h": unsafe append(CInt(0), themed_dbus_type_unix_fd, &iterator)
  case "v": unsafe enclose(themed_dbus_type_variant, signature(text), &iterator) { unsafe append(text, to: &$0) }
  case "a": unsafe enclose(themed_dbus_type_array, "s", &iterator) { _ in }
  case "c":
    unsafe enclose(themed_dbus_type_struct, nil, &iterator) { inner in
      for number in text.split(separator: ",") { unsafe append("d:\(number)", to: &inner) }
    }
  default: fail("no such value: \(value)")
  }
}

private func split(_ value: String) -> (type: String, text: String) {
  let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 2 else { fail("no such value: \(value)") }
  return (parts[0], parts[1])
}

private func signature(_ value: String) -> String {
  let (type, text) = split(value)
  return switch type {
  case "z", "m": "s"
  case "a": "as"
  case "c": "(" + text.split(separator: ",").map { _ in "d" }.joined() + ")"
  default: type
  }
}

private func append<Basic>(_ basic: Basic, _ type: CInt, _ iterator: inout DBusMessageIter) {
  unsafe withUnsafePointer(to: basic) { unsafe _ = dbus_message_iter_append_basic(&iterator, type, $0) }
}

private func enclose(
  _ type: CInt, _ signature: String?, _ iterator: inout DBusMessageIter, _ body: (inout DBusMessageIter) -> Void
) {
  var inner = unsafe DBusMessageIter()
  unsafe dbus_message_iter_open_container(&iterator, type, signature, &inner)
  unsafe body(&inner)
  unsafe dbus_message_iter_close_container(&iterator, &inner)
}
