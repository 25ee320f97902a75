import ThemedText

/// The words by which ssh is called.
struct ShareCall: Hashable {
  /// The machine, as ssh takes it: a name of its configuration, too.
  let host: Text
  /// What themed is called there.
  let program: Text
  /// Where themed is to listen there; nil: where programs look.
  var socket: Text? = nil
  /// What the user wants ssh to be told besides.
  let more: [Text]
  /// Whether ssh may ask for a password.
  var mayAsk: Bool
  /// Whether a connection that is shared by the user's other calls of ssh is passed over: it may be a dead one, whose end
  /// nobody here can notice.
  var avoidsShared = false

  /// Of an option that is given twice ssh takes the first: what the user says comes before what is usual.
  var words: [String] {
    // Without a terminal, forwarded keys or ports over there; a connection of others is used, and not theirs to end.
    let fixed = ["ssh", "-T", "-a", "-x", "-oClearAllForwardings=yes", "-oRemoteCommand=none", "-oControlMaster=no"]
    let asking = mayAsk ? [] : ["-oBatchMode=yes"]
    let usual = ["-oServerAliveInterval=15", "-oServerAliveCountMax=3", "-oConnectTimeout=15"]
    let place = socket.map { " --socket \(Self.quoted($0))" } ?? ""
    let command = "exec \(Self.quoted(program)) --upstream -\(place)"
    let alone = avoidsShared ? ["-oControlPath=none"] : []
    return fixed + asking + alone + more.map(\.string) + usual + ["--", host.string, command]
  }

  /// A word for the shell over there, whichever that is; but `~/` at its beginning is its to read.
  private static func quoted(_ program: Text) -> String {
    if let below = program.dropping(prefix: "~/") { return "~/" + below.asWord }
    return program.asWord
  }

  /// Whether a machine may be called this: ssh is to take it for no option, and a terminal for no order.
  static func isHost(_ name: Text) -> Bool {
    !name.isEmpty && !name.hasPrefix("-") && name.utf8.count <= 200
      && name.string.unicodeScalars.allSatisfy(\.isVisible)
      && !name.contains(" ")
  }
}

extension ShareCall {
  /// What tells machines of the same name apart, and places on them: of ssh's options only those that say where it goes,
  /// each in one form, in one order, and once, as ssh takes it.
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
    // That is no path: it says that no connection of others is used, and nothing of where to go.
    if way["controlpath"]?.lowercasedASCII == "none" { way["controlpath"] = nil }
    return way.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + [socket].compactMap(\.self)
  }
}

/// What ssh(1) and ssh_config(5) of OpenSSH 9.2 and 10.0 say.
private enum SSH {
  /// The options that have a value, in the same word or in the next.
  static let lettersWithValue = Set("BbcDEeFIiJLlmOoPpQRSWw".utf8)
  /// Those that say where to go, as the configuration calls them.
  static let waysByLetter: [UInt8: Text] = [
    UInt8(ascii: "B"): "bindinterface", UInt8(ascii: "b"): "bindaddress", UInt8(ascii: "F"): "configuration",
    UInt8(ascii: "J"): "proxyjump", UInt8(ascii: "l"): "user", UInt8(ascii: "P"): "tag", UInt8(ascii: "p"): "port",
    UInt8(ascii: "S"): "controlpath",
  ]
  static let ways: Set<Text> = [
    "bindaddress", "bindinterface", "canonicaldomains", "canonicalizehostname", "configuration", "controlpath",
    "hostname", "port", "proxycommand", "proxyjump", "tag", "user",
  ]

  /// The name and the value of what stands behind -o, with blanks or = between.
  static func option(_ text: Text) -> (name: Text, value: Text)? {
    func isBetween(_ byte: UInt8) -> Bool { " \t=".utf8.contains(byte) }
    let name = text.utf8.drop(while: isBetween).prefix { !isBetween($0) }
    let value = text.utf8[name.endIndex...].drop(while: isBetween).trimming { " \t\"".utf8.contains($0) }
    return (Text(decoding: name).lowercasedASCII, Text(decoding: value))
  }
}
