public import ThemedSystem

/// The answers of `org.varlink.service`, the interface that every Varlink service has.
public struct Introspection: Sendable {
  /// An interface and its text, whose comments are the documentation.
  public typealias Interface = (name: Text, description: String)

  public let vendor: String
  public let product: String
  public let version: String
  public let url: String
  /// The interfaces, `org.varlink.service` first.
  public let interfaces: [Interface]

  /// A service with these interfaces and `org.varlink.service`.
  public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interfaces = [("org.varlink.service", Self.description)] + interfaces
  }

  /// Answers a call of `org.varlink.service`, and refuses a call of an unknown interface.
  ///
  /// Returns nil for a call of another interface of this service. The caller then answers it, or refuses it with
  /// MethodNotFound.
  public func answer(_ call: Call) throws(VarlinkError) -> Reply? {
    guard let (interface, method) = call.method.splitAtLast(".") else { throw .methodNotFound(call.method) }
    guard interface == "org.varlink.service" else {
      guard interfaces.contains(where: { $0.name == interface }) else { throw .interfaceNotFound(interface) }
      return nil
    }
    switch method {
    case "GetInfo":
      try Parameters(call.parameters).finish()
      return Reply(info)
    case "GetInterfaceDescription":
      var parameters = Parameters(call.parameters)
      let name = try parameters.require(parameters.string("interface"), "interface")
      try parameters.finish()
      guard let interface = interfaces.first(where: { $0.name == name }) else { throw .interfaceNotFound(name) }
      return Reply(["description": .word(interface.description)])
    default: throw .methodNotFound(call.method)
    }
  }

  private var info: JSON.Object {
    [
      "vendor": .word(vendor), "product": .word(product), "version": .word(version), "url": .word(url),
      "interfaces": .array(interfaces.map { .string($0.name) }),
    ]
  }

  private static let description = """
    # What every Varlink service says about itself.
    interface org.varlink.service

    # Returns the service's vendor, product and version, and its interfaces' names.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns the text of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service does not have this interface.
    error InterfaceNotFound (interface: string)

    # The interface does not have this method.
    error MethodNotFound (method: string)

    # The interface has this method, but the service does not implement it.
    error MethodNotImplemented (method: string)

    # The parameter is unknown, missing, of the wrong type or out of range.
    error InvalidParameter (parameter: string)

    # The caller may not make this call.
    error PermissionDenied ()

    # The method requires the flag 'more'.
    error ExpectedMore ()

    # The method requires the flag 'upgrade'.
    error ExpectedUpgrade ()

    """
}
