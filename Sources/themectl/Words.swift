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
