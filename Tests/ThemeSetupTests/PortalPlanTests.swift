import Foundation
import Testing
import ThemedInterface
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// What desktops usually have, each with the backends that the portal asks for settings by it.
private enum Usual: String, CaseIterable {
  case gnome, kde, sway, hyprland, cosmic, windowManager

  var name: Text { self == .windowManager ? "portals.conf" : "\(rawValue)-portals.conf" }

  var text: String {
    switch self {
    case .gnome:
      "[preferred]\ndefault=gnome;gtk;\norg.freedesktop.impl.portal.Access=gtk;\n"
        + "org.freedesktop.impl.portal.Secret=gnome-keyring;\n"
    case .kde: "[preferred]\ndefault=kde\norg.freedesktop.impl.portal.Settings=kde;gtk;\n"
    case .sway:
      "[preferred]\n# Use xdg-desktop-portal-gtk for every portal interface...\ndefault=gtk\n"
        + "# ... except for the ScreenCast, Screenshot\norg.freedesktop.impl.portal.ScreenCast=wlr\n"
        + "org.freedesktop.impl.portal.Screenshot=wlr\norg.freedesktop.impl.portal.Inhibit=none\n"
    case .hyprland: "[preferred]\ndefault=hyprland;gtk"
    case .cosmic: "[preferred]\r\ndefault=cosmic;gtk\r\norg.freedesktop.impl.portal.Settings=cosmic;gtk\r\n"
    case .windowManager: "[preferred]\ndefault=gtk"
    }
  }

  var others: [Text] {
    switch self {
    case .gnome: ["gnome", "gtk"]
    case .kde: ["kde", "gtk"]
    case .sway, .hyprland, .windowManager: ["gtk"]
    case .cosmic: ["cosmic", "gtk"]
    }
  }
}

@Suite struct PortalPlanTests {
  private let directory: Text = "/home/u/.config/xdg-desktop-portal"

  private func facts(_ usual: Usual, in place: Text = "/usr/share/xdg-desktop-portal") -> PortalChainFacts {
    var chain = PortalChainFacts()
    (chain.hasBackend, chain.others, chain.directory) = (true, usual.others, directory)
    chain.preference = "\(place)/\(usual.name)"
    return chain
  }

  private func reader(_ files: [Text: String]) -> (Text) -> PortalPlan.File {
    { path in files[path].map { .text(Array($0.utf8)) } ?? .missing }
  }

  private func list(_ bytes: [UInt8]?, _ key: Text) throws -> [Text]? {
    try KeyFile(strict: #require(bytes)).value("preferred", key)?.split(";", omittingEmpty: true)
  }

  @Test(arguments: Usual.allCases)
  fileprivate func `beside a system's file the user gets one that says the same, and ours first`(_ usual: Usual) throws
  {
    let source: Text = "/usr/share/xdg-desktop-portal/\(usual.name)"
    let plan = try PortalPlan.enabling(facts(usual), read: reader([source: usual.text]))
    let change = try #require(plan.changes.first)
    #expect(plan.changes.count == 1)
    #expect(change.path == "\(directory)/\(usual.name)")
    #expect(try list(change.after, PortalFile.key) == ["aaa-themed"] + usual.others)
    let system = try KeyFile(strict: Array(usual.text.utf8))
    for entry in system.keys where entry.key != PortalFile.key {
      #expect(
        try list(change.after, entry.key) == system.value("preferred", entry.key)?.split(";", omittingEmpty: true))
    }
    // And disabled, it is gone.
    let files = [source: usual.text, change.path: String(decoding: change.after ?? [], as: UTF8.self)]
    let back = PortalPlan.disabling([change.path], read: reader(files))
    #expect(back.changes == [.init(path: change.path, before: change.after, after: nil)])
  }

  @Test(arguments: Usual.allCases)
  fileprivate func `a user's own file keeps all that it says, and is the same again to the byte`(_ usual: Usual) throws
  {
    let path: Text = "\(directory)/\(usual.name)"
    let plan = try PortalPlan.enabling(facts(usual, in: directory), read: reader([path: usual.text]))
    let change = try #require(plan.changes.first)
    #expect(try list(change.after, PortalFile.key) == ["aaa-themed"] + usual.others)
    let written = String(decoding: change.after ?? [], as: UTF8.self)
    #expect(try PortalPlan.enabling(facts(usual, in: directory), read: reader([path: written])).changes == [])
    let back = PortalPlan.disabling([path], read: reader([path: written]))
    #expect(back.changes.first?.after == Array(usual.text.utf8))
  }

