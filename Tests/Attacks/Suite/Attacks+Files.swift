import Foundation
import ThemedTestSupport

extension Attack {
  /// Upon the files that the daemon reads, by those who write them.
  static let files: [Attack] = [
    editing("the configuration replaced by another file all the time", "replace", "config/themed/themed.conf"),
    editing("the configuration's directory replaced all the time", "replace-directory", "config/themed/themed.conf"),
    editing("the configuration rewritten in its place all the time", "rewrite", "config/themed/themed.conf"),
    editing("a theme replaced by another file all the time", "replace", "data/themed/themes/attack.theme"),
    editing("the themes' directory replaced all the time", "replace-directory", "data/themed/themes/attack.theme"),
    editing("a theme rewritten in its place all the time", "rewrite", "data/themed/themes/attack.theme"),
    appending("a line added to the configuration every 40 ms", "config/themed/themed.conf") { try $0.edit() },
    appending("a line added to a theme every 40 ms", "data/themed/themes/attack.theme") { try $0.editTheme() },
    appending("a line added to another theme every 40 ms", "data/themed/themes/other.theme") { try $0.editTheme() },
    running("twenty thousand themes, listed all the time", seconds: 3) { world, seconds in
      let directory = world.session.directory.path("data/themed/themes")
      for number in 0..<20_000 {
        guard FileManager.default.createFile(atPath: "\(directory)/many\(number).theme", contents: nil) else {
          throw Failure("no more files")
        }
      }
      let connection = try world.session.connect()
      let end = Date(timeIntervalSinceNow: seconds)
      var count = 0
      repeat {
        _ = try connection.call("ListThemes")
        count += 1
      } while Date() < end
      for number in 0..<20_000 { try FileManager.default.removeItem(atPath: "\(directory)/many\(number).theme") }
      try world.editTheme()
      return count
    },
  ]

  /// What is edited afterwards is seen.
  private static func editing(_ description: String, _ kind: String, _ path: String) -> Attack {
    running(description) { world, seconds in
      let path = world.session.directory.path(path)
      let count = try world.attack(["file", kind, path], seconds: seconds) { try $0.changePortal() }
      try world.edit()
      try world.editTheme()
      return count
    }
  }

  /// What is edited meanwhile is seen.
  private static func appending(
    _ description: String, _ path: String, _ edit: @escaping @Sendable (World) throws -> Void
  ) -> Attack {
    running(description) { world, seconds in
      let file = world.session.directory.path(path)
      let before = FileManager.default.contents(atPath: file)
      if before == nil { try world.session.directory.write("[light]\n", to: path) }
      let count = try world.attack(["file", "append", file], seconds: seconds, meanwhile: edit)
      // As it was, so that no round is harder than the one before.
      if let before {
        try before.write(to: URL(filePath: file))
      } else {
        try FileManager.default.removeItem(atPath: file)
      }
      return count
    }
  }
}
