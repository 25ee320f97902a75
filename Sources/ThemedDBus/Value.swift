internal import CThemedDBus
internal import Glibc
package import ThemedSystem

package indirect enum Value: Sendable, Hashable {
  /// `y`.
  case byte(UInt8)
  /// `b`.
  case boolean(Bool)
  /// `n`.
  case int16(Int16)
  /// `q`.
  case uint16(UInt16)
  /// `i`.
  case int32(Int32)
  /// `u`.
  case uint32(UInt32)
  /// `x`.
  case int64(Int64)
  /// `t`.
  case uint64(UInt64)
  /// `d`.
  case double(Double)
  /// `s`, `o` or `g`.
  case string(Text)
  /// `a…`; a dictionary is an array of structures with two members.
  case array([Value])
  /// `(…)`, or an entry of a dictionary.
  case structure([Value])
  /// `v`.
  case variant(Value)
  /// `ay`, to write; it is read as an array of bytes.
  case bytes([UInt8])
  /// `v` with a value of this type, to write what ``variant(_:)`` cannot know: an array, or the path of an object.
  case typed(Text, Value)
  /// A value that this project does not use: a descriptor, or a value nested deeper than D-Bus allows.
  case other

  /// The value as an integer, whatever its type; nil if it is not an integer or does not fit.
  package var integer: Int64? {
    switch self {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }
}

extension Value {
  /// The value inside variants: ReadOne and the portal's signals have one variant, Read has two, and some backends have
  /// one too many.
  package var unwrapped: Value {
    var value = self
    for _ in 0..<4 {
      guard case .variant(let inner) = value else { break }
      value = inner
    }
    return value
  }

  /// This value as a bus name; nil if it is not a valid one.
  ///
  /// That can be the empty string for a name without an owner, or anything that a faulty bus makes up; libdbus aborts a
  /// process that calls an invalid name.
  package var busName: Text? {
    guard case .string(let name) = self, unsafe dbus_validate_bus_name(name.string, nil) != 0 else { return nil }
    return name
  }
}

extension Value {
  /// The value in GVariant's text format, as `gdbus` prints it, without control characters: for people.
  ///
  /// If it is longer than `maximum` bytes, it ends with an ellipsis and the rest is not examined.
  package func text(atMost maximum: Int) -> String {
    var text = ""
    write(to: &text, atMost: maximum)
    return Text(text).shown(atMost: maximum)
  }

  private func write(to text: inout String, atMost maximum: Int) {
    switch self {
    case .byte(let number): text += "byte \(number)"
    case .boolean(let flag): text += "\(flag)"
    case .int16(let number): text += "int16 \(number)"
    case .uint16(let number): text += "uint16 \(number)"
    case .int32(let number): text += "\(number)"
    case .uint32(let number): text += "uint32 \(number)"
    case .int64(let number): text += "int64 \(number)"
    case .uint64(let number): text += "uint64 \(number)"
    case .double(let number): text += "\(number)"
    case .string(let string): text += "'\(string.prefix(maximum))'"
    case .array(let elements): Self.write(elements, "[", "]", to: &text, atMost: maximum)
    case .structure(let parts): Self.write(parts, "(", ")", to: &text, atMost: maximum)
    case .variant(let value), .typed(_, let value): Self.write([value], "<", ">", to: &text, atMost: maximum)
    case .bytes(let bytes): Self.write(bytes.map(Value.byte), "[", "]", to: &text, atMost: maximum)
    case .other: text += "?"
    }
  }

  private static func write(
    _ values: [Value], _ start: String, _ end: String, to text: inout String, atMost maximum: Int
  ) {
    text += start
    for (index, value) in values.enumerated() {
      // If it is too long already, the end will be cut off anyway.
      guard text.utf8.count <= maximum else { return }
      if index > 0 { text += ", " }
      value.write(to: &text, atMost: maximum)
    }
    text += end
  }
}

/// How much of a message's arguments is read; the sender can put in as much as the bus allows.
package struct Extent: Sendable {
  /// The maximum number of values on all levels together; the rest is left out.
  package var values: Int
  /// The maximum number of bytes of each string; the rest is cut off.
  package var text: Int

  package init(values: Int, text: Int) {
    (self.values, self.text) = (values, text)
  }

  /// More than any single answer or signal has.
  package static let small = Extent(values: 64, text: 1024)
}

/// Reads the values of a message, up to a limit.
struct ValueReader {
  /// D-Bus does not allow deeper nesting.
  private static let maximumDepth = 64

  var extent: Extent

  /// Reads the values from `iterator` to the end of its level.
  mutating func list(_ iterator: inout DBusMessageIter, depth: Int = 0) -> [Value] {
    var values: [Value] = []
    while extent.values > 0, unsafe dbus_message_iter_get_arg_type(&iterator) != themed_dbus_type_invalid {
      extent.values -= 1
      unsafe values.append(value(&iterator, depth: depth))
      unsafe dbus_message_iter_next(&iterator)
    }
    return values
  }

  private mutating func value(_ iterator: inout DBusMessageIter, depth: Int) -> Value {
    switch unsafe dbus_message_iter_get_arg_type(&iterator) {
    case themed_dbus_type_byte: unsafe .byte(basic(&iterator, 0))
    case themed_dbus_type_boolean: unsafe .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
    case themed_dbus_type_int16: unsafe .int16(basic(&iterator, 0))
    case themed_dbus_type_uint16: unsafe .uint16(basic(&iterator, 0))
    case themed_dbus_type_int32: unsafe .int32(basic(&iterator, 0))
    case themed_dbus_type_uint32: unsafe .uint32(basic(&iterator, 0))
    case themed_dbus_type_int64: unsafe .int64(basic(&iterator, 0))
    case themed_dbus_type_uint64: unsafe .uint64(basic(&iterator, 0))
    case themed_dbus_type_double: unsafe .double(basic(&iterator, 0))
    case themed_dbus_type_string, themed_dbus_type_object_path, themed_dbus_type_signature:
      unsafe .string(text(basic(&iterator, nil)))
    case themed_dbus_type_array: unsafe .array(container(&iterator, depth) ?? [])
    case themed_dbus_type_struct, themed_dbus_type_dict_entry:
      unsafe container(&iterator, depth).map { .structure($0) } ?? .other
    case themed_dbus_type_variant: unsafe .variant(container(&iterator, depth)?.first ?? .other)
    default: .other
    }
  }

  private func basic<Basic>(_ iterator: inout DBusMessageIter, _ initial: Basic) -> Basic {
    var value = initial
    unsafe withUnsafeMutablePointer(to: &value) { unsafe dbus_message_iter_get_basic(&iterator, $0) }
    return value
  }

  private func text(_ start: UnsafePointer<CChar>?) -> Text {
    guard let start = unsafe start else { return "" }
    // A little more, so that the last character is complete before it is cut off.
    let count = unsafe strnlen(start, extent.text + 4)
    return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) {
      unsafe Text(decoding: UnsafeBufferPointer(start: $0, count: count)).prefix(extent.text)
    }
  }

  /// The content of a container; nil if it is nested too deep.
  private mutating func container(_ iterator: inout DBusMessageIter, _ depth: Int) -> [Value]? {
    guard depth < Self.maximumDepth else { return nil }
    var inner = unsafe DBusMessageIter()
    unsafe dbus_message_iter_recurse(&iterator, &inner)
    return unsafe list(&inner, depth: depth + 1)
  }
}

