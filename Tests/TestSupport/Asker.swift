import Foundation

/// A real program that asks the portal for light or dark, and says what it shows.
public struct Asker {
  /// The programs that are tried.
  public enum Program: String, Sendable, CaseIterable {
    case chromium, firefox
    case libadwaita
  }

  private let process: ChildProcess

  /// What it has shown, from its start on: `dark` or `light`.
  public var words: [String] { process.lines.filter { !$0.hasPrefix("now ") } }

  /// Waits until it shows this.
  public func expect(_ word: String) throws {
    try eventually("\(process.name)'s showing \(word) after \(words): \(process.errors.suffix(2000))") {
      words.last == word
    }
  }

  /// What it shows now, in its own words, and not before whatever it was told by now has come to it.
  public func now() throws -> String {
    let count = process.lines.count
    return try eventually("\(process.name)'s word") { () -> String? in
      let told = process.lines.dropFirst(count).filter { $0.hasPrefix("now ") }
      return told.count > 2 ? told.last.map { String($0.dropFirst(4)) } : nil
    }
  }

  init(_ session: Session, _ program: Program) throws {
    let root = Products.askers ?? ""
    let scripts = Products.package + "/Tests/Askers/"
    let libraries = try FileManager.default.contentsOfDirectory(atPath: root + "/usr/lib").filter {
      $0.contains("-linux-gnu")
    }.map { root + "/usr/lib/" + $0 }
    for (name, values) in [
      ("LD_LIBRARY_PATH", libraries + libraries.map { $0 + "/pulseaudio" }), ("XDG_DATA_DIRS", [root + "/usr/share"]),
      ("GI_TYPELIB_PATH", libraries.map { $0 + "/girepository-1.0" } + ["/usr/lib/girepository-1.0"]),
      ("PYTHONPATH", [root + "/usr/lib/python3/dist-packages", "/usr/lib/python3/dist-packages"]),
    ] {
      session.environment[name] = (values + [session.environment[name]].compactMap(\.self)).joined(separator: ":")
    }
    // Its sandboxes want namespaces that a container does not always give.
    for part in ["CONTENT", "GMP", "RDD", "SOCKET_PROCESS", "UTILITY"] {
      session.environment["MOZ_DISABLE_\(part)_SANDBOX"] = "1"
    }
    session.environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
    session.environment["GSK_RENDERER"] = "cairo"
    let profile = try session.directory.directory("tmp/\(program.rawValue)")
    // A new profile asks nothing, and the page is reached though there is no network.
    try session.directory.write(
      [
        "browser.aboutwelcome.enabled", "browser.preonboarding.enabled", "browser.shell.checkDefaultBrowser",
        "datareporting.policy.dataSubmissionEnabled", "network.captive-portal-service.enabled",
        "network.connectivity-service.enabled", "network.manage-offline-status", "network.gio.supported",
      ].map { "user_pref(\"\($0)\", false);\n" }.joined()
        + "user_pref(\"termsofuse.bypassNotification\", true);\n", to: "tmp/firefox/user.js")
    let words: [String] =
      switch program {
      case .libadwaita: ["/usr/bin/python3", "-B", scripts + "adw.py"]
      case .chromium:
        Self.alone(scripts) + [
          root + "/usr/lib/chromium/chromium", "--no-sandbox", "--no-first-run", "--disable-gpu",
          "--disable-dev-shm-usage", "--user-data-dir=" + profile,
        ]
      case .firefox:
        Self.alone(scripts) + [root + "/usr/lib/firefox-esr/firefox-esr", "--no-remote", "--profile", profile]
      }
    process = try session.spawn(words[0], Array(words.dropFirst()))
  }

  /// A browser sees a page of its own, and no other network.
  private static func alone(_ scripts: String) -> [String] {
    let rights = getuid() == 0 ? [] : ["--map-current-user", "--keep-caps"]
    return ["unshare"] + rights + ["--net", "/usr/bin/python3", "-B", scripts + "page.py"]
  }
}

extension Session {
  /// Starts a real program that asks the portal.
  public func startAsker(_ program: Asker.Program) throws -> Asker { try Asker(self, program) }
}

extension Products {
  /// Where programs that ask the portal were unpacked: THEMED_ASKERS, or where `make test-programs` does that; nil where
  /// the system has them all.
  static let askers: String? = {
    let given = ProcessInfo.processInfo.environment["THEMED_ASKERS"] ?? ""
    let path = given.isEmpty ? package + "/.build/askers" : given
    return FileManager.default.fileExists(atPath: path + "/ready") ? path : nil
  }()
}
