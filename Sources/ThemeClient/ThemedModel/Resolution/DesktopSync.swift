public import ThemedSystem

/// The value that the desktop's own setting has to get, for the program that writes it.
public struct DesktopTarget: Sendable, Hashable {
  /// Distinguishes this target from earlier ones.
  public var number: Int64
  /// The scheme that the desktop has to report.
  public var scheme: ColorScheme
  /// The values of the setting that are right, the best first; never empty.
  public var preferences: [Preference]

  /// A target with these parts.
  public init(number: Int64, scheme: ColorScheme, preferences: [Preference]) {
    self.number = number
    self.scheme = scheme
    self.preferences = preferences
  }
}

/// Keeps the desktop's own setting in step with what is shown.
///
/// Pure. It decides what has to be written, and whether a report of the desktop is the echo of such a write or a wish of
/// the user.
///
/// After the shown scheme changes, the desktop is *pending* until it reports that scheme; then it is *in step*. A
/// desktop that leaves step by itself was switched by the user. A report is judged only after the desktop was read: a
/// signal may be wrong, and the user's override must not end because of it. While a write may be under way, a report may be
/// the echo of an earlier write, so it is judged by a read after the writer has reported.
public struct DesktopSync: Sendable, Hashable {
  /// Whether the desktop is kept in step; if not, a target that is left gives the desktop back what it asked for.
  public private(set) var isOn = false
  /// The preference that the desktop asked for by itself.
  public private(set) var asked = Preference.unavailable
  /// The preference that the desktop reports now.
  public private(set) var reported: Preference
  /// The preference that a read has confirmed last, if the desktop has reported another one since; nil otherwise.
  public private(set) var confirmed: Preference?
  /// The target that is pending; nil if the desktop is in step.
  public internal(set) var pending: Pending?
  /// How many programs are ready to write targets.
  public private(set) var writers = 0
  /// The number of the last target.
  var number: Int64 = 0

  /// A target that the desktop does not report yet, as far as is known.
  public struct Pending: Sendable, Hashable {
    /// The target to write.
    public var target: DesktopTarget
    /// Whether no write is under way: the writer has reported, or there is none.
    public var isWritten: Bool
    /// Whether the desktop has reported the scheme since it became the target.
    public var wasReached: Bool
    /// Why the target could not be written, in the writer's words.
    public var problem: Text?
  }

  /// A desktop that is not kept in step, and reports this.
  public init(reported: Preference = .unavailable) { self.reported = reported }

  /// A desktop that an earlier process kept in step.
  public init(_ record: Record) {
    (asked, reported, isOn) = (record.asked, record.reported, record.isOn)
    number = max(record.number, record.target?.number ?? 0)
    // Nobody writes yet; what the earlier process had written may not be reported yet.
    pending = record.target.map { Pending(target: $0, isWritten: true, wasReached: false) }
  }

  /// The state that another process needs to continue, and that the writer needs.
  public struct Record: Sendable, Hashable {
    /// Whether the desktop is kept in step.
    public var isOn: Bool
    /// The preference that the desktop asked for by itself.
    public var asked: Preference
    /// The preference that the desktop reported last.
    public var reported: Preference
    /// The target that is pending.
    public var target: DesktopTarget?
    /// The number of the last target.
    public var number: Int64

    /// A record of these.
    public init(
      isOn: Bool, asked: Preference, reported: Preference, target: DesktopTarget? = nil, number: Int64 = 0
    ) {
      self.isOn = isOn
      self.asked = asked
      self.reported = reported
      self.target = target
      self.number = number
    }
  }

  /// The state that another process needs to continue; nil if the desktop is not kept in step.
  public var record: Record? {
    guard isActive else { return nil }
    // Another process hears an unconfirmed report as a new one, and judges it.
    return Record(isOn: isOn, asked: asked, reported: confirmed ?? reported, target: pending?.target, number: number)
  }

  /// Whether the desktop's own wish is known apart from what it reports.
  public var isActive: Bool { isOn || pending != nil }

  /// The preference that the desktop asks for by itself: the reported one, unless the desktop is kept in step.
  public var wish: Preference { isActive ? asked : reported }

  // MARK: Events

  /// The user wants the desktop kept in step, or no longer; `defaults` is what is configured now.
  public mutating func turn(on: Bool, _ defaults: Defaults) {
    guard on != isOn else { return }
    if on, !isActive { asked = confirmed ?? reported }
    isOn = on
    guard !on else { return }
    // Without a writer, nobody gives back anything: the desktop stays as it is, and counts again.
    let mayChange = writers > 0 && asked != .unavailable && (reported != asked || pending != nil)
    pending = nil
    if mayChange { aim([asked], defaults.scheme(of: asked), defaults) }
  }