/// Writes values into a message.
///
/// They must match the signature, so they must be the caller's own and never come from outside.
struct ValueWriter {
  /// The types still to be written.
  private var signature: ArraySlice<UInt8>

  init(_ signature: Text) { self.signature = Array(signature.utf8)[...] }

  private init(_ signature: ArraySlice<UInt8>) { self.signature = signature }

  mutating func write(_ value: Value, to iterator: inout DBusMessageIter) {
    let type = takeType()
    switch (value, type.first.map { Unicode.Scalar($0) }) {
    case (.boolean(let flag), "b"): unsafe basic(dbus_bool_t(flag ? 1 : 0), themed_dbus_type_boolean, &iterator)
    case (.uint32(let number), "u"): unsafe basic(number, themed_dbus_type_uint32, &iterator)
    case (.int32(let number), "i"): unsafe basic(number, themed_dbus_type_int32, &iterator)
    case (.double(let number), "d"): unsafe basic(number, themed_dbus_type_double, &iterator)
    case (.string(let text), "s"): unsafe string(text, themed_dbus_type_string, &iterator)
    case (.string(let text), "o"): unsafe string(text, themed_dbus_type_object_path, &iterator)
    case (.variant(let inner), "v"): unsafe variant(inner, inner.signature, &iterator)
    case (.typed(let signature, let inner), "v"): unsafe variant(inner, signature, &iterator)
    case (.bytes(let bytes), "a"):
      unsafe within(themed_dbus_type_array, Array(type.dropFirst()), &iterator) { iterator in
        unsafe bytes.withUnsafeBufferPointer { bytes in
          var start = bytes.baseAddress
          guard let count = CInt(exactly: bytes.count), count > 0 else { return }
          guard
            unsafe dbus_message_iter_append_fixed_array(&iterator, themed_dbus_type_byte, &start, count) != 0
          else { fatalError("out of memory") }
        }
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

  private func string(_ text: Text, _ type: CInt, _ iterator: inout DBusMessageIter) {
    unsafe text.string.withCString { text in unsafe basic(Optional(text), type, &iterator) }
  }

  private func variant(_ inner: Value, _ signature: Text, _ iterator: inout DBusMessageIter) {
    let signature = Array(signature.utf8)
    unsafe within(themed_dbus_type_variant, signature, &iterator) { iterator in
      var writer = Self(signature[...])
      unsafe writer.write(inner, to: &iterator)
    }
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
    case .int32: "i"
    case .double: "d"
    case .string: "s"
    case .variant, .typed: "v"
    case .structure(let parts): "(\(parts.map(\.signature.string).joined()))"
    default: preconditionFailure("no message of ours has such a value in a variant")
    }
  }
}
