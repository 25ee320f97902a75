import Foundation
import Testing
import ThemedTestSupport

/// Real programs that ask the portal, with our backend before the desktop's own: what they show.
///
/// Qt of Debian 12 (6.4) asks no portal; that of Debian 13 is tried by `make test-trixie`.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries them")) struct AskerStories {
  @Test(arguments: Asker.Program.allCases)
  func `an override reaches it and goes with auto, and the desktop's changes go through else`(
    program: Asker.Program
  ) throws {
    try withSession { session in
      let desktop = try session.startChain(.light).desktop
      let believer = try desktop.believer()
      let watch = try session.subscribe()
      let asker = try session.startAsker(program)
      try asker.expect("light")
      try desktop.set(.dark)
      try asker.expect("dark")
      try desktop.set(.light)
      try asker.expect("light")

      _ = try session.themectl("set", "dark")
      try asker.expect("dark")

      // During the override the desktop's change shows in the status, and is put right wherever else it was heard.
      let shown = asker.words.count
      for (setting, word, answer) in [
        (Desktop.Setting.dark, "dark", "1"), (.none, "none", "0"), (.light, "light", "2"),
      ] {
        let heard = believer.heard.count
        try desktop.set(setting)
        _ = try watch.frame { $0.desktop == word }
        try eventually {
          let words = believer.heard.dropFirst(heard)
          return words.contains("uint32 \(answer)") && words.last == "uint32 1"
        }
        #expect(try session.themectl("status").output.contains(word == "none" ? "no preference" : word))
        try eventually("\(program)'s dark") { try asker.now() == "dark" && asker.words.last == "dark" }
      }
      let flashes = asker.words.dropFirst(shown).count { $0 == "light" }
      print("\(program): of 2 changes to light during an override it showed \(flashes), and took them back")

      _ = try session.themectl("set", "auto")
      try asker.expect("light")
      try desktop.set(.dark)
      try asker.expect("dark")
      try eventually("\(program)'s dark") { try asker.now() == "dark" && asker.words.last == "dark" }
    }
  }
}
