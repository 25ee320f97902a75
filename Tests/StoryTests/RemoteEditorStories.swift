import Foundation
import Glibc
import Testing
import ThemedTestSupport

/// An editor in tmux on another machine, over a real network, ssh and sshd: it is right again, whatever happens in
/// between, and nobody presses a key.
@Suite(
  .ownThreads, .enabled(if: Cable.isPossible, Cable.need))
struct RemoteEditorStories {
  @Test func `Neovim in tmux over there has the theme's colours after each change`() throws {
    try withRemoteEditor { desk in
      for scheme in ["dark", "light", "dark"] { try desk.show(scheme) }
      let told = try desk.editor.told()
      #expect(told == ["light", "dark", "light", "dark"])
    }
  }

  @Test func `a link that is cut while the theme changes, flaps, and comes back with another address`() throws {
    try withRemoteEditor { desk in
      try desk.cable.plug(false)
      _ = try desk.session.themectl("set", "dark")
      try desk.cable.plug(true)
      try desk.editor.awaitColor("dark")
      for _ in 0..<10 {
        try desk.cable.plug(false)
        try desk.cable.plug(true)
      }
      try desk.show("light")
      try desk.cable.readdress()
      try desk.show("dark")
      // Nothing that was not so was shown in between, and nothing twice.
      let told = try desk.editor.told()
      #expect(told == ["light", "dark", "light", "dark"])
    }
  }

  @Test func `an sshd that is restarted with all its connections`() throws {
    try withRemoteEditor { desk in
      for scheme in ["dark", "light"] {
        try desk.endServer()
        try desk.share.errorLine(containing: "trying again in")
        _ = try desk.session.themectl("set", scheme)
        desk.sshd = try desk.server.listen(under: desk.cable.enter(desk.cable.far))
        try desk.editor.awaitColor(scheme)
      }
      // The themed over there has ended with its connection. Its clients may be told by the next one what was so last,
      // and once more nothing that was not so.
      var told = try desk.editor.told()
      told = zip([""] + told, told).filter { $0 != $1 }.map(\.1)
      #expect(told == ["light", "dark", "light"])
    }
  }

  @Test func `a laptop that stands still while the other end gives the connection up`() throws {
    try withRemoteEditor { desk in
      let ssh = try desk.share.child("ssh")
      for stopped in [desk.share.pid, ssh] { #expect(kill(stopped, SIGSTOP) == 0) }
      try desk.cable.plug(false)
      try desk.endServer()
      // What is said while it sleeps reaches nobody there, and of it the last is what counts.
      for scheme in ["dark", "light", "dark"] { _ = try desk.session.themectl("set", scheme) }
      Thread.sleep(forTimeInterval: 3)
      try desk.cable.plug(true)
      desk.sshd = try desk.server.listen(under: desk.cable.enter(desk.cable.far))
      for stopped in [ssh, desk.share.pid] { #expect(kill(stopped, SIGCONT) == 0) }
      try desk.editor.awaitColor("dark")
      // What was read before it stood still may come first.
      try desk.show("light")
      #expect(try desk.editor.told().last == "light")
    }
  }
}

/// What is on both sides.
private final class Desk {
  let session: Session
  let cable: Cable
  let server: Server
  let share: ChildProcess
  let editor: RemoteEditor
  var sshd: ChildProcess

  init(_ session: Session) throws {
    self.session = session
    try session.directory.write(
      "[theme]\n[light.palette]\nbackground=#fafbfc\n[dark.palette]\nbackground=#010203\n",
      to: "data/themed/themes/paper.theme")
    try session.configure("[appearance]\nlight-theme=paper\ndark-theme=paper\n")
    _ = try session.startThemed()
    cable = try Cable(session)
    server = try Server(session, at: cable.farAddress)
    sshd = try server.listen(under: cable.enter(cable.far))
    share = try server.follow(under: cable.enter(cable.near))
    editor = try RemoteEditor(session, server, under: cable.enter(cable.far))
    try editor.awaitColor("light")
  }

  /// Has this shown here, and waits until the editor shows it.
  func show(_ scheme: String) throws {
    _ = try session.themectl("set", scheme)
    try editor.awaitColor(scheme)
  }

  /// Ends the far sshd and those that it has started for each connection, as when that machine starts anew.
  func endServer() throws {
    let connections = try sshd.descendants()
    sshd.stop()
    for connection in connections { kill(connection, SIGKILL) }
  }
}

/// Neovim in tmux on another machine, following by a few lines of Lua as a plugin does.
private final class RemoteEditor {
  private let session: Session
  private let server: Server
  private let socket: String
  private let log: String

  init(_ session: Session, _ server: Server, under wrapper: [String]) throws {
    (self.session, self.server) = (session, server)
    (socket, log) = (server.path("tmux"), server.path("told"))
    let script = try session.directory.write(Self.plugin, to: "\(server.name)/follow.lua")
    let variables = server.variables + ["TOLD=\(log)"]
    let words = wrapper + ["env"] + variables + ["tmux", "-S", socket, "-f", "/dev/null", "-D"]
    _ = try session.spawn(words[0], Array(words.dropFirst()))
    try eventually("tmux listens") { FileManager.default.fileExists(atPath: socket) }
    try tmux(["new-session", "-d", "-x", "80", "-y", "24", "nvim -n -i NONE -u \(script)"])
  }

  @discardableResult private func tmux(_ words: [String]) throws -> String {
    try session.check("tmux", ["-S", socket] + words)
  }

  /// Waits until its pane has the background of this scheme.
  func awaitColor(_ scheme: String) throws {
    let color = scheme == "dark" ? "48;2;1;2;3" : "48;2;250;251;252"
    try eventually("the editor is \(scheme)") {
      let screen = try tmux(["capture-pane", "-p", "-e"])
      return screen.contains(color) && screen.contains("follows: \(scheme)")
    }
  }

  /// The schemes that it was told, one after the other.
  func told() throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// It connects anew where it has to, and keeps a log of what it is told.
  private static let plugin = #"""
    local uv = vim.uv or vim.loop
    local path = vim.env.XDG_RUNTIME_DIR .. '/themed/org.themed.theme'
    vim.o.termguicolors = true

    local function show(state)
      vim.o.background = state.scheme
      vim.cmd('highlight Normal guibg=' .. state.palette.background)
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'follows: ' .. state.scheme })
      vim.fn.writefile({ state.scheme }, vim.env.TOLD, 'a')
    end

    local function follow()
      local pipe, held, isOver = uv.new_pipe(false), '', false
      local function again()
        if isOver then return end
        isOver = true
        pipe:close()
        uv.new_timer():start(100, 0, follow)
      end
      pipe:connect(path, function(failure)
        if failure then return again() end
        pipe:write('{"method":"org.themed.theme.Monitor","parameters":{"details":true},"more":true}\0')
        pipe:read_start(function(failure, bytes)
          if failure or not bytes then return again() end
          held = held .. bytes
          while true do
            local last = held:find('\0', 1, true)
            if not last then return end
            local state = vim.json.decode(held:sub(1, last - 1)).parameters.state
            held = held:sub(last + 1)
            vim.schedule(function() show(state) end)
          end
        end)
      end)
    end
    follow()

    """#
}

/// Runs a test with an editor on another machine that follows this one, and is light.
private func withRemoteEditor(_ body: (Desk) throws -> Void) throws {
  try withSession { session in try body(Desk(session)) }
}
