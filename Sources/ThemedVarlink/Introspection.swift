public import ThemedText

/// What a service says of itself: `org.varlink.service`, which every service has.
public struct Introspection: Sendable {
  /// An interface and its text.
  public struct Interface: Sendable {
    /// Its reverse-domain name.
    public let name: Text
    /// Its text; the comments in it are its documentation.
    public let description: String

    /// An interface of this name and text.
    public init(name: Text, description: String) {
      self.name = name
      self.description = description
    }
  }

  /// Who makes it.
  public let vendor: String
  /// What it is.
  public let product: String
  /// Its version.
  public let version: String
  /// Where to read more.
  public let url: String
  /// Its interfaces, `org.varlink.service` first.
  public let interfaces: [Interface]

  /// A service with these interfaces besides `org.varlink.service`.
  public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interfaces = [Interface(name: "org.varlink.service", description: Self.description)] + interfaces
  }

  /// Answers a call of `org.varlink.service`, refuses one of an interface that is not here, and returns nil for one
  /// of the other interfaces: their methods are the caller's to answer, or to refuse with MethodNotFound.
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
    # What every Varlink service says of itself.
    interface org.varlink.service

    # Vendor, product and version of the service, and the names of its interfaces.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The text of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method, and the service does not implement it.
    error MethodNotImplemented (method: string)

    # The parameter is unknown, missing, of the wrong type or out of range.
    error InvalidParameter (parameter: string)

    # The caller may not.
    error PermissionDenied ()

    # The method answers only to a call with the flag 'more'.
    error ExpectedMore ()

    # The method answers only to a call with the flag 'upgrade'.
    error ExpectedUpgrade ()

    """
}
