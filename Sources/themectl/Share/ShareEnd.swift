import ArgumentParser
import ThemedInterface
import ThemedSystem

/// Why a connection to another machine ended, and what to do about it.
struct ShareEnd: Hashable {
  /// The kind of the reason.
  enum Kind: Hashable {
    /// The machine was not reached, or the connection was lost, which passes by itself.
    case unreachable
    /// The machine or ssh refused, so the user has to do something.
    case refused
    /// The machine has no themed that can follow this one.
    case noThemed
    /// Another share has taken over.
    case taken
  }

  let kind: Kind
  /// The reason in words.
  let words: String

  /// An end of this kind.
  init(_ kind: Kind, _ words: String) {
    (self.kind, self.words) = (kind, words)
  }

  /// The exit status for the reason.
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
  /// The reason that the end of ssh means.
  ///
  /// - Parameters:
  ///   - ending: How it ended.
  ///   - complaints: The last error messages of ssh or of the other machine.
  ///   - wasReady: Whether themed on the other machine was connected, so that nothing refused.
  ///   - host: The machine as the user typed it.
  init(_ ending: RunningProgram.Ending, _ complaints: [Text], wasReady: Bool = false, host: Text) {
    let name = host.shown(atMost: 200)
    let last = complaints.last.map { $0.shown(atMost: 300) }
    let because = last.map { ": \($0)" } ?? ""
    func complains(_ text: Text) -> Bool { complaints.contains { $0.holds(text) } }
    // ssh's own message is the last line; the lines before it may come from any program on the other machine.
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

/// Messages of ssh before it exits with 255, for reasons that do not pass by themselves.
extension Text {
  fileprivate var isHostKeyFailure: Bool { self == "Host key verification failed." }

  /// ssh prints "me@server: Permission denied (publickey)."; other programs' messages about permissions end differently.
  fileprivate var isDenial: Bool { holds(": Permission denied (") && hasSuffix(").") }

  /// Whether a program through which ssh connects (ProxyJump) exited before it connected; its message says why.
  fileprivate var isOfAProxy: Bool {
    hasPrefix("Connection closed by UNKNOWN port ") || hasPrefix("kex_exchange_identification: ")
  }

  /// Whether another attempt would fail in the same way, and might get this machine locked out.
  fileprivate var isOfTheCall: Bool {
    hasPrefix("unknown option -- ") || hasPrefix("command-line: line 0: ") || hasPrefix("command-line line 0: ")
      || hasPrefix("Bad owner or permissions on ") || holds(": terminating, ")
      || holds("Too many authentication failures") || hasPrefix("hostname contains invalid characters")
  }
}
