internal import ThemedSystem
internal import ThemedVarlink

/// Reports the state of everything: in `status.json` and `hooks.done`, to the service manager, and in the log.
final class Reporter {
  private let log: Log
  private let notice: ServiceNotice
  private let status: KeptFile
  private let finishedHooks: KeptFile
  /// The warnings about files that have been logged.
  private var warnings: Set<Text> = []

  init(_ places: Places, _ log: Log) throws(SystemError) {
    self.log = log
    notice = ServiceNotice(places)
    status = try KeptFile(places, "status.json")
    finishedHooks = try KeptFile(places, "hooks.done")
  }

  /// Readable when one of its files is written.
  var descriptors: [CInt] { [status.descriptor, finishedHooks.descriptor] }

  /// The hooks that had finished when an earlier process was killed.
  func hooksFinishedBefore() -> [Text: UInt64] {
    FinishedHooks.reading(finishedHooks.content(atMost: FinishedHooks.maximumSize))
  }

  /// Takes the results of writing its files.
  func finish() {
    status.finish()
    finishedHooks.finish()
  }

  /// Writes the status of all lanes.
  func tell(_ core: Apply) {
    status.write(core.status.bytes + [0x0A])
    finishedHooks.write(FinishedHooks.bytes(core.finishedHooks))
    let failed = core.lanes.filter { $0.value.outcome?.problem != nil }.keys.sorted().map(\.words)
    let words =
      failed.isEmpty ? "apps and hooks: \(core.lanes.count)" : "failed: \(failed.joined(separator: ", "))"
    notice.tell("STATUS=" + Text(words).shown(atMost: 400))
  }

  /// Logs warnings and problems of the files.
  func tell(_ reading: SetupReader.Reading, _ core: Apply, before: Setup?) {
    for warning in reading.warnings where !warnings.contains(Text(warning)) { log.warning(warning) }
    warnings = Set(reading.warnings.map { Text($0) })
    if let problem = reading.setup.unknown, before?.unknown != problem {
      log.warning("\(problem.text); \(problem.advice)")
    }
    for app in reading.setup.unusable where before?.unusable.contains(app) != true {
      log.warning("\(app.name.shown()): \(core.words(app)); \(app.problem.advice)")
    }
    // Ready is who knows what to do, also where that is nothing.
    if before == nil { notice.tell("READY=1") }
  }

  /// Logs the outcome of a run; a repeated problem is logged for debugging only.
  func tell(_ lane: LaneName, _ outcome: Outcome, wasTold: Bool) {
    for action in outcome.actions where action.state == .left || action.state == .skipped {
      log.debug("\(lane.words): \(action.name.shown()): \(action.detail)")
    }
    guard let problem = outcome.problem else { return log.debug("\(lane.words): done") }
    let text = "\(lane.words): \(problem.text); \(problem.advice)"
    log.logger.log(wasTold ? .debug : .warning, text, lane.fields)
  }

  /// Removes the status, since the program exits.
  func end() {
    notice.tell("STOPPING=1")
    status.remove()
    finishedHooks.remove()
    log.info("stopping")
    log.finish()
  }
}
