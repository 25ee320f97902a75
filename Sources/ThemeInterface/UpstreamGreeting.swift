/// What `themed --upstream -` tells `themectl share`, each as a line on its standard output.
///
/// All else that comes from there is dropped, and none of it is ever a call.
public enum UpstreamGreeting: String, Sendable, CaseIterable {
  /// What is sent is heard from now on. The number is that of what is sent: frames of Monitor, with details.
  case ready = "themed-upstream 1"
  /// Another share is heard in this one's place.
  case taken = "themed-upstream taken"

  /// How `themed --upstream -` ends where a daemon serves that follows a desktop (EX_UNAVAILABLE of sysexits.h).
  public static let refusedStatus: Int32 = 69

  /// What to type there where it has no desktop; a unit that is only disabled is enabled anew by the next login, where the
  /// package enables it for all users.
  public static let displacement = "systemctl --user mask --now themed.socket themed-readonly.socket themed.service"
}
