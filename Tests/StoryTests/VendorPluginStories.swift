import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// Real editors and shells, with the plugins where `make install PREFIX=/usr` puts them for every user: they do nothing
/// until the app is enabled, and then no file of the user's is edited.
@Suite(.ownThreads, .enabled(if: VendorTrial.canMount, "needs a mount namespace with an overlay"))
struct VendorPluginStories {
  @Test(arguments: VendorTrial.Program.tried)
  func `a program's installed plugin is inert until its app is enabled, and again once that is disabled`(
    _ program: VendorTrial.Program
  ) throws {
    try withSession { session in
      let trial = try VendorTrial(session, program)
      let name = program.rawValue
      _ = try session.startThemed()
      if program == .fish { _ = try session.startApply() }
      _ = try session.themectl("set", "dark")
      let own = try trial.ownFiles()
      #expect(try !trial.isLoaded())
      let listed = try trial.themectl("app", "show", name).output
      #expect(listed.contains("'themectl app enable \(name)', without a line in your files"), "\(listed)")
      #expect(listed.contains("\nplugin: \(program.file), without a line in your files"), "\(listed)")

      let plan = try trial.themectl("app", "enable", name, "--yes")
      let words = "  loads its plugin from \(program.file), so your own files stay as they are"
      #expect(plan.lines.contains(words), "\(plan)")
      #expect(try trial.ownFiles() == own)
      #expect(try trial.isLoaded())
      try trial.showsDark()
      #expect(try trial.themectl("doctor").output.contains("no line") == false)

      _ = try trial.themectl("app", "disable", name)
      #expect(try trial.ownFiles() == own)
      #expect(try !trial.isLoaded())
    }
  }

  @Test(arguments: VendorTrial.Program.tried)
  func `a program that does not read the directory gets its line, and with both it follows once`(
    _ program: VendorTrial.Program
  ) throws {
    try withSession { session in
      let trial = try VendorTrial(session, program)
      let name = program.rawValue
      _ = try session.startThemed()
      let own = try trial.ownFiles()
      try trial.keepFromReading()
      let plan = try trial.themectl("app", "enable", name, "--print")
      #expect(plan.output.contains("  adds to "), "\(plan)")
      // As a release without these directories has done it.
      session.environment["THEMED_APPS"] = trial.appsWithoutPlugins
      _ = try session.themectl("app", "enable", name, "--yes")
      session.environment["THEMED_APPS"] = Products.package + "/share"
      #expect(try trial.ownFiles() != own)
      try trial.letRead()
      #expect(try trial.isLoaded())
      if program != .fish {
        let before = try session.themectl("app").output
        #expect(!before.contains("1 client"), "\(before)")
        try trial.followsOnce()
      }
      _ = try trial.themectl("app", "disable", name)
      #expect(try trial.ownFiles() == own)
    }
  }
}

/// A program with our plugin in the directory that it reads for every user.
struct VendorTrial {
  enum Program: String, CaseIterable {
    case vim, nvim, emacs, kakoune, fish

    /// Those that `make test` installs, and Emacs with `make test-programs`, which alone installs it.
    static var tried: [Program] { allCases.filter { $0 != .emacs || triesPrograms } }

    /// The installed file.
    var file: String {
      switch self {
      case .vim: "/usr/share/vim/vimfiles/plugin/themed.vim"
      case .nvim: "/usr/share/nvim/site/plugin/themed.lua"
      case .emacs: "/etc/emacs/site-start.d/50themed.el"
      case .kakoune: "/usr/share/kak/rc/themed.kak"
      case .fish: "/usr/share/fish/vendor_conf.d/themed.fish"
      }
    }

