internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// The lists that clients ask for once, or follow and then get again after each change.
///
/// A change is noted, and the list is sent in a later turn of the loop: a thousand clients that arrive at once cause a
/// few lists, not a thousand. Each list is made once for all its followers, and kept only while it has some.
final class Lists {
  /// A list as it is sent to clients with these rights.
  private struct Edition: Hashable {
    let list: FollowedList
    let rights: Rights
  }

  private struct Made {
    var frame: [UInt8]
    /// The number of different lists so far; each connection remembers which one it got.
    var version = 1
    var isCurrent = true
  }

  private let engine: Engine
  private let catalog: ThemeCatalog
  private let lastReading: LastReading
  private let server: SocketServer
  private var made: [Edition: Made] = [:]
  private var paces: [FollowedList: ListPace] = [:]
  private var timers: [FollowedList: Source] = [:]
  /// While this timer runs, read-only clients get the themes that were read for another read-only client.
  private var holding: Source?

  init(engine: Engine, catalog: ThemeCatalog, lastReading: LastReading, server: SocketServer) {
    (self.engine, self.catalog, self.lastReading, self.server) = (engine, catalog, lastReading, server)
    catalog.lists = self
  }

  // MARK: Calls

  /// Answers a call for a list, once or as a follower.
  func answer(_ list: FollowedList, isFollowing: Bool, to connection: ClientConnection) {
    guard list == .themes else { return reply(list, isFollowing, to: connection) }
    let isReader = connection.options.rights == .reading
    // However often read-only clients ask, the themes are not read each time.
    if isReader, holding != nil, catalog.list != nil, !isFollowing || catalog.isWatched {
      return reply(list, isFollowing, to: connection)
    }
    catalog.read(isFollowing: isFollowing) { [unowned self, weak connection] in
      if isReader { hold() }
      // A client that has gone gets nothing.
      if let connection, !connection.isGone { reply(list, isFollowing, to: connection) }
    }
  }

  private func hold() {
    guard holding == nil else { return }
    catalog.isHeld = true
    holding = EventLoop.main.timer(afterMilliseconds: Limits.readersList) { [unowned self] in
      holding = nil
      catalog.isHeld = false
    }
  }

  private func reply(_ list: FollowedList, _ isFollowing: Bool, to connection: ClientConnection) {
    let edition = Edition(list: list, rights: connection.options.rights)
    // A writer that comes changes what the first reply says.
    if isFollowing, list == .desktop { engine.send(.desktopWriters(server.followers(of: list) + 1)) }
    if isFollowing, let made = current(edition) {
      connection.options = ClientOptions(rights: edition.rights, app: nil, wantsDetails: false, list: list)
      connection.sentVersion = made.version
      server.stream(made.frame, to: connection)
      if list == .desktop { countWriters() }
    } else if !isFollowing, let frame = frame(of: edition, continues: false) {
      server.reply(frame, to: connection)
    } else {
      let trouble = edition.rights.seesPaths ? catalog.trouble : nil
      let problem = trouble ?? "the directories of themes do not respond"
      server.reply(Reply(ThemeInterface.themesUnavailable(problem)).frame, to: connection)
    }
  }

  // MARK: Changes

  func isFollowed(_ list: FollowedList) -> Bool { server.isFollowed(list) }

  /// A list may have changed; if it has, its followers get it.
  func changed(_ list: FollowedList) {
    guard isFollowed(list) else { return }
    for rights in Rights.allCases { made[Edition(list: list, rights: rights)]?.isCurrent = false }
    guard let delay = paces[list, default: ListPace()].changed(now: monotonicMilliseconds()) else { return }
    timers[list] = EventLoop.main.timer(afterMilliseconds: delay) { [unowned self] in tell(list) }
  }

  /// Continues for the followers of the previous process: each gets the current list once.
  func resume() {
    changed(.overrides)
    changed(.clients)
    changed(.desktop)
    countWriters()
    if isFollowed(.themes) { catalog.read(isFollowing: true) {} }
  }

  private func tell(_ list: FollowedList) {
    timers[list] = nil
    paces[list, default: ListPace()].told(now: monotonicMilliseconds())
    for rights in Rights.allCases where server.isFollowed(list, by: rights) {
      guard let made = current(Edition(list: list, rights: rights)) else { continue }
      server.tell(made.frame, version: made.version, of: list, to: rights)
    }
  }