  /// The desktop reports this; ``settled(shown:_:)`` says later whether the user has switched it.
  ///
  /// - Parameters:
  ///   - now: The preference that it reports.
  ///   - isNewSession: Whether it is the first report of a session, which may be one of another desktop.
  ///   - defaults: The configured values.
  public mutating func report(_ now: Preference, isNewSession: Bool, _ defaults: Defaults) {
    let before = reported
    // A desktop that is gone keeps its setting.
    guard now != .unavailable || !isActive else { return }
    reported = now
    if isNewSession || before == .unavailable || now == .unavailable {
      confirmed = nil
    } else if now != before, confirmed == nil {
      confirmed = before
    }
    guard isActive else { return }
    if asked == .unavailable { asked = now }
    let scheme = defaults.scheme(of: now)
    if var pending {
      if scheme == pending.target.scheme {
        pending.wasReached = true
        self.pending = pending
      } else if isNewSession, now != before {
        asked = now
      }
    } else if isNewSession, now != before, before != .unavailable {
      asked = now
    }
  }

  /// The desktop was read after its last change, and after ``written(_:problem:)`` asked for a read.
  ///
  /// Returns the preference to which the user has switched it; nil if the reports were echoes, or the same again.
  public mutating func settled(shown: ColorScheme, _ defaults: Defaults) -> Preference? {
    let before = confirmed
    confirmed = nil
    let scheme = defaults.scheme(of: reported)
    guard let pending else {
      guard let before, before != reported, isOn else { return nil }
      if scheme == shown, defaults.scheme(of: asked) == scheme { asked = reported }
      // If it is where it was, the signal was wrong, and what is shown has changed meanwhile.
      return scheme == shown || scheme == defaults.scheme(of: before) ? nil : reported
    }
    guard pending.isWritten else { return nil }
    if scheme == pending.target.scheme {
      self.pending = nil
      return nil
    }
    // A desktop that never reported the target does not follow what is written; it was not switched.
    guard pending.wasReached else { return nil }
    self.pending = nil
    return reported
  }

  /// The writer has written the target of this number, or could not; returns whether the desktop has to be read again.
  public mutating func written(_ number: Int64, problem: Text?) -> Bool {
    guard pending?.target.number == number else { return false }
    pending?.isWritten = true
    pending?.problem = problem
    // A failed write explains that the desktop shows something else: nobody has switched it.
    if problem != nil { pending?.wasReached = false }
    return true
  }

  /// So many programs are ready to write; returns whether the desktop has to be read again.
  public mutating func writers(_ count: Int) -> Bool {
    let before = writers
    writers = count
    guard pending != nil else { return false }
    if count > before {
      // A writer that comes gets the target as a new one, since it may have known this one before, and reported it to
      // a process that is gone.
      number &+= 1
      pending?.target.number = number
      pending?.isWritten = false
    }
    // One that is gone writes nothing any more.
    guard count == 0, before > 0 else { return false }
    pending?.isWritten = true
    pending?.wasReached = false
    return true
  }

  /// The record of an earlier process was read late, as from a disk that hung at the start.
  public mutating func resume(_ record: Record) {
    number = max(number, record.number)
    // A desktop that reports the same as then has not wished for that by itself.
    guard record.isOn, pending == nil, !isOn || asked == reported,
      [record.reported, .unavailable].contains(reported)
    else { return }
    (isOn, asked, reported) = (true, record.asked, record.reported)
  }

  /// The user's switch counts: without a schedule, the desktop asks for this by itself now.
  public mutating func accept(_ wish: Preference) { asked = wish }

  /// The scheme that is shown for all apps is this.
  ///
  /// - Parameter isWish: Whether the user has just asked for it. That is newer than a switch of the desktop that no read
  ///   has confirmed yet, so it is written whatever the desktop reports.
  public mutating func show(_ scheme: ColorScheme, isWish: Bool = false, _ defaults: Defaults) {
    guard isOn, reported != .unavailable else { return }
    let preferences = preferences(for: scheme, defaults)
    if let pending {
      guard pending.target.scheme != scheme || pending.target.preferences != preferences else { return }
    } else if confirmed != nil {
      guard isWish else { return }
    } else if defaults.scheme(of: reported) == scheme {
      return
    }
    aim(preferences, scheme, defaults)
  }

  private mutating func aim(_ preferences: [Preference], _ scheme: ColorScheme, _ defaults: Defaults) {
    number &+= 1
    // It may be reported already, while the write of an earlier target is still under way.
    pending = Pending(
      target: DesktopTarget(number: number, scheme: scheme, preferences: preferences), isWritten: writers == 0,
      wasReached: confirmed == nil && defaults.scheme(of: reported) == scheme)
  }

  /// The values of the setting that show `scheme`: first what the desktop asked for by itself.
  private func preferences(for scheme: ColorScheme, _ defaults: Defaults) -> [Preference] {
    let plain: Preference = scheme == .light ? .light : .dark
    let right = defaults.noPreference == scheme ? [plain, .none] : [plain]
    return right.contains(asked) ? [asked] + right.filter { $0 != asked } : right
  }
}

extension Defaults {
  /// The scheme that this preference of a desktop shows.
  public func scheme(of preference: Preference) -> ColorScheme {
    switch preference {
    case .light: .light
    case .dark: .dark
    case .none: noPreference
    case .unavailable: noDesktop
    }
  }
}
