import Testing
import ThemedInterface
import ThemedSystem

@testable import ThemeSetup

/// What differs between the environment of a shell and that of the services, and what mends it.
@Suite struct EnvironmentComparisonTests {
  private typealias Difference = EnvironmentComparison.Difference
  private static let home: [Text: Text] = ["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/7", "PATH": "/usr/bin"]

  private func differences(
    shell: [Text: Text] = [:], manager: [Text: Text]? = [:], service: [Text: Text]? = nil, programs: [Text] = [],
    there: Set<Text> = [], variables: [Text: Text] = [:]
  ) -> [Difference] {
    func all(_ variables: [Text: Text]) -> [Text: Text] { Self.home.merging(variables) { $1 } }
    return EnvironmentComparison(
      shell: all(shell), manager: manager.map(all), service: service.map(all), isProgram: { there.contains($0) },
      isDirectory: { there.contains($0) }
    ).differences(programs: programs, variables: variables)
  }

  @Test func `nothing differs where both say the same, in whatever words, and where nobody is there to compare with`() {
    #expect(differences().isEmpty)
    #expect(differences(shell: ["XDG_CONFIG_HOME": "/home/me/.config/"], service: ["XDG_CONFIG_HOME": ""]).isEmpty)
    // A relative path counts as not set.
    #expect(differences(shell: ["XDG_STATE_HOME": "state"]).isEmpty)
    #expect(differences(shell: ["XDG_CONFIG_HOME": "/elsewhere"], manager: nil).isEmpty)
    #expect(
      differences(shell: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus,guid=1"]).isEmpty, "the usual bus")
  }

  @Test(arguments: ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] as [Text])
  func `a directory that the shell alone has elsewhere is to be told to the manager, for now and for good`(name: Text)
    throws
  {
    for service in [nil, [:]] as [[Text: Text]?] {
      let found = differences(shell: [name: "/home/me/my etc"], service: service)
      let difference = try #require(found.first)
      #expect(found.count == 1 && difference.name == name && difference.decidesFiles)
      #expect(difference.fix?.contains("~/.config/environment.d/themed.conf: ") == true)
      #expect(difference.fix?.hasSuffix("\(name)=\"/home/me/my etc\"") == true)
      #expect(
        difference.commands == ["systemctl --user import-environment \(name)", EnvironmentComparison.restart])
    }
  }

  @Test func `a program's own variable differs for an app whose files it leads to, and for no other`() throws {
    let (shell, bat): ([Text: Text], [Text: Text]) = (
      ["BAT_CONFIG_DIR": "/home/me/cats"], ["BAT_CONFIG_DIR": "/.config/bat"]
    )
    let difference = try #require(differences(shell: shell, variables: bat).first)
    #expect(
      difference.words == "BAT_CONFIG_DIR is /home/me/cats in this shell, but /home/me/.config/bat for themed-apply")
    #expect(difference.decidesFiles && difference.fix?.hasSuffix(": BAT_CONFIG_DIR=/home/me/cats") == true)
    #expect(differences(shell: shell).isEmpty)
    #expect(differences(shell: shell, service: shell, variables: bat).isEmpty)
    #expect(differences(shell: ["BAT_CONFIG_DIR": "/home/me/.config/bat/"], variables: bat).isEmpty, "the usual value")
  }

  @Test func `a service that began before the login told the manager is to be restarted, and no more`() {
    let elsewhere: [Text: Text] = ["XDG_CONFIG_HOME": "/etc/me"]
    let found = differences(shell: elsewhere, manager: elsewhere, service: [:])
    #expect(found.map(\.commands) == [[EnvironmentComparison.restart]] && found[0].fix == nil)
    #expect(differences(shell: elsewhere, manager: elsewhere, service: nil).isEmpty, "it has it when it begins")
    #expect(differences(shell: elsewhere, manager: [:], service: elsewhere).isEmpty, "what runs counts")
  }

  @Test func `a shell that lacks what the services have is to be told, such as at an ssh login`() {
    let found = differences(manager: ["XDG_STATE_HOME": "/var/my state"])
    #expect(found.map(\.commands) == [["export XDG_STATE_HOME='/var/my state'"]])
    #expect(found[0].fix?.contains("~/.profile") == true)
  }

  @Test func `another HOME is told once, and not for each directory below it`() {
    let found = differences(shell: ["HOME": "/root"])
    #expect(found.map(\.name) == ["HOME"] && found[0].decidesFiles && found[0].commands.isEmpty)
  }

  @Test func `data directories count where something of ours is in them`() {
    let shell: [Text: Text] = ["XDG_DATA_DIRS": "/nix/share:/usr/local/share:/usr/share"]
    #expect(differences(shell: shell).isEmpty)
    let found = differences(shell: shell, there: ["/nix/share/themed"])
    #expect(found.map(\.name) == ["XDG_DATA_DIRS"] && found[0].decidesFiles)
  }

  @Test func `sockets and app files that differ are told, and only the latter keep an app from being enabled`() {
    let found = differences(
      shell: ["THEMED_SOCKET": "/tmp/s", "THEMED_APPS": "/tmp/apps", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/tmp/b"])
    #expect(found.map(\.name) == ["THEMED_APPS", "THEMED_SOCKET", "DBUS_SESSION_BUS_ADDRESS"])
    #expect(found.map(\.decidesFiles) == [true, false, false])
  }

  @Test func `programs count that the shell finds and themed-apply would not, by the PATH that the manager has now`() {
    let shell: [Text: Text] = ["PATH": "/home/me/bin:/usr/bin"]
    let there: Set<Text> = ["/home/me/bin/kitten", "/usr/bin/tmux"]
    func found(_ manager: [Text: Text]?, _ service: [Text: Text]?) -> [Difference] {
      differences(
        shell: shell, manager: manager, service: service, programs: ["kitten", "tmux", "none", "/opt/x"], there: there)
    }
    #expect(found([:], nil).map(\.commands) == [["systemctl --user import-environment PATH"]])
    #expect(found([:], nil)[0].words.hasPrefix("kitten is in the PATH of this shell (/home/me/bin)"))
    #expect(found(shell, ["SYSTEMD_EXEC_PID": "1"]).isEmpty, "it asks the manager when it runs one")
    #expect(found(shell, [:]).count == 1, "one that was started by hand has its own")
    #expect(found(nil, [:])[0].commands.isEmpty)
  }

  @Test func `what doctor tells has a reason, and something to do`() {
    for difference in differences(
      shell: ["HOME": "/root", "XDG_CONFIG_HOME": "/x", "THEMED_SOCKET": "/tmp/s", "PATH": "/b"], manager: nil,
      service: [:], programs: ["kitten"], there: ["/b/kitten"])
    {
      #expect(difference.finding.isProblem && (difference.fix != nil || !difference.commands.isEmpty))
    }
  }
}
