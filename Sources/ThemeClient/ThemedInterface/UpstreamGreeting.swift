/// The messages of `themed --upstream -` to `themectl share`, one line each on standard output.
///
/// `themectl share` ignores all other output, and never treats any of it as a call.
public enum UpstreamGreeting: String, Sendable, CaseIterable {
  /// The daemon accepts states from now on. The number is the version of what it accepts: frames of Monitor, with
  /// details.
  case ready = "themed-upstream 1"
  /// Another `themectl share` has taken over.
  case taken = "themed-upstream taken"

  /// The exit status of `themed --upstream -` if another daemon already follows a desktop (EX_UNAVAILABLE of
  /// sysexits.h).
  public static let refusedStatus: Int32 = 69

  /// The command that makes room on a machine without a desktop.
  ///
  /// It masks the units, because disabling is not enough: the next login would enable them again if the package enables
  /// them for all users.
  public static let displacement = "systemctl --user mask --now themed.socket themed-readonly.socket themed.service"
}
