internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// Sends states to clients: to subscribers after each change, and as the answer to a change that was saved.
final class Publisher {
  private let engine: Engine
  private let server: SocketServer
  private var frames = Frames()
  /// Whether subscribers already got the processor in this round of the loop.
  private var hasYielded = false

  init(engine: Engine, server: SocketServer) { (self.engine, self.server) = (engine, server) }

  func frame(for options: ClientOptions, monitors: Bool) -> [UInt8] {
    frames.frame(engine, for: options, monitors: monitors)
  }

  func publish(_ change: Change) {
    frames.forget()
    let common = change.common.map { _ in frame(for: .usual(.all), monitors: true) }
    server.broadcast(common) { change.state(for: $0.app) == nil ? nil : frame(for: $0, monitors: true) }
    // The next effects wake threads for the disk and the log, and they would run before the subscribers that wait for
    // the change. Once per round, so that a flood of changes does not delay calls more than one change does.
    guard server.isMonitored, !hasYielded else { return }
    hasYielded = true
    yieldProcessor()
  }

  /// Call this after each round of the loop.
  func roundIsOver() { hasYielded = false }

  /// Answers a call that changed something, after the file with the change is on disk or could not be written.
  ///
  /// If the client has gone by then, nothing is sent.
  func answer(_ answer: Keeping.Answer, saved: Bool) {
    guard let connection = server.connection(answer.connection), !connection.isGone else { return }
    let frame = Reply.frame { reply in
      reply.append("state") { answer.state.append(to: &$0, details: false) }
      reply.append("saved", .bool(saved))
    }
    server.reply(frame, to: connection)
  }
}

/// The state as bytes for clients, made once for all clients that get the same.
struct Frames {
  /// For whom a frame is: the app if it has overrides, or nil; a subscriber or a single call; with or without the
  /// details of the theme; complete or reduced for read-only clients.
  private struct Audience: Hashable {
    let app: Text?
    let monitors: Bool
    let details: Bool
    let isWhole: Bool
  }

  /// The frames before the latest one.
  private var known: [Audience: (serial: Int64, frame: [UInt8])] = [:]
  /// The frame that was used last and will mostly be used next; if all clients get the same, the only one.
  private var latest: (audience: Audience, serial: Int64, frame: [UInt8])?

  /// The frame with the core's state for a client with these options.
  mutating func frame(_ engine: Engine, for options: ClientOptions, monitors: Bool) -> [UInt8] {
    let app = options.app.flatMap { engine.hasOverrides(of: $0) ? $0 : nil }
    let details = options.wantsDetails
    let isWhole = options.rights.seesPaths && options.rights.seesTimes
    let audience = Audience(app: app, monitors: monitors, details: details, isWhole: isWhole)
    let serial = engine.serial(for: app)
    if let latest, latest.serial == serial, latest.audience == audience { return latest.frame }
    if let latest { known[latest.audience] = (latest.serial, latest.frame) }
    let frame: [UInt8]
    if !known.isEmpty, let made = known[audience], made.serial == serial {
      frame = made.frame
    } else {
      let state = engine.state(for: app)
      frame = Reply.frame(continues: monitors) { reply in
        reply.append("state") { (isWhole ? state : state.forReaders).append(to: &$0, details: details) }
      }
    }
    latest = (audience, serial, frame)
    return frame
  }

  /// Forgets the frames of outdated states.
  mutating func forget() {
    if !known.isEmpty { known = [:] }
    latest = nil
  }
}
