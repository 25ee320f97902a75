import Foundation
import Testing
import ThemedTestSupport

/// The portal's start, and the first answer of it, whatever our backend does meanwhile.
///
/// How long it takes is printed, and asserted nowhere; `THEMED_PORTAL_STARTS` has each tried more often.
@Suite(.ownThreads) struct PortalStartTrials {
  /// What our backend does while the portal starts; last, while a portal runs that has asked it before.
  enum Case: String, CaseIterable {
    case absent, there, killed, late, slow, hanging, hangingLater
  }

  @Test(arguments: Case.allCases)
  func `whoever asks it is answered, ours where that can answer, and else the desktop's own`(what: Case) throws {
    try start(what)
  }

  private func start(_ what: Case) throws {
    try withSession { session in
      let chain = try session.startChain(.light)
      _ = try session.themectl("set", "dark")
      try eventually { try chain.desktop.portalAnswer() == "(<<uint32 1>>,)" }
      var backend = chain.backend
      var (starts, answers): ([Double], [Double]) = ([], [])
      for _ in 0..<number("THEMED_PORTAL_STARTS", 1) {
        if what != .hangingLater { try chain.desktop.killPortal() }
        switch what {
        case .there: break
        case .absent, .late, .killed:
          backend.send(what == .killed ? .kill : .terminate)
          try backend.wait()
        case .slow, .hanging, .hangingLater: backend.send(.stop)
        }
        let slow = backend.pid
        if what == .slow {
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            kill(slow, SIGCONT)
          }
        }
        let begun = Date.now
        try chain.desktop.startPortal()
        starts.append(Date.now.timeIntervalSince(begun))
        let asked = Date.now
        var answer = ""
        try eventually("an answer") {
          answer = (try? chain.desktop.portalAnswer()) ?? ""
          return answer != ""
        }
        answers.append(Date.now.timeIntervalSince(asked))
        // On a machine that has no time for us, one that is slow is ended as if it hung; the portal hears of that first.
        if what == .hanging || what == .hangingLater || what == .slow && answer == "(<<uint32 2>>,)" {
          #expect(try backend.wait() == .signaled(SIGKILL))
          #expect(backend.errors.contains("its watchdog killed it"))
        }
        #expect(answer == (backend.isRunning ? "(<<uint32 1>>,)" : "(<<uint32 2>>,)"))
        if !backend.isRunning { backend = try chain.desktop.startBackend() }
        // It is asked from the moment that it is there, by the same portal.
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
