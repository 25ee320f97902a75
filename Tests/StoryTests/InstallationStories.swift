import Foundation
import Testing
import ThemedTestSupport

/// `make install` and `make uninstall`, below a directory that stands for the system.
@Suite(.ownThreads) struct InstallationStories {
  @Test func `install puts each file in its place below PREFIX, and uninstall removes exactly these`() throws {
    try withSession { session in
      let place = try Installation(session)
      let before = place.strangers
      try place.make("install")
      let programs = ["themectl", "themed", "themed-apply", "themed-portal", "themed-tray"].map { "opt/bin/\($0)" }
      let units = [
        "themed-apply.service", "themed-portal.service", "themed-readonly.socket",
        "themed-share@.service", "themed-tray.service", "themed.service", "themed.socket",
      ].map { "opt/lib/systemd/user/\($0)" }
      let pages = [
        "man1/themectl.1", "man1/themed-apply.1", "man1/themed-portal.1", "man1/themed-tray.1", "man1/themed.1",
        "man5/themed.app.5",
        "man5/themed.conf.5", "man5/themed.theme.5", "man7/org.themed.theme.7", "man7/themed-programs.7",
      ].map { "opt/share/man/\($0)" }
      let swift = ["async/Example", "glib/Example", "nio", "poll/Example"].map { "swift/\($0).swift" }
      let examples = (["c", "go", "js", "lua", "py", "rs", "sh"].map { "follow.\($0)" } + ["themed.conf"] + swift).map {
        "opt/share/doc/themed/examples/\($0)"
      }
      let others = [
        "opt/share/applications/themed-tray.desktop",
        "opt/share/icons/hicolor/scalable/apps/themed.svg", "opt/share/icons/hicolor/symbolic/apps/themed-symbolic.svg",
        "opt/share/icons/hicolor/symbolic/apps/themed-dark-symbolic.svg",
        "opt/share/icons/hicolor/symbolic/apps/themed-light-symbolic.svg",
        "opt/etc/xdg/autostart/themed-apply.desktop", "opt/etc/xdg/autostart/themed.desktop",
        "opt/share/bash-completion/completions/themectl",
        "opt/share/fish/vendor_completions.d/themectl.fish", "opt/share/themed/themed-strict.conf",
        "opt/share/vim/vimfiles/plugin/themed.vim", "opt/share/nvim/site/plugin/themed.lua",
        "opt/share/kak/rc/themed.kak", "opt/share/fish/vendor_conf.d/themed.fish",
        "opt/share/xdg-desktop-portal/portals/aaa-themed.portal", "opt/share/zsh/site-functions/_themectl",
      ]
      let expected = try [programs, units, pages, examples, others, shipped()]
      #expect(try place.files().subtracting(before).sorted() == expected.flatMap(\.self).sorted())
      try place.make("uninstall")
      #expect(try place.files() == before)
      for directory in ["themed", "doc/themed"] {
        #expect(!FileManager.default.fileExists(atPath: place.path("opt/share/" + directory)))
      }
    }
  }

