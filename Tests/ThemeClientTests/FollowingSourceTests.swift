import Glibc
import Testing
import ThemedClientCore
import ThemedModel
import ThemedSystem
import ThemedTestSupport
import ThemedVarlink

/// A descriptor for somebody else's loop, through everything that a daemon can do to it.
@Suite(.ownThreadsAtOnce, .timeLimit(.minutes(10))) struct FollowingSourceTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    scratch.makeDirectory()
  }

  @Test("It is readable from the beginning, gives what comes, and is the same through restarts")
  func restarts() throws {
    var source = try StateSource(app: "a", socket: scratch.socket)
    let descriptor = source.descriptor
    #expect(isReadable(descriptor))
    #expect(try source.process() == nil)
    for (number, scheme) in [ColorScheme.light, .dark, .light].enumerated() {
      let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
        var peer = try listener.accept()
        #expect(try peer.callText() == #"{"method":"org.themed.theme.Monitor","parameters":{"app":"a"},"more":true}"#)
        try peer.send(sample(scheme, instance: "\(number)"))
      }
      #expect(try next(&source).scheme == scheme)
      #expect(source.descriptor == descriptor)
      daemon.join()
    }
  }

  @Test("It never waits, and is quiet where there is nothing to do")
  func quiet() throws {
    let turns = Turns()
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try turns.take()
      try peer.send(sample(.dark))
      try peer.awaitClose()
    }
    do {
      var source = try StateSource(socket: scratch.socket)
      for _ in 0..<10 { #expect(try source.process() == nil) }
      #expect(!isReadable(source.descriptor))
      turns.give()
      #expect(try next(&source).scheme == .dark)
      #expect(try source.process() == nil)
      #expect(!isReadable(source.descriptor))
    }
    daemon.join()
  }

  @Test("Without a daemon it sleeps, and finds the one that comes with directories of its own")
  func late() throws {
    let late = try Scratch()
    var source = try StateSource(socket: late.socket)
    #expect(try source.process() == nil)
    #expect(!isReadable(source.descriptor))
    unsafe mkdir(late.path + "/run", 0o700)
    #expect(isReadable(source.descriptor))
    #expect(try source.process() == nil)
    #expect(!isReadable(source.descriptor), "without a socket there is nothing to try by the clock")
    late.makeDirectory()
    let daemon = try answering(.dark, at: late.socket)
    #expect(try next(&source).scheme == .dark)
    daemon.join()
  }

  @Test("Through links it finds the daemon that comes where they lead", arguments: [false, true])
  func links(ofDirectory isDirectory: Bool) throws {
    let link = scratch.path + "/link"
    let other = try Scratch()
    if !isDirectory { other.makeDirectory() }
    unsafe symlink(isDirectory ? other.path + "/run" : other.socket, link)
    var source = try StateSource(socket: isDirectory ? link + "/themed/socket" : link)
    #expect(try source.process() == nil)
    #expect(!isReadable(source.descriptor))
    other.makeDirectory()
    for scheme in [ColorScheme.dark, .light] {
      let daemon = try answering(scheme, at: other.socket)
      #expect(try next(&source).scheme == scheme)
      daemon.join()
    }
  }

  @Test("What others make beside a socket whose daemon hangs up is no reason to try again")
  func neighbours() throws {
    let listener = try Listener(path: scratch.socket)
    var source = try StateSource(socket: scratch.socket)
    var connections = 0
    for number in 0..<200 {
      #expect(try source.process() == nil)
      connections += try listener.hangUp()
      close(unsafe open(scratch.path + "/run/themed/\(number)", O_CREAT | O_WRONLY, 0o600))
    }
    #expect(connections > 0)
    // The pauses grow to five seconds.
    #expect(connections < 50)
    listener.close()
  }

  @Test("Of what came in the meantime it gives the newest, and nothing where that is the same again")
  func conflation() throws {
    let (connected, sent, taken) = (Turns(), Turns(), Turns())
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try connected.take()
      for serial in 1...101 { try peer.send(sample(serial.isMultiple(of: 2) ? .light : .dark, serial: Int64(serial))) }
      sent.give()
      try taken.take()
      try peer.send(sample(.light, serial: 102))
      try peer.send(sample(.dark, serial: 103))
      sent.give()
      try peer.awaitClose()
    }
    do {
      var source = try StateSource(socket: scratch.socket)
      // Connects; what it took of what comes then, it would not give again.
      #expect(try source.process() == nil)
      connected.give()
      try sent.take()
      let serials = try [source.process(), source.process()].compactMap { $0?.serial }
      #expect(serials == [101])
      taken.give()
      try sent.take()
      #expect(try source.process() == nil)
    }
    daemon.join()
  }

  @Test("What trying again does not mend is thrown, each time, and then the loop is left alone")
  func refused() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      try peer.send(Reply(.invalidParameter("app")))
      try peer.awaitClose()
    }
    var source = try StateSource(app: "x", socket: scratch.socket)
    let error = CallError.refused(error: "org.varlink.service.InvalidParameter", parameter: "app")
    #expect(throws: error) { _ = try next(&source) }
    #expect(throws: error) { _ = try source.process() }
    #expect(!isReadable(source.descriptor))
    daemon.join()
  }

  @Test("A daemon that does not stop to speak does not hold the loop")
  func flood() throws {
    let daemon = try ScriptedDaemon(at: scratch.socket) { listener in
      var peer = try listener.accept()
      try peer.takeCall()
      let (light, dark) = (Array(frame(sample(.light))), Array(frame(sample(.dark, serial: 2))))
      let pairs = Array([[UInt8]](repeating: light + dark, count: 500).joined())
      // Some 300 MiB, of which most find nobody.
      for _ in 0..<1000 { try peer.send(pairs + light + pairs) }
    }
    do {
      var source = try StateSource(socket: scratch.socket)
      for _ in 0..<3 { _ = try next(&source) }
    }
    daemon.join()
  }

  @Test("While the process has no descriptors left it tries again by itself, and no program inherits what it has")
  func descriptors() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      scratch.makeDirectory()
      var limit = rlimit()
      let before = inherited()
      var source = try StateSource(socket: scratch.socket)
      let daemon = try answering(.dark, at: scratch.socket)
      // From here on no descriptor is to be had, but by the daemon, which has the last one.
      try withoutDescriptors(&limit) {
        for _ in 0..<3 { try #require(try source.process() == nil) }
        try #require(!isReadable(source.descriptor))
      }
      try #require(try next(&source).scheme == .dark)
      try #require(inherited() == before)
      daemon.join()
    }
  }

  @Test("It closes all that it has at its end")
  func end() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      scratch.makeDirectory()
      // Once it has stayed the same for a while: threads of the runtime's may be about to open or close one of theirs.
      func count() -> Int {
        var (number, times) = (-1, 0)
        while times < 20 {
          let now = (0..<CInt(256)).count { fcntl($0, F_GETFD) >= 0 }
          (number, times) = (now, now == number ? times + 1 : 0)
          usleep(5000)
        }
        return number
      }
      let before = count()
      for _ in 0..<3 {
        var source = try StateSource(socket: scratch.socket)
        try #require(try source.process() == nil)
        try #require(count() > before)
      }
      try #require(count() == before)
    }
  }
}

