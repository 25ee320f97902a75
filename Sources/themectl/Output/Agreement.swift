import Glibc
import ThemedSystem

/// Asks whether the user agrees to the plan; says so if not, and what to type if there is no terminal to ask on.
func agrees(toTyping command: String) throws -> Bool {
  guard isatty(STDIN_FILENO) != 0 else {
    complain("standard input is not a terminal, so nothing was changed; run '\(command)' to skip the question")
    return false
  }
  try write("Continue? [y/N] ")
  guard isYes(readLine() ?? "") else {
    try say("Nothing was changed.")
    return false
  }
  return true
}

/// Whether an answer to a question means yes: y or yes, in letters of any case, with blanks around it or without.
func isYes(_ answer: String) -> Bool {
  let blanks = Array(" \t\r\n".utf8)
  let word = answer.utf8.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
  return ["y", "yes"].contains { $0.utf8.elementsEqual(word.map { $0 | 0x20 }) }
}
