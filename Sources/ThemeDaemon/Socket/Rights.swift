internal import ThemedVarlink

/// The rights of a connection, as decided by its socket for the connection's whole life.
///
/// There is no default anywhere, so that code that makes or hands over a connection has to consider it. The numbers are
/// for handovers, where 0 means none.
enum Rights: UInt8, Hashable, CaseIterable {
  /// Everything.
  case all = 1
  /// Read only: it changes nothing, and learns neither paths nor what other clients do.
  case reading = 2

  /// The limits of a connection with these rights.
  var limits: ServerConnection.Limits { self == .all ? Limits.connection : Limits.readersConnection }
}
