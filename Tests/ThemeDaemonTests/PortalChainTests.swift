import Testing
import ThemedModel
import ThemedDBus
import ThemedSystem
import ThemedTestSupport

@testable import ThemeDaemon

@Suite struct PortalChainTests {
  private func chain(_ events: PortalChain.Event...) -> PortalChain {
    var chain = PortalChain()
    for event in events { _ = chain.handle(event) }
    return chain
  }

  @Test func `where it cannot be found out who is below, it is tried again, later each time`() {
    var chain = chain(.portal(":1.5"), .ours(":1.9"))
    var delays: [Int] = []
    for round in 1...3 {
      guard case .wake(let delay)? = chain.handle(.listed(round, nil)).first else { break }
      delays.append(delay)
      #expect(chain.handle(.woken) == [.list(round + 1, portal: ":1.5")])
    }
    #expect(delays.count == 3)
    #expect(delays == delays.sorted())
    #expect(chain.handle(.listed(4, ["gtk"])) == [.follow(["gtk"])])
  }

  @Test func `without our backend the portal decides, and nobody is asked anything`() {
    var chain = PortalChain()
    #expect(chain.handle(.ours(nil)) == [])
    #expect(chain.handle(.portal(":1.5")) == [])
    #expect(chain.handle(.reload) == [])
    #expect(!chain.isDownstream)
  }

  @Test func `from the moment our backend is on the bus, the portal is not believed`() {
    var chain = chain(.portal(":1.5"))
    #expect(chain.handle(.ours(":1.9")) == [.list(1, portal: ":1.5")])
    #expect(chain.isDownstream)
    #expect(chain.handle(.listed(1, ["gtk"])) == [.follow(["gtk"])])
    #expect(chain.handle(.listed(1, ["gtk"])) == [])
  }

  @Test func `where ours is there before the portal, the others are looked for with that`() {
    var chain = chain(.ours(":1.9"))
    #expect(chain.handle(.portal(":1.5")) == [.list(2, portal: ":1.5")])
    // Another portal may have read other files.
    #expect(chain.handle(.portal(":1.6")) == [.list(3, portal: ":1.6")])
    #expect(chain.handle(.listed(2, ["gtk"])) == [])
  }

  @Test func `when ours is gone, the portal is believed once it knows no key of ours`() {
    var chain = chain(.portal(":1.5"), .ours(":1.9"), .listed(1, ["gtk"]))
    #expect(chain.handle(.ours(nil)) == [.ask(2, portal: ":1.5")])
    #expect(chain.handle(.answered(2, true)) == [.wake(afterMilliseconds: Limits.portalRetries[0])])
    #expect(chain.isDownstream)
    #expect(chain.handle(.woken) == [.ask(3, portal: ":1.5")])
    #expect(chain.handle(.answered(2, false)) == [])
    #expect(chain.handle(.answered(3, nil)) == [.wake(afterMilliseconds: Limits.portalRetries[1])])
    #expect(chain.handle(.woken) == [.ask(4, portal: ":1.5")])
    #expect(chain.handle(.answered(4, false)) == [.follow([]), .followPortal])
    #expect(!chain.isDownstream)
  }

  @Test func `where portal and backend are gone, nobody can repeat our word`() {
    var chain = chain(.portal(":1.5"), .ours(":1.9"), .listed(1, ["gtk"]), .portal(nil))
    #expect(chain.handle(.ours(nil)) == [.follow([]), .followPortal])
    var other = self.chain(.portal(":1.5"), .ours(":1.9"), .ours(nil))
    #expect(other.handle(.portal(nil)) == [.follow([]), .followPortal])
  }

  @Test func `a bus that returns without our backend has the portal believed`() {
    var chain = chain(.portal(":1.5"), .ours(":1.9"), .listed(1, ["gtk"]))
    #expect(chain.handle(.busLost) == [.follow([])])
    #expect(chain.isDownstream)
    #expect(chain.handle(.ours(nil)) == [.follow([]), .followPortal])
  }

