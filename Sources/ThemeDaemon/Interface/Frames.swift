internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

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

  /// The frame with the core's state for a client with this standing.
  mutating func frame(_ engine: Engine, for standing: Standing, monitors: Bool) -> [UInt8] {
    let app = standing.app.flatMap { engine.hasOverrides(of: $0) ? $0 : nil }
    let details = standing.wantsDetails
    let isWhole = standing.rights.seesPaths && standing.rights.seesTimes
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
        reply.append("state") { (isWhole ? state : state.forReaders).write(to: &$0, details: details) }
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
