internal import FoundationEssentials

/// One side of the day, of a theme and of what is shown.
package enum Side: String, Sendable, Hashable, CaseIterable, Decodable {
  case light, dark

  /// The name of the side, as the first word of a sentence.
  package var name: String { self == .light ? tr("Light") : tr("Dark") }
}

/// The state, as `themectl status --json` prints it.
package struct Status: Sendable, Hashable, Decodable {
  package struct Origin: Sendable, Hashable, Decodable {
    var rule: String
    var expiresAt: Int?
    var untilDesktopChanges: Bool?
    var remembered: Bool?
  }

  package var scheme: Side
  var desktop: String
  var origins: [String: Origin]
  var nextSwitch: Switch?
}

/// A switch of the schedule.
package struct Switch: Sendable, Hashable, Decodable {
  var time: Int
  var scheme: Side
  var utcOffset: Int?

  /// The time as seconds of the clock in the daemon's zone.
  var local: Int { time + (utcOffset ?? localOffset(at: time)) }
}

/// The schedule, as `themectl schedule --json` prints it.
package struct Schedule: Sendable, Hashable, Decodable {
  package enum Mode: String, Sendable, Hashable, CaseIterable, Decodable { case off, sun, times }
  struct Coordinates: Sendable, Hashable, Decodable {
    var latitude: Double
    var longitude: Double
  }

  package var mode: Mode
  var scheme: Side?
  var switches: [Switch]
  var coordinates: Coordinates?
  package var problem: String?
}

/// The desktop, as `themectl desktop --json` prints it.
package struct Desktop: Sendable, Hashable, Decodable {
  var state: String
  var reason: String?

  package var isKeptInStep: Bool { state != "off" && state != "leaving" }
  /// Whether the desktop was asked to turn some seconds ago, and has not answered yet.
  package var isTurning: Bool { state == "turning" }
}

/// A theme, as `themectl theme --json` lists it.
package struct Theme: Sendable, Hashable, Decodable {
  package var name: String
  package var title: String?
  package var sides: [Side]
  package var chosen: [Side]
  package var problem: String?
  var light: [String: String]?
  var dark: [String: String]?
}

/// A program, as `themectl app --json` lists it.
package struct App: Sendable, Hashable, Decodable {
  package struct Applied: Sendable, Hashable, Decodable { var advice: String? }

  package var name: String
  var title: String?
  var state: String
  package var enabled: Bool
  package var words: String
  var version: String?
  var needs: String?
  var applied: Applied?
}

/// A finding, as `themectl doctor --json` prints it.
package struct Finding: Sendable, Hashable, Decodable {
  var name: String
  package var what: String
  package var why: String?
  package var fix: String?
  package var commands: [String]?
}

/// The result of a command that changes files.
package struct Outcome: Sendable, Hashable, Decodable {
  package var done: Bool
  package var lines: [String]
  package var notes: [String]
}

struct ThemeList: Decodable { var themes: [Theme] }
struct AppList: Decodable { var apps: [App] }

/// Reads one line of JSON; nil if it is not what the type expects.
package func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
  try? JSONDecoder().decode(type, from: Data(text.utf8))
}

package func themes(_ text: String) -> [Theme]? { decoded(ThemeList.self, text)?.themes }

package func apps(_ text: String) -> [App]? { decoded(AppList.self, text)?.apps }

/// The findings, one on each line, without those that are for programs; nil if there are none or one cannot be read.
package func findings(_ text: String) -> [Finding]? {
  let forPrograms = ["portal_value", "bus_address", "portal_chain"]
  let lines = text.split(separator: "\n")
  let found = lines.compactMap { decoded(Finding.self, String($0)) }
  return lines.isEmpty || found.count < lines.count ? nil : found.filter { !forPrograms.contains($0.name) }
}
