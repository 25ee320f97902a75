/// What a service may do next on one connection: a pure state machine, which a thin shell feeds with bytes.
///
/// Bytes come in by ``receive(_:)``; ``next()`` then says what to do, call by call, since a call has to be answered
/// before the next one is served. What is to be sent waits in ``unsent``.
public struct ServerConnection: Sendable, Hashable {
  /// What bounds a connection.
  public struct Limits: Sendable, Hashable {
    /// The longest call, in bytes.
    public var call: Int
    /// How many bytes of replies may wait before the connection is no longer read from.
    public var replies: Int

    /// These limits.
    public init(call: Int, replies: Int) {
      self.call = call
      self.replies = replies
    }
  }

  /// What to do next.
  public enum Step: Sendable, Hashable {
    /// Answer this call with ``reply(_:)`` or ``stream(_:)``, now or later; until then ``next()`` says ``wait``.
    case call(Call)
    /// Nothing, until more bytes come, until what waits is sent, or until the call is answered.
    case wait
    /// Close: the peer has gone, or has broken the protocol.
    case close(Violation?)
  }

  private enum Phase: Hashable {
    /// Calls are served.
    case ready
    /// A call waits for its answer; with `oneway` nothing will be sent.
    case answering(oneway: Bool)
    /// States are sent, and nothing is read any more: only closing ends a subscription.
    case streaming
  }

  private let limits: Limits
  private var phase = Phase.ready
  /// Bytes that came; those before `consumed` were served, those before `scanned` hold no NUL.
  private var input: [UInt8] = []
  private var consumed = 0
  private var scanned = 0
  private var inputEnded = false
  /// The frames in flight, and how much of them was sent.
  ///
  /// A subscriber's frame is one array, shared with the others.
  private var output: [UInt8] = []
  private var sent = 0
  /// What comes after the frames in flight: the newest state, never a queue of them.
  private var newest: [UInt8]?

  /// A connection of which nothing was read yet.
  public init(limits: Limits) {
    self.limits = limits
  }

  // MARK: What the shell waits for

  /// Whether to wait for bytes: the one place that decides it.
  ///
  /// Not while a call is being answered, not while too many replies wait, and not during a subscription, whose end is
  /// told by a hang-up.
  public var wantsToReceive: Bool {
    guard case .ready = phase else { return false }
    return !inputEnded && !isBacklogged && nextEnd == nil && !isTooLong
  }

  /// Whether to wait until bytes can be sent: the one place that decides it.
  public var wantsToSend: Bool { sent < output.count }

  /// Whether ``next()`` has more to say without anything happening: calls that came and were not served yet, or that
  /// it is time to close.
  public var hasMoreToServe: Bool {
    guard case .ready = phase, !isBacklogged else { return false }
    return nextEnd != nil || isTooLong || inputEnded && !wantsToSend
  }

  /// Whether a message was begun, and it is the peer who keeps us waiting for its end.
  ///
  /// Not while nothing is read from it: then its end may have been sent long ago.
  public var isWithinMessage: Bool { wantsToReceive && consumed < input.count }

  /// All that the shell waits for, in one look.
  public struct Wants: Sendable {
    /// See ``ServerConnection/wantsToReceive``.
    public let toReceive: Bool
    /// See ``ServerConnection/wantsToSend``.
    public let toSend: Bool
    /// See ``ServerConnection/hasMoreToServe``.
    public let toServe: Bool
    /// See ``ServerConnection/isWithinMessage``.
    public let restOfMessage: Bool
  }

  /// What the shell waits for.
  public var wants: Wants {
    Wants(
      toReceive: wantsToReceive, toSend: wantsToSend, toServe: hasMoreToServe, restOfMessage: isWithinMessage)
  }

  /// Whether this is a subscription.
  public var isStreaming: Bool {
    guard case .streaming = phase else { return false }
    return true
  }

  // MARK: Bytes in

