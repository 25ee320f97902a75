import Foundation
import Testing
import ThemeClient
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport

/// Clients of today, and a daemon of next year: the interface has grown as it may, and nobody notices.
@Suite(.ownThreads) struct NextYearStories {
  @Test func `the library reads and follows all that it knows`() async throws {
    try await withSession { session in
      let socket = try session.startNextYear()
      _ = try session.connect().call("SetOverride", #"{"override":{"lightTheme":"mint","darkTheme":"mint"}}"#)
      var now = try ThemeConnection(socket: session.socketPath)
      var later = try ThemeConnection(socket: socket)
      let old = try now.call(.state(details: true))
      let new = try later.call(.state(details: true))
      #expect(new.scheme == old.scheme && new.serial == old.serial && new.theme == "mint")
      func palette(_ state: State) -> Palette {
        state.resolution.theme?.details?.palette(for: state.scheme) ?? Palette(for: state.scheme)
      }
      for role in Role.all { #expect(palette(new)[role] == palette(old)[role], "\(role)") }
      #expect(new.resolution.theme?.details?.values["bat"] == "Nord")
      let overrides = try later.call(.overrides)
      #expect(try now.call(.overrides) == overrides)
      let themes = try later.call(.themes)
      #expect(try now.call(.themes).map(\.title) == themes.map(\.title))
      #expect(themes.first { $0.name == "mint" }?.swatch(for: .dark)?[.primary]?.hexadecimal == "#84ffbf")
      let mint = try later.call(.theme(named: "mint"))
      #expect(try now.call(.theme(named: "mint")).theme[.dark]?.colors == mint.theme[.dark]?.colors)
      #expect(mint.theme.title == "Mint")
      let settings = try later.call(.configuration).settings
      #expect(try now.call(.configuration).settings == settings)
      let diagnostics = try later.call(.diagnostics)
      #expect(diagnostics.session == "asleep" && diagnostics.bus.state == "shared")
      #expect(try now.call(.diagnostics).changes.map(\.cause) == diagnostics.changes.map(\.cause))

      var states = AsyncThemeClient(details: true, socket: socket).states().makeAsyncIterator()
      #expect(try await states.next()?.scheme.rawValue == old.scheme.rawValue)
      #expect(try later.call(.clients).count == 1)
      let change = try later.call(.toggle())
      #expect(change.isSaved && change.state.scheme != old.scheme)
      let followed = try #require(try await states.next())
      #expect(followed.scheme.rawValue == change.state.scheme.rawValue)
      #expect(followed.palette?[.primary].description == "#84ffbf")
    }
  }

  @Test func `the command says the same as with the daemon of today`() throws {
    try withSession { session in
      let socket = try session.startNextYear()
      let commands = [
        ["set", "dark"], ["set", "light", "--app", "nvim"], ["get"], ["get", "--app", "nvim"], ["theme", "list"],
        ["theme", "list", "--json"], ["theme", "show", "mint"], ["config"], ["set", "theme", "mint"],
        ["theme", "show"],
        ["unset"], ["toggle"],
      ]
      for command in commands {
        session.environment["THEMED_SOCKET"] = nil
        let now = try session.themectl(command)
        session.environment["THEMED_SOCKET"] = socket
        let later = try session.themectl(command)
        #expect(now.status == .exited(0) && later.status == .exited(0), "\(command): \(now.errors)\(later.errors)")
        // A toggle undoes the one before.
        if command != ["toggle"] { #expect(later.output == now.output, "\(command)") }
        // That nobody knows an app is said before it has an override.
        if command.first != "set" { #expect(later.errors == now.errors, "\(command)") }
      }
      let status = try session.themectl("status", "--verbose")
      #expect(status.status == .exited(0), "\(status.errors)")
      #expect(status.output.contains("asleep") && status.output.contains("shared"), "\(status.output)")
      let monitor = try session.spawnThemectl("monitor")
      let first = try monitor.line()
      _ = try session.themectl("toggle")
      #expect(try monitor.line() != first)
    }
  }

  @Test func `another project's client reads it all, with what is new, and follows`() throws {
    try withSession { session in
      let socket = try session.startNextYear()
      let script = """
        import sys, varlink
        client = varlink.Client.new_with_address("unix:" + sys.argv[1])
        theme, other = client.open("org.themed.theme"), client.open("org.themed.theme")
        admin = client.open("org.themed.admin")
        states = theme.Monitor(_more=True)
        first = next(states)["state"]
        print(first["scheme"], first["nextYear"]["depth"][0])
        print(other.SetOverride(override={"darkTheme": "mint", "lightTheme": "mint"})["saved"])
        print(next(states)["state"]["theme"])
        [mint] = [theme for theme in other.ListThemes()["themes"] if theme["name"] == "mint"]
        print(mint["title"], mint["dark"]["primary"], mint["dark"]["glow"])
        print([override["darkTheme"] for override in other.ListOverrides()["overrides"]])
        print(admin.GetDiagnostics()["session"])
        print(len(admin.ListClients()["clients"]))
        try:
          other.Forecast(days=3)
        except varlink.VarlinkError as error:
          print(error.error(), error.parameters())
        lists = client.open("org.themed.theme").ListThemes(_more=True)
        print(len(next(lists)["themes"]) > 0)
        """
      let python = try session.python(["-c", script, socket])
      #expect(
        python.lines == [
          "light 1", "True", "mint", "Mint #84ffbf #ff00ff", "['mint']", "asleep", "1",
          "org.themed.theme.Foggy {'visibility': 7}", "True",
        ], "\(python.output)\(python.errors)")
    }
  }
}

extension Session {
  /// Starts today's daemon with a theme, and next year's before it; the latter's socket.
  fileprivate func startNextYear() throws -> String {
    let text = "[theme]\ntitle=Mint\n[light.palette]\ntint=26c472\n[dark.palette]\ntint=84ffbf\n"
    let values = "[light.values]\nbat=Nord\n"
    try directory.write(text + values, to: "data/themed/themes/mint.theme")
    _ = try startThemed()
    let socket = directory.path("run/next-year")
    let server = try spawnPython([Products.package + "/Tests/Scripts/next-year", socket, socketPath])
    guard try server.line() == "ready" else { throw Failure("the daemon of next year does not start") }
    return socket
  }
}
