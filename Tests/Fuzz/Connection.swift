import ThemedSystem
import ThemedVarlink

/// Bytes and everything else that can happen to a connection, in any order, against the plainest model.
func fuzzConnection(_ bytes: [UInt8]) {
  var run = Run(Input(bytes))
  run.play()
}

private struct Run {
  static let limits = ServerConnection.Limits(call: 96, replies: 64)
  static let largestReply = 127

  var input: Input
  var connection = ServerConnection(limits: Self.limits)
  /// Bytes that were received and belong to no call that was given yet.
  var received: [UInt8] = []
  var hasEnded = false
  /// The call that waits for its answer.
  var call: Call?
  /// What has to be sent before anything else.
  var owed: [UInt8] = []
  /// The frames of the subscription that may still be sent, oldest first: the first of them was begun.
  var frames: [[UInt8]]?
  var streamed = 0
  var isClosed = false

  init(_ input: Input) { self.input = input }

  mutating func play() {
    check()
    while !input.isEmpty, !isClosed {
      switch input.byte() % 8 {
      case 0, 1: receive(input.slice())
      case 2: receive(Call(method: "a.B", flag: [nil, .more, .oneway, .upgrade][Int(input.byte() & 3)]).frame[...])
      case 3: step()
      case 4: answer()
      case 5: stream()
      case 6: send(1 + input.number(below: 200))
      default: end()
      }
      check()
    }
    finish()
  }

  private mutating func receive(_ bytes: ArraySlice<UInt8>) {
    // The shell reads only when the connection wants to, and a stray read must do no harm to a subscription.
    guard connection.wantsToReceive || connection.isStreaming else { return }
    connection.receive(bytes)
    if frames == nil { received += bytes }
  }

  private mutating func end() {
    guard connection.wantsToReceive || connection.isStreaming else { return }
    connection.receiveEnd()
    hasEnded = true
  }

  private mutating func step() {
    let hadMore = connection.hasMoreToServe
    let step = connection.next()
    require((step != .wait) == hadMore, "it says \(step), and had \(hadMore ? "more" : "nothing") to serve")
    switch step {
    case .wait: break
    case .call(let given):
      let end = received.firstIndex(of: 0)
      guard let end, end <= Self.limits.call else { fatalError("a call that never came") }
      require((try? Call(parsing: received, in: 0..<end)) == given, "another call")
      received.removeFirst(end + 1)
      call = given
    case .close(let violation):
      require(reason == violation, "closed for \(String(describing: violation)), not \(String(describing: reason))")
      isClosed = true
    }
  }

  /// Why the connection may be closed, by what was received.
  private var reason: Violation? {
    let end = received.firstIndex(of: 0) ?? received.count
    if end > Self.limits.call { return .tooLong(maximum: Self.limits.call) }
    guard end < received.count else {
      require(hasEnded && owed.isEmpty, "closed without a reason")
      guard let last = received.last else { return nil }
      return last == UInt8(ascii: "\n") ? .newline : .ended
    }
    do throws(Violation) { _ = try Call(parsing: received, in: 0..<end) } catch { return error }
    fatalError("closed in front of a good call")
  }

  private mutating func answer() {
    let frame = [UInt8](repeating: 1 + input.byte() % 9, count: input.number(below: Self.largestReply)) + [0]
    connection.reply(frame)
    guard let call else { return }
    if call.flag != .oneway { owed += frame }
    self.call = nil
  }

  private mutating func stream() {
    let frame = [UInt8](repeating: 1 + UInt8(streamed % 250), count: 1 + input.number(below: 40)) + [0]
    connection.stream(frame)
    if frames != nil || call != nil { streamed += 1 }
    if frames != nil {
      frames?.append(frame)
    } else if call != nil {
      frames = [frame]
      call = nil
      received = []
    }
  }

  private mutating func send(_ most: Int) {
    guard connection.wantsToSend else { return }
    let sent = Array(connection.unsent.prefix(most))
    connection.didSend(sent.count)
    take(sent)
  }

  /// The peer gets these bytes.
  private mutating func take(_ sent: [UInt8]) {
    let due = min(owed.count, sent.count)
    require(sent[..<due] == owed[..<due], "other bytes than were answered")
    owed.removeFirst(due)
    for byte in sent[due...] {
      guard var frames, !frames.isEmpty else { fatalError("bytes that nobody sent") }
      // Between two frames any but the newest may be passed over; within one, nothing.
      if !isWithinFrame { while frames.count > 1, frames[0][0] != byte { frames.removeFirst() } }
      require(frames[0].first == byte, "other bytes than the frame's")
      frames[0].removeFirst()
      isWithinFrame = !frames[0].isEmpty
      if !isWithinFrame { frames.removeFirst() }
      self.frames = frames
    }
  }
  private var isWithinFrame = false

  /// What holds at every moment.
  private func check() {
    require(connection.wantsToSend == !connection.unsent.isEmpty, "it wants to send what is not there")
    require(connection.isStreaming == (frames != nil), "a subscription or not")
    require(!connection.isWithinMessage || connection.wantsToReceive, "a message is late that is not read")
    require(!(connection.hasMoreToServe && connection.wantsToReceive), "it reads before it has served")
    if frames != nil { require(!connection.wantsToReceive && !connection.hasMoreToServe, "a subscription reads") }
    // Something will happen: nothing is forgotten.
    let waits = connection.wantsToReceive || connection.wantsToSend || connection.hasMoreToServe
    require(isClosed || waits || call != nil || frames != nil, "it waits for nothing")
    require(connection.unsent.count <= Self.limits.replies + Self.largestReply + 1 + 64, "replies pile up")
  }

  /// A peer that reads gets everything in the end.
  private mutating func finish() {
    send(.max)
    send(.max)
    require(!connection.wantsToSend && owed.isEmpty, "something was never sent")
    if let frames { require(frames.isEmpty, "the newest state was never sent") }
  }
}
