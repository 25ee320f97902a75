import Testing
import ThemedTestSupport

/// The daemon is aborted while it works, as the service manager does with one that hangs.
@Suite(.ownThreads) struct AbortStories {
  /// Two clients that call without a pause, and connect again when the daemon is gone.
  private static let callers = """
    import json, socket, sys, threading
    def call(method, **parameters):
      return json.dumps({"method": "org.themed.theme." + method, "parameters": parameters}).encode() + b"\\0"
    long = call("GetState", app="a", x=[{"key": "value %d" % i, "list": [i, str(i)]} for i in range(900)])
    calls = (long + call("Toggle", app="other")) * 4
    def read(client):
      try:
        while client.recv(1 << 20): pass
      except OSError: pass
    def work():
      while True:
        try:
          with socket.socket(socket.AF_UNIX) as client:
            client.connect(sys.argv[1])
            threading.Thread(target=read, args=(client,), daemon=True).start()
            while True: client.sendall(calls)
        except OSError: pass
    for _ in range(2): threading.Thread(target=work).start()
    """

  @Test func `aborted in the middle of work it dies of that at once, and the next one goes on with what was saved`()
    throws
  {
    try withSession { session in
      _ = try session.spawn("python3", ["-c", Self.callers, session.socketPath])
      // One about to be aborted needs no core file here.
      func start() throws -> ChildProcess {
        try session.startThemed(under: ["sh", "-c", "ulimit -c 0; exec \"$0\""])
      }
      var themed = try start()
      let monitor = try session.spawnThemectl("monitor")
      #expect(try monitor.line() == "light")
      var generator = SeededGenerator()
      for round in 1...50 {
        let scheme = round.isMultiple(of: 2) ? "light" : "dark"
        let client = try session.connect()
        let set = try client.call("SetOverride", #"{"override":{"scheme":"\#(scheme)"}}"#)
        #expect(set.bool("parameters.saved") == true)
        #expect(try monitor.line() == scheme)
        // At another point of its work each time.
        for _ in 0..<Int.random(in: 0...20, using: &generator) { _ = try client.call("GetState") }
        themed.send(.abort)
        #expect(try themed.wait() == .signaled(6), "round \(round)")
        themed = try start()
        #expect(try session.connect().call("GetState").scheme == scheme, "round \(round)")
      }
      #expect(monitor.lines.count == 51, "each word once: \(monitor.lines)")
    }
  }
}
