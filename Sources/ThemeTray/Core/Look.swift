package import ThemedModel
package import ThemedDBus
package import ThemedSystem

/// The item in the panel, with the properties of `org.kde.StatusNotifierItem`.
package struct Look: Sendable, Hashable {
  /// The side that the icon shows; nil before the first state.
  package var scheme: ColorScheme?
  /// The state and its reason, in one sentence.
  package var sentence: Text
  /// Whether there is something to show: panels may hide the item otherwise.
  package var isActive: Bool

  package var icon: Text { scheme == .light ? "themed-light-symbolic" : "themed-dark-symbolic" }
  package var status: Text { isActive ? "Active" : "Passive" }

  /// All properties; panels look for icons in `directory`, too, if it is not empty.
  package func properties(icons directory: Text) -> [(name: Text, value: Value)] {
    let none = Value.string("")
    // Some panels read markup in tooltips.
    let plain = Text(decoding: sentence.utf8.filter { !"<>&".utf8.contains($0) })
    return [
      ("Category", .variant(.string("SystemServices"))), ("Id", .variant(.string("themed"))),
      ("Title", .variant(.string("themed"))), ("Status", .variant(.string(status))), ("WindowId", .variant(.int32(0))),
      ("IconName", .variant(.string(icon))), ("IconThemePath", .variant(.string(directory))),
      ("IconPixmap", .typed("a(iiay)", .array([picture.value]))),
      ("OverlayIconName", .variant(none)), ("OverlayIconPixmap", .typed("a(iiay)", .array([]))),
      ("AttentionIconName", .variant(none)), ("AttentionIconPixmap", .typed("a(iiay)", .array([]))),
      ("AttentionMovieName", .variant(none)),
      ("ToolTip", .typed("(sa(iiay)ss)", .structure([none, .array([]), .string(plain), none]))),
      ("ItemIsMenu", .variant(.boolean(false))), ("Menu", .typed("o", .string(Self.menu))),
    ]
  }

  /// The path of the menu's object.
  package static let menu: Text = "/StatusNotifierItem/Menu"

  private var picture: Picture { Picture(of: scheme ?? .dark) }
}

/// A sun or a moon, for panels that do not find the icon's file.
struct Picture {
  static let size = 32
  private let scheme: ColorScheme

  init(of scheme: ColorScheme) { self.scheme = scheme }

  /// The width, the height and the pixels, as `(iiay)`: alpha, red, green and blue for each pixel.
  var value: Value {
    // Both colours can be told from light and from dark panels.
    let color: [UInt8] = scheme == .light ? [0xC2, 0x7C, 0x0E] : [0x6C, 0x8C, 0xD5]
    var bytes: [UInt8] = []
    for row in 0..<Self.size {
      for column in 0..<Self.size { bytes += [opacity(column, row)] + color }
    }
    return .structure([.int32(Int32(Self.size)), .int32(Int32(Self.size)), .bytes(bytes)])
  }

  /// How much of a pixel is covered, in sixteenths.
  private func opacity(_ column: Int, _ row: Int) -> UInt8 {
    var hits = 0
    for part in 0..<16 {
      let x = Double(column - Self.size / 2) + Double(part % 4) / 4 + 0.125
      let y = Double(row - Self.size / 2) + Double(part / 4) / 4 + 0.125
      if scheme == .light ? isSun(x, y) : isMoon(x, y) { hits += 1 }
    }
    return UInt8(hits * 255 / 16)
  }

  private func isSun(_ x: Double, _ y: Double) -> Bool {
    if x * x + y * y <= 49 { return true }
    let diagonal = 0.7071
    return [(1, 0), (0, 1), (diagonal, diagonal), (diagonal, -diagonal)].contains { (ray: (x: Double, y: Double)) in
      let (along, across) = (abs(x * ray.x + y * ray.y), abs(x * ray.y - y * ray.x))
      return (9.5...14).contains(along) && across <= 1.4
    }
  }

  private func isMoon(_ x: Double, _ y: Double) -> Bool {
    let (dx, dy) = (x - 5, y + 4)
    return x * x + y * y <= 169 && dx * dx + dy * dy > 100
  }
}
