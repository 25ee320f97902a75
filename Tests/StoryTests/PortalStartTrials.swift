import Foundation
import ThemedTestSupport
import Testing

/// The portal's start, and the first answer of it, whatever our backend does meanwhile.
///
/// How long it takes is printed, and asserted nowhere; `THEMED_PORTAL_STARTS` has each tried more often.
@Suite(.ownThreads) struct PortalStartTrials {
  /// What our backend does while the portal starts.
  enum Case: String, CaseIterable {
    case absent, there, killed, late, slow, hanging
  }

  @Test(arguments: Case.allCases.filter { $0 != .hanging })
  func `whoever asks it is answered, ours where that can answer, and else the desktop's own`(what: Case) throws {
    try start(what)
  }

  /// The portal gives up after 25 seconds for each call, which is as long as whoever asks it waits.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["THEMED_PORTAL_STARTS"] != nil,
      "takes a minute: make test-portal tries it"))
  func `behind one that hangs, whoever asks often enough is answered by the desktop's own`() throws {
    try start(.hanging)
  }

  private func start(_ what: Case) throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      _ = try session.themectl("set", "dark")
      try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
      var backend = chain.backend
      var (starts, answers): ([Double], [Double]) = ([], [])
      // One that hangs is waited for by the portal, for as long as a call may take: it is tried once.
      for _ in 0..<(what == .hanging ? 1 : number("THEMED_PORTAL_STARTS", 1)) {
        try chain.desktop.killPortal()
        switch what {
        case .there: break
        case .absent, .late, .killed:
          backend.send(what == .killed ? .kill : .terminate)
          try backend.wait()
        case .slow, .hanging: backend.send(.stop)
        }
        let slow = backend.pid
        if what == .slow {
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1)
            kill(slow, SIGCONT)
          }
        }
        let begun = Date.now
        // The bus gives up waiting for its name when the portal gives up waiting for one that hangs.
        if what == .hanging { try? chain.desktop.startPortal() } else { try chain.desktop.startPortal() }
        starts.append(Date.now.timeIntervalSince(begun))
        let asked = Date.now
        var answer = ""
        try eventually("an answer") {
          answer = (try? chain.desktop.portalAnswer()) ?? ""
          return answer != ""
        }
        answers.append(Date.now.timeIntervalSince(asked))
        switch what {
        case .there, .slow: #expect(answer == "(<<uint32 1>>,)")
        case .absent, .killed, .late, .hanging: #expect(answer == "(<<uint32 2>>,)")
        }
        switch what {
        case .there, .slow: break
        case .hanging: backend.send(.continue)
        case .absent, .killed, .late: backend = try chain.desktop.startBackend()
        }
        // It is asked from the moment that it is there; one that hung, and was given up, by the next portal.
        if what == .hanging {
          try chain.desktop.killPortal()
          try chain.desktop.startPortal()
        }
        try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
      }
      print("portal start, our backend \(what.rawValue): \(words(starts)); its first answer: \(words(answers))")
    }
  }

  /// The middle one and the longest.
  private func words(_ times: [Double]) -> String {
    let sorted = times.sorted().map { Int($0 * 1000) }
    return "\(sorted[sorted.count / 2]) ms, at most \(sorted[sorted.count - 1]) ms of \(sorted.count)"
  }

  private func number(_ name: String, _ otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? otherwise
  }
}
