internal import ThemedText

/// What the service manager is still to be told, and in which order: a pure rule.
///
/// It holds the newest of each kind: however long the manager reads nothing, and whatever happens meanwhile, no more
/// than that waits for it, and it never hears of an older state after a newer one.
struct Notifications: Equatable {
  /// What a notification is about, in the order in which they are told.
  enum Kind: Int, CaseIterable {
    /// A stored descriptor is no longer needed.
    case removal
    /// The configuration is being read again.
    case reload
    /// The socket is served, by the configuration as it is.
    case readiness
    /// The daemon ends.
    case end
    /// The loop goes round.
    case life
    /// What is shown.
    case status
  }

  /// By the kinds' numbers.
  private var waiting = [String?](repeating: nil, count: Kind.allCases.count)
  private var isStopping = false

  private subscript(kind: Kind) -> String? {
    get { waiting[kind.rawValue] }
    set { waiting[kind.rawValue] = newValue }
  }

  /// What to tell now; nil where the manager knows everything.
  var next: (kind: Kind, assignments: String)? {
    for kind in Kind.allCases {
      if let assignments = self[kind] { return (kind, assignments) }
    }
    return nil
  }

  /// The manager was told, or cannot be.
  mutating func wasTold(_ kind: Kind) { self[kind] = nil }

  /// The socket is served.
  ///
  /// Nothing else is in this datagram: one that is too long would be lost, and the start with it.
  mutating func ready() {
    if !isStopping { self[.readiness] = "READY=1" }
  }

  /// The configuration is being read again, until ``ready()``; `time` is in microseconds of the monotonic clock.
  mutating func reloading(at time: Int64) {
    guard !isStopping else { return }
    self[.readiness] = nil
    self[.reload] = "RELOADING=1\nMONOTONIC_USEC=\(time)"
  }

  /// From now on it is neither ready nor reloading.
  mutating func stopping() {
    isStopping = true
    (self[.reload], self[.readiness], self[.life]) = (nil, nil, nil)
    self[.end] = "STOPPING=1"
  }

  /// A sign of life is due.
  mutating func alive() {
    if !isStopping { self[.life] = "WATCHDOG=1" }
  }

  /// One line of bounded length, whatever is quoted in it.
  mutating func status(_ text: String) {
    self[.status] = "STATUS=" + Text(text).shown(atMost: Limits.statusText)
  }

  /// What was stored under this name, one of the daemon's own, is needed no longer.
  mutating func removeStored(_ name: String) { self[.removal] = "FDSTOREREMOVE=1\nFDNAME=\(name)" }
}
