@testable import themectl

/// What a terminal answers, cut at any place: the same colours, and nothing but colours is sent back to it.
func fuzzTerminal(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let length = Int(input.byte()) + 1
  let rest = input.rest
  var (whole, cut) = (TerminalAnswers(), TerminalAnswers())
  whole.receive(rest)
  for start in stride(from: 0, to: rest.count, by: length) {
    cut.receive(Array(rest[start..<min(start + length, rest.count)]))
  }
  require(whole.colors == cut.colors && whole.isComplete == cut.isComplete, "where it is cut matters")
  require(whole.scheme == cut.scheme, "another scheme")
  for sequence in whole.restoration(after: TerminalAnswers()).utf8.split(separator: 0x1B) {
    require(sequence.allSatisfy { 0x20...0x7E ~= $0 }, "something else than a colour is sent back")
  }
}
