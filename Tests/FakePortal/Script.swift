/// The commands.
///
/// - `own`: take the portal's name, from another who has it too; `release`: give it up; `own NAME`: be a portal's
///   backend of that name. `name`: our unique name.
/// - `set KEY VALUE`, `unset KEY`: what a read answers; `version 1` or `2`; `interface on` or `off`.
/// - `manner answered`, `silent`, `held`, `refused ERROR` or `delayed MILLISECONDS`: what becomes of reads; `flush`
///   sends the answers that were held, with the values of the time of the call.
/// - `emit KEY VALUE [to=NAME] [path=] [interface=] [namespace=] [marks=COUNT] [count=COUNT]`: the signal, with so many
///   combining marks behind the namespace, so often; `burst COUNT KEY VALUE…`: many of them.
/// - `caller`: who called last. `forge NAME FIRST LAST VALUE`: answers to calls of these serials that NAME never made
///   to us. `owner NAME OWNER`: tell NAME in the bus's words that OWNER owns the portal's name.
extension FakePortal {
  func obey(_ line: String) -> String {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first ?? "", Array(words.dropFirst())) {
    case ("own", []): return bus.own(Self.name) ? "ok \(bus.uniqueName)" : "failed"
    case ("own", let rest) where rest.count == 1: return bus.own(rest[0]) ? "ok" : "failed"
    case ("release", []): bus.release(Self.name)
    case ("name", []): return "ok \(bus.uniqueName)"
    case ("caller", []): return "ok \(caller)"
    case ("version", let rest) where rest.count == 1: version = Int(rest[0]) ?? 0
    case ("interface", let rest) where rest.count == 1: hasInterface = rest[0] == "on"
    case ("set", let rest) where rest.count == 2: values[rest[0]] = rest[1]
    case ("unset", let rest) where rest.count == 1: values[rest[0]] = nil
    case ("manner", let rest): return setManner(rest)
    case ("flush", []): flush()
    case ("emit", let rest) where rest.count >= 2: emit(rest[0], rest[1], Array(rest.dropFirst(2)))
    case ("burst", let rest) where rest.count >= 3:
      for index in 0..<(Int(rest[0]) ?? 0) { emit(rest[1], rest[2 + index % (rest.count - 2)], []) }
    case ("forge", let rest) where rest.count == 4: return forge(rest)
    case ("owner", let rest) where rest.count == 2:
      let arguments = ["s:" + Self.name, "s:", "s:" + rest[1]]
      bus.send(
        .signal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", to: rest[0], arguments))
    default: return "unknown command: \(line)"
    }
    return "ok"
  }

  private func setManner(_ words: [String]) -> String {
    switch (words.first ?? "", words.count) {
    case ("answered", 1): manner = .answered
    case ("silent", 1): manner = .silent
    case ("held", 1): manner = .held
    case ("refused", 2): manner = .refused(words[1])
    case ("delayed", 2): manner = .delayed(Int(words[1]) ?? 0)
    default: return "unknown manner: \(words)"
    }
    return "ok"
  }

  private func flush() {
    for answer in waiting where answer.due == nil { bus.send(answer.reply) }
    waiting.removeAll { $0.due == nil }
  }

  private func emit(_ key: String, _ value: String, _ options: [String]) {
    var fields = ["path": Self.path, "interface": Self.interface, "namespace": Self.namespace]
    for option in options {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    let namespace = "m:\(fields["marks", default: "0"]),\(fields["namespace", default: ""])"
    let body = value.hasPrefix("=") ? String(value.dropFirst()) : "v:" + value
    for _ in 0..<(Int(fields["count", default: "1"]) ?? 0) {
      bus.send(
        .signal(
          fields["path", default: ""], fields["interface", default: ""], "SettingChanged", to: fields["to"],
          [namespace, "s:" + key] + (body.isEmpty ? [] : [body])))
      // Else all of it lay in memory here first.
      bus.flush()
    }
  }

  private func forge(_ words: [String]) -> String {
    guard let first = UInt32(words[1]), let last = UInt32(words[2]), first <= last else { return "no serials" }
    for serial in first...last { bus.send(.answer(to: words[0], serial: serial, words[3])) }
    return "ok"
  }
}