  /// What has to be installed of `share`: apps, templates, themes, and a directory of plugins for each program.
  private func shipped() throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Products.package + "/share")
    return names.sorted().filter { !isDirectory(Products.package + "/share/" + $0) }.map { "opt/share/themed/" + $0 }
  }

  private func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  @Test func `what is installed names the installed programs`() throws {
    try withSession { session in
      let place = try Installation(session)
      try place.make("install", "bindir=/somewhere/else")
      let service = try place.text("opt/lib/systemd/user/themed.service")
      #expect(service.contains("\nExecStart=/somewhere/else/themed\n"))
      for program in ["themed", "themed-apply"] {
        let autostart = try place.text("opt/etc/xdg/autostart/\(program).desktop")
        #expect(autostart.contains("\nExec=/somewhere/else/\(program)\n"))
        // systemd's generator and GNOME's session manager each have a word for what a unit starts already.
        #expect(autostart.contains("\nX-systemd-skip=true\n"))
        #expect(autostart.contains("\nX-GNOME-HiddenUnderSystemd=true\n"))
      }
      for file in try place.files() where !file.hasPrefix("somewhere/") {
        #expect(!(try place.text(file)).contains("/usr/bin/"), "\(file)")
      }
      // A line that a user's file gets names the plugin where it lies.
      #expect(try place.text("opt/share/themed/apps/bash.app").contains("|| . /opt/share/themed/bash/"))
      let version = try session.run(place.path("somewhere/else/themed"), ["--version"])
      #expect(version.status == .exited(0))
    }
  }

  @Test func `each of the GNU directories can be given`() throws {
    try withSession { session in
      let place = try Installation(session)
      try place.make(
        "install", "prefix=/a", "exec_prefix=/b", "datarootdir=/c", "sysconfdir=/d", "mandir=/e", "unitdir=/f")
      let above = Set(try place.files().subtracting(place.strangers).map { $0.prefix(2) })
      #expect(above == ["b/", "c/", "d/", "e/", "f/"])
      try place.make(
        "uninstall", "prefix=/a", "exec_prefix=/b", "datarootdir=/c", "sysconfdir=/d", "mandir=/e", "unitdir=/f")
      #expect(try place.files() == place.strangers)
    }
  }

  @Test func `the units go where systemd looks: its own directory below a prefix, and the data of a home`() throws {
    try withSession { session in
      let place = try Installation(session)
      let systems = try session.check("pkg-config", ["--variable=systemduserunitdir", "systemd"])
      try place.make("install", "PREFIX=/usr")
      #expect(try place.files().contains(systems.dropFirst() + "/themed.service"))
      #expect(try place.files().contains("etc/xdg/autostart/themed.desktop"))
      place.home = "/home/somebody"
      try place.make("install", "PREFIX=/home/somebody/.local")
      #expect(try place.files().contains("home/somebody/.local/share/systemd/user/themed.service"))
      let start = "home/somebody/.config/autostart/themed.desktop"
      #expect(try place.files().contains(start))
      // 'themectl portal enable' writes it into a home, and 'portal disable' removes it.
      #expect(
        try place.files().filter { $0.hasSuffix("/aaa-themed.portal") } == [
          "usr/share/xdg-desktop-portal/portals/aaa-themed.portal"
        ])
      // By another path it is the same file, and stays; in another directory it is moved.
      session.environment["XDG_CONFIG_HOME"] = "/home/somebody//.config/"
      try place.make("install", "PREFIX=/home/somebody/.local")
      #expect(try place.files().contains(start))
      session.environment["XDG_CONFIG_HOME"] = "/home/somebody/settings"
      try place.make("install", "PREFIX=/home/somebody/.local")
      #expect(try place.files().contains("home/somebody/settings/autostart/themed.desktop"))
      #expect(!(try place.files().contains(start)))
    }
  }

  @Test func `a directory that cannot be made ends the installation with its reason`() throws {
    try withSession { session in
      let place = try Installation(session)
      let finished = try place.run("install", "DESTDIR=", "PREFIX=/proc/nothing/there")
      #expect(finished.status != .exited(0))
      #expect(finished.errors.contains("/proc/nothing"))
    }
  }

  @Test func `a user's own theme is neither replaced nor removed by one of the same name`() throws {
    try withSession { session in
      let place = try Installation(session)
      place.home = "/home/somebody"
      let (own, theirs) = ("home/somebody/.local/share/themed/themes/mint.theme", "usr/share/themed/themes/mint.theme")
      for file in [own, theirs] { try session.directory.write("[theme]\ntitle=Mine\n", to: "system/" + file) }
      try place.make("install", "PREFIX=/home/somebody/.local")
      let finished = try place.run("install", "PREFIX=/home/somebody/.local")
      #expect(finished.output.contains("mint.theme: kept, since it is your own"))
      #expect(try place.text(own).contains("Mine"))
      try place.make("uninstall", "PREFIX=/home/somebody/.local")
      #expect(try place.text(own).contains("Mine"))
      #expect(!(try place.files().contains("home/somebody/.local/share/themed/themes/teal.theme")))
      // Nobody's own lies in the system's directory: there it is an older version.
      try place.make("install", "PREFIX=/usr")
      #expect(!(try place.text(theirs).contains("Mine")))
    }
  }

  @Test func `in a home, an upgrade replaces an older version's files, and removal leaves what others made`() throws {
    try withSession { session in
      let place = try Installation(session)
      place.home = "/home/somebody"
      let data = "home/somebody/.local/share/themed/"
      let plugin = "home/somebody/.local/share/nvim/site/plugin/themed.lua"
      for own in [data + "apps/kitty.app", plugin] { try session.directory.write("mine", to: "system/" + own) }
      try place.make("install", "PREFIX=/home/somebody/.local")
      // As if an older version had installed these.
      let older = "older\n"
      var record = try place.text(data + "installed")
      for name in ["themes/teal.theme", "apps/gone.app"] {
        try session.directory.write(older, to: "system/" + data + name)
        let path = "/" + data + name
        record = record.split(separator: "\n").filter { !$0.hasSuffix(" " + path) }.joined(separator: "\n")
        record += "\n\(try session.check("sha256sum", [place.path(data + name)]).prefix(64)) \(path)\n"
      }
      try session.directory.write(record, to: "system/" + data + "installed")
      try session.directory.write("mine", to: "system/" + data + "templates/kitty.mustache")
      // As a desktop does that was told not to start it.
      let start = "home/somebody/.config/autostart/themed.desktop"
      try session.directory.write(try place.text(start) + "Hidden=true\n", to: "system/" + start)
      try place.make("install", "PREFIX=/home/somebody/.local")
      #expect(try place.text(start).hasSuffix("\nHidden=true\n"))
      #expect(try place.text(data + "themes/teal.theme") != older, "an older version's theme is not the user's own")
      #expect(!(try place.files().contains(data + "apps/gone.app")))
      for own in ["apps/kitty.app", "templates/kitty.mustache"] { #expect(try place.text(data + own) == "mine") }
      try place.make("uninstall", "PREFIX=/home/somebody/.local")
      let left = Set(try place.files().subtracting(place.strangers))
      #expect(left == [data + "apps/kitty.app", data + "templates/kitty.mustache", plugin, start])
    }
  }

  @Test func `a prefix that a shell has left a tilde in is the home, and no relative one is taken`() throws {
    try withSession { session in
      let place = try Installation(session)
      place.home = "/home/somebody"
      try place.make("install", "PREFIX=~/.local")
      #expect(try place.files().contains("home/somebody/.local/bin/themed"))
      let before = try place.files()
      let finished = try place.run("install", "PREFIX=local")
      #expect(finished.status != .exited(0))
      #expect(finished.errors.contains("PREFIX has to begin with /"))
      #expect(try place.files() == before)
    }
  }

  @Test(arguments: [nil, "", "/"])
  func `where there is no home, as in a container, nothing is installed as if there were`(home: String?) throws {
    try withSession { session in
      let place = try Installation(session)
      let systems = try session.check("pkg-config", ["--variable=systemduserunitdir", "systemd"])
      place.home = home
      try place.make("install", "PREFIX=/usr")
      #expect(try place.files().contains(systems.dropFirst() + "/themed.service"))
      #expect(try place.files().contains("etc/xdg/autostart/themed.desktop"))
    }
  }

  @Test(arguments: Shell.allCases)
  func `an installed completion completes commands, values, and the apps that the daemon knows`(shell: Shell) throws {
    try withSession { session in
      let place = try Installation(session)
      try place.make("install")
      session.environment["XDG_DATA_DIRS"] = place.path("opt/share") + ":/usr/share"
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark", "--app", "nvim")
      let products = (try Products.path("themectl") as NSString).deletingLastPathComponent
      session.environment["PATH"] = products + ":" + (session.environment["PATH"] ?? "")
      session.environment["TERM"] = "xterm"
      session.environment["ZDOTDIR"] = session.directory.path("home")
      let command = try shell.prepare(session, functions: place.path("opt/share/zsh/site-functions"))
      func type(_ keys: String, expecting text: String) throws {
        let home = ["env", "--chdir=" + session.directory.path("home")]
        try session.check("python3", [Products.package + "/Tests/Scripts/type", text, keys] + home + command)
      }
      try type("themectl get --app nv\t\r", expecting: "dark")
      try type("themectl stat\t\r", expecting: "desktop   unavailable")
      try type("themectl theme export out\t --format cs\t\r", expecting: "--theme-primary: #ff2e97")
      try type("themectl schedule 07\t && echo do''ne\r", expecting: "done")
      // The completed word is what is printed, too.
      try type("themectl set contrast hi\t&& echo do''ne\r", expecting: "done")
      // A file to import is completed as one: a directory is gone into, and what a shell would take apart is quoted.
      try session.directory.write("palette:\n  base00: \"#101010\"\n", to: "home/my colors/x.yaml")
      try type("themectl theme import my\tx\t\r", expecting: "base01")
      try type("themectl theme import --light my\tx\t\r", expecting: "base01")
      // A directory of the same name is not meant.
      try type("mkdir get; themectl ge\t --app nvim\r", expecting: "dark")
      #expect(try session.connect().call("GetState").value("parameters.state.highContrast") as? Bool == true)
    }
  }

  @Test func `without a build, install says what to do and installs nothing`() throws {
    try withSession { session in
      let place = try Installation(session)
      let finished = try place.run("install", "BUILD=\(session.directory.path("nothing"))")
      #expect(finished.status != .exited(0))
      #expect(finished.errors.contains("make build"))
      #expect(try place.files() == place.strangers)
    }
  }
}

