import ThemedVarlink

@testable import ThemedClientCore

/// What a daemon answers, cut at any place: the same replies and the same mistakes, and none longer than is allowed.
func fuzzReplies(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let (first, second) = (Int(input.byte()) + 1, Int(input.byte()) + 1)
  let rest = input.rest
  let (one, other) = (replies(in: rest, by: first), replies(in: rest, by: second))
  require(one == other, "where it is cut matters")
}

private func replies(in bytes: [UInt8], by length: Int) -> [Result<Reply, Violation>] {
  var reader = ReplyReader(limit: 128)
  var replies: [Result<Reply, Violation>] = []
  for start in stride(from: 0, to: bytes.count, by: length) {
    reader.receive(bytes[start..<min(start + length, bytes.count)])
    do throws(Violation) {
      while let reply = try reader.next() { replies.append(.success(reply)) }
    } catch { return replies + [.failure(error)] }
  }
  return replies
}
