internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

// The follower's events and actions.

extension PortalFollower {
  /// An event to handle.
  enum Event {
    /// The bus reported the owner of the portal's name; nil: none, or the bus is gone.
    case owner(Text?)
    /// A connection sent the signal SettingChanged.
    case signal(sender: Text?, Setting, Value)
    /// A connection other than the ``owner`` sent that signal; its content is not read.
    case strangersSignal(sender: Text?)
    /// The portal answered a read, or the call failed.
    case answer(Read.ID, Setting, Result<Value, Failure>)
    /// A new client wants to know the desktop's preference.
    case signOfLife
    /// The user wants everything to be retried.
    case reload
    /// The delay of ``Action/wake(afterMilliseconds:)`` is over.
    case woken
  }

  /// A task for the caller.
  enum Action: Equatable {
    /// Read each setting; each answer comes back as an event with the id of the read.
    case read(Read)
    /// Send ``Event/woken`` after this delay, instead of any earlier request.
    case wake(afterMilliseconds: Int)
    /// Send no ``Event/woken``.
    case sleep
    /// The desktop's preference is now this.
    case publish(Reading, Cause)
    /// The portal itself has confirmed what was published last: the desktop is not in the middle of a change.
    case settle
    /// A warning for the user.
    case warn(String)
  }

  /// A read of all settings.
  struct Read: Equatable {
    typealias ID = Int

    /// Answers to earlier reads are outdated.
    let id: ID
    /// The portal's unique name; only it may answer.
    let owner: Text
    /// The method to call.
    let method: SettingsPortal.ReadMethod
  }

  /// How the daemon learned of a change.
  enum Cause: String {
    case signal = "portal signal"
    case read = "portal read"
  }
}
