internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem

/// The overrides on disk: read at the start or as soon as possible, saved after each change.
///
/// While the file cannot be read, or another daemon owns it, changes by clients take effect and are remembered. When
/// the file is finally read, they win over it field by field.
final class KeptOverrides: SaverClient {
  weak var events: (any EventReceiver)?
  weak var publisher: Publisher?
  weak var receiver: (any InputReceiver)?
  /// Belongs to the same daemon as this file.
  weak var lastReading: LastReading?

  /// The path of the file; nil if it is not known.
  let path: String?
  /// Why the overrides in force are not on disk, if that is so.
  private(set) var problem: String?

  private let log: Log
  private var overrides = Overrides()
  private var saver: Saver?
  /// The changes by clients since everything was last on disk.
  private var changed = ChangedFields(maximum: Limits.changedApps)
  /// Whether this daemon owns the file: of several daemons of one user, one does.
  private(set) var isOurs = false { didSet { lastReading?.isOwner = isOurs } }
  /// The problems that were logged, until all is well again.
  private var told: Set<Text> = []

  init(path: String?, log: Log) {
    self.path = path
    self.log = log
    guard let path else {
      problem = "neither XDG_STATE_HOME nor HOME is set, so overrides are not saved"
      log.warning("neither XDG_STATE_HOME nor HOME is set, so overrides are not saved")
      return
    }
    let saver = Saver(OverrideStore(path), readsFirst: true, retries: Limits.diskRetries)
    saver.client = self
    self.saver = saver
  }

  var isIdle: Bool { saver?.isIdle ?? true }

  /// Starts to read the file, while the rest of the start continues.
  func begin() { saver?.begin() }

  /// The content of the file if it is read in time for the start; otherwise it comes later, as an event.
  func load(waitingAtMost milliseconds: Int) -> Overrides {
    saver?.wait(atMostMilliseconds: milliseconds)
    if !isIdle { warn("the overrides are not read yet because the disk is slow; nothing is saved until they are") }
    return overrides
  }

  func keep(_ keeping: Keeping) {
    overrides = keeping.overrides
    if keeping.everyApp { changed.addEverywhere(keeping.fields) } else { changed.add(keeping.fields, of: keeping.app) }
    if let saver { return saver.save(for: keeping.answer) }
    if let call = keeping.answer { answer(call, saved: false) }
  }

  func retry() { saver?.retry() }

  /// Tries once more to save what is not saved, before the exit.
  func end() { saver?.end() }

  // MARK: The file

  var content: [UInt8] { OverrideFile.content(overrides) }

  func answer(_ answer: Keeping.Answer, saved: Bool) { publisher?.answer(answer, saved: saved) }

  func idle() { receiver?.savingIsIdle() }

  func finished(_ outcome: Saver.Outcome) {
    switch outcome {
    case .loaded(let kept, let isOurs, let warning):
      if let warning { if isOurs { log.warning(warning) } else { warn(warning) } }
      overrides = changed.merge(overrides, over: kept, maximum: Limits.mostOverrides)
      self.isOurs = isOurs
      events?.send(.loaded(overrides, now: WallClock.now))
    case .saved: break
    case .anothers(let warning):
      isOurs = false
      warn(warning)
    case .failed(let reason):
      warn(
        isOurs
          ? "cannot save the overrides: \(reason); they are lost if the daemon exits before a retry succeeds"
          : "cannot read the overrides: \(reason); nothing is saved until they are read")
    }
  }

  private func warn(_ problem: String) {
    self.problem = problem
    if told.insert(Text(problem)).inserted { log.warning(problem) }
  }

  func settled() {
    changed = ChangedFields(maximum: Limits.changedApps)
    guard problem != nil else { return }
    log.notice("the overrides are saved in \(path ?? "their file") again")
    problem = nil
    told = []
  }
}
