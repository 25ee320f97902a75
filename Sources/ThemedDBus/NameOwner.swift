package import ThemedSystem

/// Receives the owner of a bus name from a ``NameOwner``.
package protocol NameOwnerReceiver: AnyObject {
  /// The bus reported which connection owns this name; nil: none.
  ///
  /// The first report comes soon after the follower was created, even if the name has no owner; then one for each change.
  func owner(of name: Text, is owner: Text?)
}

/// Follows which connection owns a bus name, until ``stop()`` or the end of the connection to the bus.
package final class NameOwner {
  package let name: Text
  /// The unique name of its owner; nil if it has none, or the bus has not answered yet.
  package private(set) var owner: Text?

  private weak var connection: Connection?
  private weak var receiver: (any NameOwnerReceiver)?

  /// Follows a name on this connection, and tells the receiver.
  package init(of name: Text, on connection: Connection, for receiver: any NameOwnerReceiver) {
    (self.name, self.connection, self.receiver) = (name, connection, receiver)
    connection.add(self)
    // The match rule comes before the question, so that no change is lost in between.
    connection.addMatch(rule)
    connection.call(.bus("GetNameOwner", [.string(name)]), timeout: .never) { [weak self] answer in
      self?.report((try? answer.get())?.arguments().first?.busName)
    }
  }

  /// Stops following: the receiver gets no further report.
  package func stop() {
    receiver = nil
    connection?.remove(self)
    connection?.removeMatch(rule)
  }

  private var rule: String {
    "sender='\(busName)',path='/org/freedesktop/DBus',interface='\(busName)',member='NameOwnerChanged',arg0='\(name)'"
  }

  func report(_ new: Text?) {
    guard let receiver else { return }
    if let owner, owner != new { connection?.forget(callsOf: owner) }
    owner = new
    receiver.owner(of: name, is: new)
  }
}

extension Connection {
  /// The bus's answer to a program that wants a name for itself.
  package enum Naming {
    case owned
    /// Another process owns the name.
    case taken
    case refused(Failure)

    /// The exit status for ``taken`` (`EX_UNAVAILABLE`): a restart would not help.
    package static let takenStatus: CInt = 69
  }

  /// Takes a name without waiting for it in a queue, and passes the bus's answer to `completion` later.
  package func own(_ name: Text, _ completion: @escaping (Naming) -> Void) {
    // 4: do not queue for the name.
    call(.bus("RequestName", [.string(name), .uint32(4)]), timeout: .never) { answer in
      switch answer.map({ $0.arguments().first }) {
      case .success(.uint32(1)?), .success(.uint32(4)?): completion(.owned)
      case .success: completion(.taken)
      case .failure(let failure): completion(.refused(failure))
      }
    }
  }
}

extension Message {
  /// The name and its new owner, if this is the bus's signal about the owner of a name.
  var changedOwner: (name: Text, owner: Text?)? {
    guard sender == busName, isSignal(busName.string, "NameOwnerChanged") else { return nil }
    let arguments = arguments()
    guard case .string(let name)? = arguments.first, case .string? = arguments.last else { return nil }
    return (name, arguments.last?.busName)
  }
}
