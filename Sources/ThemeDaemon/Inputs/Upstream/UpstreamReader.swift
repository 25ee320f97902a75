internal import ThemedInterface
internal import ThemedModel
internal import ThemedSystem
internal import ThemedVarlink

/// Reads the frames of Monitor, as bytes from another machine: pure.
///
/// The bytes are not trusted. A frame that is malformed or too long is reported and skipped, and the next valid one
/// counts.
struct UpstreamReader: Hashable {
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

  init(limit: Int = Limits.upstreamFrame) { self.limit = limit }

  var heldBytes: Int { begun.count }

  /// Whether the last byte was the end of a frame.
  var isBetweenFrames: Bool { begun.isEmpty && !isTooLong }

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

// What an upstream daemon shows, in place of a desktop's preference.

extension Reading {
  /// The reading that `state` gives a daemon that follows the sender.
  ///
  /// It has to pass the rules for theme files. Paths of images are left out, because they are of no use here.
  init(upstream state: State) {
    let shown = state.resolution
    self.init(
      scheme: shown.scheme == .light ? .light : .dark, highContrast: shown.highContrast,
      reducedMotion: shown.reducedMotion, accentColor: shown.accentColor)
    let transition = shown.transition.map { max(0, min($0, Limits.transition)) }
    upstream = Upstream(theme: shown.theme.flatMap { $0.cleaned(for: shown.scheme) }, transition: transition)
  }

  /// The state from which ``init(upstream:)`` makes this reading; nil for a desktop's reading.
  var upstreamState: State? {
    guard let upstream else { return nil }
    let resolution = Resolution(
      scheme: scheme == .dark ? .dark : .light, desktop: scheme, highContrast: highContrast,
      reducedMotion: reducedMotion, accentColor: accentColor, theme: upstream.theme, transition: upstream.transition)
    return State(instance: "", serial: 0, resolution: resolution)
  }

  /// This reading if it comes from the kind of source that is followed, upstream or desktop; otherwise an empty one.
  ///
  /// The previous daemon may have followed the other kind.
  func kept(followsUpstream: Bool) -> Reading { followsUpstream == (upstream != nil) ? self : Reading() }
}

extension ShownTheme {
  /// The theme in a form that a theme file could have; nil if its name is not valid.
  fileprivate func cleaned(for scheme: ColorScheme) -> ShownTheme? {
    guard Theme.isValidName(name) else { return nil }
    let hasControls = title.string.unicodeScalars.contains { $0.properties.generalCategory == .control }
    let isTitle = !title.isEmpty && title.utf8.count <= 255 && !hasControls
    var cleaned = ShownTheme(name: name, title: isTitle ? title : name)
    // An older daemon's palette may lack some or all roles; they are derived.
    let given = ThemeDetails(palette: (details?.palette ?? [:]).filter { Side.isValidKey($0.key) })
    let palette = Dictionary(given.palette(for: scheme).all.map { ($0.rawValue, $1) }) { first, _ in first }
    let values = (details?.values ?? [:]).filter { Side.isValidKey($0.key) }
    guard Self.length(palette, values) <= Limits.themeFile else { return nil }
    cleaned.details = ThemeDetails(palette: palette, values: values)
    return cleaned
  }

  /// The minimum length of a file with this content, in bytes, without the roles that every palette has.
  private static func length(_ palette: [Text: Color], _ values: [Text: Text]) -> Int {
    let known = Set(Role.all.map(\.rawValue))
    let others = palette.keys.filter { !known.contains($0) }
    return others.reduce(0) { $0 + $1.count + 9 } + values.reduce(0) { $0 + $1.key.count + $1.value.count + 2 }
  }
}