  @Test func `in every order of comings and goings the portal decides only while ours is not there`() {
    var generator = SeededGenerator()
    for _ in 0..<2_000 {
      var (chain, ours, question) = (PortalChain(), Text?.none, 0)
      for _ in 0..<30 {
        let event: PortalChain.Event
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
          ours = Bool.random(using: &generator) ? ":1.\(Int.random(in: 0...9, using: &generator))" : nil
          event = .ours(ours)
        case 1: event = .portal(Bool.random(using: &generator) ? ":2.\(Int.random(in: 0...9, using: &generator))" : nil)
        case 2:
          event = .answered(
            question - Int.random(in: 0...1, using: &generator), [true, false, nil].randomElement(using: &generator)!)
        case 3: event = .listed(question, ["gtk"])
        case 4: event = .woken
        default: event = .reload
        }
        for action in chain.handle(event) {
          switch action {
          case .ask(let number, _):
            question = number
            #expect(ours == nil)
          case .list(let number, _):
            question = number
            #expect(ours != nil)
          case .followPortal: #expect(ours == nil)
          default: break
          }
        }
        if ours != nil { #expect(chain.isDownstream) }
      }
    }
  }
}

@Suite struct DownstreamReadingsTests {
  @Test func `the first that is there and has a color scheme decides, once it has answered`() {
    var readings = DownstreamReadings(["gnome", "gtk"])
    #expect(readings.merged == nil)
    readings.backend("gtk", isThere: true)
    readings.backend("gtk", says: Reading(scheme: .light, highContrast: true))
    #expect(readings.merged == nil)
    readings.backendHasAnswered("gtk")
    // The first may be about to come.
    #expect(readings.merged == nil)
    readings.backendIsMissedNoMore("gnome")
    #expect(readings.merged == Reading(scheme: .light, highContrast: true))
    readings.backend("gnome", isThere: true)
    #expect(readings.merged == nil)
    readings.backendHasAnswered("gnome")
    #expect(readings.merged?.scheme == .light)
    readings.backend("gnome", says: Reading(scheme: .none))
    #expect(readings.merged == Reading(scheme: .none, highContrast: true))
    readings.backend("gnome", isThere: false)
    readings.backendIsMissedNoMore("gnome")
    #expect(readings.merged?.scheme == .light)
    readings.backend("gtk", isThere: false)
    readings.backendIsMissedNoMore("gtk")
    #expect(readings.merged == nil)
  }

  @Test func `one that is restarted has its last word stand`() {
    var readings = DownstreamReadings(["gnome", "gtk"])
    for (name, scheme) in [("gnome", Preference.dark), ("gtk", .light)] as [(Text, Preference)] {
      readings.backend(name, isThere: true)
      readings.backend(name, says: Reading(scheme: scheme))
      readings.backendHasAnswered(name)
    }
    readings.backend("gnome", isThere: false)
    #expect(readings.merged?.scheme == .dark)
    readings.backend("gnome", isThere: true)
    #expect(readings.merged?.scheme == .dark)
    readings.backend("gnome", says: Reading(scheme: .none))
    readings.backendHasAnswered("gnome")
    #expect(readings.merged?.scheme == Preference.none)
  }

  @Test func `whatever a backend calls a key that it does not have, it is no failure`() {
    let strange = ThemedDBus.Failure(name: "org.freedesktop.DBus.Error.UnknownProperty", message: "no")
    let late = ThemedDBus.Failure(name: "org.freedesktop.DBus.Error.NoReply", message: "late")
    let backend = SettingsPortal.backend("a.b")
    #expect(backend.understood(.failure(strange)) == .failure(ThemedDBus.Failure(name: notFound, message: "no")))
    #expect(backend.understood(.failure(late)) == .failure(late))
    #expect(SettingsPortal.desktop.understood(.failure(strange)) == .failure(strange))
  }
}
