import Foundation
import Testing
import ThemedTestSupport

/// An editor with its plugin, as `share` has it, which writes down what it is set to.
final class Editor {
  /// The editors that have one.
  enum Kind: String { case nvim, vim, emacs }

  private let kind: Kind
  private let log: String
  private let statusFile: String
  private let process: ChildProcess

  /// Starts one, by another program if that is given; with `palette` it is to draw with the theme's colors, and `more` is
  /// what stands in its configuration besides, in Emacs's before its mode is turned on.
  init(
    _ session: Session, _ kind: Kind, palette: Bool = false, more: String = "", under wrapper: [String] = []
  ) throws {
    (self.kind, log) = (kind, session.directory.path("tmp/\(kind.rawValue).log"))
    statusFile = session.directory.path("tmp/\(kind.rawValue).status")
    let plugin = Products.package + "/share/" + kind.rawValue
    let words: [String]
    switch kind {
    case .nvim:
      let script = Self.vimScript(plugin, palette: palette, log: log) + more
      let path = try session.directory.write(script, to: "tmp/init.vim")
      words = ["nvim", "--headless", "-n", "-i", "NONE", "-u", path]
    case .vim:
      let script = Self.vimScript(plugin, palette: palette, log: log) + more
      let path = try session.directory.write(script, to: "tmp/vimrc")
      session.environment["TERM"] = "xterm-256color"
      let command = "stty rows 24 cols 80; exec vim -N -n -i NONE -u '\(path)'"
      words = ["script", "--quiet", "--command", command, "/dev/null"]
    case .emacs:
      let script = Self.lisp(plugin, palette: palette, log: log) + more + "\n(themed-mode)\n"
      let path = try session.directory.write(script, to: "tmp/init.el")
      words = ["emacs", "-Q", "--fg-daemon=test", "-l", path]
    }
    process = try session.spawn(wrapper + words, input: kind == .vim ? [] : nil)
  }

  /// A line for each setting of 'background', and one for each state that has been shown.
  private static func vimScript(_ plugin: String, palette: Bool, log: String) -> String {
    """
    let g:themed = {\(palette ? "'palette': v:true" : "")}
    set updatetime=1000000000
    let &runtimepath ..= ',\(plugin)'
    function! Color(group, what)
      return synIDattr(hlID(a:group), a:what, 'gui')
    endfunction
    autocmd OptionSet background call writefile(['set ' .. &background], '\(log)', 'a')
    autocmd User Themed call writefile([join(['state', get(g:, 'colors_name', '-'), Color('Normal', 'bg#'),
      \\ Color('Normal', 'fg#'), Color('Comment', 'fg#')])], '\(log)', 'a')

    """
  }

  private static func lisp(_ plugin: String, palette: Bool, log: String) -> String {
    """
    (setq themed-palette \(palette ? "t" : "nil"))
    (load "\(plugin)/themed")
    (defun note (&rest words)
      (write-region (concat (mapconcat (lambda (word) (format "%s" word)) words " ") "\\n") nil "\(log)" t 'quiet))
    (advice-add 'themed--enable :after (lambda (&rest _) (note "set" frame-background-mode)))
    (add-hook 'themed-change-hook
              (lambda () (note "state" (car custom-enabled-themes) (face-background 'default)
                               (face-foreground 'default) (face-foreground 'font-lock-comment-face))))

    """
  }