  @Test func `where files of lower precedence are read on, only our line is written`() throws {
    var chain = facts(.gnome)
    chain.fallsThrough = true
    let plan = try PortalPlan.enabling(chain, read: reader([:]))
    let after = try #require(plan.changes.first?.after)
    #expect(try KeyFile(strict: after).keys.map(\.key) == [PortalFile.key])
  }

  @Test func `without any file one is made`() throws {
    var chain = facts(.windowManager)
    chain.preference = nil
    let plan = try PortalPlan.enabling(chain, read: reader([:]))
    #expect(plan.changes.map(\.path) == ["\(directory)/portals.conf"])
    #expect(try list(plan.changes[0].after, PortalFile.key) == ["aaa-themed", "gtk"])
  }

  @Test func `in a session without a file of its own one is made for that session alone`() throws {
    var chain = facts(.windowManager)
    chain.desktop = "mate"
    let path: Text = "\(directory)/mate-portals.conf"
    // One of the system's that is for all holds on, as far as this session is meant.
    let source: Text = "/usr/share/xdg-desktop-portal/portals.conf"
    let plan = try PortalPlan.enabling(chain, read: reader([source: Usual.windowManager.text]))
    #expect(plan.changes.map(\.path) == [path])
    #expect(try list(plan.changes[0].after, "default") == ["gtk"])
    chain.preference = nil
    #expect(try PortalPlan.enabling(chain, read: reader([:])).changes.map(\.path) == [path])
    // The user's own is the user's choice.
    chain.preference = "\(directory)/portals.conf"
    let own = reader(["\(directory)/portals.conf": Usual.windowManager.text])
    #expect(try PortalPlan.enabling(chain, read: own).changes.map(\.path) == ["\(directory)/portals.conf"])
  }

  @Test func `a copy of a system's file goes with our line, also where that is another one by now`() throws {
    let source: Text = "/usr/share/xdg-desktop-portal/gnome-portals.conf"
    let made = try #require(PortalPlan.enabling(facts(.gnome), read: reader([source: Usual.gnome.text])).changes.first)
    let written = String(decoding: made.after ?? [], as: UTF8.self)
    let newer = [source: Usual.gnome.text + "org.freedesktop.impl.portal.Usb=gnome;\n", made.path: written]
    #expect(PortalPlan.disabling([made.path], read: reader(newer)).changes.map(\.after) == [nil])
    // Earlier versions have not written of what it was a copy.
    let line = try #require(written.split(separator: "\n").first)
    let earlier = written.replacing(line, with: line.replacing(#/, which was [0-9a-f]{16};/#, with: ";"))
    #expect(earlier != written)
    let files = [source: Usual.gnome.text, made.path: earlier]
    #expect(PortalPlan.disabling([made.path], read: reader(files)).changes.map(\.after) == [nil])
  }

  @Test func `a portal that has not answered is not said to ask others`() {
    var chain = facts(.gnome)
    (chain.isRunning, chain.process) = (true, 7)
    #expect(chain.sentence.hasPrefix("themed-portal is running, but the portal does not say whether it asks it."))
    chain.isAsked = false
    #expect(chain.sentence.contains("the portal does not ask it: it asks gnome, gtk"))
    (chain.isAsked, chain.process) = (nil, nil)
    #expect(chain.sentence == "themed-portal is running, but no portal is.")
  }

  @Test func `what a user writes below our line in a file of ours stays a key of its group`() throws {
    var chain = facts(.windowManager)
    chain.preference = nil
    let path: Text = "\(directory)/portals.conf"
    let made = try #require(PortalPlan.enabling(chain, read: reader([:])).changes.first?.after)
    let file = String(decoding: made, as: UTF8.self) + "\norg.freedesktop.impl.portal.FileChooser=kde\n"
    chain.preference = path
    // Enabled again, it is the same.
    #expect(
      try PortalPlan.enabling(chain, read: reader([path: file])).changes.allSatisfy { change in
        try list(change.after, "org.freedesktop.impl.portal.FileChooser") == ["kde"]
          && list(change.after, PortalFile.key) == ["aaa-themed", "gtk"]
      })
    let after = PortalPlan.disabling([path], read: reader([path: file])).changes.first?.after
    #expect(try list(after, "org.freedesktop.impl.portal.FileChooser") == ["kde"])
    #expect(try list(after, PortalFile.key) == nil)
  }

  @Test(arguments: ["# mine", "[other]\na=b", "[preferred]"])
  func `what a user writes below our line in a file whose last line had no end stays a line`(own: String) throws {
    let path: Text = "\(directory)/portals.conf"
    let enabled = try #require(
      PortalPlan.enabling(facts(.windowManager, in: directory), read: reader([path: own])).changes.first?.after)
    let file = String(decoding: enabled, as: UTF8.self) + "default=gtk\n"
    let after = PortalPlan.disabling([path], read: reader([path: file])).changes.first?.after
    #expect(try list(after, "default") == ["gtk"])
    #expect(String(decoding: after ?? [], as: UTF8.self).hasPrefix(own + "\n"))
  }

