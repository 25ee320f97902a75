internal import ThemeResolution
internal import ThemedText
internal import ThemeInterface
internal import ThemedUnix
internal import ThemedLog

/// The overrides as they are kept on the disk: read at the start or as soon as they can be, saved after each change.
///
/// While the file could not be read, or another daemon has it, what clients change holds, and is remembered: when the
/// file is read at last, it wins field by field over what that says.
final class KeptOverrides {
  /// Called with what holds now that the file was read, after the start.
  var onLoad: (Overrides) -> Void = { _ in }
  /// Called when the file has become this daemon's, or another one's.
  var onOwner: (_ isOurs: Bool) -> Void = { _ in }
  /// Called for each who waits: whether what he waits for is on the disk.
  var onAnswer: (Keeping.Answer, Bool) -> Void = { _, _ in }
  /// Called when nothing is being read or saved any more.
  var onIdle: () -> Void {
    get { saver?.onIdle ?? {} }
    set { saver?.onIdle = newValue }
  }

  /// Where the file is; nil where no place for it is known.
  let path: String?
  /// Why what holds is not on the disk, where it is not.
  private(set) var problem: String?

  private let log: Log
  /// What holds.
  private var overrides = Overrides()
  private var saver: Saver?
  /// What clients have changed since what holds was last on the disk.
  private var changed = ChangedFields(maximum: Limits.changedApps)
  /// Whether the file is this daemon's: of several of one user, it is that of one.
  private(set) var isOurs = false {
    didSet { if isOurs != oldValue { onOwner(isOurs) } }
  }
  /// What the log was told of, until nothing is wrong any more.
  private var told: Set<Text> = []

  /// Overrides that are kept in the file at `path`.
  init(path: String?, log: Log) {
    self.path = path
    self.log = log
    guard let path else {
      problem = "neither XDG_STATE_HOME nor HOME is set, so overrides are not saved"
      log.warning("neither XDG_STATE_HOME nor HOME is set, so overrides are not saved")
      return
    }
    let store = OverrideStore(path)
    let saver = Saver(retries: Limits.diskRetries, load: { store.load() }, save: { store.save($0) }) { [unowned self] in
      OverrideFile.content(overrides)
    }
    saver.onOutcome = { [unowned self] in finished($0) }
    saver.onSettled = { [unowned self] in settled() }
    self.saver = saver
  }

  /// Whether nothing is being read or saved.
  var isIdle: Bool { saver?.isIdle ?? true }

  /// Begins to read the file: what else the start has to do is done meanwhile.
  func begin() {
    saver?.begin()
  }

  /// What the file says, where that is known soon enough for the start; else it comes by ``onLoad``.
  func load(waitingAtMost milliseconds: Int) -> Overrides {
    saver?.wait(atMostMilliseconds: milliseconds)
    if !isIdle { warn("the overrides are not read yet, since the disk takes long: nothing is saved before") }
    return overrides
  }

  /// Saves what holds now.
  func keep(_ keeping: Keeping) {
    overrides = keeping.overrides
    if keeping.everyApp { changed.addEverywhere(keeping.fields) } else { changed.add(keeping.fields, of: keeping.app) }
    let completion = keeping.answer.map { answer in { [unowned self] in onAnswer(answer, $0) } }
    guard let saver else { return completion?(false) ?? () }
    saver.save(completion)
  }

  /// Tries again what has failed.
  func retry() {
    saver?.retry()
  }

  /// Tries what is not saved once more, before the end.
  func end() {
    saver?.end()
  }

  private func finished(_ outcome: Saver.Outcome) {
    switch outcome {
    case .loaded(let kept, let isOurs, let warning):
      if let warning { if isOurs { log.warning(warning) } else { warn(warning) } }
      overrides = changed.merge(overrides, over: kept, maximum: Limits.mostOverrides)
      self.isOurs = isOurs
      onLoad(overrides)
    case .saved: break
    case .anothers(let warning):
      isOurs = false
      warn(warning)
    case .failed(let reason):
      warn(
        isOurs
          ? "the overrides could not be saved, and are lost when the daemon ends before they can be: \(reason)"
          : "the overrides could not be read, and are not saved before they are: \(reason)")
    }
  }

  private func warn(_ problem: String) {
    self.problem = problem
    if told.insert(Text(problem)).inserted { log.warning(problem) }
  }

  private func settled() {
    changed = ChangedFields(maximum: Limits.changedApps)
    guard problem != nil else { return }
    log.notice("the overrides are kept in \(path ?? "their file") again")
    problem = nil
    told = []
  }
}