  private func current(_ edition: Edition) -> Made? {
    if let made = made[edition], made.isCurrent { return made }
    guard let frame = frame(of: edition, continues: true) else { return nil }
    var now = made[edition] ?? Made(frame: frame)
    if now.frame != frame { (now.frame, now.version) = (frame, now.version + 1) }
    now.isCurrent = true
    made[edition] = now
    return now
  }

  /// The reply with the list; nil if the list is not known.
  private func frame(of edition: Edition, continues: Bool) -> [UInt8]? {
    let list: ReplyList? =
      switch edition.list {
      case .overrides: ReplyList("overrides", engine.core.overrides.list.lazy.map(\.override.parameters))
      case .clients: ReplyList("clients", server.subscribers.lazy.map { $0.asListed.parameters })
      case .themes: edition.rights.seesPaths ? catalog.list : catalog.listWithoutPaths
      case .desktop: nil
      }
    guard edition.list == .desktop else { return list?.frame(continues: continues) }
    var duty = DesktopDuty(lastReading.savedDesktop, otherwise: engine.core.reading.scheme)
    // A writer that comes late must not write what is no longer wanted.
    if duty.target != engine.core.sync.pending?.target { duty.target = nil }
    return Reply(duty.parameters, continues: continues).frame
  }

  /// The clients that write the desktop's setting are those that follow it.
  private func countWriters() {
    let count = server.followers(of: .desktop)
    if count != engine.core.sync.writers { engine.send(.desktopWriters(count)) }
  }

  /// Drops a list if it has no followers any more.
  func release(_ list: FollowedList) {
    if list == .desktop { countWriters() }
    guard !isFollowed(list) else { return }
    for rights in Rights.allCases { made[Edition(list: list, rights: rights)] = nil }
    (paces[list], timers[list]) = (nil, nil)
    if list == .themes { catalog.release() }
  }
}

extension ClientConnection {
  fileprivate var asListed: Client {
    Client(app: options.app, processID: Int(peer.pid), isReadOnly: options.rights == .reading)
  }
}

/// The lists that can be followed; the numbers are for handovers, where 0 means no list.
enum FollowedList: UInt8, Hashable, CaseIterable {
  case overrides = 1
  case clients = 2
  case themes = 3
  /// The target of the desktop's own setting: not a list, but followed in the same way.
  case desktop = 4
}

/// Decides when to send a changed list again: soon, but not more often than the pause allows.
///
/// Pure. Times are in milliseconds, by a clock that does not jump.
struct ListPace: Hashable {
  private var toldAt: Int?
  private var isWaiting = false

  /// The list has changed; returns after how many milliseconds to send it, or nil if that was already returned.
  mutating func changed(now: Int) -> Int? {
    guard !isWaiting else { return nil }
    isWaiting = true
    guard let toldAt else { return 0 }
    return max(0, toldAt + Limits.listPause - now)
  }

  mutating func told(now: Int) { (toldAt, isWaiting) = (now, false) }
}

/// A list as a reply: the first elements, as many as fit, and the number of the others.
///
/// The elements are kept as JSON: thousands of them take a third of the memory, and are compared at once.
struct ReplyList: Sendable, Hashable {
  private let name: Text
  private var elements: [UInt8] = []
  /// How many elements do not fit.
  private(set) var omitted = 0

  init(_ name: Text) { self.name = name }

  init(_ name: Text, _ objects: some Sequence<JSON.Object>) {
    self.init(name)
    var element: [UInt8] = []
    for object in objects {
      element.removeAll(keepingCapacity: true)
      object.write(to: &element)
      append(element)
    }
  }

  /// Whether an element did not fit: after that, no further one is added.
  var isFull: Bool { omitted > 0 }

  /// Adds an element in JSON, or only counts it.
  mutating func append(_ element: [UInt8]) {
    guard !isFull, elements.count + element.count < Limits.list else { return omit(1) }
    if !elements.isEmpty { elements.append(UInt8(ascii: ",")) }
    elements += element
  }

  /// Counts this many omitted elements.
  mutating func omit(_ count: Int) { omitted += count }

  /// The whole message, with its closing NUL; `continues` says whether more follow.
  func frame(continues: Bool) -> [UInt8] {
    // An empty reply, into which the elements are inserted.
    let reply = Reply([name: .array([]), "omitted": isFull ? .integer(Int64(omitted)) : nil], continues: continues)
      .frame
    let start = #"{"parameters":{"":["#.utf8.count + name.count
    return reply[..<start] + elements + reply[start...]
  }
}