  /// Takes bytes that came; during a subscription they are of no use.
  public mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard !isStreaming else { return }
    if input.isEmpty { input = Array(bytes) } else { input.append(contentsOf: bytes) }
    scan()
  }

  /// Takes the end of what the peer sends, which may still read: what it asked for is answered.
  public mutating func receiveEnd() {
    inputEnded = true
  }

  /// What to do next; `reader` reads the calls.
  public mutating func next(_ reader: inout CallReader) -> Step {
    guard case .ready = phase, !isBacklogged else { return .wait }
    guard !isTooLong else { return .close(.tooLong(maximum: limits.call)) }
    guard let end = nextEnd else {
      // What came whole is answered before the end, even where that end is a violation.
      guard inputEnded, !wantsToSend else { return .wait }
      return .close(consumed < input.count ? unfinished(.ended) : nil)
    }
    let call: Call
    do throws(Violation) { call = try reader.read(input, in: consumed..<end) } catch { return .close(error) }
    consume(through: end)
    phase = .answering(oneway: call.flag == .oneway)
    return .call(call)
  }

  /// What to do next, where calls are so few that none is worth remembering.
  public mutating func next() -> Step {
    var reader = CallReader()
    return next(&reader)
  }

  /// What is wrong with a message whose end does not come: the slip of those who write lines, where there is one.
  public func unfinished(_ violation: Violation = .unfinished) -> Violation {
    input.last == UInt8(ascii: "\n") ? .newline : violation
  }

  // MARK: Replies out

  /// Answers the call that ``next()`` gave, with a whole frame; a `oneway` call's answer goes nowhere.
  public mutating func reply(_ frame: [UInt8]) {
    guard case .answering(let oneway) = phase else { return }
    phase = .ready
    if !oneway { append(frame) }
  }

  /// Answers the call that ``next()`` gave with the first frame of a subscription, or sends a later one.
  ///
  /// A frame that has not been begun when the next one comes is never sent.
  public mutating func stream(_ frame: [UInt8]) {
    switch phase {
    case .ready: break
    case .answering:
      phase = .streaming
      dropInput()
      append(frame)
    case .streaming:
      if wantsToSend { newest = frame } else { append(frame) }
    }
  }

  /// How many bytes are held for what is to be sent: a frame is held whole until all of it was sent.
  public var held: Int { wantsToSend ? output.count : 0 }

  /// What is to be sent next.
  public var unsent: ArraySlice<UInt8> { output[sent...] }

  /// The same; nil where there is nothing.
  public var nextToSend: ArraySlice<UInt8>? { wantsToSend ? unsent : nil }

  /// Takes note that the first `count` bytes of ``unsent`` were sent; whether that was all.
  @discardableResult
  public mutating func didSend(_ count: Int) -> Bool {
    sent += count
    guard sent >= output.count else { return false }
    output = newest ?? []
    newest = nil
    sent = 0
    return output.isEmpty
  }

  // MARK: Details

  private var isBacklogged: Bool { output.count - sent > limits.replies }

  /// Where the next whole message ends, if one came.
  private var nextEnd: Int? { scanned < input.count ? scanned : nil }

  /// Whether the next message, whole or not, exceeds the limit.
  private var isTooLong: Bool { (nextEnd ?? input.count) - consumed > limits.call }

  /// An idle connection, or a subscription, keeps no memory for input.
  private mutating func dropInput() {
    input = []
    consumed = 0
    scanned = 0
  }

  private mutating func scan() {
    scanned = unsafe input.withUnsafeBytes { bytes in
      var index = scanned
      // Eight at a time: one less each, what was a zero has its highest bit set.
      while index + 8 <= bytes.count {
        let next = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard (next &- 0x0101_0101_0101_0101) & ~next & 0x8080_8080_8080_8080 == 0 else { break }
        index += 8
      }
      while index < bytes.count, unsafe bytes[index] != 0 { index += 1 }
      return index
    }
  }

  private mutating func consume(through end: Int) {
    consumed = end + 1
    scanned = consumed
    guard consumed < input.count else { return dropInput() }
    if consumed > limits.call {
      input.removeFirst(consumed)
      consumed = 0
      scanned = 0
    }
    scan()
  }

  private mutating func append(_ frame: [UInt8]) {
    if wantsToSend {
      // A peer that reads just too slowly for the output ever to drain must not make it grow.
      if sent > limits.replies {
        output.removeFirst(sent)
        sent = 0
      }
      output.append(contentsOf: frame)
    } else {
      output = frame
      sent = 0
    }
  }
}

// MARK: Going on in another process

extension ServerConnection {
  /// What another process has to know of a connection to go on with it.
  public struct Suspended: Sendable, Hashable {
    /// Whether it is a subscription.
    public var isStreaming: Bool
    /// What came and was not served yet; it may end within a message.
    public var input: [UInt8]
    /// Whether the peer has ended what it sends.
    public var inputEnded: Bool
    /// What is to be sent first; it may begin within a frame.
    public var unsent: [UInt8]
    /// The state that comes after it, where a newer one than that came.
    public var newest: [UInt8]?

    /// These; by themselves, a connection of which nothing was read yet.
    public init(
      isStreaming: Bool = false, input: [UInt8] = [], inputEnded: Bool = false, unsent: [UInt8] = [],
      newest: [UInt8]? = nil
    ) {
      self.isStreaming = isStreaming
      self.input = input
      self.inputEnded = inputEnded
      self.unsent = unsent
      self.newest = newest
    }
  }

  /// What another process has to know; nil while a call is being answered, which no other process can do.
  public var suspended: Suspended? {
    if case .answering = phase { return nil }
    return Suspended(
      isStreaming: isStreaming, input: Array(input[consumed...]), inputEnded: inputEnded, unsent: Array(unsent),
      newest: newest)
  }

  /// Goes on where another process has stopped; nil for what no connection can be.
  public init?(resuming suspended: Suspended, limits: Limits) {
    guard !suspended.isStreaming || suspended.input.isEmpty else { return nil }
    guard suspended.newest == nil || suspended.isStreaming && !suspended.unsent.isEmpty else { return nil }
    self.init(limits: limits)
    receive(suspended.input[...])
    inputEnded = suspended.inputEnded
    if suspended.isStreaming { phase = .streaming }
    output = suspended.unsent
    newest = suspended.newest
  }
}
