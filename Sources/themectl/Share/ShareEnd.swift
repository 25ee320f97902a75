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
    case .exited(0) where wasReady: self.init(.unreachable, "\(name) closed the connection")
    case .exited(255) where wasReady: self.init(.unreachable, "the connection to \(name) was lost\(because)")
    case .exited(let status) where wasReady:
      self.init(.unreachable, "themed on \(name) exited with status \(status)\(because)")
    case .exited(0):
      self.init(
        .noThemed,
        "\(name) ran another command instead of themed: your key or account there may be restricted to that command"
      )
    case .exited(126): self.init(.noThemed, "\(name) cannot run themed\(because)")
    case .exited(127):
      self.init(
        .noThemed,
        "ssh does not find themed on \(name): install it there, or give its path, as in "
          + "'themectl share --remote-command ~/.local/bin/themed \(host.asWord)'")
    case .exited(64):
      self.init(
        .noThemed, "themed on \(name) is too old for this: install version \(themedVersion) or newer there")
    case .exited(UpstreamGreeting.refusedStatus):
      self.init(
        .noThemed,
        "themed on \(name) already follows a desktop there: if \(name) has no desktop, run there "
          + "'\(UpstreamGreeting.displacement)'")
    case .exited(255) where end.isHostKeyFailure && complains("IDENTIFICATION HAS CHANGED"):
      self.init(
        .refused,
        "the host key of \(name) has changed: if you know why, remove the old one with 'ssh-keygen -R' and its name, then "
          + "run 'ssh \(host.asWord)' to see the new one")
    case .exited(255) where end.isHostKeyFailure:
      self.init(
        .refused,
        "ssh does not know the host key of \(name): run 'ssh \(host.asWord)' once in a terminal, and check the key"
      )
    case .exited(255) where end.isDenial:
      self.init(
        .refused,
        "\(name) refused the login: install your key with 'ssh-copy-id \(host.asWord)', or run this in a terminal and type "
          + "the password")
    case .exited(255) where end.isOfAProxy && complaints.contains { $0.isDenial || $0.isHostKeyFailure }:
      let refusal = complaints.last { $0.isDenial || $0.isHostKeyFailure }?.shown(atMost: 300) ?? ""
      self.init(
        .refused, "a machine on the way to \(name) refused: \(refusal) Run 'ssh \(host.asWord)' once in a terminal")
    case .exited(255) where complaints.contains(where: \.isOfTheCall):
      let fault = complaints.first(where: \.isOfTheCall).map { ": \($0.shown(atMost: 300))" } ?? ""
      self.init(.refused, "ssh or \(name) refused the options given here or in ~/.ssh/config\(fault)")
    case .exited(255): self.init(.unreachable, "\(name) cannot be reached\(because)")
    case .exited(1) where complains("No space left on device"):
      self.init(
        .refused,
        "themed cannot start on \(name), because its disk is full\(because); free some space there ('df -h' shows where)"
      )
    case .exited(1) where complains("XDG_RUNTIME_DIR is not set"):
      self.init(
        .refused,
        "XDG_RUNTIME_DIR is not set on \(name): give a path for the socket, as in 'themectl share --remote-socket "
          + "~/.cache/themed.socket \(host.asWord)', and set THEMED_SOCKET to it for the programs there")
    case .exited(let status):
      self.init(.refused, "\(name) cannot run themed (exit status \(status))\(because)")
    case .signaled(let signal): self.init(.unreachable, "ssh was killed by signal \(signal)")
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
