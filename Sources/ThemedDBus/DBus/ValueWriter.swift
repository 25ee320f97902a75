internal import CThemedDBus
internal import ThemedSystem

/// Writes values into a message.
///
/// They must match the signature, so they must be the caller's own and never come from outside.
struct ValueWriter {
  /// The types still to be written.
  private var signature: ArraySlice<UInt8>

  /// A writer of values of these types.
  init(_ signature: Text) {
    self.signature = Array(signature.utf8)[...]
  }

  private init(_ signature: ArraySlice<UInt8>) {
    self.signature = signature
  }

  /// Writes the next value.
  mutating func write(_ value: Value, to iterator: inout DBusMessageIter) {
    let type = takeType()
    switch (value, type.first.map { Unicode.Scalar($0) }) {
    case (.boolean(let flag), "b"): unsafe basic(dbus_bool_t(flag ? 1 : 0), themed_dbus_type_boolean, &iterator)
    case (.uint32(let number), "u"): unsafe basic(number, themed_dbus_type_uint32, &iterator)
    case (.double(let number), "d"): unsafe basic(number, themed_dbus_type_double, &iterator)
    case (.string(let text), "s"):
      unsafe text.string.withCString { text in
        unsafe basic(Optional(text), themed_dbus_type_string, &iterator)
      }
    case (.variant(let inner), "v"):
      let signature = Array(inner.signature.utf8)
      unsafe within(themed_dbus_type_variant, signature, &iterator) { iterator in
        var writer = Self(signature[...])
        unsafe writer.write(inner, to: &iterator)
      }
    case (.array(let elements), "a"):
      unsafe within(themed_dbus_type_array, Array(type.dropFirst()), &iterator) { iterator in
        for element in elements {
          var writer = Self(type.dropFirst())
          unsafe writer.write(element, to: &iterator)
        }
      }
    case (.structure(let parts), "("):
      unsafe within(themed_dbus_type_struct, nil, &iterator) { unsafe Self.list(parts, type, &$0) }
    case (.structure(let parts), "{"):
      unsafe within(themed_dbus_type_dict_entry, nil, &iterator) { unsafe Self.list(parts, type, &$0) }
    default: preconditionFailure("no message of ours has such a value")
    }
  }

  /// Writes the content of a container.
  private static func list(_ parts: [Value], _ type: ArraySlice<UInt8>, _ iterator: inout DBusMessageIter) {
    var writer = Self(type.dropFirst().dropLast())
    for part in parts { unsafe writer.write(part, to: &iterator) }
  }

  private func basic<Basic>(_ value: Basic, _ type: CInt, _ iterator: inout DBusMessageIter) {
    unsafe withUnsafePointer(to: value) { value in
      guard unsafe dbus_message_iter_append_basic(&iterator, type, value) != 0 else { fatalError("out of memory") }
    }
  }

  private func within(
    _ type: CInt, _ signature: [UInt8]?, _ iterator: inout DBusMessageIter, _ body: (inout DBusMessageIter) -> Void
  ) {
    var inner = unsafe DBusMessageIter()
    let text = signature.map { String(decoding: $0, as: UTF8.self) }
    let isOpen =
      if let text {
        unsafe text.withCString { unsafe dbus_message_iter_open_container(&iterator, type, $0, &inner) }
      } else {
        unsafe dbus_message_iter_open_container(&iterator, type, nil, &inner)
      }
    guard isOpen != 0 else { fatalError("out of memory") }
    unsafe body(&inner)
    guard unsafe dbus_message_iter_close_container(&iterator, &inner) != 0 else { fatalError("out of memory") }
  }

  /// Takes one complete type off the signature.
  private mutating func takeType() -> ArraySlice<UInt8> {
    var (end, depth) = (signature.startIndex, 0)
    while end < signature.endIndex {
      let byte = signature[end]
      end += 1
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { depth -= 1 }
      // The type of an array continues with that of its elements.
      if depth == 0, byte != UInt8(ascii: "a") { break }
    }
    defer { signature = signature[end...] }
    return signature[..<end]
  }
}

extension Value {
  /// The type in a variant of ours; none of them holds an array.
  fileprivate var signature: Text {
    switch self {
    case .boolean: "b"
    case .uint32: "u"
    case .double: "d"
    case .string: "s"
    case .variant: "v"
    case .structure(let parts): "(\(parts.map(\.signature.string).joined()))"
    default: preconditionFailure("no message of ours has such a value in a variant")
    }
  }
}
