import Foundation
import Testing
import ThemedTestSupport

/// The line that `themectl app enable` writes into a program's own file, to have it read our plugin.
enum PluginLine {
  /// The line, as the program's app file has it.
  static func line(in program: String) throws -> String {
    let app = try String(contentsOfFile: "\(Products.package)/share/apps/\(program).app", encoding: .utf8)
    return try String(#require(app.split(separator: "\n").first { $0.hasPrefix("line=") }).dropFirst(5))
  }

  /// A program that reads a file with this line says nothing where the plugin was removed, and reads `stub` where it is.
  ///
  /// The plugin's file is called as the line says, with `suffix` behind it.
  static func isSilentWhereGone(
    in program: String, _ arguments: [String] = [], stub: String, suffix: String = ""
  ) throws {
    try withSession { session in
      let line = try Self.line(in: program)
      let gone = session.directory.path("gone/")
      let path = try session.directory.write(line.replacing("/usr/share/themed/", with: gone) + "\n", to: "tmp/start")
      let finished = try session.run(program, arguments + [path])
      #expect(finished.status == .exited(0))
      #expect(finished.output + finished.errors == "")

      let file = try #require(line.firstMatch(of: /\/usr\/share\/themed\/([a-z.\/]+)/)).1
      try session.directory.write(stub, to: "gone/\(file)\(suffix)")
      let read = try session.run(program, arguments + [path])
      #expect(read.output.contains("read"), "\(read.errors)")
    }
  }
}
