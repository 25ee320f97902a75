internal import ThemedInterface
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

/// The last valid content of a file, and what is wrong with the file now: pure.
///
/// It serves the configuration and each chosen theme.
struct LastGood<Content> {
  /// The result of reading the file.
  enum Outcome {
    /// Valid content; unknown keys are ignored, and missing images are left out.
    case right(Content, unknown: [Text] = [], missing: String? = nil)
    /// Invalid content: the earlier content stays in force.
    case wrong(String)
    /// The file does not exist, and its earlier content no longer counts.
    case gone(String)
  }

  /// The news to log about a change, once.
  struct News: Equatable {
    /// A problem that is new.
    var problem: String?
    /// Unknown keys that are new, or the first of them.
    var unknown: [Text] = []
    /// How many more unknown keys are new.
    var unnamed = 0
  }

  /// The content in force; nil if there never was valid content.
  private(set) var content: Content?
  /// The problem with the file.
  private(set) var problem: String?
  /// Whether the problem keeps the file's content from being used.
  private(set) var isWrong = false
  /// Whether it was read, valid or not.
  private(set) var isRead = false
  /// The unknown keys in the content.
  private var unknown: [Text] = []

  /// A file that has not been read yet, and the content in force until then.
  init(_ content: Content? = nil) {
    self.content = content
  }

  /// Takes the result of a read.
  mutating func wasRead(_ outcome: Outcome) {
    isRead = true
    switch outcome {
    case .right(let content, let unknown, let missing):
      (self.content, self.unknown, problem, isWrong) = (content, unknown, missing, false)
    case .wrong(let problem): (self.problem, isWrong) = (problem, true)
    case .gone(let problem): (content, unknown, self.problem, isWrong) = (nil, [], problem, true)
    }
  }

  /// The problem and the unknown keys that `before` did not have.
  func news(since before: LastGood) -> News {
    let known = Set(before.unknown)
    let new = unknown.filter { !known.contains($0) }
    let named = Array(new.prefix(Limits.themeWarnings))
    return News(problem: problem == before.problem ? nil : problem, unknown: named, unnamed: new.count - named.count)
  }
}

extension LastGood: Equatable where Content: Equatable {}
extension LastGood.Outcome: Sendable where Content: Sendable {}