  @Test func `the oldest portal needs no file, if the package has put ours there`() throws {
    var chain = facts(.gnome)
    chain.readsConfiguration = false
    #expect(try PortalPlan.enabling(chain, read: reader([:])).changes == [])
    chain.hasBackend = false
    #expect(throws: Refusal.self) { try PortalPlan.enabling(chain, read: self.reader([:])) }
  }

  @Test func `where a user may have one, the backend's own file is written, and taken away again`() throws {
    var chain = facts(.gnome)
    (chain.hasBackend, chain.readsUsersBackends, chain.fallsThrough) = (false, true, true)
    chain.dataDirectory = "/home/u/.local/share/xdg-desktop-portal/portals"
    let path: Text = "/home/u/.local/share/xdg-desktop-portal/portals/aaa-themed.portal"
    let change = try #require(PortalPlan.enabling(chain, read: reader([:])).changes.first)
    #expect(change == .init(path: path, before: nil, after: PortalPlan.backendFile))
    let text = String(decoding: PortalPlan.backendFile, as: UTF8.self)
    #expect(PortalPlan.disabling([path], read: reader([path: text])).changes.map(\.after) == [nil])
    #expect(PortalPlan.disabling([path], read: reader([path: text + "#"])).changes == [])
    #expect(throws: Refusal.self) { try PortalPlan.enabling(chain, read: self.reader([path: "other"])) }
  }

