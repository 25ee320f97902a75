internal import ThemedVarlink

/// What a connection may do, for its whole life: the socket that it came through decides.
///
/// Without a default anywhere, so that whoever makes or hands on a connection has to think of it. The numbers are for a
/// handover, in which 0 is none.
enum Rights: UInt8, Hashable, CaseIterable {
  /// Everything.
  case all = 1
  /// To look: what it says changes nothing, and it is told neither paths nor what other clients do.
  case reading = 2

  /// What bounds a connection with these rights.
  var limits: ServerConnection.Limits { self == .all ? Limits.connection : Limits.readersConnection }
}
