internal import ThemedSystem

/// The messages for the service manager, and their order: a pure rule.
///
/// It keeps only the newest notification of each kind. So however long the manager does not read, nothing piles up, and
/// it never gets an older state after a newer one.
struct Notifications: Equatable {
  /// The kinds of notifications, in the order in which they are sent.
  enum Kind: Int, CaseIterable {
    /// A stored descriptor is no longer needed.
    case removal
    /// The configuration is being read again.
    case reload
    /// The socket is served with the current configuration.
    case readiness
    /// The daemon is stopping.
    case end
    /// The loop is alive.
    case life
    /// The line that describes the state that is shown.
    case status
  }

  /// Indexed by the kinds' numbers.
  private var waiting = [String?](repeating: nil, count: Kind.allCases.count)
  private var isStopping = false

  private subscript(kind: Kind) -> String? {
    get { waiting[kind.rawValue] }
    set { waiting[kind.rawValue] = newValue }
  }

  /// The next notification; nil if the manager knows everything.
  var next: (kind: Kind, assignments: String)? {
    for kind in Kind.allCases {
      if let assignments = self[kind] { return (kind, assignments) }
    }
    return nil
  }

  /// The manager was notified, or cannot be.
  mutating func wasTold(_ kind: Kind) { self[kind] = nil }

  /// The socket is served.
  ///
  /// This datagram contains nothing else: one that is too long would be lost, and the start would fail.
  mutating func ready() {
    if !isStopping { self[.readiness] = "READY=1" }
  }

  /// The configuration is being read again, until ``ready()``; `time` is in microseconds of the monotonic clock.
  mutating func reloading(at time: Int64) {
    guard !isStopping else { return }
    self[.readiness] = nil
    self[.reload] = "RELOADING=1\nMONOTONIC_USEC=\(time)"
  }

  /// From now on the daemon is neither ready nor reloading.
  mutating func stopping() {
    isStopping = true
    (self[.reload], self[.readiness], self[.life]) = (nil, nil, nil)
    self[.end] = "STOPPING=1"
  }

  /// The watchdog is due.
  mutating func alive() {
    if !isStopping { self[.life] = "WATCHDOG=1" }
  }

  /// One line of limited length, whatever it quotes.
  mutating func status(_ text: String) {
    self[.status] = "STATUS=" + Text(text).shown(atMost: Limits.statusText)
  }

  /// The descriptor that the daemon stored under this name is no longer needed.
  mutating func removeStored(_ name: String) { self[.removal] = "FDSTOREREMOVE=1\nFDNAME=\(name)" }
}
