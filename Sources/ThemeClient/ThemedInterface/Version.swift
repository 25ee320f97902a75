/// The version of the daemon, the command and the library; no other place spells it out.
public let themedVersion = "1.0.0"
