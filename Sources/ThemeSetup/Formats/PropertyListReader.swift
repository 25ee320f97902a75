import Glibc
import ThemedSystem

/// Makes members from an XML property list of dictionaries, texts and numbers, with the parser of expat.
///
/// A number is a text. Values of other types are skipped.
@safe
final class PropertyListReader {
  private static let maximumDepth = 32

  /// The members of the dictionaries that have begun, the innermost last, each with the name of the next member.
  private var open: [(name: Text?, members: [SchemeFile.Member])] = []
  private var result: [SchemeFile.Member]?
  private var text: [UInt8]?
  private var depth = 0

  static func members(of bytes: [UInt8]) throws(SchemeFile.Problem) -> [SchemeFile.Member] {
    let library = try ExpatLibrary()
    let text = try Array(SchemeFile.text(of: bytes))
    guard let parser = unsafe library.create(nil) else { throw SchemeFile.Problem(text: "not enough memory") }
    defer { unsafe library.free(parser) }
    let reader = PropertyListReader()
    return try withExtendedLifetime(reader) { () throws(SchemeFile.Problem) in
      unsafe library.setUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
      unsafe library.setElementHandler(
        parser, { data, name, _ in unsafe of(data)?.begin(Text(String(cString: name!))) },
        { data, name in unsafe of(data)?.end(Text(String(cString: name!))) })
      unsafe library.setTextHandler(parser) { data, bytes, count in
        unsafe of(data)?.text?.append(
          contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      }
      // It keeps expat from replacing entities, of which a few lines can describe an endless text.
      unsafe library.setDefaultHandler(parser) { _, _, _ in }
      let isRead = unsafe text.withUnsafeBytes { bytes in
        unsafe library.parse(parser, bytes.baseAddress, CInt(clamping: bytes.count), 1) == 1
      }
      guard isRead else {
        let reason = unsafe library.message(library.code(parser)).map { unsafe String(cString: $0) } ?? "cannot read it"
        let line = unsafe Int(clamping: library.line(parser))
        throw SchemeFile.Problem(line: line, text: "invalid XML: \(reason)")
      }
      guard let members = reader.result else { throw SchemeFile.Problem(text: "expected a property list") }
      return members
    }
  }

  private func begin(_ element: Text) {
    depth += 1
    guard depth <= Self.maximumDepth else { return }
    if element == "dict" { open.append((nil, [])) }
    text = (["key", "string", "real", "integer"] as [Text]).contains(element) ? [] : nil
  }

  private func end(_ element: Text) {
    depth -= 1
    guard depth < Self.maximumDepth else { return }
    let read = text.map { Text(decoding: $0.trimming { $0 <= 0x20 }) }
    text = nil
    switch element {
    case "key": if !open.isEmpty { open[open.count - 1].name = read }
    case "dict":
      guard let members = open.popLast()?.members else { return }
      if open.isEmpty { result = result ?? members } else { add(.members(members)) }
    default: if let read { add(.text(read)) }
    }
  }

  private func add(_ value: SchemeFile.Value) {
    guard let name = open.last?.name else { return }
    open[open.count - 1].members.append(SchemeFile.Member(name: name, value: value))
    open[open.count - 1].name = nil
  }
}

/// The reader that expat's functions were given.
private func of(_ data: UnsafeMutableRawPointer?) -> PropertyListReader? {
  unsafe data.map { unsafe Unmanaged<PropertyListReader>.fromOpaque($0).takeUnretainedValue() }
}

/// expat, loaded only to read a property list.
///
/// Its functions have only pointers and numbers, so that they need no header; their types are those of expat 1.95.
@safe
private struct ExpatLibrary {
  typealias Parser = OpaquePointer
  typealias Data = UnsafeMutableRawPointer?
  typealias Name = UnsafePointer<CChar>?
  typealias Begin = @convention(c) (Data, Name, UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Void
  typealias End = @convention(c) (Data, Name) -> Void
  typealias Characters = @convention(c) (Data, Name, CInt) -> Void

  let create: @convention(c) (Name) -> Parser?
  let free: @convention(c) (Parser) -> Void
  let setUserData: @convention(c) (Parser, Data) -> Void
  let setElementHandler: @convention(c) (Parser, Begin, End) -> Void
  let setTextHandler: @convention(c) (Parser, Characters) -> Void
  let setDefaultHandler: @convention(c) (Parser, Characters) -> Void
  let parse: @convention(c) (Parser, UnsafeRawPointer?, CInt, CInt) -> CInt
  let code: @convention(c) (Parser) -> CInt
  let message: @convention(c) (CInt) -> UnsafePointer<CChar>?
  let line: @convention(c) (Parser) -> CUnsignedLong

  init() throws(SchemeFile.Problem) {
    let library = try LoadedLibrary(
      "libexpat.so.1", for: "XML", install: "install expat (on Debian: sudo apt install libexpat1)")
    unsafe create = try library.function("XML_ParserCreate")
    unsafe free = try library.function("XML_ParserFree")
    unsafe setUserData = try library.function("XML_SetUserData")
    unsafe setElementHandler = try library.function("XML_SetElementHandler")
    unsafe setTextHandler = try library.function("XML_SetCharacterDataHandler")
    unsafe setDefaultHandler = try library.function("XML_SetDefaultHandler")
    unsafe parse = try library.function("XML_Parse")
    unsafe code = try library.function("XML_GetErrorCode")
    unsafe message = try library.function("XML_ErrorString")
    unsafe line = try library.function("XML_GetCurrentLineNumber")
  }
}

/// A library that is loaded only when it is needed, so that scripts that ask for the setting at each start do not wait
/// for it.
@safe
struct LoadedLibrary {
  private let name: String
  private let syntax: String
  private let handle: UnsafeMutableRawPointer

  /// Loads the library with the ABI of this name; throws if it is not installed.
  init(_ name: String, for syntax: String, install: String) throws(SchemeFile.Problem) {
    guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw SchemeFile.Problem(text: "cannot read \(syntax): \(name) is missing; \(install)")
    }
    (self.name, self.syntax) = (name, syntax)
    unsafe self.handle = handle
  }

  func function<Function>(_ name: String) throws(SchemeFile.Problem) -> Function {
    guard let address = unsafe dlsym(handle, name) else {
      throw SchemeFile.Problem(text: "cannot read \(syntax): the installed \(self.name) has no \(name)")
    }
    return unsafe unsafeBitCast(address, to: Function.self)
  }
}
