public import ThemeResolution
public import ThemedText
public import ThemedVarlink

/// The schedule, and what it will say, as `GetSchedule` returns it.
public struct Forecast: Sendable, Hashable {
  /// A turn, and what the clocks show then.
  public struct Turn: Sendable, Hashable {
    /// The turn.
    public var turn: Switch
    /// How many seconds the clocks of the schedule's time zone are ahead of UTC then; nil where that is not told.
    public var offset: Int64?

    /// A turn while the clocks are so far ahead.
    public init(_ turn: Switch, offset: Int64? = nil) {
      (self.turn, self.offset) = (turn, offset)
    }
  }

  /// Where the sun is looked at.
  public struct Coordinates: Sendable, Hashable {
    /// In degrees, north of the equator.
    public var latitude: Double
    /// In degrees, east of Greenwich.
    public var longitude: Double
    /// `configuration`, or the name of a time zone.
    public var origin: Text

    /// A place, and who says so.
    public init(latitude: Double, longitude: Double, origin: Text) {
      (self.latitude, self.longitude, self.origin) = (latitude, longitude, origin)
    }
  }

  /// `off`, `times` or `sun`; an open set.
  public var mode: Text
  /// What it says now; nil where it is off, or nothing is known of it yet.
  public var scheme: ColorScheme?
  /// The turns of the next seven days, and the next two.
  public var switches: [Turn] = []
  /// The next sunrise, in seconds since the epoch.
  public var sunrise: Int64?
  /// The next sunset, in seconds since the epoch.
  public var sunset: Int64?
  /// Where the sun is looked at; nil where no place is known.
  public var coordinates: Coordinates?
  /// The name of the time zone; nil where it is not known.
  public var zone: Text?
  /// Why the schedule is not followed, or not as it is configured.
  public var problem: String?
  /// What may surprise.
  public var warning: String?

  /// A schedule of this mode, of which nothing else is known.
  public init(mode: Text) { self.mode = mode }
}

extension Forecast {
  /// The reply of `GetSchedule`, without the fields that are null.
  public var parameters: JSON.Object {
    [
      "mode": .string(mode), "scheme": scheme.map { .word($0.rawValue) },
      "switches": .array(switches.map { .object($0.parameters) }), "sunrise": sunrise.map(JSON.integer),
      "sunset": sunset.map(JSON.integer), "coordinates": coordinates.map { .object($0.parameters) },
      "zone": zone.map(JSON.string), "problem": problem.map(JSON.word), "warning": warning.map(JSON.word),
    ]
  }

  /// Reads the reply of `GetSchedule`; fields that are newer than this client are passed over.
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

  /// Reads a `Switch`.
  public init(_ parameters: Parameters) throws(VarlinkError) {
    var parameters = parameters
    self.init(
      time: try parameters.require(parameters.integer("time"), "time"),
      scheme: try parameters.require(parameters.word("scheme", of: ColorScheme.self), "scheme"))
  }
}