    /// The user's own file, and what it has: it writes what is shown to `log`.
    func own(_ log: String) -> (path: String, text: String) {
      switch self {
      case .vim: ("home/.vimrc", "set nocompatible\nautocmd User Themed call writefile([&background], '\(log)')\n")
      case .nvim:
        (
          "config/nvim/init.lua",
          "vim.cmd [[autocmd User Themed call writefile([&background], '\(log)')]]\n"
        )
      case .emacs:
        (
          "home/.emacs.d/init.el",
          // Without a lock, Emacs never asks about one of an Emacs that is being stopped.
          "(setq create-lockfiles nil)\n(add-hook 'themed-change-hook (lambda () (write-region (format \"%s\\n\" frame-background-mode) nil \"\(log)\")))\n"
        )
      case .kakoune:
        ("config/kak/kakrc", "hook global User themed=(.*) %{ nop %sh{ echo $kak_hook_param_capture_1 > '\(log)' } }\n")
      case .fish: ("config/fish/config.fish", "function note --on-event themed\n  echo $argv[1] > '\(log)'\nend\n")
      }
    }

    /// Starts it with a terminal, or without one, to write to `log` whether the plugin is loaded, and to exit.
    func asking(_ log: String) -> String {
      switch self {
      case .vim: "vim -n -i NONE -c 'call writefile([exists(\"g:loaded_themed\")], \"\(log)\")' -c 'qa!'"
      case .nvim: "nvim --headless -n -i NONE -c 'call writefile([exists(\"g:loaded_themed\")], \"\(log)\")' -c 'qa!'"
      case .emacs:
        "emacs --fg-daemon=asked --eval '(progn (write-region (if (bound-and-true-p themed-mode) \"1\\n\" \"0\\n\") nil \"\(log)\") (kill-emacs))'"
      case .kakoune:
        "kak -e 'try %{ nop %opt{themed_follower}; nop %sh{ echo 1 > \(log) } } catch %{ nop %sh{ echo 0 > \(log) } }; quit!'"
      case .fish: "fish -i -c 'functions -q _themed_read; and echo 1 >\(log); or echo 0 >\(log)'"
      }
    }

    var command: String {
      switch self {
      case .vim: "vim -n -i NONE"
      case .nvim: "nvim -n -i NONE"
      case .emacs: "emacs --fg-daemon=shown"
      case .kakoune: "kak"
      case .fish: "fish -i"
      }
    }

    /// What keeps it from reading the installed file: a path in the session; nil if that depends on the program alone.
    var obstacle: String? {
      switch self {
      case .vim, .fish: nil
      case .nvim: "data/nvim/lazy/lazy.nvim/README.md"
      case .emacs: "home/.emacs.d/early-init.el"
      case .kakoune: "config/kak/autoload/empty.kak"
      }
    }
  }

  private let session: Session
  private let program: Program
  private let log: String
  private let path: String

  init(_ session: Session, _ program: Program) throws {
    (self.session, self.program, log) = (session, program, session.directory.path("tmp/log"))
    let products = (try Products.path("themed") as NSString).deletingLastPathComponent
    let build = try session.directory.directory("build")
    try FileManager.default.createSymbolicLink(atPath: build + "/release", withDestinationPath: products)
    for shell in ["bash", "zsh", "fish"] { try session.directory.write("", to: "build/completion/" + shell) }
    try session.check(
      "make",
      [
        "--no-print-directory", "--directory", Products.package, "install", "PREFIX=/usr", "BUILD=" + build,
        "DESTDIR=" + session.directory.path("root"), "emacsdir=/etc/emacs/site-start.d",
      ])
    path = session.environment["PATH", default: "/usr/bin:/bin"]
    session.environment["PATH"] = products + ":" + path
    session.environment["THEMED_APPS"] = Products.package + "/share"
    session.environment["TERM"] = "xterm-256color"
    session.environment["SHELL"] = "/bin/sh"
    // Emacs and fish look for the user's directory there.
    let own = program.own(log)
    try session.directory.write(own.text, to: own.path)
  }

  /// Words before a program's own: it finds what was installed in the system's directories.
  private static func words(_ root: String) -> [String] {
    let script = """
      mount -t overlay overlay -o "lowerdir=$0/usr/share:/usr/share" /usr/share &&
        mount -t overlay overlay -o "lowerdir=$0/etc:/etc" /etc && exec "$@"
      """
    let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
    return ["unshare", "--mount"] + user + ["sh", "-c", script, root]
  }

  static let canMount: Bool = {
    var isMounted = false
    try? withSession { session in
      for directory in ["root/usr/share", "root/etc"] { try session.directory.directory(directory) }
      let words = words(session.directory.path("root")) + ["true"]
      isMounted = try session.run(words[0], Array(words.dropFirst())).status == .exited(0)
    }
    return isMounted
  }()

