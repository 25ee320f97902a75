internal import ThemedText

/// What a file said when it last was right, and what is wrong with it by now: pure, and so for the configuration and for
/// each theme that is chosen.
struct LastGood<Content> {
  /// What came of reading the file.
  enum Outcome {
    /// It says this; what in it means nothing is passed over, and what it wants is missing left out.
    case right(Content, unknown: [Text] = [], missing: String? = nil)
    /// It says what cannot be used: what it said before stands.
    case wrong(String)
    /// It is not there, and what it said does not stand.
    case gone(String)
  }

  /// What is to be told of a change, once.
  struct News: Equatable {
    /// What is wrong now, and was not before.
    var problem: String?
    /// What means nothing and was not there before, or the first of it.
    var unknown: [Text] = []
    /// How much more of that there is.
    var unnamed = 0
  }

  /// What holds; nil where there was nothing right.
  private(set) var content: Content?
  /// What is wrong with the file.
  private(set) var problem: String?
  /// Whether that keeps what the file says from being used.
  private(set) var isWrong = false
  /// Whether it was read, right or wrong.
  private(set) var isRead = false
  /// What in the content means nothing.
  private var unknown: [Text] = []

  /// A file that was not read yet, and what holds until it is.
  init(_ content: Content? = nil) {
    self.content = content
  }

  /// Takes note of what came of reading it.
  mutating func wasRead(_ outcome: Outcome) {
    isRead = true
    switch outcome {
    case .right(let content, let unknown, let missing):
      (self.content, self.unknown, problem, isWrong) = (content, unknown, missing, false)
    case .wrong(let problem): (self.problem, isWrong) = (problem, true)
    case .gone(let problem): (content, unknown, self.problem, isWrong) = (nil, [], problem, true)
    }
  }

  /// What is new since it was as `before`.
  func news(since before: LastGood) -> News {
    let known = Set(before.unknown)
    let new = unknown.filter { !known.contains($0) }
    let named = Array(new.prefix(Limits.themeWarnings))
    return News(problem: problem == before.problem ? nil : problem, unknown: named, unnamed: new.count - named.count)
  }
}

extension LastGood: Equatable where Content: Equatable {}
extension LastGood.Outcome: Sendable where Content: Sendable {}