/// A daemon that tells one state, and ends with its client.
private func answering(_ scheme: ColorScheme, at path: String) throws -> ScriptedDaemon {
  try ScriptedDaemon(at: path) { listener in
    var peer = try listener.accept()
    try peer.takeCall()
    try peer.send(sample(scheme))
  }
}

/// The next state; waits for it as a loop does.
private func next(_ source: inout StateSource) throws -> State {
  while true {
    if let state = try source.process() { return state }
    try awaitReadiness(of: source.descriptor)
  }
}

/// What programs that this one starts would have.
private func inherited() -> [CInt] {
  (0..<CInt(256)).filter { descriptor in
    let flags = fcntl(descriptor, F_GETFD)
    return flags >= 0 && flags & FD_CLOEXEC == 0
  }
}

func isReadable(_ descriptor: CInt) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&entry, 1, 0) > 0
}

/// Runs `body` where the process can have no further descriptor.
private func withoutDescriptors(_ before: inout rlimit, _ body: () throws -> Void) throws {
  let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  try #require(unsafe getrlimit(kind, &before) == 0)
  var none = before
  // With none at all poll would refuse to wait.
  none.rlim_cur = 1
  try #require(unsafe setrlimit(kind, &none) == 0)
  defer { _ = unsafe setrlimit(kind, &before) }
  try body()
}
