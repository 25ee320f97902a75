import ArgumentParser
import ThemedClientCore
import ThemedInterface
import ThemedModel
import ThemeSetup
import ThemedSystem

struct Daemon: ParsableArguments {
  @Option(
    help: ArgumentHelp("The daemon's socket, if it is not the default one.", valueName: "path"), completion: .file())
  var socket: String?

  /// Makes one or more calls; if one fails, complains and exits.
  func call<Value>(
    _ time: Duration = .toRead, isReport: Bool = false,
    _ body: (inout ThemeConnection) throws(CallError) -> Value
  ) throws -> Value {
    try callDaemon(at: socket, time, isReport: isReport, body)
  }
}

struct Audience: ParsableArguments {
  @Option(
    help: ArgumentHelp("For this app only; 'themectl app' lists the names.", valueName: "name"),
    completion: .custom { words, _, _ in knownApps(socket: socket(in: words)) })
  var app: String?

  var name: Text? { app.map { Text($0) } }

  func validate() throws {
    guard let app else { return }
    guard isAppName(Text(app)) else {
      throw ValidationError("invalid app name: it must have 1 to 255 bytes and no control characters; try: --app nvim")
    }
  }
}

func socket(in words: [String]) -> String? { zip(words, words.dropFirst()).first { $0.0 == "--socket" }?.1 }

private func knownApps(socket: String?) -> [String] {
  do throws(CallError) {
    var theme = try ThemeConnection(socket: socket, timeout: .seconds(1))
    let names = try theme.call(.clients).compactMap(\.app) + theme.call(.overrides).compactMap(\.app)
    return Set(names).filter(\.isCandidate).sorted().map(\.string)
  } catch { return [] }
}

struct Format: ParsableArguments {
  @Flag(help: "Print JSON; each line is a complete object.")
  var json = false
}
