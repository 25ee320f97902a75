internal import ThemeInterface
internal import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

/// Reads the frames of Monitor, as bytes from another machine: pure.
///
/// The bytes are not trusted. A frame that is malformed or too long is reported and skipped, and the next valid one
/// counts.
struct UpstreamReader: Hashable {
  /// The result of some bytes.
  struct News: Hashable {
    /// The newest state among them; earlier ones are skipped.
    var reading: Reading?
    /// The fault of the last bad frame among them, in words.
    var problem: Text?
  }

  private let limit: Int
  /// The beginning of an unfinished frame.
  private var begun: [UInt8] = []
  /// Whether that frame is too long, so that the rest of it is skipped.
  private var isTooLong = false

  /// A reader of frames of at most `limit` bytes.
  init(limit: Int = Limits.upstreamFrame) {
    self.limit = limit
  }

  /// How many bytes are buffered.
  var heldBytes: Int { begun.count }

  /// Whether the last byte was the end of a frame.
  var isBetweenFrames: Bool { begun.isEmpty && !isTooLong }

  /// Takes any number of received bytes.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> News {
    var news = News()
    var rest = bytes
    while let end = rest.firstIndex(of: 0) {
      take(rest[..<end])
      finish(&news)
      rest = rest[(end + 1)...]
    }
    take(rest)
    return news
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong, begun.count + bytes.count <= limit else {
      isTooLong = true
      begun = []
      return
    }
    begun += bytes
  }

  private mutating func finish(_ news: inout News) {
    defer { (begun, isTooLong) = ([], false) }
    guard !isTooLong else {
      news.problem = Text("a message is longer than \(limit) bytes")
      return
    }
    do throws(Violation) {
      let reply = try Reply(parsing: begun, in: 0..<begun.count)
      if let error = reply.error {
        news.problem = Text("it sent an error: \(error.shown(atMost: 64))")
        return
      }
      var parameters = Parameters(reply.parameters, isTolerant: true)
      do throws(VarlinkError) {
        news.reading = Reading(upstream: try State(parameters.require(parameters.structure("state"), "state")))
      } catch {
        news.problem = "received an invalid state"
      }
    } catch {
      news.problem = Text("\(error)")
    }
  }
}
