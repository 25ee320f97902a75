internal import Glibc
internal import ThemedDBus
internal import ThemedSystem

/// The inheritance of a daemon, and the progress of its exit.
struct Life {
  /// How many connections there may be, according to the descriptor limit.
  let connections: Int
  /// Whether the service manager stores what the previous process has left.
  let wasStored: Bool
  /// Connections of the previous process, until they are served.
  var adopted: [ClientConnection] = []
  var signals: SignalWatch?
  var isReloading = false
  var isStopping = false
  /// Ends the wait for the last save.
  var lastSave: Source?
  var isOver = false

  /// The life of a daemon that starts with these descriptors.
  init(_ inherited: Inherited) throws(StartFailure) {
    connections = Self.raiseDescriptorLimit()
    // GLib aborts the process if it cannot open descriptors.
    guard hasRoom(forDescriptors: Limits.startDescriptors) else {
      throw StartFailure("the limit on open files is too low; raise LimitNOFILE= in the unit, or 'ulimit -n'")
    }
    wasStored = inherited.names.contains(Text(HandoverQueue.name))
  }

  /// Raises the descriptor limit as far as allowed; returns how many connections that allows.
  private static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
    if limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return max(1, Int(clamping: limit.rlim_cur) - Limits.reservedDescriptors)
  }
}

extension Daemon {
  /// Continues the connections of the previous process; returns the words for the log.
  func takeOver() -> String {
    if life.wasStored { manager.removeStored(HandoverQueue.name) }
    server.adopt(life.adopted)
    defer { life.adopted = [] }
    return life.adopted.isEmpty ? "" : " and continues \(life.adopted.count) connections"
  }

  /// Starts everything that no client waits for, after waiting clients have been accepted and answered.
  func begin(_ greeting: String) -> Source {
    var rounds = 3
    return MainLoop.later { [unowned self] in
      rounds -= 1
      guard rounds == 0 else { return true }
      beginFollowing()
      lists.resume()
      log.info(greeting)
      return false
    }
  }

  func received(_ signal: CInt) {
    if signal == SIGHUP { reload() } else { stop() }
  }

  private func reload() {
    log.debug("reading the configuration again")
    manager.reloading()
    if let upstream { upstream.retry() } else { desktop.retry() }
    kept.retry()
    for watch in socketWatches { watch.retry() }
    guard !life.isReloading else { return }
    life.isReloading = true
    files.readAgain { [unowned self] in
      life.isReloading = false
      manager.ready()
      tellStatus()
    }
  }

  func stop() {
    guard !life.isStopping else { return }
    life.isStopping = true
    manager.stopping()
    kept.end()
    life.isOver = kept.isIdle
    // Clients that wait for an override to be saved are answered, unless the disk hangs.
    life.lastSave = MainLoop.timer(afterMilliseconds: Limits.lastSave) { [unowned self] in life.isOver = true }
  }

  /// Stores what the next process needs, and cleans up everything else.
  func end() {
    Takeover.leave(engine.core.history, server.everybody, to: manager, log: log)
    socketWatches = []
    upstream?.close()
    // The read-only socket exists only while the other one does: clients that find it alone use it.
    for listener in sockets.listeners.reversed() { listener.remove() }
    log.finish()
  }
}
