internal import ThemeResolution
internal import ThemedText
internal import ThemeInterface
internal import ThemedVarlink

/// The state as the bytes that clients get: made once for all who are shown the same.
struct Frames {
  /// For whom a frame is: an app with overrides, or under nil the others; who monitors, or has asked once; who wants
  /// the details of the theme, and whether all of it is told or what readers are told.
  private struct Audience: Hashable {
    let app: Text?
    let monitors: Bool
    let details: Bool
    let isWhole: Bool
  }

  /// Those made before the latest.
  private var known: [Audience: (serial: Int64, frame: [UInt8])] = [:]
  /// The one that was asked for last, and mostly will be next; where all are told the same, the only one.
  private var latest: (audience: Audience, serial: Int64, frame: [UInt8])?

  /// The frame with what the core says to a client with this standing.
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

  /// Forgets those of states that have changed.
  mutating func forget() {
    if !known.isEmpty { known = [:] }
    latest = nil
  }
}
