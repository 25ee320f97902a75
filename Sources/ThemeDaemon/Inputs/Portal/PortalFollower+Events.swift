internal import ThemeResolution
internal import ThemedDBus
internal import ThemedText

// What the follower is told, and what it says.

extension PortalFollower {
  /// What happens to it.
  enum Event {
    /// The bus has told who owns the portal's name; nil: nobody, or the bus is gone.
    case owner(Text?)
    /// A connection has sent the signal SettingChanged.
    case signal(sender: Text?, Setting, Value)
    /// One that is not the ``owner`` has; whatever it says is not read.
    case strangersSignal(sender: Text?)
    /// The portal has answered a read, or the call has failed.
    case answer(Read.ID, Setting, Result<Value, Failure>)
    /// Somebody new wants to know what the desktop asks for.
    case signOfLife
    /// The user wants everything tried again.
    case reload
    /// The delay of ``Action/wake(afterMilliseconds:)`` is over.
    case woken
  }

  /// What to do.
  enum Action: Equatable {
    /// Ask for each setting; each answer comes back as an event with the read's id.
    case read(Read)
    /// Send ``Event/woken`` after this delay, and not for any earlier request.
    case wake(afterMilliseconds: Int)
    /// Send no ``Event/woken``.
    case sleep
    /// The desktop's preference is this now.
    case publish(Reading, Cause)
    /// What was published last is what the portal itself says: the desktop is not in the midst of changing.
    case settle
    /// Something that a user may want to know.
    case warn(String)
  }

  /// One question for every setting.
  struct Read: Equatable {
    typealias ID = Int

    /// An answer to an earlier read than the newest is stale.
    let id: ID
    /// The portal, by its unique name: none but it may answer.
    let owner: Text
    /// What to call.
    let method: SettingsPortal.ReadMethod
  }

  /// How the daemon learned of a change.
  enum Cause: String {
    case signal = "portal signal"
    case read = "portal read"
  }
}
