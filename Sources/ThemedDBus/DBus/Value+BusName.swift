internal import CThemedDBus
public import ThemedSystem

extension Value {
  /// This value as a bus name; nil if it is not a valid one.
  ///
  /// That can be the empty string for a name without an owner, or anything that a faulty bus makes up; libdbus aborts a
  /// process that calls an invalid name.
  public var busName: Text? {
    guard case .string(let name) = self, unsafe dbus_validate_bus_name(name.string, nil) != 0 else { return nil }
    return name
  }
}