  private func inside(_ words: [String]) -> [String] { Self.words(session.directory.path("root")) + words }

  func themectl(_ arguments: String...) throws -> Finished {
    let words = try inside([Products.path("themectl")] + arguments)
    return try session.run(words[0], Array(words.dropFirst()))
  }

  private func start(_ command: String) throws -> ChildProcess {
    try? FileManager.default.removeItem(atPath: log)
    let words = inside(["script", "--quiet", "--command", "stty rows 24 cols 80; exec \(command)", "/dev/null"])
    return try session.spawn(words, input: [])
  }

  private var written: String? { try? String(contentsOfFile: log, encoding: .utf8) }

  /// Whether a program that starts now loads the plugin.
  func isLoaded() throws -> Bool {
    // A file of its own: a plugin that is loaded may write the shown side into the other one at any moment.
    let path = log + ".answer"
    try? FileManager.default.removeItem(atPath: path)
    let process = try start(program.asking(path))
    defer { process.stop() }
    let answer = try eventually("\(program)'s answer; it says \(process.lines) \(process.errors)") {
      (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { $0.hasSuffix("\n") ? $0 : nil }
    }
    return answer == "1\n"
  }

  /// Waits until a program that starts now shows dark.
  func showsDark() throws {
    let process = try start(program.command)
    defer { process.stop() }
    try eventually("dark in \(program); it shows \(written ?? "nothing")") { written == "dark\n" }
  }

  /// Waits until a program that starts now has connected, once.
  func followsOnce() throws {
    let process = try start(program.command)
    defer { process.stop() }
    try eventually("one connection") {
      let row = try session.themectl("app").lines.first { $0.hasPrefix("\(program.rawValue)\t") }
      return row?.contains(", connected now") == true || row?.contains("1 client") == true
    }
    usleep(500_000)
    let all = try session.connect().call("ListClients").text
    #expect(all.components(separatedBy: "\"app\":\"\(program.rawValue)\"").count == 2, "\(all)")
  }

  /// Every file of the user's outside of themed's directories.
  func ownFiles() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for place in ["home", "config"] {
      for name in try FileManager.default.subpathsOfDirectory(atPath: session.directory.path(place)) {
        let path = session.directory.path("\(place)/\(name)")
        // What the programs keep for themselves.
        let leftovers = ["themed", "fish_variables", "eln-cache", "auto-save-list", ".cache"]
        if leftovers.contains(where: name.contains) { continue }
        files["\(place)/\(name)"] = FileManager.default.contents(atPath: path)
      }
    }
    return files.filter { !$0.value.isEmpty }
  }

  /// Lets the program not read the installed file.
  func keepFromReading() throws {
    if let obstacle = program.obstacle { return _ = try session.directory.write("\n", to: obstacle) }
    // One of another prefix, which reads other directories.
    let real = try session.realApp(program.rawValue)
    let place = try session.directory.write("#!/bin/sh\nexec \(real) \"$@\"\n", to: "other/bin/\(program.rawValue)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
    session.environment["PATH"] = session.directory.path("other/bin") + ":" + session.environment["PATH", default: ""]
  }

  func letRead() throws {
    if let obstacle = program.obstacle {
      let first = program == .nvim ? "data/nvim" : program == .kakoune ? "config/kak/autoload" : obstacle
      return try FileManager.default.removeItem(atPath: session.directory.path(first))
    }
    try FileManager.default.removeItem(atPath: session.directory.path("other"))
  }

  /// Directories with the app file as it was before the program could load its plugin by itself.
  var appsWithoutPlugins: String {
    let shipped = Products.package + "/share/apps/\(program.rawValue).app"
    let file = (try? String(contentsOfFile: shipped, encoding: .utf8)) ?? ""
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("plugins") }
    _ = try? session.directory.write(lines.joined(separator: "\n"), to: "old/apps/\(program.rawValue).app")
    try? FileManager.default.createSymbolicLink(
      atPath: session.directory.path("old/templates"), withDestinationPath: Products.package + "/share/templates")
    return session.directory.path("old")
  }
}
