internal import CThemedGtk

/// An object of GTK's, which its owner in C keeps alive while the window is open.
@safe struct Widget {
  let raw: UnsafeMutableRawPointer

  init(_ raw: UnsafeMutableRawPointer) { unsafe self.raw = raw }

  func set(_ name: String, _ value: String) { unsafe themed_set_string(raw, name, value) }
  func set(_ name: String, _ value: Bool) { unsafe themed_set_flag(raw, name, value) }
  func set(_ name: String, _ value: Int) { unsafe themed_set_number(raw, name, CInt(clamping: value)) }
  func set(_ name: String, _ value: Widget) { unsafe themed_set_object(raw, name, value.raw) }

  func flag(_ name: String) -> Bool { unsafe themed_flag(raw, name) }
  func number(_ name: String) -> Int { Int(unsafe themed_number(raw, name)) }

  func text(_ name: String) -> String {
    guard let text = unsafe themed_string(raw, name) else { return "" }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// The name of the widget for a reader that does not see it.
  func name(_ text: String) { unsafe themed_set_label(raw, text) }

  /// More about the widget, which such a reader says after its name.
  func describe(_ text: String) { unsafe themed_describe(raw, text) }

  /// Calls `body` at each signal of this name, whose arguments are ignored.
  func on(_ signal: String, _ body: @escaping () -> Void) {
    let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { unsafe Handler.at($0)?.body("") }
    unsafe connect(signal, unsafeBitCast(call, to: GCallback.self)) { _ in body() }
  }

  /// Calls `body` with the first argument of each signal, which is a text.
  func onAnswer(_ signal: String, _ body: @escaping (String) -> Void) {
    let call: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { data, text in
      unsafe Handler.at(data)?.body(text.map { unsafe String(cString: $0) } ?? "")
    }
    unsafe connect(signal, unsafeBitCast(call, to: GCallback.self), body)
  }

  /// Calls `body` with the number of each answer to a dialog.
  func onResponse(_ body: @escaping (Int) -> Void) {
    let call: @convention(c) (UnsafeMutableRawPointer?, CInt) -> Void = { unsafe Handler.at($0)?.body("\($1)") }
    unsafe connect("response", unsafeBitCast(call, to: GCallback.self)) { body(Int($0) ?? 0) }
  }

  private func connect(_ signal: String, _ call: GCallback, _ body: @escaping (String) -> Void) {
    let handler = unsafe Handler.kept(body)
    _ = unsafe themed_connect(raw, signal, call, handler) { data, _ in unsafe Handler.release(data) }
  }
}

/// A closure that C keeps as a pointer.
final class Handler {
  let body: (String) -> Void

  private init(_ body: @escaping (String) -> Void) { self.body = body }

  static func kept(_ body: @escaping (String) -> Void) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(Handler(body)).toOpaque()
  }

  static func at(_ data: UnsafeMutableRawPointer?) -> Handler? {
    unsafe data.map { unsafe Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue() }
  }

  static func release(_ data: UnsafeMutableRawPointer?) {
    if let data = unsafe data { unsafe Unmanaged<Handler>.fromOpaque(data).release() }
  }
}

/// The objects of a user interface, by their names.
@safe final class Interface {
  private let builder: OpaquePointer

  /// Builds the interface; the text is part of the program, so a mistake in it is one of the program.
  init(_ text: [UInt8]) {
    unsafe builder = text.withUnsafeBytes { bytes in
      unsafe gtk_builder_new_from_string(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(builder)) }

  subscript(name: String) -> Widget {
    guard let object = unsafe gtk_builder_get_object(builder, name) else { fatalError("no object '\(name)'") }
    return unsafe Widget(UnsafeMutableRawPointer(object))
  }
}

/// Draws with cairo on a widget.
@safe struct Canvas {
  private let cairo: OpaquePointer
  let width: Double
  let height: Double
  /// The colour of text on the widget.
  let ink: GdkRGBA
  let isRightToLeft: Bool

  static func draw(on area: Widget, _ body: @escaping (Canvas) -> Void) {
    let painter = unsafe Unmanaged.passRetained(Painter(body)).toOpaque()
    unsafe themed_set_draw(
      area.raw,
      { area, cairo, width, height, data in
        guard let area = unsafe area, let cairo = unsafe cairo, let data = unsafe data else { return }
        let raw = UnsafeMutableRawPointer(area)
        let canvas = unsafe Canvas(
          cairo: cairo, width: Double(width), height: Double(height), ink: themed_color(raw),
          isRightToLeft: themed_is_rtl(raw))
        unsafe Unmanaged<Painter>.fromOpaque(data).takeUnretainedValue().body(canvas)
      }, painter
    ) { data in
      if let data = unsafe data { unsafe Unmanaged<Painter>.fromOpaque(data).release() }
    }
  }

  private final class Painter {
    let body: (Canvas) -> Void
    init(_ body: @escaping (Canvas) -> Void) { self.body = body }
  }

  func color(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    unsafe cairo_set_source_rgba(cairo, red, green, blue, alpha)
  }

  func useInk(_ alpha: Double = 1) {
    color(Double(ink.red), Double(ink.green), Double(ink.blue), Double(ink.alpha) * alpha)
  }

  func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    unsafe cairo_rectangle(cairo, x, y, width, height)
    unsafe cairo_fill(cairo)
  }

  func circle(_ x: Double, _ y: Double, _ radius: Double) {
    unsafe cairo_arc(cairo, x, y, radius, 0, 2 * Double.pi)
    unsafe cairo_fill(cairo)
  }

  /// Limits what is drawn from now on to a rectangle with round corners, and draws its edge.
  func clip(_ x: Double, _ y: Double, _ width: Double, _ height: Double, corner: Double) {
    unsafe cairo_new_sub_path(cairo)
    for (index, centre) in [(x + width, y), (x + width, y + height), (x, y + height), (x, y)].enumerated() {
      let centreX = centre.0 + (index < 2 ? -corner : corner)
      let centreY = centre.1 + (index == 0 || index == 3 ? corner : -corner)
      let start = Double(index - 1) * .pi / 2
      unsafe cairo_arc(cairo, centreX, centreY, corner, start, start + .pi / 2)
    }
    unsafe cairo_close_path(cairo)
    unsafe cairo_clip_preserve(cairo)
  }

  /// Draws the edge of the last path.
  func edge(_ alpha: Double) {
    useInk(alpha)
    unsafe cairo_set_line_width(cairo, 2)
    unsafe cairo_stroke(cairo)
  }

  func newPath() { unsafe cairo_new_path(cairo) }
  func save() { unsafe cairo_save(cairo) }
  func restore() { unsafe cairo_restore(cairo) }

  /// Draws a text with its middle at `x`, moved so that it stays on the canvas.
  func text(_ text: String, _ x: Double, _ y: Double, size: Double) {
    unsafe cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    unsafe cairo_set_font_size(cairo, size)
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(cairo, text, &extents)
    let left = min(max(0, x - extents.width / 2), width - extents.width)
    unsafe cairo_move_to(cairo, left, y)
    unsafe cairo_show_text(cairo, text)
  }
}

/// Passes texts to C, with a null pointer at their end.
func withCStrings<Result>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
  let copies = unsafe texts.map { unsafe UnsafePointer<CChar>(g_strdup($0)) } + [nil]
  defer { unsafe copies.forEach { unsafe g_free(UnsafeMutableRawPointer(mutating: $0)) } }
  return unsafe copies.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
}
