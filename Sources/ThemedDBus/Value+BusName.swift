internal import CThemedDBus
public import ThemedText

extension Value {
  /// The name on the bus that this is; nil for what is none, as the empty one of a name that nobody owns, or what a bus
  /// makes up: libdbus ends a process that calls such a name.
  public var busName: Text? {
    guard case .string(let name) = self, unsafe dbus_validate_bus_name(name.string, nil) != 0 else { return nil }
    return name
  }
}
