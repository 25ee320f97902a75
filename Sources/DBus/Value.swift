internal import CDBus

/// A D-Bus value, as a message holds it.
public indirect enum Value: Sendable, Hashable {
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
  case string(String)
  /// `a…`; a dictionary is an array of structures of two.
  case array([Value])
  /// `(…)`, and the entry of a dictionary.
  case structure([Value])
  /// `v`.
  case variant(Value)
  /// What this project has no use for: a descriptor, or what lies deeper than D-Bus allows.
  case other
}

extension Value {
  /// Values below ``DBusMessage`` nest no deeper; D-Bus itself allows 64.
  private static let maximumDepth = 64

  /// Reads the values from `iterator` to the end of its level.
  static func list(_ iterator: inout DBusMessageIter, depth: Int = 0) -> [Value] {
    var values: [Value] = []
    while unsafe dbus_message_iter_get_arg_type(&iterator) != themed_dbus_type_invalid {
      unsafe values.append(Value(&iterator, depth: depth))
      unsafe dbus_message_iter_next(&iterator)
    }
    return values
  }

  private init(_ iterator: inout DBusMessageIter, depth: Int) {
    switch unsafe dbus_message_iter_get_arg_type(&iterator) {
    case themed_dbus_type_byte: self = unsafe .byte(Self.basic(&iterator, 0))
    case themed_dbus_type_boolean: self = unsafe .boolean(Self.basic(&iterator, dbus_bool_t(0)) != 0)
    case themed_dbus_type_int16: self = unsafe .int16(Self.basic(&iterator, 0))
    case themed_dbus_type_uint16: self = unsafe .uint16(Self.basic(&iterator, 0))
    case themed_dbus_type_int32: self = unsafe .int32(Self.basic(&iterator, 0))
    case themed_dbus_type_uint32: self = unsafe .uint32(Self.basic(&iterator, 0))
    case themed_dbus_type_int64: self = unsafe .int64(Self.basic(&iterator, 0))
    case themed_dbus_type_uint64: self = unsafe .uint64(Self.basic(&iterator, 0))
    case themed_dbus_type_double: self = unsafe .double(Self.basic(&iterator, 0))
    case themed_dbus_type_string, themed_dbus_type_object_path, themed_dbus_type_signature:
      let text: UnsafePointer<CChar>? = unsafe Self.basic(&iterator, nil)
      self = unsafe .string(text.map { unsafe String(cString: $0) } ?? "")
    case themed_dbus_type_array: self = unsafe Self.container(&iterator, depth) { .array($0) }
    case themed_dbus_type_struct, themed_dbus_type_dict_entry:
      self = unsafe Self.container(&iterator, depth) { .structure($0) }
    case themed_dbus_type_variant: self = unsafe Self.container(&iterator, depth) { .variant($0.first ?? .other) }
    default: self = .other
    }
  }

  private static func basic<Basic>(_ iterator: inout DBusMessageIter, _ initial: Basic) -> Basic {
    var value = initial
    unsafe withUnsafeMutablePointer(to: &value) { unsafe dbus_message_iter_get_basic(&iterator, $0) }
    return value
  }

  private static func container(
    _ iterator: inout DBusMessageIter, _ depth: Int, _ make: ([Value]) -> Value
  ) -> Value {
    guard depth < maximumDepth else { return .other }
    var inner = unsafe DBusMessageIter()
    unsafe dbus_message_iter_recurse(&iterator, &inner)
    return unsafe make(list(&inner, depth: depth + 1))
  }
}
