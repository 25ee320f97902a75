// Types of one library that are made to conform to a protocol of another: both have to be seen from outside.
public import ArgumentParser
public import ThemeModel
import ThemedSystem

extension ColorScheme: ExpressibleByArgument {}
// `--light` and `--dark`: how every command about themes names a side.
extension ColorScheme: EnumerableFlag {}
extension Mode: ExpressibleByArgument {}

/// A text from outside, made safe for a line of a message.
///
/// Every text from the daemon, a file, a name or the command line goes through this: control characters are commands
/// for a terminal, and other characters reverse or hide the text next to them.
func printable(_ text: some CustomStringConvertible) -> String { Text("\(text)").shown() }
