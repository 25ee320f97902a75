import Glibc
import ThemeClientCore
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
      "themed \(printable(version)) is running, and this is its read-only socket, which does not say why it shows what it "
        + "shows")
  }
}

extension ThemeConnection {
  /// What is to be known of those who are connected to this socket, which is not for reading only; `readOnly` is where
  /// the one is that is.
  ///
  /// Facts, since all of it works as it was set up.
  mutating func neighbours(readOnly: String?) throws(ThemeClientError) -> [Finding] {
    let advice = readOnly.map { "; to let others read only, give them \(parent(of: $0)) instead" } ?? ""
    let root = FileNumber(of: "/")
    let container = Container.current
    // toolbox and distrobox share the numbers of processes with the system, and may not look at another's root.
    if let listener, isElsewhere(listener, root: root) ?? container.isNamed {
      // Other processes have other numbers here.
      return [
        Finding(
          fact: "writable_in_container",
          "this is \(container.words), and programs in it can change what themed shows outside\(advice)")
      ]
    }
    let others = try listClients().clients.filter { !$0.isReadOnly }.compactMap { Neighbour($0, root: root) }
    guard !others.isEmpty else { return [] }
    let names = others.prefix(3).map { $0.words }.joined(separator: ", ")
    let more = others.count > 3 ? " and \(others.count - 3) more" : ""
    return [Finding(fact: "writable_elsewhere", "\(names)\(more) can change what themed shows here\(advice)")]
  }
}

/// Whether a process has another root directory than this one, which is `root`; nil where that cannot be seen.
///
/// By its root and not by its namespaces: sandboxes of services have those, too, and are no containers.
private func isElsewhere(_ process: Int32, root: FileNumber?) -> Bool? {
  // One that has no number here.
  guard process > 0 else { return true }
  guard let root, let other = FileNumber(of: "/proc/\(process)/root/.") else { return nil }
  return other != root
}

/// A client that follows from elsewhere.
private struct Neighbour {
  let words: String

  /// Nil for one that is of this system, whose root directory is `root`, as far as can be seen.
  init?(_ client: Client, root: FileNumber?) {
    guard let number = Int32(exactly: client.pid) else { return nil }
    let name = commandName(number)
    if name == "ssh" || name == "sshd" || name == "sshd-session" {
      words = "the peer of process \(client.pid) (\(printable(name ?? "")))"
      return
    }
    guard isElsewhere(number, root: root) == true else { return nil }
    words = "process \(client.pid)\(name.map { " (\(printable($0)))" } ?? "") in a container"
  }
}

/// What this command runs in, where that is not the system of the daemon.
struct Container: Hashable {
  /// In words.
  let words: String
  /// Whether anything says that there is one.
  let isNamed: Bool

  /// The one that this process is in.
  static var current: Container {
    Container(variable: environment("container")) { unsafe access($0, F_OK) == 0 }
  }

  /// What the variable that container managers set says, or the files that they put there.
  init(variable: String?, exists: (String) -> Bool) {
    func mark(_ marks: [(String, String)]) -> String? { marks.first { exists($0.0) }?.1 }
    let name =
      mark([("/.flatpak-info", "flatpak"), ("/run/.toolboxenv", "toolbox")]) ?? variable
      ?? mark([("/run/.containerenv", "podman"), ("/.dockerenv", "docker")])
    isNamed = name != nil
    words = "a container" + (name.map { " (\(printable(Text($0))))" } ?? "")
  }
}
