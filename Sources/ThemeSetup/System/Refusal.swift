import Glibc
package import ThemedSystem

/// Why something was not done, in words for the user.
package struct Refusal: Error, Hashable, CustomStringConvertible {
  /// The reasons; nearly always one.
  package let reasons: [String]
  /// The lines of a file, or for the user to write by hand, that belong below the last reason.
  package let lines: [String]
  /// Whether the reason is that no daemon runs.
  package let lacksDaemon: Bool

  package var description: String { reasons.joined(separator: "; ") }

  package init(_ description: String, quoting lines: [String] = []) {
    (reasons, self.lines, lacksDaemon) = ([description], lines, false)
  }

  package init(reasons: [String], lacksDaemon: Bool = false) {
    (self.reasons, lines, self.lacksDaemon) = (reasons, [], lacksDaemon)
  }
}

extension Refusal {
  package init(_ error: any Error) {
    guard let error = error as? SystemError else {
      self.init("\(error)")
      return
    }
    let isChanged = error.code == StagedFile.changedMeanwhile
    self.init(isChanged ? "\(error.operation); nothing was changed, try again" : "\(error)\(Self.advice(error))")
  }

  /// The advice about an error, to follow its text; empty if there is no advice.
  ///
  /// - Parameter isWhole: whether nothing was changed.
  package static func advice(_ error: SystemError, isWhole: Bool = true) -> String {
    let start = isWhole ? "; nothing was changed: " : "; "
    return switch error.code {
    case EACCES, EPERM: start + "make the file and its directory writable for you ('chmod u+w'), and try again"
    case EROFS: start + "its file system is read-only ('findmnt -T' says which)"
    case ENOSPC, EDQUOT: start + "make room on its disk, and try again"
    default: ""
    }
  }
}
