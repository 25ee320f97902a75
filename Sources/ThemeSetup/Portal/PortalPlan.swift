import CThemedLinux
import Glibc
package import ThemedInterface
import ThemedModel
package import ThemedSystem

/// The changes of files that make the portal ask our backend first, or that undo this: pure, from the files as they are.
package struct PortalPlan: Equatable {
  package struct Change: Equatable {
    package let path: Text
    /// The content now; nil for no file.
    package let before: [UInt8]?
    /// The new content; nil for no file.
    package let after: [UInt8]?
  }

  package enum File: Equatable {
    case text([UInt8])
    case missing
    /// The file does not exist and must not be created, for this reason.
    case barred(String)
    /// The file may be read but not written, for this reason.
    case guarded([UInt8], String)
    /// The file cannot be read, for this reason.
    case untouchable(String)

    package var bytes: [UInt8]? {
      switch self {
      case .text(let bytes), .guarded(let bytes, _): bytes
      case .missing, .barred, .untouchable: nil
      }
    }

    var obstacle: String? {
      switch self {
      case .guarded(_, let reason), .barred(let reason), .untouchable(let reason): reason
      case .text, .missing: nil
      }
    }
  }

  package var changes: [Change] = []
  /// Messages about files that have lines of ours and have to be changed by hand.
  package var left: [Text] = []

  package static func enabling(_ chain: PortalChainFacts, read: (Text) -> File) throws(Refusal) -> PortalPlan {
    var plan = PortalPlan()
    if !chain.hasBackend { try plan.addBackend(chain, read) }
    // The oldest portals read no file; they ask our backend first because of its name.
    guard chain.readsConfiguration else { return plan }
    guard !chain.isNone else {
      throw Refusal(
        "\((chain.preference ?? "portals.conf").shown()) tells the portal to ask no backend for settings; "
          + "remove 'none' there to let programs ask for light or dark")
    }
    guard let directory = chain.directory else {
      throw Refusal("cannot find your portals.conf: neither XDG_CONFIG_HOME nor HOME is set")
    }
    let backends = [PortalChainFacts.backend] + chain.others
    let effective = chain.preference
    let path: Text = "\(directory)/\(fileName(chain, directory))"
    let own = read(path)
    if let reason = own.obstacle {
      // The user may have added our line by hand.
      guard chain.isFirst else { throw Refusal(byHand(path, reason, backends)) }
      return plan
    }
    if case .text(let text) = own {
      try check(text, path, backends)
      if let after = PortalFile.enabled(text, backends) {
        plan.changes.append(Change(path: path, before: text, after: after))
      }
      return plan
    }
    // The user's new file masks the system's, so it starts with the content of the system's file.
    var text: [UInt8] = []
    if let effective, effective != path, !chain.fallsThrough {
      guard let systems = read(effective).bytes else { throw Refusal(byHand(effective, "it cannot be read", backends)) }
      try check(systems, effective, backends)
      text = systems
    }
    let source = effective.map { "\(sourced)\($0.shown()), which was \(sum(text))" } ?? ""
    let header = Array("\(PortalFile.created)\(source); 'themectl portal disable' removes it.\n".utf8)
    let after = PortalFile.enabled(text, backends) ?? text
    plan.changes.append(Change(path: path, before: nil, after: header + after))
    return plan
  }

  /// The name of the user's file: the one in force if it is the user's, or else the file for this desktop alone, because
  /// the general file holds in every session and masks the system's files for other desktops.
  private static func fileName(_ chain: PortalChainFacts, _ directory: Text) -> Text {
    if let (place, name) = chain.preference?.splitAtLast("/"), place == directory || name != general { return name }
    return chain.desktop.map { "\($0)-\(general)" } ?? general
  }

  static let general: Text = "portals.conf"

  package static func disabling(_ paths: [Text], read: (Text) -> File) -> PortalPlan {
    var plan = PortalPlan()
    for path in paths {
      let file = read(path)
      if case .barred = file { continue }
      let change = file.bytes.flatMap { removing(path, $0, read) }
      if let reason = file.obstacle {
        guard change != nil || file.bytes == nil else { continue }
        plan.left.append(
          Text(
            "\(path.shown()) stays as it is, since \(reason); remove from it by hand what 'themectl portal enable' "
              + "added: a comment marks these lines"))
      } else if let change {
        plan.changes.append(change)
      }
    }
    return plan
  }

  private static func removing(_ path: Text, _ text: [UInt8], _ read: (Text) -> File) -> Change? {
    if path.hasSuffix(".portal") {
      return backendFiles.contains(text) ? Change(path: path, before: text, after: nil) : nil
    }
    guard text.starts(with: PortalFile.created.utf8), let end = text.firstIndex(of: UInt8(ascii: "\n")) else {
      return PortalFile.disabled(text).map { Change(path: path, before: text, after: $0) }
    }
    let rest = Array(text[(end + 1)...])
    let left = PortalFile.disabled(rest) ?? rest
    // Lines that the user has added since stay.
    let line = Text(decoding: text[..<end])
    let isCopy = sourceSum(of: line).map { $0 == sum(left) } ?? source(of: line).map { read($0).bytes == left }
    let isUntouched = left.isEmpty || isCopy ?? false
    return Change(path: path, before: text, after: isUntouched ? nil : left)
  }

  /// The file that ours was copied from, by a version of themed that did not write its sum yet.
  private static func source(of line: Text) -> Text? {
    line.dropping(prefix: "\(PortalFile.created)\(sourced)")?
      .dropping(suffix: "; 'themectl portal disable' removes it.")
  }

  /// The sum of the file that ours was copied from, since the system's file may have changed by now.
  private static func sourceSum(of line: Text) -> Text? {
    guard let source = source(of: line), let words = source.splitAtLast(" "), words.before.hasSuffix(", which was")
    else { return nil }
    return words.behind
  }

  private static let sourced: Text = ", after "
  private static func sum(_ bytes: [UInt8]) -> Text { Text(FNV1a().adding(bytes).digits) }

  private mutating func addBackend(_ chain: PortalChainFacts, _ read: (Text) -> File) throws(Refusal) {
    guard chain.readsUsersBackends, let data = chain.dataDirectory else {
      throw Refusal(
        "this xdg-desktop-portal does not find \(PortalChainFacts.backend).portal, and does not read it from your home "
          + "directory; install the package of themed, or copy share/xdg-desktop-portal/portals/"
          + "\(PortalChainFacts.backend).portal as root to the directory of the other .portal files")
    }
    let path: Text = "\(data)/\(PortalChainFacts.backend).portal"
    let file = read(path)
    switch (file.bytes, file.obstacle) {
    case (let bytes?, _) where Self.backendFiles.contains(bytes): break
    case (nil, nil): changes.append(Change(path: path, before: nil, after: Self.backendFile))
    case (nil, let reason?): throw Refusal("cannot create \(path.shown()), since \(reason)")
    case (_?, _):
      throw Refusal("\(path.shown()) already exists with other content; move it away")
    }
  }

  /// Our `.portal` file as it is written for a user.
  ///
  /// The portals that read a user's file go by `portals.conf`. With the key UseIn of the installed file, in a session
  /// without `portals.conf`, they would ask only our backend.
  static let backendFile = Array(
    """
    [portal]
    DBusName=\(PortalChainFacts.busName)
    Interfaces=\(PortalChainFacts.interface);

    """.utf8)

  /// The same, and the installed form, which earlier versions wrote.
  static let backendFiles = [
    backendFile, backendFile + Array("UseIn=gnome;KDE;X-Cinnamon;MATE;XFCE;COSMIC;pantheon;\n".utf8),
  ]

  private static func check(_ text: [UInt8], _ path: Text, _ backends: [Text]) throws(Refusal) {
    do throws(KeyFile.Faults) { _ = try KeyFile(strict: text) } catch {
      throw Refusal(byHand(path, "it is not a valid key file", backends))
    }
  }

  private static func byHand(_ path: Text, _ reason: String, _ backends: [Text]) -> String {
    "\(path.shown()) stays as it is, since \(reason); add by hand under [preferred]: "
      + "\(PortalFile.key)=\(backends.map { $0.shown() }.joined(separator: ";"))"
  }

  package static func find(_ path: Text) -> File {
    let name = path.string
    let obstacle = directoryObstacle(path)
    guard isAccessible(name, F_OK) || isSymbolicLink(name) else { return obstacle.map { .barred($0) } ?? .missing }
    guard let bytes = read(path) else {
      return .untouchable(isSymbolicLink(name) ? "it is a symbolic link" : "it cannot be read")
    }
    if isSymbolicLink(name) { return .guarded(bytes, "it is a symbolic link") }
    if let obstacle { return .guarded(bytes, obstacle) }
    if owner(of: name) != geteuid() { return .guarded(bytes, "it belongs to another user") }
    return isAccessible(name, W_OK) ? .text(bytes) : .guarded(bytes, "it is read-only")
  }

  /// Makes all of the changes, or none.
  package func perform() throws {
    var files = FileChanges()
    for change in changes { files.set(change.path.string, from: change.before, to: change.after) }
    do { try files.carryOut() } catch { throw Refusal(error) }
  }

  /// Undoes the changes, except in files that were changed again, and removes these directories if they are empty.
  ///
  /// Returns why something could not be undone.
  func takeBack(_ directories: [Text]) -> [String] {
    var problems: [String] = []
    for change in changes.reversed() {
      let reverse = Change(path: change.path, before: change.after, after: change.before)
      do { try PortalPlan(changes: [reverse]).perform() } catch {
        problems.append("\(error)")
      }
    }
    for directory in directories { unsafe rmdir(directory.string) }
    return problems
  }

  /// Removes the directories of removed files if they are empty, except those that the record knows as the user's own.
  func removeEmptyDirectories() {
    let record = SetupRecord.before
    for change in changes where change.after == nil {
      guard let directory = change.path.splitAtLast("/")?.before else { continue }
      if record.files[change.path] == nil || record.directories.contains(directory) { unsafe rmdir(directory.string) }
    }
  }

  /// The directories that have to be created, the innermost first.
  var missingDirectories: [Text] {
    let paths = changes.filter { $0.before == nil }.map(\.path.string)
    return unique(paths.flatMap { ThemedSystem.missingDirectories(above: $0) }.map { Text($0) })
  }

  /// Why nothing is written into the directory of a file: it is a link, so somebody keeps it elsewhere.
  private static func directoryObstacle(_ path: Text) -> String? {
    var path = path
    while let directory = path.splitAtLast("/")?.before, !directory.isEmpty {
      if isSymbolicLink(directory.string) { return "its directory is a symbolic link" }
      guard directory.splitAtLast("/")?.behind == "portals" else { return nil }
      path = directory
    }
    return nil
  }

  private static func read(_ path: Text) -> [UInt8]? { try? readFile(path.string, maximum: 1 << 20) }
}

extension PortalPlan.Change {
  package var text: String {
    guard let after else { return "will remove \(path.belowHome.shown())" }
    let (old, new) = (lines(before ?? []), lines(after))
    let gone = old.filter { !new.contains($0) }.map { "  - \($0.shown())" }
    let come = new.filter { !old.contains($0) }.map { "  + \($0.shown())" }
    let what = "will \(before == nil ? "create" : "change") \(path.belowHome.shown()):"
    return ([what] + gone + come).joined(separator: "\n")
  }

  private func lines(_ bytes: [UInt8]) -> [Text] {
    bytes.split(separator: UInt8(ascii: "\n")).map { Text(decoding: $0) }
  }
}
