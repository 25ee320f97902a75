package import ThemedInterface
package import ThemedSystem

/// The examination by `themectl doctor`, from the session bus to the apps.
package struct Examination {
  package private(set) var findings: [Finding] = []
  /// Whether there is a desktop, or another daemon, that the daemon can follow.
  package let hasSource: Bool

  /// Examines everything for the daemon at `socket`, or at the usual one with nil.
  ///
  /// - Parameter found: gets the findings so far, since a file that does not respond may end the program.
  package init(socket: String?, found: ([Finding]) -> Void) {
    findings = Self.checkedByDaemonsProgram().besidesDesktop
    found(findings)
    let answer = findings.fact(Finding.portalValue)
    let bus = findings.fact(Finding.busAddress)
    let isPortalAwaited = findings.contains { $0.name == Finding.portalWaits }
    let examined =
      DaemonFindings(socket: socket, bus: bus, answer: answer, isPortalAwaited: isPortalAwaited).findings
    let followsUpstream = examined.areOfFollower
    hasSource = answer != nil || followsUpstream
    if followsUpstream || examined.contains(where: { $0.name == "another_users" }) {
      // The daemon follows no desktop, or another user's, so problems with this desktop do not matter.
      findings.removeAll { $0.isProblem && !Self.ofNoDesktop.contains($0.name) }
    }
    if !followsUpstream, let answer, let finding = DarkTheme.finding(portalAnswers: answer) { findings.append(finding) }
    findings += examined
    found(findings)
    findings += InstalledThemes.ofUser.findings + AppFindings().findings
    if !followsUpstream, let finding = QtPrograms.ofSession { findings.append(finding) }
    if findings.contains(where: { $0.name == Finding.missingPortal }) {
      // The daemon has seen a session.
      findings.removeAll { $0.name == Finding.portalWaits }
    }
    if findings.contains(where: { $0.name == "other_bus" }) {
      // This finding says the same about the daemon.
      findings.removeAll { $0.name == EnvironmentComparison.finding && Text($0.what).hasPrefix("the session bus") }
    }
    if findings.contains(where: { $0.name == "configuration" }) {
      // The program that read the file just now has reported it.
      findings.removeAll { $0.name == "configuration_not_read" }
    }
  }

  /// The findings of the daemon's own program that are not about a desktop.
  private static let ofNoDesktop: Set<Text> = ["configuration", "no_program", "check_failed"]

  /// The findings that need D-Bus, which the daemon's own program makes.
  private static func checkedByDaemonsProgram() -> [Finding] {
    guard let program = themedProgram(), let run = checkByDaemonsProgram(program) else {
      return [
        Finding(
          "no_program", "cannot find the program 'themed' beside themectl or in PATH",
          why: "without it, programs do not follow the desktop, and doctor cannot check the session",
          fix: "install themed", type: "make install")
      ]
    }
    let findings = run.lines.compactMap { Finding(json: $0.string) }
    guard run.status > 1 || findings.count != run.lines.count else { return findings }
    return findings + [
      Finding(
        "check_failed", "'\(program) --check' \(run.tookTooLong ? "hangs" : "failed")",
        why: "doctor cannot check the session",
        type: "\(Text(program).asWord) --check")
    ]
  }
}

func checkByDaemonsProgram(_ program: String) -> Program? {
  FileWaits.begin("'\(program) --check'", isEndless: true)
  defer { FileWaits.end() }
  // The limits of the checks themselves are much shorter.
  return Program.run([program, "--check", "--json"], atMost: 60)
}

extension [Finding] {
  fileprivate func fact(_ name: Text) -> String? { first { $0.name == name }?.what }
}

/// Finds a dark GTK theme on a desktop that asks for light: then GTK's own windows differ from other programs.
package enum DarkTheme {
  /// The finding for this answer of the portal; nil if the themes agree, or that is unknown.
  package static func finding(portalAnswers answer: String) -> Finding? {
    let number = Text(decoding: answer.utf8.filter { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
    guard number == "uint32 0" || number == "uint32 2", programInPath("gsettings") != nil else { return nil }
    // gsettings leaves files in the user's directories.
    guard ForeignHome.found == nil else { return nil }
    let told = Program.runAll(["gtk-theme", "color-scheme"].map(words), atMost: 5).map(value)
    guard let theme = told[0], let scheme = told[1] else { return nil }
    return finding(theme: theme, scheme: scheme, isLight: number == "uint32 2")
  }

  /// The finding for these settings; nil if their scheme is not the portal's, because then the portal does not use
  /// them.
  package static func finding(theme: Text, scheme: Text, isLight: Bool) -> Finding? {
    guard scheme == (isLight ? "prefer-light" : "default"), Text(theme.string.lowercased()).hasSuffix("-dark") else {
      return nil
    }
    return Finding(
      "dark_gtk_theme",
      "the GTK theme is '\(theme)', but the desktop \(isLight ? "asks for light" : "has no preference")",
      why: "programs that ask the desktop, such as browsers, are light beside dark GTK windows",
      type: "gsettings set org.gnome.desktop.interface color-scheme prefer-dark")
  }

  private static func words(_ key: String) -> [String] { ["gsettings", "get", "org.gnome.desktop.interface", key] }

  private static func value(_ run: Program?) -> Text? {
    guard let run, run.status == 0, let line = run.lines.first else { return nil }
    return line.dropping(prefix: "'")?.dropping(suffix: "'")
  }
}
