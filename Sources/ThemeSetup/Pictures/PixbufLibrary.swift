import ThemedModel
import ThemedSystem

/// Why a picture cannot be read, in words for the user.
package struct PictureProblem: Error, CustomStringConvertible {
  package let description: String
}

/// gdk-pixbuf, loaded only to read a picture.
@safe
struct PixbufLibrary {
  /// A GdkPixbuf.
  private typealias Pixbuf = OpaquePointer
  /// The address of a GError: a domain, a code, and a text.
  private typealias GError = UnsafePointer<UnsafePointer<CChar>?>
  private typealias Length = UnsafeMutablePointer<CInt>

  /// The limits of a picture's size: a side, and all pixels.
  private static let maximumSide = 65_500
  private static let maximumPixels = 128 << 20
  /// The longer side of the picture that gdk-pixbuf makes of a large photo, to save memory and time.
  private static let decodedSide = 1024

  private let getInfo: @convention(c) (UnsafePointer<CChar>, Length, Length) -> OpaquePointer?
  private let formatName: @convention(c) (OpaquePointer) -> UnsafeMutablePointer<CChar>?
  private let load: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<GError?>) -> Pixbuf?
  private let loadScaled:
    @convention(c) (UnsafePointer<CChar>, CInt, CInt, CInt, UnsafeMutablePointer<GError?>) -> Pixbuf?
  private let width: @convention(c) (Pixbuf) -> CInt
  private let height: @convention(c) (Pixbuf) -> CInt
  private let channels: @convention(c) (Pixbuf) -> CInt
  private let rowLength: @convention(c) (Pixbuf) -> CInt
  private let pixels: @convention(c) (Pixbuf) -> UnsafePointer<UInt8>?
  private let unref: @convention(c) (Pixbuf) -> Void

  /// Loads the library; throws if it is not installed.
  init() throws(PictureProblem) {
    do throws(SchemeFile.Problem) {
      let library = try LoadedLibrary(
        "libgdk_pixbuf-2.0.so.0", for: "pictures",
        install: "install gdk-pixbuf (on Debian: sudo apt install libgdk-pixbuf-2.0-0)")
      unsafe getInfo = try library.function("gdk_pixbuf_get_file_info")
      unsafe formatName = try library.function("gdk_pixbuf_format_get_name")
      unsafe load = try library.function("gdk_pixbuf_new_from_file")
      unsafe loadScaled = try library.function("gdk_pixbuf_new_from_file_at_scale")
      unsafe width = try library.function("gdk_pixbuf_get_width")
      unsafe height = try library.function("gdk_pixbuf_get_height")
      unsafe channels = try library.function("gdk_pixbuf_get_n_channels")
      unsafe rowLength = try library.function("gdk_pixbuf_get_rowstride")
      unsafe pixels = try library.function("gdk_pixbuf_read_pixels")
      unsafe unref = try library.function("g_object_unref")
    } catch { throw PictureProblem(description: error.text) }
  }

  /// The colours of a picture, by cells of the same size.
  func cells(ofFile path: String) throws(PictureProblem) -> [Color] {
    var (fullWidth, fullHeight): (CInt, CInt) = (0, 0)
    guard let format = unsafe getInfo(path, &fullWidth, &fullHeight) else {
      throw PictureProblem(
        description: "gdk-pixbuf does not recognise it as a picture, or its loader is not installed")
    }
    guard fullWidth > 0, fullHeight > 0 else { throw PictureProblem(description: "the picture is empty") }
    let size = "the picture has \(fullWidth) × \(fullHeight) pixels"
    guard max(fullWidth, fullHeight) <= Self.maximumSide else {
      throw PictureProblem(description: "\(size); a side may have at most \(Self.maximumSide)")
    }
    guard Int(fullWidth) * Int(fullHeight) <= Self.maximumPixels else {
      throw PictureProblem(description: "\(size); at most 128 million pixels are read")
    }
    let name = unsafe formatName(format).map { unsafe Text(String(cString: $0)) }
    let side = CInt(min(Int(max(fullWidth, fullHeight)), Self.decodedSide))
    var error: GError?
    // With other formats, it would save nothing, and accept a file that ends too early.
    let isScaled = name == "jpeg" || name == "svg"
    guard let pixbuf = unsafe isScaled ? loadScaled(path, side, side, 1, &error) : load(path, &error) else {
      let reason = unsafe error.flatMap { unsafe $0[1] }.map { unsafe String(cString: $0) }
      throw PictureProblem(description: reason ?? "gdk-pixbuf cannot read it")
    }
    defer { unsafe unref(pixbuf) }
    guard let start = unsafe pixels(pixbuf) else { throw PictureProblem(description: "the picture has no pixels") }
    let (width, height) = unsafe (Int(width(pixbuf)), Int(height(pixbuf)))
    let (channels, rowLength) = unsafe (Int(channels(pixbuf)), Int(rowLength(pixbuf)))
    let length = (height - 1) * rowLength + width * channels
    let bytes = unsafe UnsafeBufferPointer<UInt8>(start: start, count: length)
    let raster = unsafe Raster(bytes: bytes, width: width, height: height, channels: channels, rowLength: rowLength)
    let cells = raster.cells
    guard !cells.isEmpty else { throw PictureProblem(description: "the picture is transparent") }
    return cells
  }
}

/// The pixels of a picture in memory: 8-bit sRGB, with or without alpha.
@safe
struct Raster {
  private let bytes: UnsafeBufferPointer<UInt8>
  let width: Int
  let height: Int
  let channels: Int
  let rowLength: Int

  /// The most cells that a picture is divided into, to a side: enough for its colours, and few enough to be fast.
  static let cellsToASide = 128

  init(bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int, channels: Int, rowLength: Int) {
    unsafe self.bytes = bytes
    (self.width, self.height, self.channels, self.rowLength) = (width, height, channels, rowLength)
  }

  /// The mean colour of each cell in linear light, as the eye sees it from far away; transparent cells are left out.
  var cells: [Color] {
    let side = min(max(width, height), Self.cellsToASide)
    let columns = max(1, width * side / max(width, height))
    let rows = max(1, height * side / max(width, height))
    let light = (0...255).map { Color.light(Double($0) / 255) }
    return (0..<rows).flatMap { row in
      (0..<columns).compactMap { column in
        cell(
          row * height / rows..<(row + 1) * height / rows, column * width / columns..<(column + 1) * width / columns,
          light)
      }
    }
  }

  private func cell(_ rows: Range<Int>, _ columns: Range<Int>, _ light: [Double]) -> Color? {
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    for row in rows {
      for column in columns {
        let place = row * rowLength + column * channels
        let part = unsafe channels == 4 ? Double(bytes[place + 3]) / 255 : 1
        red += unsafe part * light[Int(bytes[place])]
        green += unsafe part * light[Int(bytes[place + 1])]
        blue += unsafe part * light[Int(bytes[place + 2])]
        alpha += part
      }
    }
    guard alpha >= 0.5 * Double(rows.count * columns.count) else { return nil }
    return Color(linear: (red / alpha, green / alpha, blue / alpha))
  }
}
