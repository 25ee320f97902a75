import Foundation

/// The programs that are tested, and those that test them.
public enum Products {
  /// The path of a program of this package: from THEMED_PRODUCTS, if that is set, else from the build that this test
  /// belongs to; what is shipped comes from nowhere else then.
  public static func path(_ name: String) throws -> String {
    let candidates = given.map { shipped.contains(name) ? [$0] : [$0] + own } ?? own
    let beside = candidates.map { $0 + "/" + name }
    guard let path = beside.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Failure("no program \(name) in \(candidates); swift build makes it, or for THEMED_PRODUCTS make build")
    }
    return path
  }

  /// The directory of the programs that are shipped.
  public static func directory() throws -> String {
    (try path("themed") as NSString).deletingLastPathComponent
  }

  /// Whether they are built for debugging, whose size is no measure.
  public static var areDebug: Bool {
    get throws {
      // Where the Swift package manager puts them, which `debug` and `release` lead to.
      let directory = URL(filePath: try directory()).resolvingSymlinksInPath()
      return directory.lastPathComponent == "debug"
    }
  }

  /// The path of a program of the system.
  public static func system(_ name: String) throws -> String {
    if name.contains("/") { return name }
    guard triesPrograms || !ofTestPrograms.contains(name) else {
      throw Failure("make test does not install \(name), though it may be here: it is for make test-programs")
    }
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths = (directories + ["/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Failure("no program \(name)\(packages[name] ?? ""); tools/install-packages test installs it")
    }
    return path
  }

  /// The path of a program of a package that may be unpacked: the installed one, if there is one.
  public static func unpackable(_ name: String, at path: String) throws -> String {
    let unpacked = unpackedDirectory + path
    if let installed = try? system(name) { return installed }
    guard FileManager.default.isExecutableFile(atPath: unpacked) else {
      throw Failure(
        "no program \(name)\(packages[name] ?? ""), neither installed nor at \(unpacked); "
          + "tools/install-packages test unpacks it")
    }
    return unpacked
  }

  /// The lines of `tools/install-packages`, which say what is in which package.
  private static let needs: [Substring] =
    (try? String(contentsOfFile: package + "/tools/install-packages", encoding: .utf8))?.split(separator: "\n") ?? []

  /// The programs that `make test-programs` installs, and `make test` does not.
  private static let ofTestPrograms: Set<String> = {
    func programs(of group: String) -> Set<String> {
      let group = needs.drop { $0 != "\(group)=(" }.prefix { $0 != ")" }
      return Set(group.compactMap { $0.firstMatch(of: /command:([^ ']+)/).map { String($0.1) } })
    }
    return programs(of: "apps").union(programs(of: "emacs")).subtracting(programs(of: "test"))
  }()

  /// By the name of a program, in which package it is, as words of a message.
  private static let packages: [String: String] = {
    let found = needs.compactMap { line in
      line.firstMatch(of: /^ *['"]([^ ]+) (?:command:|file:\/usr\/sbin\/)([^ '"]+)/).map {
        (String($0.2), " (package \($0.1))")
      }
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }()

  /// A Python that has the package `varlink`: THEMED_PYTHON, or the one that `make test` prepares.
  public static func python() throws -> String {
    if let path = ProcessInfo.processInfo.environment["THEMED_PYTHON"], !path.isEmpty { return path }
    let path = package + "/.build/python/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure("no Python with varlink at \(path); make test prepares it, or set THEMED_PYTHON")
    }
    return path
  }

  /// Where packages that are not installed are unpacked, if there are any: THEMED_DESKTOP, or where `make test` does that.
  public static let unpackedDirectory: String = {
    let given = ProcessInfo.processInfo.environment["THEMED_DESKTOP"] ?? ""
    return given.isEmpty ? package + "/.build/desktop" : given
  }()

  /// The directory that the package lies in.
  public static var package: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .path(percentEncoded: false).trimmingSuffix("/")
  }

  private static let shipped: Set = ["themed", "themectl", "themed-portal", "themed-tray"]

  /// THEMED_PRODUCTS.
  private static var given: String? {
    guard let path = ProcessInfo.processInfo.environment["THEMED_PRODUCTS"], !path.isEmpty else { return nil }
    return path.trimmingSuffix("/")
  }

  /// The directories above this program, which is the test bundle or lies within it.
  private static var own: [String] {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    return ([own] + bundles).flatMap { program in
      let directory = (program as NSString).deletingLastPathComponent
      return [directory, (directory as NSString).deletingLastPathComponent]
    }
  }
}

extension String {
  func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
