import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedVarlink

/// The schedule on the wire.
@Suite struct ForecastTests {
  /// With everything that it can have.
  static let full: Forecast = {
    var forecast = Forecast(mode: "sun")
    (forecast.scheme, forecast.sunrise, forecast.sunset) = (.dark, 7, 9)
    forecast.switches = [.init(Switch(time: 7, scheme: .light), offset: -3600), .init(Switch(time: 9, scheme: .dark))]
    forecast.coordinates = .init(latitude: 52.5, longitude: -13, origin: "Europe/Berlin")
    (forecast.zone, forecast.problem, forecast.warning) = ("Europe/Berlin", "a problem", "a warning")
    return forecast
  }()

  private func read(_ json: String) throws -> Forecast {
    guard case .object(let object) = try JSON(parsing: Array(json.utf8)) else { throw VarlinkError.methodNotFound("") }
    return try Forecast(Parameters(object, isTolerant: true))
  }

  @Test("what is written is read as it was, and what is newer is passed over")
  func roundTrip() throws {
    for forecast in [Self.full, Forecast(mode: "off")] {
      #expect(try read(JSON.object(forecast.parameters).text) == forecast)
    }
    let newer = try read(#"{"mode":"moon","scheme":"grey","switches":[{"time":1,"scheme":"grey"}],"tides":[]}"#)
    #expect(newer.mode == "moon" && newer.scheme == nil && newer.switches.isEmpty)
    #expect(throws: VarlinkError.self) { try read("{}") }
  }

  @Test("a state tells its next switch, and one without any does not")
  func nextSwitch() throws {
    var resolution = Resolution(scheme: .dark, desktop: .none, nextSwitch: Switch(time: 5, scheme: .light))
    for _ in 0..<2 {
      let state = State(instance: "i", serial: 1, resolution: resolution)
      #expect(try State(Parameters(state.parameters)) == state)
      #expect((state.parameters["nextSwitch"] == nil) == (resolution.nextSwitch == nil))
      resolution.nextSwitch = nil
    }
  }
}
