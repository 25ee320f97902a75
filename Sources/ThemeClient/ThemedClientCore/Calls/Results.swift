internal import ThemedInterface
public import ThemedModel
public import ThemedSystem
internal import ThemedVarlink

/// The result of setting or removing an override.
public struct OverrideChange: Sendable, Hashable {
  /// The new state, without details; the change is already in effect.
  public let state: State
  /// Whether the daemon has saved the override to disk.
  ///
  /// If not, the override is lost when the daemon stops; the daemon's log has the reason.
  public let isSaved: Bool

  init(reading reply: inout Parameters) throws(VarlinkError) {
    state = try State(reading: &reply)
    isSaved = try reply.require(reply.bool("saved"), "saved")
  }
}

/// The daemon's vendor, name, version and interfaces, in the form that is common to all Varlink services.
public struct ServiceInfo: Sendable, Hashable {
  public let vendor, product, version: Text
  /// The address of a web page about the daemon; empty if the daemon has no page.
  public let url: Text
  /// The names of the Varlink interfaces that the daemon implements.
  public let interfaces: [Text]

  init(reading reply: inout Parameters) throws(VarlinkError) {
    vendor = try reply.require(reply.string("vendor"), "vendor")
    product = try reply.require(reply.string("product"), "product")
    version = try reply.require(reply.string("version"), "version")
    url = try reply.require(reply.string("url"), "url")
    interfaces = try reply.require(reply.strings("interfaces"), "interfaces")
  }
}

extension State {
  init(reading reply: inout Parameters) throws(VarlinkError) {
    self = try State(reply.require(reply.structure("state"), "state"))
  }
}
