internal import ThemedSystem

/// The user's `themed.conf`, in its last valid version.
final class ConfigurationFile {
  /// Learns that the file was read, or cannot be read for now.
  weak var receiver: (any InputReceiver)?

  /// The path of the file; nil if it is not known.
  let path: String?
  /// The last valid configuration.
  var configuration: Configuration { last.content ?? Configuration() }
  /// Whether it was read, valid or not.
  var isRead: Bool { last.isRead }

  private var last = LastGood(Configuration())
  private let files: FileReader
  private let log: Log

  /// The file at `path`, which has not been read yet.
  init(path: String?, files: FileReader, log: Log) {
    (self.path, self.files, self.log) = (path, files, log)
    guard let path else {
      last.wasRead(.right(Configuration()))
      return
    }
    files.follow(.configuration, [path]) { progress in
      progress.note("\(path)")
      return Self.read(path)
    } isShort: {
      $0.isShort
    } isLate: { [unowned self] in
      receiver?.configurationWasRead()
    } use: { [unowned self] in
      wasRead($0.outcome, path)
    }
    files.read(.configuration) {}
  }

  /// The problem with the file, or why it cannot be read.
  var problem: String? { last.problem ?? files.trouble(of: .configuration).map { "\(path ?? ""): \($0)" } }

  private static func read(_ path: String) -> (outcome: LastGood<Configuration>.Outcome, isShort: Bool) {
    do throws(Configuration.Problem) {
      let configuration = try Configuration.load(from: path)
      return (.right(configuration, unknown: configuration.unknown), false)
    } catch {
      return (.wrong("\(error)"), error.isTemporary)
    }
  }

  private func wasRead(_ outcome: LastGood<Configuration>.Outcome, _ path: String) {
    let before = last
    last.wasRead(outcome)
    let news = last.news(since: before)
    if let problem = news.problem { log.warning("\(problem); the previous configuration stays in force") }
    for key in news.unknown {
      log.warning("\(path): ignoring the unknown setting \(key.shown(atMost: Limits.shownText))")
    }
    if news.unnamed > 0 { log.warning("\(path): ignoring more unknown settings: \(news.unnamed)") }
    receiver?.configurationWasRead()
  }
}