/// The shells that there are completions for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Writes what a user has in the shell's configuration, and returns the command that starts it.
  fileprivate func prepare(_ session: Session, functions: String) throws -> [String] {
    switch self {
    case .bash:
      let file = try session.directory.write(
        "PS1='ready> '\n. /usr/share/bash-completion/bash_completion\n", to: "home/.bashrc")
      return ["bash", "--noprofile", "--rcfile", file, "-i"]
    case .zsh:
      try session.directory.write(
        "PS1='ready> '\nfpath=(\(functions) $fpath)\nautoload -Uz compinit && compinit -u\n", to: "home/.zshrc")
      return ["zsh", "-i"]
    case .fish:
      // Else it begins to make completions of all the manual pages, for minutes, and outlives the test.
      _ = try session.directory.directory("data/fish/generated_completions")
      return ["fish", "--interactive", "--init-command", "function fish_prompt; echo -n 'ready> '; end"]
    }
  }
}

/// A directory that stands for the system, and a build as `make build` leaves it, with the programs that are tested.
private struct Installation {
  private let session: Session

  init(_ session: Session) throws {
    self.session = session
    let products = (try Products.path("themed") as NSString).deletingLastPathComponent
    let build = try session.directory.directory("build")
    try FileManager.default.createSymbolicLink(atPath: build + "/release", withDestinationPath: products)
    for shell in ["bash", "zsh", "fish"] {
      let script = try session.themectl("--generate-completion-script", shell).output
      try session.directory.write(script, to: "build/completion/" + shell)
    }
    for file in strangers { try session.directory.write("Not ours.", to: "system/" + file) }
  }

