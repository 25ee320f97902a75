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
  ///   - host: The machine, as it is typed.
  init(_ ending: RunningProgram.Ending, _ complaints: [Text], host: Text) {
    let name = host.shown(atMost: 200)
    let last = complaints.last.map { $0.shown(atMost: 300) }
    let because = last.map { ": \($0)" } ?? ""
    func complains(_ text: Text) -> Bool { complaints.contains { Array($0.utf8).contains(Array(text.utf8)) } }
    switch ending {
    case .exited(126), .exited(127):
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
        "the themed of \(name) follows a desktop of its own, and is not displaced: if \(name) has none, type there "
          + "'systemctl --user disable --now themed.socket themed.service'")
    case .exited(255) where complains("IDENTIFICATION HAS CHANGED"):
      self.init(
        .refused,
        "the host key of \(name) is another one than it was: if you know why, 'ssh-keygen -R' with its name forgets the "
          + "old one, and 'ssh \(host.asWord)' shows the new one")
    case .exited(255) where complains("Host key verification failed"):
      self.init(
        .refused,
        "ssh does not know \(name) yet: type 'ssh \(host.asWord)' once in a terminal, and look at the key that it shows"
      )
    case .exited(255) where complains("Permission denied"):
      self.init(
        .refused,
        "\(name) lets nobody in without asking: share in a terminal, where it can ask, or give it your key by "
          + "'ssh-copy-id \(host.asWord)'")
    case .exited(255): self.init(.unreachable, "\(name) cannot be reached\(because)")
    case .exited(0): self.init(.unreachable, "the connection to \(name) has ended")
    case .exited(1) where complains("No space left on device"):
      self.init(
        .refused, "themed cannot start on \(name), whose disk is full\(because); make room there: 'df -h' says where")
    case .exited(let status):
      self.init(.refused, "themed cannot be run on \(name) (exit status \(status))\(because)")
    case .signaled(let signal): self.init(.unreachable, "ssh was ended by signal \(signal)")
    }
  }
}
