import Glibc
import ThemedClientCore
import ThemedInterface
import ThemedSystem

// Finds programs that can change everything, perhaps unintentionally, because they have the writable socket: this command
// in a container, or clients in a container or on another machine.

extension Finding {
  static func readOnly(version: Text) -> Finding {
    Finding(
      fact: "daemon",
      "themed \(printable(version)) is running, and this is its read-only socket, which does not say why it shows what it "
        + "shows")
  }
}

extension ThemeConnection {
  /// The findings about other clients of this writable socket; `readOnly` is the path of the read-only one.
  ///
  /// These are facts and not problems, since everything works as it was set up.
  mutating func otherClients(readOnly: String?) throws(CallError) -> [Finding] {
    let advice = readOnly.map { "; to let others read only, give them \(parent(of: $0)) instead" } ?? ""
    let root = FileNumber(of: "/")
    let container = Container.current
    // toolbox and distrobox share process numbers with the system, but may not look at the root of other processes.
    if let listener, isElsewhere(listener, root: root) ?? container.isNamed {
      // In a container, the clients' process numbers mean nothing.
      return [
        Finding(
          fact: "writable_in_container",
          "this is \(container.words), and programs in it can change what themed shows outside\(advice)")
      ]
    }
    let others = try call(.clients).filter { !$0.isReadOnly }.compactMap { OtherClient($0, root: root) }
    guard !others.isEmpty else { return [] }
    let names = others.map { Text($0.words) }.few
    return [Finding(fact: "writable_elsewhere", "\(names) can change what themed shows here\(advice)")]
  }
}

/// Whether a process has another root directory than this process, which has `root`; nil if that is unknown.
///
/// It compares roots and not namespaces, because sandboxed services have namespaces, too, and are not containers.
private func isElsewhere(_ process: Int32, root: FileNumber?) -> Bool? {
  // The process has no number here.
  guard process > 0 else { return true }
  guard let root, let other = FileNumber(of: "/proc/\(process)/root/.") else { return nil }
  return other != root
}

private struct OtherClient {
  let words: String

  /// Nil for a client of this system, whose root directory is `root`, as far as that is visible.
  init?(_ client: Client, root: FileNumber?) {
    guard let number = Int32(exactly: client.processID) else { return nil }
    let name = commandName(number)
    if name == "ssh" || name == "sshd" || name == "sshd-session" {
      words = "the peer of process \(client.processID) (\(printable(name ?? "")))"
      return
    }
    guard isElsewhere(number, root: root) == true else { return nil }
    words = "process \(client.processID)\(name.map { " (\(printable($0)))" } ?? "") in a container"
  }
}

/// The container in which this command runs, if it is not in the daemon's system.
package struct Container: Hashable {
  package let words: String
  package let isNamed: Bool

  static var current: Container {
    Container(variable: environment("container")) { unsafe access($0, F_OK) == 0 }
  }

  package init(variable: String?, exists: (String) -> Bool) {
    func mark(_ marks: [(String, String)]) -> String? { marks.first { exists($0.0) }?.1 }
    let name =
      mark([("/.flatpak-info", "flatpak"), ("/run/.toolboxenv", "toolbox")]) ?? variable
      ?? mark([("/run/.containerenv", "podman"), ("/.dockerenv", "docker")])
    isNamed = name != nil
    words = "a container" + (name.map { " (\(printable(Text($0))))" } ?? "")
  }
}
