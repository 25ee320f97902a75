internal import ForeignText

/// The user's `themed.conf`, as it was when it last was right.
final class ConfigurationFile {
  /// Called when the file was read, or is not read, for now.
  var onReading: () -> Void = {}

  /// Where it is; nil where no place for it is known.
  let path: String?
  /// What it said when it last was right.
  private(set) var configuration = Configuration()
  /// Whether it was read, right or wrong.
  private(set) var isRead = false
  /// What is wrong with it.
  private var mistake: String?

  /// What came of reading it: not a `Result`, to whose type belongs a search through the whole program for what its
  /// failure conforms to, at each start.
  private enum Outcome: Sendable {
    case right(Configuration)
    case wrong(Configuration.Problem)

    init(_ path: String) {
      do throws(Configuration.Problem) {
        self = .right(try Configuration.load(from: path))
      } catch {
        self = .wrong(error)
      }
    }
  }

  private let files: FileReader
  private let log: Log

  /// The file at `path`, of which nothing is known yet.
  init(path: String?, files: FileReader, log: Log) {
    (self.path, self.files, self.log) = (path, files, log)
    guard let path else {
      isRead = true
      return
    }
    files.follow(.configuration, [path]) { progress in
      progress.note("\(path)")
      return Outcome(path)
    } isLate: { [unowned self] in
      onReading()
    } use: { [unowned self] in
      take($0, path)
    }
    files.read(.configuration) {}
  }

  /// What is wrong with it, or keeps it from being read.
  var problem: String? { mistake ?? files.trouble(of: .configuration).map { "\(path ?? ""): \($0)" } }

  private func take(_ outcome: Outcome, _ path: String) {
    isRead = true
    switch outcome {
    case .right(let read):
      let known = Set(configuration.unknown)
      let new = read.unknown.filter { !known.contains($0) }
      for key in new.prefix(Limits.themeWarnings) {
        log.warning("\(path): \(key.shown(atMost: Limits.shownText)) means nothing to this version")
      }
      if new.count > Limits.themeWarnings {
        log.warning("\(path): and \(new.count - Limits.themeWarnings) more that mean nothing to this version")
      }
      configuration = read
      mistake = nil
    case .wrong(let problem):
      if mistake != "\(problem)" { log.warning("\(problem); what held before stays in force") }
      mistake = "\(problem)"
    }
    onReading()
  }
}
