import CThemedYAML
import Glibc

/// libyaml, loaded only to read a scheme, so that scripts that ask for the setting at each start do not wait for it.
@safe
struct YAMLLibrary {
  typealias Parser = UnsafeMutablePointer<yaml_parser_t>

  let initialize: @convention(c) (Parser) -> CInt
  let setEncoding: @convention(c) (Parser, yaml_encoding_t) -> Void
  let setInput: @convention(c) (Parser, UnsafePointer<UInt8>, Int) -> Void
  let parse: @convention(c) (Parser, UnsafeMutablePointer<yaml_event_t>) -> CInt
  let deleteParser: @convention(c) (Parser) -> Void
  let deleteEvent: @convention(c) (UnsafeMutablePointer<yaml_event_t>) -> Void

  /// Loads the library with the ABI of the header; throws if it is not installed.
  init() throws(SchemeFile.Problem) {
    guard let library = unsafe dlopen("libyaml-0.so.2", RTLD_NOW | RTLD_LOCAL) else {
      throw SchemeFile.Problem(
        text: "cannot read YAML: libyaml-0.so.2 is missing; install libyaml (on Debian: apt install libyaml-0-2)")
    }
    func function<Function>(_ name: String) throws(SchemeFile.Problem) -> Function {
      guard let address = unsafe dlsym(library, name) else {
        throw SchemeFile.Problem(text: "cannot read YAML: the installed libyaml has no \(name)")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe initialize = try function("yaml_parser_initialize")
    unsafe setEncoding = try function("yaml_parser_set_encoding")
    unsafe setInput = try function("yaml_parser_set_input_string")
    unsafe parse = try function("yaml_parser_parse")
    unsafe deleteParser = try function("yaml_parser_delete")
    unsafe deleteEvent = try function("yaml_event_delete")
  }
}
