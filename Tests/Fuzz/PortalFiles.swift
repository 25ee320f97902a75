import Foundation
import ThemedSystem

@testable import ThemeDaemon

/// What is installed and configured for the portal, as other packages' files say it: a backend's, and portals.conf.
func fuzzPortalFiles(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  do {
    try Data(parts[0]).write(to: PortalDirectory.shared.appending(path: "some.portal"))
    try Data(parts.count > 1 ? parts[1] : []).write(to: PortalDirectory.shared.appending(path: "portals.conf"))
  } catch { fatalError("\(error)") }
  for version in [(1, 16, 0), (1, 17, 1), (1, 19, 0), (1, 19, 1), (1, 20, 1), (1, 21, 1)] as [PortalProgram.Version] {
    let backends = PortalBackends(
      environment: [
        "XDG_DESKTOP_PORTAL_DIR": Text(PortalDirectory.shared.path(percentEncoded: false)),
        "XDG_CURRENT_DESKTOP": "One:Two",
      ], of: version)
    require(backends.installed.count <= 1, "more backends than files")
    require(backends.capable.count <= backends.installed.count, "more are able than are installed")
    require(backends.chosen.allSatisfy(backends.capable.contains), "one is chosen that cannot")
  }
}

/// A directory of this process, removed when it exits.
private enum PortalDirectory {
  static let shared: URL = {
    let directory = FileManager.default.temporaryDirectory.appending(path: "themed-fuzz-\(getpid())")
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: PortalDirectory.shared) }
    return directory
  }()
}
