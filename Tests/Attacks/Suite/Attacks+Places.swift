import Foundation
import Glibc
import ThemedTestSupport

extension Attack {
  /// What is found where one of the daemon's files should be.
  static let places: [Attack] = [
    odd("its configuration", "config/themed/themed.conf"),
    odd("the directory of its configuration", "config/themed"),
    odd("a theme", "data/themed/themes/attack.theme"),
    odd("the directory of themes", "data/themed/themes"),
    odd("its state file", "state/themed/overrides.json"),
    odd("the file that is to become its state file", "state/themed/overrides.json.new", isSaved: true),
    odd("the lock of its state file", "state/themed/overrides.json.lock"),
    odd("its state directory", "state/themed"),
    odd("its socket", "run/themed/org.themed.theme", mayRefuse: true),
    odd("its socket's lock", "run/themed/org.themed.theme.lock", mayRefuse: true),
    odd("the session's bus", "run/bus"),
  ]

  private enum Oddity: CaseIterable {
    case pipe, directory, nowhere, loop, zeros, endless, unreadable, socket
  }

  /// It serves, or refuses to start in words; nothing of this hangs.
  private static func odd(
    _ place: String, _ path: String, isSaved: Bool = false, mayRefuse: Bool = false
  ) -> Attack {
    own("odd files in the place of \(place)") { session, _ in
      try session.configure("[appearance]\nlight-theme=attack\n")
      for oddity in Oddity.allCases {
        try FileManager.default.createDirectory(
          atPath: (session.directory.path(path) as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = session.directory.path(path)
        try? FileManager.default.removeItem(atPath: file)
        try make(oddity, at: file)
        do {
          try expectSense(session, isSaved: isSaved, mayRefuse: mayRefuse)
        } catch {
          throw Failure("a \(oddity) there: \(error)")
        }
        try? FileManager.default.removeItem(atPath: file)
      }
      return Oddity.allCases.count
    }
  }

  private static func expectSense(_ session: Session, isSaved: Bool, mayRefuse: Bool) throws {
    let themed = try session.spawnThemed()
    guard let connection = try session.answerOrRefusal(of: themed) else {
      guard mayRefuse else { throw Failure("it refused to start: \(themed.account)") }
      return
    }
    let reply = try connection.call("SetOverride", #"{"override":{"scheme":"dark"}}"#)
    guard !isSaved || reply.bool("parameters.saved") == true else { throw Failure("not saved: \(themed.account)") }
    try session.expectServed(by: themed)
  }

  private static func make(_ oddity: Oddity, at path: String) throws {
    let files = FileManager.default
    switch oddity {
    case .pipe: guard unsafe mkfifo(path, 0o600) == 0 else { throw Failure("no pipe at \(path)") }
    case .directory: try files.createDirectory(atPath: path + "/within", withIntermediateDirectories: true)
    case .nowhere: try files.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere/at/all")
    case .loop: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
    case .endless: try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case .zeros, .unreadable:
      guard files.createFile(atPath: path, contents: nil) else { throw Failure("no file at \(path)") }
      if oddity == .zeros { _ = unsafe truncate(path, 1 << 30) }
      if oddity == .unreadable { _ = unsafe chmod(path, 0) }
    case .socket: _ = unsafe mknod(path, S_IFSOCK | 0o600, 0)
    }
  }
}

extension Session {
  /// A connection to a daemon that is starting, or nil if it refused to in words; that it does neither is a failure.
  func answerOrRefusal(of themed: ChildProcess) throws -> VarlinkConnection? {
    var connection: VarlinkConnection?
    try eventually("an answer, or a refusal in words") {
      connection = try? connect()
      return connection != nil || !themed.isRunning
    }
    if let connection, themed.isRunning { return connection }
    guard try themed.wait() == .exited(1), !themed.errors.isEmpty else { throw Failure("it ended: \(themed.account)") }
    return nil
  }
}
