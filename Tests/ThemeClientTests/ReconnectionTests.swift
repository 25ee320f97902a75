import ThemedText
import Testing
import ThemeClient

/// What to do next to keep following the daemon.
@Suite struct ReconnectionTests {
  @Test("It connects, reads, and goes on reading")
  func plain() {
    var reconnection = Reconnection()
    #expect(reconnection.step == .connect)
    reconnection.connected()
    #expect(reconnection.step == .read)
    reconnection.delivered()
    #expect(reconnection.step == .read)
  }

  @Test("Without a socket it waits however long it takes, and connects once something changed")
  func noSocket() {
    var reconnection = Reconnection()
    for _ in 0..<20 {
      reconnection.failed(socketExists: false)
      #expect(reconnection.step == .wait(atMost: nil))
      reconnection.waited()
      #expect(reconnection.step == .connect)
    }
  }

  @Test("Each refusal doubles the pause, up to five seconds")
  func backoff() {
    var reconnection = Reconnection()
    var pauses: [Duration] = []
    for _ in 0..<9 {
      reconnection.failed(socketExists: true)
      if case .wait(let pause?) = reconnection.step { pauses.append(pause) }
      reconnection.waited()
    }
    let milliseconds = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]
    #expect(pauses == milliseconds.map { .milliseconds($0) })
  }

  @Test("A stream that ends before it delivers counts as a refusal")
  func endsAtOnce() {
    var reconnection = Reconnection()
    for pause in [100, 200, 400] {
      reconnection.connected()
      reconnection.failed(socketExists: true)
      #expect(reconnection.step == .wait(atMost: .milliseconds(pause)))
      reconnection.waited()
    }
  }

  @Test("After a stream that delivered, and after a socket that was missing, the pauses start anew")
  func reset() {
    var reconnection = Reconnection()
    for _ in 0..<5 { reconnection.failed(socketExists: true) }
    reconnection.waited()
    reconnection.connected()
    reconnection.delivered()
    reconnection.failed(socketExists: true)
    #expect(reconnection.step == .wait(atMost: Reconnection.shortestPause))
    reconnection.failed(socketExists: true)
    reconnection.failed(socketExists: false)
    reconnection.failed(socketExists: true)
    #expect(reconnection.step == .wait(atMost: Reconnection.shortestPause))
  }
}

/// Which states say something new.
@Suite struct ChangesTests {
  @Test("A state is new when what holds differs from the one before, whoever says it")
  func changes() {
    var changes = Changes()
    let states = [
      sample(.light, serial: 1), sample(.light, serial: 1), sample(.light, serial: 2),
      sample(.light, serial: 1, instance: "two"), sample(.dark, serial: 2, instance: "two"),
      sample(.light, serial: 3, instance: "two"),
    ]
    #expect(states.map { changes.isNew($0) } == [true, false, false, false, true, true])
  }
}

func sample(_ scheme: ColorScheme, serial: Int64 = 1, instance: String = "one") -> State {
  let reading = Reading(scheme: scheme == .light ? .light : .dark)
  return State(
    instance: Text(instance), serial: serial,
    resolution: resolve(app: nil, all: Rules(), reading: reading, defaults: Defaults()))
}
