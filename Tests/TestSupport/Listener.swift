import Foundation
import Glibc

/// A socket that listens before there is a daemon, and after.
public final class Listener {
  /// Where it listens.
  public let path: String

  let descriptor: Descriptor
  private var accepted: [Descriptor] = []
  private var crowd: [Descriptor] = []

  /// Listens at `path`, whose directory is made where it is missing.
  public init(path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    descriptor = try UnixSocket.listening(at: path)
  }

  /// Accepts a connection, which is then neither read from nor answered, and waits for one where there is none.
  public func accept() throws {
    guard isReadable(descriptor.number) else { throw Failure("nobody connects to \(path)") }
    guard take() else { throw Failure("accept: \(lastError())") }
  }

  /// Fills the queue of those who wait to be accepted, but for so many places, and tells how many wait now.
  @discardableResult
  public func fill(leaving places: Int) throws -> Int {
    // The kernel lets one more in than it was told.
    crowd += try UnixSocket.crowd(at: path, maximum: UnixSocket.queue + 1 - places)
    guard places > 0 || crowd.count == UnixSocket.queue + 1 else { throw Failure("the queue has no end") }
    return crowd.count
  }

  /// Removes the socket from its directory, as who takes its place does; it goes on listening.
  public func unlink() throws {
    try FileManager.default.removeItem(atPath: path)
  }

  /// How many wait to be accepted; they wait no longer then.
  public func waiting() throws -> Int {
    var count = 0
    while take() { count += 1 }
    return count
  }

  private func take() -> Bool {
    // Others that have this socket too, such as the daemon, do not wait at it either.
    _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
    let number = Glibc.accept(descriptor.number, nil, nil)
    guard number >= 0 else { return false }
    accepted.append(Descriptor(number))
    return true
  }
}
