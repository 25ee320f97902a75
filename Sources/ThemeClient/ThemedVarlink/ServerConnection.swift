/// Decides what a service does next on one connection: a pure state machine, to which a thin shell passes bytes.
///
/// The shell passes in bytes with ``receive(_:)``. ``next()`` then returns what to do, one call at a time, because each
/// call must be answered before the next one is served. Bytes to send wait in ``unsent``.
public struct ServerConnection: Sendable, Hashable {
  public struct Limits: Sendable, Hashable {
    /// The maximum length of a call, in bytes.
    public var call: Int
    /// How many bytes of replies may wait before the connection stops reading.
    public var replies: Int

    public init(call: Int, replies: Int) {
      (self.call, self.replies) = (call, replies)
    }
  }

  /// The next step for the caller.
  public enum Step: Sendable, Hashable {
    /// Answer this call with ``reply(_:)`` or ``stream(_:)``, now or later. Until then ``next()`` returns ``wait``.
    case call(Call)
    /// Do nothing until more bytes arrive, the waiting bytes are sent, or the call is answered.
    case wait
    /// Close the connection: the peer has gone, or has violated the protocol.
    case close(Violation?)
  }

  private enum Phase: Hashable {
    /// Ready to serve calls.
    case ready
    /// A call waits for its answer; with `oneway`, nothing will be sent.
    case answering(oneway: Bool)
    /// The connection sends states and reads nothing more: only closing it ends a subscription.
    case streaming
  }

  private let limits: Limits
  private var phase = Phase.ready
  /// Received bytes.
  ///
  /// Those before `consumed` were served, and there is no NUL before `scanned`.
  private var input: [UInt8] = []
  private var consumed = 0
  private var scanned = 0
  private var inputEnded = false
  /// The frames that are being sent, and how many bytes of them were sent.
  ///
  /// The frame of a subscriber is one array that all subscribers share.
  private var output: [UInt8] = []
  private var sent = 0
  /// The frame to send after those: the newest state, never a queue of states.
  private var newest: [UInt8]?

  public init(limits: Limits) { self.limits = limits }

  // MARK: What the shell waits for

  /// Whether to wait for bytes; no other code decides this.
  ///
  /// False while a call is being answered, while too many replies wait, and during a subscription. A hang-up
  /// reports the end of a subscription.
  public var wantsToReceive: Bool {
    guard case .ready = phase else { return false }
    return !inputEnded && !isBacklogged && nextEnd == nil && !isTooLong
  }

  /// Whether to wait until bytes can be sent; no other code decides this.
  public var wantsToSend: Bool { sent < output.count }

  /// Whether ``next()`` has something to do without a new event: serving calls that have arrived, or closing.
  public var hasMoreToServe: Bool {
    guard case .ready = phase, !isBacklogged else { return false }
    return nextEnd != nil || isTooLong || inputEnded && !wantsToSend
  }

  /// Whether a message has begun, and the connection waits for the peer to finish it.
  ///
  /// False while the connection does not read: the rest may have been sent long ago.
  public var isWithinMessage: Bool { wantsToReceive && consumed < input.count }

  /// Everything that the shell waits for, computed at once.
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

  public var wants: Wants {
    Wants(
      toReceive: wantsToReceive, toSend: wantsToSend, toServe: hasMoreToServe, restOfMessage: isWithinMessage)
  }

  public var isStreaming: Bool {
    guard case .streaming = phase else { return false }
    return true
  }

  // MARK: Bytes in

  /// Takes received bytes; during a subscription they are dropped.
  public mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard !isStreaming else { return }
    if input.isEmpty { input = Array(bytes) } else { input.append(contentsOf: bytes) }
    scan()
  }

  /// Takes note that the peer has finished sending.
  ///
  /// The peer may still read, so its calls are answered.
  public mutating func receiveEnd() { inputEnded = true }

  /// The next step; `reader` reads the calls.
  public mutating func next(_ reader: inout CallReader) -> Step {
    guard case .ready = phase, !isBacklogged else { return .wait }
    guard !isTooLong else { return .close(.tooLong(maximum: limits.call)) }
    guard let end = nextEnd else {
      // Complete messages are answered before the end, even if the end is a violation.
      guard inputEnded, !wantsToSend else { return .wait }
      return .close(consumed < input.count ? unfinished(.ended) : nil)
    }
    let call: Call
    do throws(Violation) { call = try reader.read(input, in: consumed..<end) } catch { return .close(error) }
    consume(through: end)
    phase = .answering(oneway: call.flag == .oneway)
    return .call(call)
  }

  /// The next step, for a service with so few calls that remembering them is of no use.
  public mutating func next() -> Step {
    var reader = CallReader()
    return next(&reader)
  }

  /// The violation to report for a message that is not finished.
  ///
  /// Somebody who types messages as lines ends them with a newline: then the violation says so.
  public func unfinished(_ violation: Violation = .unfinished) -> Violation {
    input.last == UInt8(ascii: "\n") ? .newline : violation
  }

  // MARK: Replies out

  /// Answers the call from ``next()`` with a whole frame; the answer to a `oneway` call is dropped.
  public mutating func reply(_ frame: [UInt8]) {
    guard case .answering(let oneway) = phase else { return }
    phase = .ready
    if !oneway { append(frame) }
  }

  /// Answers the call from ``next()`` with the first frame of a subscription, or sends a later frame.
  ///
  /// If the next frame comes before an earlier one was begun, the earlier one is never sent.
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

  /// How many bytes of memory the frames to send take; a frame stays in memory until all of it is sent.
  public var held: Int { wantsToSend ? output.count : 0 }

  public var unsent: ArraySlice<UInt8> { output[sent...] }

  /// The bytes to send next; nil if there are none.
  public var nextToSend: ArraySlice<UInt8>? { wantsToSend ? unsent : nil }

  /// Takes note that the first `count` bytes of ``unsent`` were sent; returns whether that was all.
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

  /// The end of the next complete message, if one has arrived.
  private var nextEnd: Int? { scanned < input.count ? scanned : nil }

  /// Whether the next message, complete or not, exceeds the limit.
  private var isTooLong: Bool { (nextEnd ?? input.count) - consumed > limits.call }

  /// Frees the memory for input, for an idle connection or a subscription.
  private mutating func dropInput() {
    input = []
    consumed = 0
    scanned = 0
  }

  private mutating func scan() {
    scanned = unsafe input.withUnsafeBytes { bytes in
      var index = scanned
      // Looks at eight bytes at a time: subtracting one from each sets the highest bit of a byte that was zero.
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
      // Without this, the output would grow if a peer reads just too slowly to ever empty it.
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

// MARK: Continuing in another process

extension ServerConnection {
  /// The state of a connection that another process needs to continue it.
  public struct Suspended: Sendable, Hashable {
    public var isStreaming: Bool
    /// Received bytes that were not served yet; they may end in the middle of a message.
    public var input: [UInt8]
    public var inputEnded: Bool
    /// The bytes to send first; they may begin in the middle of a frame.
    public var unsent: [UInt8]
    /// The state to send after that, if there is a newer one.
    public var newest: [UInt8]?

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

  /// The state that another process needs; nil while a call is being answered, because no other process can answer it.
  public var suspended: Suspended? {
    if case .answering = phase { return nil }
    return Suspended(
      isStreaming: isStreaming, input: Array(input[consumed...]), inputEnded: inputEnded, unsent: Array(unsent),
      newest: newest)
  }

  /// Continues where another process has stopped; nil if `suspended` is not possible for a connection.
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
