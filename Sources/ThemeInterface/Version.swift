/// The version of the daemon, the command and the library; the one place that says it.
public let themedVersion = "0.1.0"
