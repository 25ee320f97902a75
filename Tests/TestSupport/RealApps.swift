import Foundation

/// Whether nobody but tests runs one of these programs as this user: themed-apply would change theirs, too.
public func areAlone(_ programs: String...) -> Bool {
  let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
  return !numbers.contains { number in
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"),
      programs.contains((path as NSString).lastPathComponent),
      let environment = try? Data(contentsOf: URL(filePath: "/proc/\(number)/environ"))
    else { return false }
    return environment.range(of: Data("\(TestRun.mark)=".utf8)) == nil
  }
}

/// The programs that themed-apply changes: those of the system, or those that `tools/install-packages apps` has
/// unpacked.
extension Session {
  /// Lets the session find them, with the app files of this package and its themes; the daemon is to be started then.
  public func bringApps() throws {
    environment["THEMED_APPS"] = Products.package + "/share"
    environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
    environment["COLORTERM"] = "truecolor"
    let themes = Products.package + "/Tests/Data"
    environment["XDG_DATA_DIRS"] = themes + ":" + (environment["XDG_DATA_DIRS"] ?? "/usr/share")
    guard let root = Products.apps else { return }
    let libraries = try FileManager.default.contentsOfDirectory(atPath: root + "/usr/lib").filter {
      $0.contains("-linux-gnu")
    }.map { root + "/usr/lib/" + $0 }
    for (name, values) in [
      ("PATH", [root + "/usr/bin", root + "/usr/games"]),
      ("LD_LIBRARY_PATH", libraries + libraries.map { $0 + "/pulseaudio" }),
      ("XDG_DATA_DIRS", [root + "/usr/share"]), ("QT_PLUGIN_PATH", libraries.map { $0 + "/qt5/plugins" }),
      ("PERL5LIB", libraries.map { $0 + "/urxvt" }),
    ] {
      environment[name] = (values + [environment[name]].compactMap(\.self)).joined(separator: ":")
    }
    environment["XDG_CONFIG_DIRS"] = root + "/etc/xdg:/etc/xdg"
  }

  /// The path of one of these programs.
  public func realApp(_ name: String) throws -> String {
    let directories = environment["PATH", default: ""].split(separator: ":")
    guard
      let path = directories.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile(atPath:))
    else {
      throw Failure("no program \(name); tools/install-packages apps brings it")
    }
    return path
  }

  /// Starts an X display, which everything that is started from now on finds.
  public func startDisplay() throws {
    let server = try spawn(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-noreset", "-nolisten", "tcp"])
    environment["DISPLAY"] = ":" + (try server.line())
    // No theme has this colour, and one has black behind its text.
    try check(realApp("xsetroot"), ["-solid", "#747474"])
  }

  /// Starts sway without a screen, and lets everything that is started from now on find it.
  public func startSway() throws {
    environment["WLR_BACKENDS"] = "headless"
    environment["WLR_RENDERER"] = "pixman"
    environment["WLR_LIBINPUT_NO_DEVICES"] = "1"
    // Without a configuration it looks for the system's, which is not there where it was unpacked.
    let own = directory.path("config/sway/config")
    if !FileManager.default.fileExists(atPath: own) {
      try directory.write("default_border normal 8\n", to: "config/sway/config")
    }
    // It does not run as root; in a user namespace of its own it is nobody there, and who it was outside.
    let words = try getuid() == 0 ? ["unshare", "--user", realApp("sway")] : [realApp("sway")]
    _ = try spawn(words[0], Array(words.dropFirst()))
    let run = environment["XDG_RUNTIME_DIR", default: ""]
    let names = try eventually("the sockets of sway") { () -> [String]? in
      let names = try FileManager.default.contentsOfDirectory(atPath: run)
      let found = names.filter { $0.hasPrefix("sway-ipc") } + names.filter { $0 == "wayland-1" }
      return found.count == 2 ? found : nil
    }
    environment["SWAYSOCK"] = run + "/" + names[0]
    environment["WAYLAND_DISPLAY"] = names[1]
  }

  /// How many pixels of each colour the display shows.
  public func pixels() throws -> [String: Int] {
    let path = directory.path("tmp/screen")
    if environment["WAYLAND_DISPLAY"] != nil {
      try check(realApp("grim"), ["-t", "ppm", path])
    } else {
      // It fails where a window goes while it looks.
      for isLast in [false, false, true] {
        let look = try run(realApp("xwd"), ["-root", "-silent", "-out", path])
        if look.status == .exited(0) { break }
        guard !isLast else { throw Failure("xwd ended with \(look.status): \(look.errors)") }
      }
    }
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    return environment["WAYLAND_DISPLAY"] == nil ? countXWD(bytes) : countPPM(bytes)
  }

  /// What a PPM of three bytes a pixel shows: its head is three lines.
  private func countPPM(_ bytes: [UInt8]) -> [String: Int] {
    var start = 0
    for _ in 0..<3 { start = (bytes[start...].firstIndex(of: 10) ?? start) + 1 }
    return count(bytes, rows: [start..<bytes.count], step: 3, red: 0, blue: 2)
  }

  /// What xwd's file shows at its end; the fields of its head are of four bytes.
  private func countXWD(_ bytes: [UInt8]) -> [String: Int] {
    func field(_ index: Int) -> Int {
      var value = 0
      for byte in bytes[(index * 4)..<(index * 4 + 4)] { value = value << 8 | Int(byte) }
      return value
    }
    // A pixel has four bytes, blue first; where windows of more than one depth are shown, three, and a line is longer than
    // these. Then xwd puts red first for some windows and blue for others: such a pixel counts as both.
    let (width, height, step, length) = (field(4), field(5), field(11) / 8, field(12))
    let start = bytes.count - height * length
    let rows = (0..<height).map { (start + $0 * length)..<(start + $0 * length + width * step) }
    let counts = count(bytes, rows: rows, step: step, red: 2, blue: 0)
    guard step == 3 else { return counts }
    return counts.merging(count(bytes, rows: rows, step: step, red: 0, blue: 2), uniquingKeysWith: +)
  }

  private func count(_ bytes: [UInt8], rows: [Range<Int>], step: Int, red: Int, blue: Int) -> [String: Int] {
    var counts: [Int: Int] = [:]
    for row in rows {
      for place in stride(from: row.lowerBound, through: row.upperBound - step, by: step) {
        let color: Int = Int(bytes[place + red]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + blue])
        counts[color, default: 0] += 1
      }
    }
    var named: [String: Int] = [:]
    for (color, count) in counts {
      let digits = String(color, radix: 16)
      named["#" + String(repeating: "0", count: 6 - digits.count) + digits] = count
    }
    return named
  }
}

/// Whether real programs are to be tried, which takes minutes and 60 MB of them: `make test-programs` says so.
public let triesPrograms = ProcessInfo.processInfo.environment["THEMED_TRY_PROGRAMS"] != nil

extension Products {
  /// Where the programs that themed-apply changes were unpacked: THEMED_REAL_APPS, or where `make test-programs` does that; nil
  /// where the system has them all.
  public static let apps: String? = {
    let given = ProcessInfo.processInfo.environment["THEMED_REAL_APPS"] ?? ""
    let path = given.isEmpty ? package + "/.build/apps" : given
    return FileManager.default.fileExists(atPath: path + "/ready") ? path : nil
  }()
}
