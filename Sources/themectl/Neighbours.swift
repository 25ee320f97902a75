import Glibc
import ThemeClient
import ThemeInterface
import ThemedText
import ThemedUnix

// Who has the socket by which everything can be changed, and may not have been meant to: this command in a container, or
// others that follow from one or from another machine.

extension Finding {
  /// What can be told of a daemon that is reached by its socket for reading only.
  static func readOnly(version: Text) -> Finding {
    Finding(
      fact: "daemon",
      "themed \(printable(version)) runs, and this is its socket for reading only: why it shows what it shows is told "
        + "by its other socket alone")
  }
}

extension ThemeConnection {
  /// What is to be known of those who are connected to this socket, which is not for reading only; `readOnly` is where
  /// the one is that is.
  ///
  /// Facts, since all of it works as it was set up.
  mutating func neighbours(readOnly: String?) throws(ThemeClientError) -> [Finding] {
    let advice = readOnly.map { "; who is to look and change nothing is given \(parent(of: $0)) instead" } ?? ""
    var findings: [Finding] = []
    if let container = Container.current {
      findings.append(
        Finding(
          fact: "writable_in_container",
          "this is \(container.words), and can change what themed shows everywhere\(advice)"))
    }
    let root = FileNumber(of: "/")
    let others = try listClients().clients.filter { !$0.isReadOnly }.compactMap { Neighbour($0, root: root) }
    if !others.isEmpty {
      let names = others.prefix(3).map { $0.words }.joined(separator: ", ")
      let more = others.count > 3 ? " and \(others.count - 3) more" : ""
      findings.append(
        Finding(
          fact: "writable_elsewhere", "\(names)\(more) can change what themed shows here\(advice)"))
    }
    return findings
  }
}

/// A client that follows from elsewhere.
private struct Neighbour {
  let words: String

  /// Nil for one that is of this system, whose root directory is `root`, as far as can be seen.
  init?(_ client: Client, root: FileNumber?) {
    let process = "/proc/\(client.pid)"
    let name = (try? readFile(process + "/comm", maximum: 64)).map { Text(decoding: $0.dropLast()) }
    if name == "ssh" || name == "sshd" || name == "sshd-session" {
      words = "whoever process \(client.pid) (\(printable(name ?? ""))) speaks for"
      return
    }
    // By its root and not by its namespaces: sandboxes of services have those, too, and are no containers.
    guard let root, let other = FileNumber(of: process + "/root/."), other != root else { return nil }
    words = "process \(client.pid)\(name.map { " (\(printable($0)))" } ?? "") in a container"
  }
}

/// What this command runs in, where that is no system of its own.
struct Container: Hashable {
  /// In words.
  let words: String

  /// The one that this process is in; nil where none is seen.
  static var current: Container? {
    Container(variable: environment("container")) { unsafe access($0, F_OK) == 0 }
  }

  /// What the variable that container managers set says, or the files that they put there.
  init?(variable: String?, exists: (String) -> Bool) {
    let marks = [
      ("/.flatpak-info", "flatpak"), ("/run/.toolboxenv", "toolbox"), ("/run/.containerenv", "podman"),
      ("/.dockerenv", "docker"),
    ]
    guard let name = marks.first(where: { exists($0.0) })?.1 ?? variable else { return nil }
    words = "a container (\(printable(Text(name))))"
  }
}
