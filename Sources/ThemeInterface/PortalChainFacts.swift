public import ThemedSystem
internal import ThemedVarlink

/// The facts that `themed --check` found out about our backend of the settings portal, for programs.
public struct PortalChainFacts: Sendable, Hashable {
  /// The name of our backend's file, without the suffix.
  ///
  /// The oldest portals take the first file by name among those that are for no desktop in particular.
  public static let backend: Text = "aaa-themed"
  /// The name of our backend on the bus.
  public static let busName: Text = "org.freedesktop.impl.portal.desktop.themed"
  /// The interface of a backend that answers for settings, which is also its key in `portals.conf`.
  public static let interface: Text = "org.freedesktop.impl.portal.Settings"
  /// The unit that starts our backend.
  public static let unit: Text = "themed-portal.service"
  /// The name of the finding that contains these facts.
  public static let finding: Text = "portal_chain"

  /// Whether our backend is on the bus.
  public var isRunning = false
  /// Whether the portal returned a setting that only our backend has; nil if the portal does not run or did not answer.
  public var isAsked: Bool?
  /// Whether the portal's files put no backend before ours.
  ///
  /// ``isAsked`` does not tell, because the portal finds our setting even if our backend comes last.
  public var isFirst = false
  /// Whether the portal's files know our backend.
  public var hasBackend = false
  /// The backends that the portal would ask without ours, in order, by the names of their files.
  public var others: [Text] = []
  /// Whether this version of the portal reads `portals.conf`.
  public var readsConfiguration = true
  /// Whether a later file can add what the first one does not say.
  public var fallsThrough = false
  /// Whether this version looks for `.portal` files in the user's own directories.
  public var readsUsersBackends = false
  /// Whether the configuration says to ask no backend at all.
  public var isNone = false
  /// The file that decides; nil if there is none.
  public var preference: Text?
  /// The first name of the desktop, as in the name of the desktop's own file: `gnome` for `gnome-portals.conf`; nil if
  /// it has none.
  public var desktop: Text?
  /// The directory of the user's own `portals.conf`.
  public var directory: Text?
  /// The directory of the user's own `.portal` files.
  public var dataDirectory: Text?
  /// The portal's process; nil if it does not run.
  public var process: Int64?

  /// The facts of a system of which nothing is known.
  public init() {}

  /// The backends that the portal would ask without ours, for people.
  public var below: String { others.isEmpty ? "no backend" : others.map { $0.shown() }.joined(separator: ", ") }

  /// Advice to the user if our backend does not run.
  public var offer: String {
    "themed-portal is not running; the portal asks \(below). Run 'themectl portal enable' to set it up"
  }

  /// The facts as JSON.
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

  /// Reads what ``json`` wrote; nil for anything else.
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
