import Glibc
package import ThemedModel
import ThemedSystem

/// A picture that another process decodes, within limits, because a picture can be anybody's.
package struct Picture {
  /// The first argument of the process that decodes a picture; the second is the path.
  private static let decodingWord = "--decode-picture"
  /// Before the words of an error in the output of that process.
  private static let errorWord: Text = "error "
  /// How many seconds the decoding may take, and how many bytes of address space.
  private static let maximumSeconds = 10
  private static let maximumBytes: rlim_t = 1 << 30

  private let path: String
  private let hues: PictureHues

  package init(ofFile path: String) throws(Refusal) {
    (self.path, hues) = (absolutePath(path), try PictureHues(Self.cells(ofFile: path)))
  }

  /// A side with the colours of the picture, and with the picture as its wallpaper.
  ///
  /// - Parameter isFollowing: Whether `themed-apply` makes the side again when the user chooses another wallpaper.
  package func side(_ scheme: ColorScheme, followingWallpaper isFollowing: Bool = false) -> Side {
    var side = Side(of: hues, for: scheme)
    side.assets["wallpaper"] = Text(path)
    if isFollowing { side.values["follow-wallpaper"] = "yes" }
    return side
  }

  /// Decodes a picture and exits, if this process was started for that.
  package static func decodeIfAsked(_ arguments: [String]) {
    guard arguments.count == 3, Text(arguments[1]) == Text(decodingWord) else { return }
    limit(__rlimit_resource_t(RLIMIT_AS.rawValue), maximumBytes)
    limit(__rlimit_resource_t(RLIMIT_CPU.rawValue), rlim_t(maximumSeconds))
    limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0)
    do throws(PictureProblem) {
      let cells = try PixbufLibrary().cells(ofFile: arguments[2])
      print(cells.map(\.hexadecimal).joined(separator: "\n"))
    } catch { print("\(errorWord)\(printable(error.description))") }
    exit(0)
  }

  private static func limit(_ resource: __rlimit_resource_t, _ most: rlim_t) {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(most, limit.rlim_max)
    limit.rlim_max = limit.rlim_cur
    _ = unsafe setrlimit(resource, &limit)
  }

  /// The colours of a picture, by cells of the same size.
  private static func cells(ofFile path: String) throws(Refusal) -> [Color] {
    func refusal(_ reason: String) -> Refusal { Refusal("cannot read the picture \(path): \(reason)") }
    guard let isRegular = isRegularFile(path) else { throw refusal(SystemError.text(errno)) }
    guard isRegular else { throw refusal("it is not a regular file") }
    guard isReadableFile(path) else { throw refusal(SystemError.text(EACCES)) }
    guard let own = ownProgram,
      let child = Program.run([own, decodingWord, absolutePath(path)], atMost: maximumSeconds)
    else { throw refusal("cannot start another process to decode it") }
    if child.tookTooLong { throw refusal("decoding takes more than \(maximumSeconds) seconds") }
    if let error = child.lines.first?.dropping(prefix: errorWord) { throw refusal(error.string) }
    let cells = child.lines.compactMap { Color(hexadecimal: $0) }
    guard child.status == 0, !cells.isEmpty else {
      throw refusal("gdk-pixbuf crashed; the picture may be broken, or need more than 1 GiB of memory")
    }
    return cells
  }
}
