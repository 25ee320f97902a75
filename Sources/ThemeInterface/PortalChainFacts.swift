public import ThemedText
internal import ThemedVarlink

/// How it stands with our backend of the settings portal, as `themed --check` has seen it: for programs.
public struct PortalChainFacts: Sendable, Hashable {
  /// What our backend's file is called, without its ending: of those that are made for no desktop, the oldest portals ask
  /// the first by name.
  public static let backend: Text = "aaa-themed"
  /// What our backend is called on the bus.
  public static let busName: Text = "org.freedesktop.impl.portal.desktop.themed"
  /// The interface of a backend that answers for settings, and its key in `portals.conf`.
  public static let interface: Text = "org.freedesktop.impl.portal.Settings"
  /// The unit that starts our backend.
  public static let unit: Text = "themed-portal.service"
  /// What the finding is called that it is told by.
  public static let finding: Text = "portal_chain"

  /// Whether our backend is on the bus.
  public var isRunning = false
  /// Whether the portal runs, and has answered a key of ours; nil where it does not run, or did not answer.
  public var isAsked: Bool?
  /// Whether no backend is asked before ours, by the portal's files: the key of ours is answered from the last place, too.
  public var isFirst = false
  /// Whether the portal's files know our backend.
  public var hasBackend = false
  /// The backends that the portal would ask without ours, the first first, by the names of their files.
  public var others: [Text] = []
  /// Whether this version of the portal reads `portals.conf`.
  public var readsConfiguration = true
  /// Whether a file of lower precedence says what the first does not.
  public var fallsThrough = false
  /// Whether this version looks for `.portal` files among a user's own.
  public var readsUsersBackends = false
  /// Whether it is said that no backend is to be asked.
  public var isNone = false
  /// The file that decides; nil where there is none.
  public var preference: Text?
  /// The first name of the desktop, as a file of its own begins: `gnome` of `gnome-portals.conf`; nil where it has none.
  public var desktop: Text?
  /// Where a user's own `portals.conf` is kept.
  public var directory: Text?
  /// Where a user's own `.portal` files are kept.
  public var dataDirectory: Text?
  /// The portal's process; nil where it does not run.
  public var process: Int64?

  /// Facts of a system where nothing is known.
  public init() {}

  /// The backends that the portal would ask without ours, for people.
  public var below: String { others.isEmpty ? "no backend" : others.map { $0.shown() }.joined(separator: ", ") }

  /// What is said where our backend does not run.
  public var offer: String {
    "themed-portal does not run; the portal asks \(below). 'themectl portal enable' sets it up"
  }

  /// As JSON.
  public var json: String {
    let object: JSON.Object = [
      "isRunning": .bool(isRunning), "isAsked": isAsked.map(JSON.bool), "isFirst": .bool(isFirst),
      "hasBackend": .bool(hasBackend),
      "others": .array(others.map(JSON.string)), "readsConfiguration": .bool(readsConfiguration),
      "fallsThrough": .bool(fallsThrough), "readsUsersBackends": .bool(readsUsersBackends), "isNone": .bool(isNone),
      "preference": preference.map(JSON.string), "desktop": desktop.map(JSON.string),
      "directory": directory.map(JSON.string),
      "dataDirectory": dataDirectory.map(JSON.string), "process": process.map(JSON.integer),
    ]
    return JSON.object(object).text
  }

  /// Reads what ``json`` wrote; nil where it is something else.
  public init?(json: String) {
    guard case .object(let object)? = try? JSON(parsing: Array(json.utf8)) else { return nil }
    var read = Parameters(object, isTolerant: true)
    guard let isRunning = try? read.bool("isRunning"), let hasBackend = try? read.bool("hasBackend"),
      let others = try? read.strings("others"), let readsConfiguration = try? read.bool("readsConfiguration"),
      let fallsThrough = try? read.bool("fallsThrough"), let users = try? read.bool("readsUsersBackends"),
      let isNone = try? read.bool("isNone"), let isFirst = try? read.bool("isFirst")
    else { return nil }
    (self.isRunning, self.hasBackend, self.others) = (isRunning, hasBackend, others)
    (self.readsConfiguration, self.fallsThrough) = (readsConfiguration, fallsThrough)
    (readsUsersBackends, self.isNone, self.isFirst) = (users, isNone, isFirst)
    isAsked = try? read.bool("isAsked")
    preference = try? read.string("preference")
    desktop = try? read.string("desktop")
    directory = try? read.string("directory")
    dataDirectory = try? read.string("dataDirectory")
    process = try? read.integer("process")
  }
}
