import ThemedSystem

/// The command line of ssh.
struct ShareCall: Hashable {
  /// The machine as the user gives it to ssh, which may be a name in ssh's configuration.
  let host: Text
  /// The name or path of themed on that machine.
  let program: Text
  /// The path of themed's socket there; nil for the usual one.
  var socket: Text? = nil
  /// Further options of the user for ssh.
  let more: [Text]
  /// Whether ssh may ask for a password.
  var mayAsk: Bool
  /// Whether to avoid a connection that the user's other ssh processes share, because it may be dead without anybody
  /// noticing here.
  var avoidsShared = false

  /// The words of the command; the user's options come first, because ssh uses the first of two equal options.
  var words: [String] {
    // No terminal, and no forwarded keys or ports. A shared connection may be used, but must not be ended.
    let fixed = ["ssh", "-T", "-a", "-x", "-oClearAllForwardings=yes", "-oRemoteCommand=none", "-oControlMaster=no"]
    let asking = mayAsk ? [] : ["-oBatchMode=yes"]
    let usual = ["-oServerAliveInterval=15", "-oServerAliveCountMax=3", "-oConnectTimeout=15"]
    let place = socket.map { " --socket \(Self.quoted($0))" } ?? ""
    let command = "exec \(Self.quoted(program)) --upstream -\(place)"
    let alone = avoidsShared ? ["-oControlPath=none"] : []
    return fixed + asking + alone + more.map(\.string) + usual + ["--", host.string, command]
  }

  /// A word quoted for any shell on the other machine, which expands `~/` at the beginning.
  private static func quoted(_ program: Text) -> String {
    if let below = program.dropping(prefix: "~/") { return "~/" + below.asWord }
    return program.asWord
  }

  /// Whether this is a valid name of a machine: not an option of ssh, and without control characters.
  static func isHost(_ name: Text) -> Bool {
    !name.isEmpty && !name.hasPrefix("-") && name.utf8.count <= 200
      && name.string.unicodeScalars.allSatisfy(\.isVisible)
      && !name.contains(" ")
  }
}

extension ShareCall {
  /// The ssh options that decide which machine and socket this reaches, each once and in a fixed form and order.
  var way: [Text] {
    var way: [Text: Text] = [:]
    var words = more[...]
    while let word = words.popFirst() {
      guard word.hasPrefix("-") else { continue }
      var letters = Array(word.utf8.dropFirst())[...]
      while let letter = letters.popFirst() {
        guard SSH.lettersWithValue.contains(letter) else { continue }
        let value = letters.isEmpty ? words.popFirst() ?? "" : Text(decoding: letters)
        let option = letter == UInt8(ascii: "o") ? SSH.option(value) : SSH.waysByLetter[letter].map { ($0, value) }
        if let (name, value) = option, SSH.ways.contains(name), way[name] == nil { way[name] = value }
        break
      }
    }
    // The value none is not a path: it only says that no shared connection is used.
    if way["controlpath"]?.lowercasedASCII == "none" { way["controlpath"] = nil }
    return way.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + [socket].compactMap(\.self)
  }
}

/// The options in ssh(1) and ssh_config(5) of OpenSSH 9.2 and 10.0.
private enum SSH {
  /// The options with a value, in the same word or in the next.
  static let lettersWithValue = Set("BbcDEeFIiJLlmOoPpQRSWw".utf8)
  /// The options that decide where ssh connects, by their names in the configuration.
  static let waysByLetter: [UInt8: Text] = [
    UInt8(ascii: "B"): "bindinterface", UInt8(ascii: "b"): "bindaddress", UInt8(ascii: "F"): "configuration",
    UInt8(ascii: "J"): "proxyjump", UInt8(ascii: "l"): "user", UInt8(ascii: "P"): "tag", UInt8(ascii: "p"): "port",
    UInt8(ascii: "S"): "controlpath",
  ]
  static let ways: Set<Text> = [
    "bindaddress", "bindinterface", "canonicaldomains", "canonicalizehostname", "configuration", "controlpath",
    "hostname", "port", "proxycommand", "proxyjump", "tag", "user",
  ]

  /// The name and the value after -o, separated by blanks or =.
  static func option(_ text: Text) -> (name: Text, value: Text)? {
    func isBetween(_ byte: UInt8) -> Bool { " \t=".utf8.contains(byte) }
    let name = text.utf8.drop(while: isBetween).prefix { !isBetween($0) }
    let value = text.utf8[name.endIndex...].drop(while: isBetween).trimming { " \t\"".utf8.contains($0) }
    return (Text(decoding: name).lowercasedASCII, Text(decoding: value))
  }
}
