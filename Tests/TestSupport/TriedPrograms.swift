import Foundation

/// What docs/tested.md says of the programs that are tried here, if this is Debian 12; it is wrong where another
/// version is here.
public enum TriedPrograms {
  /// The cells of the row of a table that begins with this name, behind that; nil on another system.
  ///
  /// The first is the version, and has to be that of the package that is here.
  public static func row(_ name: String, under heading: String, package: String? = nil) throws -> [String]? {
    let system = try String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    guard system.contains("VERSION_CODENAME=bookworm\n") else { return nil }
    let page = try String(contentsOfFile: Products.package + "/docs/tested.md", encoding: .utf8)
    guard let part = page.components(separatedBy: "\n## \(heading)\n").dropFirst().first else {
      throw Failure("docs/tested.md has no part '\(heading)'")
    }
    let lines = (part.components(separatedBy: "\n## ").first ?? "").components(separatedBy: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("| \(name) |") }) else {
      throw Failure("docs/tested.md does not tell of \(name) under '\(heading)'")
    }
    let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }.dropFirst(2)
    let version = try version(ofPackage: package ?? packages[name] ?? name)
    guard cells.first == version else {
      throw Failure("docs/tested.md says \(cells.first ?? "nothing") of \(name), and it is \(version) here")
    }
    return Array(cells)
  }

  /// The packages that are not called as what they bring.
  private static let packages = [
    "rxvt": "rxvt-unicode", "urxvt": "rxvt-unicode", "xresources": "x11-xserver-utils",
    "mako": "mako-notifier", "mako-whole": "mako-notifier", "i3": "i3-wm", "gtk": "libglib2.0-bin",
  ]

  /// The version of a package, installed or unpacked, as its authors count.
  private static func version(ofPackage name: String) throws -> String {
    // What is Debian's own has but one.
    let logs = ["changelog.Debian.gz", "changelog.gz"].map { (Products.apps ?? "") + "/usr/share/doc/\(name)/\($0)" }
    var version = ""
    try withSession { session in
      if let log = logs.first(where: FileManager.default.fileExists) {
        // NAME (VERSION) SUITE; …
        let line = try session.check("sh", ["-c", "gzip -cd \"$0\" | head -n 1", log])
        version = line.components(separatedBy: "(").last?.components(separatedBy: ")").first ?? ""
      } else {
        version = try session.check("dpkg-query", ["--show", "--showformat=${Version}", name])
      }
    }
    let behindEpoch = version.components(separatedBy: ":").last ?? ""
    return String(behindEpoch.prefix { !"-+~\n".contains($0) })
  }
}
