package import ThemedDBus
package import ThemedSystem

/// The objects on the bus: `org.kde.StatusNotifierItem`, and the menu, `com.canonical.dbusmenu`.
package struct TrayObjects {
  package static let item: Text = "/StatusNotifierItem"
  private static let itemInterface = "org.kde.StatusNotifierItem"
  private static let menuInterface = "com.canonical.dbusmenu"
  private static let propertiesInterface = "org.freedesktop.DBus.Properties"

  /// The directory in which panels have to look for the icons; empty if they look there anyway.
  private let icons: Text

  package init(icons: Text) { self.icons = icons }

  // MARK: Signals

  /// The signal of an effect.
  package func signal(_ effect: Tray.Effect, of tray: Tray) -> Message? {
    func ofItem(_ name: String, _ signature: Text = "", _ values: [Value] = []) -> Message {
      .signal(Self.item.string, Self.itemInterface, name, signature, values)
    }
    func ofMenu(_ name: String, _ signature: Text, _ values: [Value]) -> Message {
      .signal(Look.menu.string, Self.menuInterface, name, signature, values)
    }
    switch effect {
    case .newIcon: return ofItem("NewIcon")
    case .newToolTip: return ofItem("NewToolTip")
    case .newStatus(let status): return ofItem("NewStatus", "s", [.string(status)])
    case .layout: return ofMenu("LayoutUpdated", "ui", [.uint32(tray.revision), .int32(0)])
    case .entries(let entries):
      let changed = entries.map { Value.structure([.int32($0.id), $0.properties([])]) }
      return ofMenu("ItemsPropertiesUpdated", "a(ia{sv})a(ias)", [.array(changed), .array([])])
    case .change, .openWindow, .look, .wake: return nil
    }
  }

  // MARK: Calls

  /// The events that a call stands for, and the reply to it; nil if there is no such method.
  package func answer(_ call: Message, _ tray: Tray) -> ([Tray.Event], Message?) {
    switch call.path {
    case Self.item: answerItem(call, tray)
    case Look.menu: answerMenu(call, tray)
    default: ([], nil)
    }
  }

  private func answerItem(_ call: Message, _ tray: Tray) -> ([Tray.Event], Message?) {
    if call.isCall(of: Self.itemInterface, "Activate") { return ([.activated], call.reply("", [])) }
    if call.isCall(of: Self.itemInterface, "SecondaryActivate") { return ([.secondary], call.reply("", [])) }
    // The panel shows the menu itself.
    for name in ["ContextMenu", "Scroll"] where call.isCall(of: Self.itemInterface, name) {
      return ([], call.reply("", []))
    }
    let properties = { tray.look.properties(icons: icons) }
    return ([], answerProperties(call, Self.itemInterface, properties) ?? introspection(call, Self.itemXML))
  }

  private func answerMenu(_ call: Message, _ tray: Tray) -> ([Tray.Event], Message?) {
    func isCall(_ name: String) -> Bool { call.isCall(of: Self.menuInterface, name) }
    let arguments = call.arguments(Limits.arguments)
    switch arguments.first {
    case .int32(let id)? where isCall("GetLayout"):
      guard let entry = tray.menu[id], arguments.count == 3, let depth = arguments[1].integer else { break }
      let layout = entry.layout(depth: depth, arguments[2].texts)
      return ([], call.reply("u(ia{sv}av)", [.uint32(tray.revision), layout]))
    case .array(let ids)? where isCall("GetGroupProperties"):
      let wanted = ids.compactMap(\.integer)
      let names = arguments.last?.texts ?? []
      let entries = tray.menu.all.filter { wanted.isEmpty || wanted.contains(Int64($0.id)) }
      return ([], call.reply("a(ia{sv})", [.array(entries.map { .structure([.int32($0.id), $0.properties(names)]) })]))
    case .int32(let id)? where isCall("GetProperty"):
      guard arguments.count == 2, case .string(let name) = arguments[1],
        let value = tray.menu[id]?.properties.first(where: { $0.name == name })?.value
      else { break }
      return ([], call.reply("v", [value]))
    case .int32(let id)? where isCall("Event"):
      guard tray.menu[id] != nil else { break }
      return (Self.events([.structure(arguments)]), call.reply("", []))
    case .array(let events)? where isCall("EventGroup"):
      return (Self.events(events), call.reply("ai", [.array(unknown(events.map(\.firstPart), tray))]))
    case .int32(let id)? where isCall("AboutToShow"):
      guard tray.menu[id] != nil else { break }
      return (id == 0 ? [.opened] : [], call.reply("b", [.boolean(false)]))
    case .array(let ids)? where isCall("AboutToShowGroup"):
      let isRoot = ids.contains(.int32(0))
      return (isRoot ? [.opened] : [], call.reply("aiai", [.array([]), .array(unknown(ids, tray))]))
    default:
      let properties: [(name: Text, value: Value)] = [
        ("Version", .variant(.uint32(3))), ("TextDirection", .variant(.string("ltr"))),
        ("Status", .variant(.string("normal"))), ("IconThemePath", .typed("as", .array([]))),
      ]
      return ([], answerProperties(call, Self.menuInterface) { properties } ?? introspection(call, Self.menuXML))
    }
    return ([], call.failure(invalid))
  }

  /// The clicks among these events of the menu.
  private static func events(_ events: [Value]) -> [Tray.Event] {
    events.compactMap { event in
      guard case .structure(let parts) = event, parts.count > 1, case .int32(let id) = parts[0] else { return nil }
      return switch parts[1] {
      case .string("clicked"): .chosen(id)
      case .string("opened"): id == 0 ? .opened : nil
      default: nil
      }
    }
  }

  /// The numbers without an entry.
  private func unknown(_ ids: [Value], _ tray: Tray) -> [Value] {
    ids.filter { if case .int32(let id) = $0 { tray.menu[id] == nil } else { false } }
  }

  private func answerProperties(
    _ call: Message, _ interface: String, _ properties: () -> [(name: Text, value: Value)]
  ) -> Message? {
    let arguments = call.arguments()
    if call.isCall(of: Self.propertiesInterface, "GetAll") {
      return call.reply("a{sv}", [.dictionary(arguments.first == .string(Text(interface)) ? properties() : [])])
    }
    guard call.isCall(of: Self.propertiesInterface, "Get") else { return nil }
    guard arguments.count == 2, arguments[0] == .string(Text(interface)), case .string(let name) = arguments[1],
      let value = properties().first(where: { $0.name == name })?.value
    else { return call.failure(invalid) }
    return call.reply("v", [value])
  }

  // MARK: Introspection

  private func introspection(_ call: Message, _ interface: String) -> Message? {
    guard call.isCall(of: "org.freedesktop.DBus.Introspectable", "Introspect") else { return nil }
    return call.reply("s", [.string(Text("<node>\(interface)\(Self.propertiesXML)</node>"))])
  }

  /// The XML of an interface: each method, signal or property as its name and its types.
  private static func xml(
    _ name: String, methods: [(String, in: [String], out: [String])], signals: [(String, [String])],
    properties: [(String, String)]
  ) -> String {
    func arguments(_ types: [String], _ direction: String) -> String {
      types.map { "<arg type=\"\($0)\"\(direction)/>" }.joined()
    }
    let methods = methods.map { method in
      "<method name=\"\(method.0)\">\(arguments(method.in, " direction=\"in\""))"
        + "\(arguments(method.out, " direction=\"out\""))</method>"
    }
    let signals = signals.map { "<signal name=\"\($0)\">\(arguments($1, ""))</signal>" }
    let properties = properties.map { "<property name=\"\($0)\" type=\"\($1)\" access=\"read\"/>" }
    return "<interface name=\"\(name)\">\((methods + signals + properties).joined())</interface>"
  }

  private static var propertiesXML: String {
    xml(
      propertiesInterface, methods: [("Get", ["s", "s"], ["v"]), ("GetAll", ["s"], ["a{sv}"])], signals: [],
      properties: [])
  }

  private static var itemXML: String {
    let click = { (name: String) in (name, in: ["i", "i"], out: [String]()) }
    let pictures = ["IconPixmap", "OverlayIconPixmap", "AttentionIconPixmap"].map { ($0, "a(iiay)") }
    let texts = [
      "Category", "Id", "Title", "Status", "IconName", "IconThemePath", "OverlayIconName", "AttentionIconName",
      "AttentionMovieName",
    ].map { ($0, "s") }
    return xml(
      itemInterface,
      methods: ["Activate", "SecondaryActivate", "ContextMenu"].map(click) + [("Scroll", ["i", "s"], [])],
      signals: [("NewIcon", []), ("NewToolTip", []), ("NewStatus", ["s"])],
      properties: texts + pictures
        + [("WindowId", "i"), ("ToolTip", "(sa(iiay)ss)"), ("ItemIsMenu", "b"), ("Menu", "o")])
  }

  private static var menuXML: String {
    xml(
      menuInterface,
      methods: [
        ("GetLayout", ["i", "i", "as"], ["u", "(ia{sv}av)"]), ("GetGroupProperties", ["ai", "as"], ["a(ia{sv})"]),
        ("GetProperty", ["i", "s"], ["v"]), ("Event", ["i", "s", "v", "u"], []),
        ("EventGroup", ["a(isvu)"], ["ai"]), ("AboutToShow", ["i"], ["b"]),
        ("AboutToShowGroup", ["ai"], ["ai", "ai"]),
      ],
      signals: [("ItemsPropertiesUpdated", ["a(ia{sv})", "a(ias)"]), ("LayoutUpdated", ["u", "i"])],
      properties: [("Version", "u"), ("TextDirection", "s"), ("Status", "s"), ("IconThemePath", "as")])
  }
}

private let invalid = Failure(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "invalid arguments")

extension Value {
  /// The strings of an array.
  fileprivate var texts: [Text] {
    guard case .array(let elements) = self else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The first part of a structure.
  fileprivate var firstPart: Value {
    guard case .structure(let parts) = self, let first = parts.first else { return .other }
    return first
  }
}
