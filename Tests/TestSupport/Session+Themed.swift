import Foundation

extension Session {
  /// The path of the daemon's socket.
  public var socketPath: String { directory.path("run/themed/org.themed.theme") }

  /// The path of the daemon's socket for reading only.
  public var readOnlyPath: String { directory.path("run/themed/readonly/org.themed.theme") }

  /// The path of the file that the daemon keeps its overrides in.
  public var overridesPath: String { directory.path("state/themed/overrides.json") }

  /// Writes the user's configuration.
  public func configure(_ text: String) throws {
    try directory.write(text, to: "config/themed/themed.conf")
  }

  /// Starts the daemon, with a socket for its notifications, without waiting for any.
  public func spawnThemed(_ arguments: [String] = []) throws -> ChildProcess {
    try spawnNotifying(Products.path("themed"), arguments)
  }

  /// Starts the daemon and waits until it says that it is ready.
  public func startThemed(_ arguments: [String] = []) throws -> ChildProcess {
    try begun(spawnThemed(arguments))
  }

  /// Starts the daemon under another program, such as strace, whose words come before the daemon's path.
  public func startThemed(under wrapper: [String]) throws -> ChildProcess {
    let words = try wrapper.dropFirst() + [Products.path("themed")]
    return try begun(spawnNotifying(Products.system(wrapper.first ?? ""), Array(words)))
  }

  /// Starts the daemon with a socket that already listens at `path`, as a socket unit would.
  public func startThemed(inheriting listener: Listener) throws -> ChildProcess {
    // LISTEN_PID has to be the daemon's own, which a shell knows before it becomes the daemon.
    let script = "LISTEN_FDS=1 LISTEN_FDNAMES=varlink LISTEN_PID=$$ exec \"$0\""
    return try begun(
      spawnNotifying(
        Products.system("sh"), ["-c", script, Products.path("themed")], descriptors: [listener.descriptor]))
  }

  /// Connects to the daemon's socket.
  public func connect() throws -> VarlinkConnection {
    try VarlinkConnection(path: socketPath)
  }

  /// Connects to the daemon's socket for reading only.
  public func connectToRead() throws -> VarlinkConnection {
    try VarlinkConnection(path: readOnlyPath)
  }

  /// Connects, begins to monitor, and returns the connection before its first frame is read.
  public func subscribe() throws -> VarlinkConnection {
    let connection = try connect()
    try connection.send(#"{"method":"org.themed.theme.Monitor","parameters":{},"more":true}"#)
    return connection
  }

  /// Makes so many changes, and waits until a subscriber has heard of each.
  public func change(times count: Int) throws {
    let (monitor, client) = (try subscribe(), try connect())
    var serial = try monitor.frame().int("parameters.state.serial") ?? 0
    for _ in 0..<count {
      _ = try client.call("Toggle")
      serial += 1
      let heard = try monitor.frame()
      guard heard.int("parameters.state.serial") == serial else { throw Failure("not \(serial): \(heard.text)") }
    }
  }

  /// Starts the command, to run beside the test.
  public func spawnThemectl(_ arguments: String...) throws -> ChildProcess {
    keep(try ChildProcess(Products.path("themectl"), arguments, environment: environment))
  }

  /// Runs the command to its end.
  public func themectl(_ arguments: String...) throws -> Finished {
    try themectl(arguments)
  }

  /// Runs the command to its end.
  public func themectl(_ arguments: [String]) throws -> Finished {
    try run(Products.path("themectl"), arguments)
  }

  /// Starts the load generator, which connects clients by the thousand.
  public func spawnLoad(_ arguments: String...) throws -> ChildProcess {
    keep(try ChildProcess(Products.path("themed-load"), arguments, environment: environment, input: []))
  }

  /// Starts Python, the one that has the package `varlink`.
  public func spawnPython(_ arguments: [String]) throws -> ChildProcess {
    var environment = environment
    environment["PYTHONUNBUFFERED"] = "1"
    return keep(try ChildProcess(Products.python(), arguments, environment: environment))
  }

  /// Runs Python to its end.
  public func python(_ arguments: [String]) throws -> Finished {
    try finish(spawnPython(arguments))
  }

  /// Starts a program of the system as a service manager would, and waits until it says that it is ready.
  func startNotifying(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let process = try spawnNotifying(Products.system(program), arguments)
    try awaitReadiness(of: process)
    return process
  }

  private func spawnNotifying(
    _ program: String, _ arguments: [String], descriptors: [Descriptor] = []
  ) throws -> ChildProcess {
    var environment = environment
    let socket = directory.path("tmp/notify-" + UUID().uuidString.prefix(8))
    environment["NOTIFY_SOCKET"] = socket
    return keep(
      try ChildProcess(
        program, arguments, environment: environment, descriptors: descriptors, notifySocket: socket))
  }

  /// The daemon that was started, once it is ready and has set all up: it is ready before it has read its files, or made
  /// any, and tests look at those.
  private func begun(_ themed: ChildProcess) throws -> ChildProcess {
    try awaitReadiness(of: themed)
    try themed.awaitStatus()
    return themed
  }

  private func awaitReadiness(of process: ChildProcess) throws {
    let first = try process.notification()
    guard first["READY"] == "1" else { throw Failure("\(process.name) said \(first) before it was ready") }
  }
}
