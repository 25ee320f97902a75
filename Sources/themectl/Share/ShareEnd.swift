import ArgumentParser
import ThemeInterface
import ThemedText
import ThemedUnix

/// Why a connection to another machine has ended, and what to do about it.
struct ShareEnd: Hashable {
  /// What kind of reason it is.
  enum Kind: Hashable {
    /// The machine was not reached, or the connection was lost: that passes.
    case unreachable
    /// The machine, or ssh, refuses: somebody has to do something.
    case refused
    /// There is no themed that could be shared with.
    case noThemed
    /// Another share is heard in its place.
    case taken
  }

  let kind: Kind
  /// In words, for a person.
  let words: String

  /// An end of this kind.
  init(_ kind: Kind, _ words: String) {
    (self.kind, self.words) = (kind, words)
  }

  /// The exit status that tells of it.
  var status: ExitCode {
    switch kind {
    case .refused: .failed
    case .noThemed: .noDaemon
    case .unreachable: .unreachable
    case .taken: .sharedAlready
    }
  }
}

extension ExitCode {
  static let unreachable = ExitCode(5)
  static let sharedAlready = ExitCode(6)
}

extension ShareEnd {
  /// What the end of ssh means.
  ///
  /// - Parameters:
  ///   - ending: How it ended.
  ///   - complaints: What it, or the themed over there, last complained of.
  ///   - wasReady: Whether a themed was heard over there: then nothing refuses.
  ///   - host: The machine, as it is typed.
  init(_ ending: RunningProgram.Ending, _ complaints: [Text], wasReady: Bool = false, host: Text) {
    let name = host.shown(atMost: 200)
    let last = complaints.last.map { $0.shown(atMost: 300) }
    let because = last.map { ": \($0)" } ?? ""
    func complains(_ text: Text) -> Bool { complaints.contains { $0.holds(text) } }
    // What ssh itself says of its end is the last line: those before it may be of whatever runs over there.
    let end = complaints.last ?? ""
    switch ending {
    case .exited(0) where wasReady: self.init(.unreachable, "the connection to \(name) has ended")
    case .exited(255) where wasReady: self.init(.unreachable, "the connection to \(name) was lost\(because)")
    case .exited(let status) where wasReady:
      self.init(.unreachable, "the themed of \(name) has ended (exit status \(status))\(because)")
    case .exited(0):
      self.init(
        .noThemed, "\(name) runs another command than themed, and ends: a key or an account there may be for that alone"
      )
    case .exited(126): self.init(.noThemed, "themed cannot be run on \(name)\(because)")
    case .exited(127):
      self.init(
        .noThemed,
        "\(name) has no themed where ssh looks for it: install it there, or say where it is, as in "
          + "'themectl share --remote-command ~/.local/bin/themed \(host.asWord)'")
    case .exited(64):
      self.init(
        .noThemed, "the themed of \(name) is too old to be shared with: install \(themedVersion) or a newer one there")
    case .exited(UpstreamGreeting.refusedStatus):
      self.init(
        .noThemed,
        "the themed of \(name) is set to follow a desktop there, and is not displaced: if \(name) has none, type there "
          + "'\(UpstreamGreeting.displacement)'")
    case .exited(255) where end.isHostKeyFailure && complains("IDENTIFICATION HAS CHANGED"):
      self.init(
        .refused,
        "the host key of \(name) is another one than it was: if you know why, 'ssh-keygen -R' with its name forgets the "
          + "old one, and 'ssh \(host.asWord)' shows the new one")
    case .exited(255) where end.isHostKeyFailure:
      self.init(
        .refused,
        "ssh does not know \(name) yet: type 'ssh \(host.asWord)' once in a terminal, and look at the key that it shows"
      )
    case .exited(255) where end.isDenial:
      self.init(
        .refused,
        "\(name) did not let this machine in: give it your key by 'ssh-copy-id \(host.asWord)', or share in a terminal, "
          + "and type the password there")
    case .exited(255) where end.isOfAProxy && complaints.contains { $0.isDenial || $0.isHostKeyFailure }:
      let refusal = complaints.last { $0.isDenial || $0.isHostKeyFailure }?.shown(atMost: 300) ?? ""
      self.init(
        .refused, "a machine on the way to \(name) refuses: \(refusal) Type 'ssh \(host.asWord)' once in a terminal")
    case .exited(255) where complaints.contains(where: \.isOfTheCall):
      let fault = complaints.first(where: \.isOfTheCall).map { ": \($0.shown(atMost: 300))" } ?? ""
      self.init(.refused, "ssh, or \(name), refuses the options of this call, or those in ~/.ssh/config\(fault)")
    case .exited(255): self.init(.unreachable, "\(name) cannot be reached\(because)")
    case .exited(1) where complains("No space left on device"):
      self.init(
        .refused, "themed cannot start on \(name), whose disk is full\(because); make room there: 'df -h' says where")
    case .exited(1) where complains("XDG_RUNTIME_DIR is not set"):
      self.init(
        .refused,
        "\(name) gives ssh no place for sockets: name one, as in 'themectl share --remote-socket ~/.cache/themed.socket "
          + "\(host.asWord)', and for programs there in THEMED_SOCKET")
    case .exited(let status):
      self.init(.refused, "themed cannot be run on \(name) (exit status \(status))\(because)")
    case .signaled(let signal): self.init(.unreachable, "ssh was ended by signal \(signal)")
    }
  }
}

/// What ssh says before it ends with 255, which passes by itself as little as its reason does.
extension Text {
  fileprivate var isHostKeyFailure: Bool { self == "Host key verification failed." }

  /// "me@server: Permission denied (publickey)." is ssh's, and what a program there may not read ends otherwise.
  fileprivate var isDenial: Bool { holds(": Permission denied (") && hasSuffix(").") }

  /// Whether a program that ssh reaches the machine by (ProxyJump) has ended before it got there: it said why.
  fileprivate var isOfAProxy: Bool {
    hasPrefix("Connection closed by UNKNOWN port ") || hasPrefix("kex_exchange_identification: ")
  }

  /// Where trying again would fail likewise, and may have this machine locked out.
  fileprivate var isOfTheCall: Bool {
    hasPrefix("unknown option -- ") || hasPrefix("command-line: line 0: ") || hasPrefix("command-line line 0: ")
      || hasPrefix("Bad owner or permissions on ") || holds(": terminating, ")
      || holds("Too many authentication failures") || hasPrefix("hostname contains invalid characters")
  }
}
