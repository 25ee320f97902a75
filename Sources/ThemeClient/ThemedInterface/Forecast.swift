public import ThemedModel
public import ThemedSystem
public import ThemedVarlink

/// The schedule and its next switches, as `GetSchedule` returns them.
public struct Forecast: Sendable, Hashable {
  /// A switch, with the offset of the clocks at that time.
  public struct Turn: Sendable, Hashable {
    public var turn: Switch
    /// How many seconds the clocks of the schedule's time zone are ahead of UTC at that time; nil if not given.
    public var offset: Int64?

    public init(_ turn: Switch, offset: Int64? = nil) { (self.turn, self.offset) = (turn, offset) }
  }

  /// The place for which sunrise and sunset are computed.
  public struct Coordinates: Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double
    /// `configuration`, or the name of the time zone that the place is taken from.
    public var origin: Text

    public init(latitude: Double, longitude: Double, origin: Text) {
      (self.latitude, self.longitude, self.origin) = (latitude, longitude, origin)
    }
  }

  /// `off`, `times` or `sun`; later versions may add others.
  public var mode: Text
  /// The schedule's current scheme; nil if the schedule is off, or not known yet.
  public var scheme: ColorScheme?
  /// All switches of the next seven days, and in any case the next two.
  public var switches: [Turn] = []
  public var sunrise: Int64?
  public var sunset: Int64?
  /// The place for sunrise and sunset; nil if it is not known.
  public var coordinates: Coordinates?
  /// The name of the time zone; nil if it is not known.
  public var zone: Text?
  /// Why the daemon does not follow the schedule, or not as configured.
  public var problem: String?
  /// A warning about something that may surprise the user, such as a time that is skipped when the clocks change.
  public var warning: String?

  /// A schedule of which only the mode is known.
  public init(mode: Text) { self.mode = mode }
}

extension Forecast {
  /// The reply of `GetSchedule` as one line of JSON.
  public var json: String { JSON.object(parameters).text }

  /// The reply of `GetSchedule`, without the fields that are null.
  public var parameters: JSON.Object {
    [
      "mode": .string(mode), "scheme": scheme.map { .word($0.rawValue) },
      "switches": .array(switches.map { .object($0.parameters) }), "sunrise": sunrise.map(JSON.integer),
      "sunset": sunset.map(JSON.integer), "coordinates": coordinates.map { .object($0.parameters) },
      "zone": zone.map(JSON.string), "problem": problem.map(JSON.word), "warning": warning.map(JSON.word),
    ]
  }

  /// Reads the reply of `GetSchedule` and ignores fields that are newer than this client.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    mode = try parameters.require(parameters.string("mode"), "mode")
    scheme = try parameters.word("scheme")
    switches = try parameters.require(parameters.structures("switches", Turn.init), "switches")
    sunrise = try parameters.integer("sunrise")
    sunset = try parameters.integer("sunset")
    coordinates = try parameters.structure("coordinates", Coordinates.init)
    zone = try parameters.string("zone")
    problem = try parameters.string("problem")?.string
    warning = try parameters.string("warning")?.string
  }
}

extension Forecast.Turn {
  fileprivate var parameters: JSON.Object {
    var object = turn.parameters
    object["utcOffset"] = offset.map(JSON.integer)
    return object
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    turn = try Switch(parameters)
    var parameters = parameters
    offset = try parameters.integer("utcOffset")
  }
}

extension Forecast.Coordinates {
  fileprivate var parameters: JSON.Object {
    ["latitude": .number(latitude), "longitude": .number(longitude), "origin": .string(origin)]
  }

  fileprivate init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    latitude = try parameters.require(parameters.number("latitude"), "latitude")
    longitude = try parameters.require(parameters.number("longitude"), "longitude")
    origin = try parameters.require(parameters.string("origin"), "origin")
  }
}

extension Switch {
  /// The interface's `Switch`, without the fields that are null.
  public var parameters: JSON.Object { ["time": .integer(time), "scheme": .word(scheme.rawValue)] }

  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init(
      time: try parameters.require(parameters.integer("time"), "time"),
      scheme: try parameters.require(parameters.word("scheme", of: ColorScheme.self), "scheme"))
  }
}