  @Test func `a user's file that cannot be parsed or written is left alone and named, with what to add`() throws {
    let path: Text = "\(directory)/gnome-portals.conf"
    let chain = facts(.gnome, in: directory)
    let untouchable: [PortalPlan.File] = [
      .text(Array("[preferred\n".utf8)), .guarded(Array("[preferred]\n".utf8), "it is read-only"),
      .guarded([], "it is a symbolic link"), .barred("its directory is a symbolic link"),
      .untouchable("it cannot be read"),
    ]
    for file in untouchable {
      do throws(Refusal) {
        _ = try PortalPlan.enabling(chain) { $0 == path ? file : .missing }
        Issue.record("it is written")
      } catch {
        #expect(error.description.contains(path.string))
        #expect(error.description.contains("org.freedesktop.impl.portal.Settings=aaa-themed;gnome;gtk"))
      }
    }
    // Once the user has added that, nothing is left to add.
    var done = chain
    done.isFirst = true
    #expect(
      try PortalPlan.enabling(done) { $0 == path ? .guarded([], "it is a symbolic link") : .missing }.changes == [])
  }

  @Test func `a system's file that is a link, or nobody's of the user, is copied like any other`() throws {
    let source: Text = "/usr/share/xdg-desktop-portal/gnome-portals.conf"
    let plan = try PortalPlan.enabling(facts(.gnome)) {
      $0 == source ? .guarded(Array(Usual.gnome.text.utf8), "it is a symbolic link") : .missing
    }
    #expect(try list(plan.changes.first?.after, "default") == ["gnome", "gtk"])
  }

  @Test func `what disabling must not write it names, and only where something of ours is in it`() throws {
    let path: Text = "\(directory)/gnome-portals.conf"
    let own = Array(Usual.gnome.text.utf8)
    let written = try #require(PortalFile.enabled(own, ["aaa-themed", "gnome"]))
    let plan = PortalPlan.disabling([path]) { _ in .guarded(written, "it is read-only") }
    #expect(plan.changes == [])
    #expect(plan.left.count == 1)
    #expect(plan.left.first?.string.contains("gnome-portals.conf stays as it is, since it is read-only") == true)
    #expect(PortalPlan.disabling([path]) { _ in .guarded(own, "it is read-only") }.left == [])
  }

  @Test func `of several groups of one name the last key counts, and is what is replaced`() throws {
    let key = PortalFile.key
    let text = Array("[preferred]\ndefault=gtk\n[other]\n\(key)=x\n[preferred]\n\(key)=gnome\n".utf8)
    let written = try #require(PortalFile.enabled(text, ["aaa-themed", "gnome"]))
    #expect(try list(written, key) == ["aaa-themed", "gnome"])
    #expect(PortalFile.disabled(written) == text)
  }

  @Test func `our backend's file is the installed one, and for a user without what has others not asked`() throws {
    let installed = Products.package + "/packaging/\(PortalChainFacts.backend).portal"
    let bytes = try Array(Data(contentsOf: URL(filePath: installed)))
    #expect(PortalPlan.backendFiles.contains(bytes))
    let (whole, users) = try (KeyFile(strict: bytes), KeyFile(strict: PortalPlan.backendFile))
    for key in ["DBusName", "Interfaces"] as [Text] {
      #expect(whole.value("portal", key) != nil && whole.value("portal", key) == users.value("portal", key))
    }
    #expect(users.value("portal", "UseIn") == nil)
  }

  @Test func `who wants no backend to be asked is told how that stands in the way`() {
    var chain = facts(.sway)
    chain.isNone = true
    #expect(throws: Refusal.self) { try PortalPlan.enabling(chain, read: self.reader([:])) }
  }

  @Test func `what a user has written into a file of ours stays`() throws {
    let source: Text = "/usr/share/xdg-desktop-portal/gnome-portals.conf"
    let change = try #require(
      PortalPlan.enabling(facts(.gnome), read: reader([source: Usual.gnome.text])).changes.first)
    let written = String(decoding: change.after ?? [], as: UTF8.self) + "x=y\n"
    let back = PortalPlan.disabling([change.path], read: reader([source: Usual.gnome.text, change.path: written]))
    #expect(back.changes.first?.after == Array((Usual.gnome.text + "x=y\n").utf8))
  }

  @Test func `of any file, what is put in is taken out again to the byte`() {
    var generator = SeededGenerator()
    let pieces = [
      "[preferred]", "[other]", "\n", "\r\n", "default=gtk", "org.freedesktop.impl.portal.Settings=gnome;", " ", "# x",
      "org.freedesktop.impl.portal.Settings = a", "\u{301}", "=", "[preferred] ",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      guard let written = PortalFile.enabled(Array(text.utf8), ["aaa-themed", "gtk"]) else {
        Issue.record("nothing is put into \(text.debugDescription)")
        continue
      }
      let back = PortalFile.disabled(written).map { String(decoding: $0, as: UTF8.self) }
      #expect(back == text, "\(text.debugDescription), \(generator)")
      #expect(PortalFile.enabled(written, ["aaa-themed", "gtk"]) == nil)
    }
  }

  @Test func `the facts are read as they were written`() {
    var chain = facts(.kde)
    (chain.isAsked, chain.isRunning, chain.process, chain.dataDirectory) = (false, true, 7, "/d")
    chain.desktop = "kde"
    #expect(PortalChainFacts(json: chain.json) == chain)
    #expect(PortalChainFacts(json: PortalChainFacts().json) == PortalChainFacts())
    #expect(PortalChainFacts(json: "{}") == nil)
  }
}
