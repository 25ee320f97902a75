internal import Glibc
internal import ThemedSystem

/// Finds the sockets that the user's programs listen at, by asking the kernel, because no variable reliably names them.
enum ListeningSockets {
  /// The paths of the Unix sockets of processes that run one of these programs or have this title.
  ///
  /// A process with another HOME than `home` is left alone: it belongs to another session, such as that of a test.
  static func paths(ofThoseRunning programs: [Text], called title: Text, home: Text?) -> [String] {
    var paths: [String] = []
    var tables: [Text: [UInt64: Text]] = [:]
    for number in Process.numbers where isMeant(number, programs, title) && hasHome(home, number) {
      guard let process = Process(number) else { continue }
      let inodes = sockets(of: number)
      // A process in a network of its own has a table of its own.
      let network = linkTarget(of: "/proc/\(number)/ns/net").map { Text(decoding: $0) } ?? ""
      let table = tables[network] ?? listening(in: (try? readFile("/proc/\(number)/net/unix", maximum: maximum)) ?? [])
      tables[network] = table
      for path in inodes.compactMap({ table[$0] }) where process.isAlive {
        if path.hasPrefix("/") {
          paths.append(path.string)
        } else if let directory = linkTarget(of: "/proc/\(number)/cwd") {
          paths.append("\(Text(decoding: directory))/\(path)")
        }
      }
    }
    return paths
  }

  /// The longest table of sockets that is read, in bytes.
  private static let maximum = 16 << 20

  private static func isMeant(_ number: pid_t, _ programs: [Text], _ title: Text) -> Bool {
    if let program = linkTarget(of: "/proc/\(number)/exe") {
      let path = Text(decoding: program)
      let name = (path.dropping(suffix: " (deleted)") ?? path).splitAtLast("/")?.behind
      if let name, programs.contains(name) { return true }
    }
    // A wrapped program has another file; the kernel keeps fifteen bytes of what it calls itself.
    let comm = (try? readFile("/proc/\(number)/comm", maximum: 64))?.split(separator: 0x0A).first
    return comm.map { $0.elementsEqual(title.utf8.prefix(15)) } ?? false
  }

  /// Whether a process was started with this HOME, as far as is known.
  private static func hasHome(_ home: Text?, _ number: pid_t) -> Bool {
    guard let home, let bytes = try? readFile("/proc/\(number)/environ", maximum: maximum),
      let entry = bytes.split(separator: 0).first(where: { $0.starts(with: "HOME=".utf8) })
    else { return true }
    let other = Text(decoding: entry.dropFirst(5))
    return other == home || FileIdentity(of: other.string).map { $0 == FileIdentity(of: home.string) } ?? false
  }

  /// The numbers of the sockets that a process has open.
  private static func sockets(of number: pid_t) -> [UInt64] {
    names(inDirectory: "/proc/\(number)/fd").compactMap { name in
      guard let target = linkTarget(of: "/proc/\(number)/fd/\(name)") else { return nil }
      return Text(decoding: target).dropping(prefix: "socket:[")?.dropping(suffix: "]").flatMap { UInt64($0.string) }
    }
  }

  /// The paths of the sockets that a process listens at, by their numbers, from the contents of `/proc/net/unix`.
  static func listening(in table: [UInt8]) -> [UInt64: Text] {
    var paths: [UInt64: Text] = [:]
    for line in table.split(separator: 0x0A).dropFirst() {
      // Num RefCount Protocol Flags Type St Inode Path, and the path may have spaces.
      let words = line.split(separator: 0x20, maxSplits: 7, omittingEmptySubsequences: true)
      // Flags: __SO_ACCEPTCON.
      guard words.count == 8, words[3].elementsEqual("00010000".utf8), words[7].first != UInt8(ascii: "@"),
        let inode = UInt64(Text(decoding: words[6]).string)
      else { continue }
      paths[inode] = Text(decoding: words[7])
    }
    return paths
  }
}