  private var lines: [String] {
    ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// What it has been set to, each time: light or dark.
  var settings: [String] { lines.compactMap { $0.hasPrefix("set ") ? String($0.dropFirst(4)) : nil } }

  /// What it has drawn with when it had shown a state, each time: the color scheme, and the colors of what is behind
  /// the text, of the text and of comments.
  var drawings: [String] { lines.compactMap { $0.hasPrefix("state ") ? String($0.dropFirst(6)) : nil } }

  /// Waits until it has been set to exactly this, one after the other.
  func await(_ expected: [String]) throws {
    try eventually("\(expected) in \(kind); it has \(lines)") { settings == expected }
  }

  /// Waits until it draws so.
  func await(drawing isExpected: (String) -> Bool) throws {
    try eventually("another drawing in \(kind); it has \(lines)") { drawings.last.map(isExpected) == true }
  }
}

extension Editor {
  /// What goes into its configuration for ``awaitStatus(_:)``: again and again it writes what it says of itself.
  static func tellingStatus(_ session: Session, _ kind: Kind) -> String {
    let file = session.directory.path("tmp/\(kind.rawValue).status")
    switch kind {
    case .nvim:
      return """
        function! Tell(...) abort
          checkhealth themed
          call writefile(getline(1, '$'), '\(file)')
          bwipeout!
        endfunction
        call timer_start(200, 'Tell', {'repeat': -1})

        """
    case .vim: return "call timer_start(200, {-> writefile([execute('ThemedStatus')], '\(file)')}, {'repeat': -1})\n"
    case .emacs:
      return #"(run-at-time 0.2 0.2 (lambda () (write-region (themed-status) nil "\#(file)" nil 'quiet)))"#
    }
  }

  /// Waits until it says this of itself: by `:checkhealth themed`, `:ThemedStatus` or `M-x themed-status`.
  func awaitStatus(_ text: String) throws {
    func said() -> String { (try? String(contentsOfFile: statusFile, encoding: .utf8)) ?? "" }
    do { try eventually("'\(text)' of \(kind)") { said().contains(text) } } catch {
      throw Failure("\(error); it says: \(said())")
    }
  }
}

extension Session {
  /// What is started from now on is in an ssh session.
  func enterSSH() {
    environment["SSH_CONNECTION"] = "192.0.2.1 50000 192.0.2.2 22"
    environment["SSH_TTY"] = "/dev/pts/99"
  }

  /// Starts a daemon that shows what another machine sends, at first this.
  func startFedThemed(_ scheme: String) throws -> ChildProcess {
    let themed = try spawn(Products.path("themed"), ["--upstream", "-"], input: [])
    // Each greeting begins with a newline.
    #expect(try themed.line() == "" && themed.line() == "themed-upstream 1")
    try themed.write(UpstreamStories.frame(scheme))
    try eventually(scheme) { try themectl("get", "desktop", "source").lines == ["\(scheme)\tupstream"] }
    return themed
  }
}

extension Editor {
  /// The number of its process.
  var number: Int32 { get throws { kind == .vim ? try process.child("vim") : process.pid } }

  /// How often it has been woken up so far, once it is asleep.
  func wakeUps() throws -> Int {
    let pid = try number
    var (last, times) = (-1, 0)
    return try eventually("\(kind) falls asleep") {
      let (now, isAsleep) = (try Self.switches(of: pid), try areAsleep(threadsOf: pid))
      (last, times) = (now, now == last && isAsleep ? times + 1 : 0)
      return times == 25 ? now : nil
    }
  }

  /// How often the threads of a process have given up the processor by themselves.
  static func switches(of pid: Int32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
      let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }
}

/// What stands in for the daemon, and says whatever it is told to.
final class DaemonInDisguise {
  private let process: ChildProcess

  /// Listens where all clients of this session look from now on.
  init(_ session: Session) throws {
    let path = session.directory.path("run/disguise")
    session.environment["THEMED_SOCKET"] = path
    process = try session.spawn("python3", [Products.package + "/Tests/Scripts/daemon.py", path], input: [])
    try eventually("a socket") { FileManager.default.fileExists(atPath: path) }
  }

  /// A reply as the daemon gives it.
  static func state(_ scheme: String, _ more: String = "") -> String {
    #"{"parameters":{"state":{"instance":"x","serial":1,"scheme":"\#(scheme)","desktop":"dark","#
      + #""origins":{"scheme":{"rule":"portal"}}\#(more)}},"continues":true}"# + "\0"
  }

  /// Waits for what comes to it next: `call`, with the call, or `end`.
  func awaits(_ what: String) throws {
    let line = try process.line()
    guard line.hasPrefix(what) else { throw Failure("not '\(what)', but '\(line)'") }
  }

  /// Sends this as it is.
  func send(_ text: String) throws {
    try process.send(line: String(decoding: JSONEncoder().encode(text), as: UTF8.self))
  }

  /// Closes the connection.
  func close() throws { try process.send(line: "") }

  /// Sends two megabytes that have no end.
  func flood() throws { try process.send(line: "flood") }
}