  /// The user's home, where the configuration has its usual place.
  var home: String? {
    get { session.environment["HOME"] }
    nonmutating set {
      session.environment["HOME"] = newValue
      session.environment["XDG_CONFIG_HOME"] = nil
    }
  }

  func path(_ file: String) -> String { session.directory.path("system/" + file) }

  func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(file))), as: UTF8.self)
  }

  /// The files of others, which lie in the same directories.
  let strangers: Set = ["opt/bin/other", "opt/share/man/man1/other.1", "opt/lib/systemd/user/other.service"]

  func run(_ arguments: String...) throws -> Finished { try run(arguments) }

  func make(_ arguments: String...) throws {
    let finished = try run(arguments)
    guard finished.status == .exited(0) else { throw Failure("make \(arguments): \(finished.errors)") }
  }

  /// Every file below the directory, by its path from there.
  func files() throws -> Set<String> {
    let found = try session.check("find", [path(""), "!", "-type", "d", "-printf", "%P\\n"])
    return Set(found.split(separator: "\n").map(String.init))
  }

  private func run(_ arguments: [String]) throws -> Finished {
    let usual = [
      "BUILD=" + session.directory.path("build"), "PREFIX=/opt", "DESTDIR=" + session.directory.path("system"),
    ]
    return try session.run("make", ["--no-print-directory", "--directory", Products.package] + usual + arguments)
  }
}
