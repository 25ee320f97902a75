// Types of one library that are made to conform to a protocol of another: both have to be seen from outside.
public import ArgumentParser
public import ThemeResolution
import ThemedText

extension ColorScheme: ExpressibleByArgument {}
// `--light` and `--dark`: how every command about themes names a side.
extension ColorScheme: EnumerableFlag {}
extension Mode: ExpressibleByArgument {}

/// A text of somebody else's, in a line for people.
///
/// All goes through this that comes from the daemon, a file, a name or the command line: a terminal takes orders from
/// control characters, and others turn around or hide what stands beside them.
func printable(_ text: some CustomStringConvertible) -> String { Text("\(text)").shown() }

extension [String] {
  /// One string, with something between each and the next.
  ///
  /// The standard library's own looks types up at run time, the first time for as long as the start of a program takes.
  func joined(by separator: String) -> String {
    var whole = first ?? ""
    for word in dropFirst() { whole += separator + word }
    return whole
  }
}

extension [Text] {
  /// One text, with something between each and the next.
  func joined(by separator: String) -> Text { Text(map(\.string).joined(by: separator)) }
}
