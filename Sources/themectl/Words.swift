// Types of one library that are made to conform to a protocol of another: both have to be seen from outside.
public import ArgumentParser
public import ThemeClient

extension ColorScheme: ExpressibleByArgument {}
extension Mode: ExpressibleByArgument {}
