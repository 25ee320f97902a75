import Foundation
import Glibc
import ThemedSystem
import ThemedVarlink

/// Serves `org.varlink.certification` on our protocol library, for tests: each connection on a thread of its own.
final class CertificationServer: Sendable {
  private let socket: FileDescriptor
  private let service: Introspection

  /// Listens at `path`; `description` is the text of the interface.
  init(path: String, description: String) throws {
    socket = try listen(at: SocketAddress(path: path), backlog: 128)
    service = Introspection(
      vendor: "themed", product: "certification", version: "1", url: "",
      interfaces: [(Text(Certification.interface), description)])
    Thread.detachNewThread { [self] in
      while let peer = accepted() { Thread.detachNewThread { [self] in serve(peer) } }
    }
  }

  /// Ends the thread that accepts; connections end with their clients.
  func close() { _ = shutdown(socket.raw, CInt(SHUT_RDWR)) }

  private func accepted() -> Client? {
    guard isReady(socket.raw, POLLIN), let peer = try? accept(from: socket) else { return nil }
    return Client(socket: peer)
  }

  private func serve(_ client: Client) {
    var machine = ServerConnection(limits: .init(call: 65536, replies: 65536))
    var certification = Certification()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      while machine.wantsToSend {
        guard isReady(client.socket.raw, POLLOUT), case .bytes(let count) = send(machine.unsent, to: client.socket)
        else { return }
        machine.didSend(count)
      }
      switch machine.next() {
      case .close: return
      case .call(let call): machine.reply(answer(call, &certification).flatMap(\.frame))
      case .wait:
        guard isReady(client.socket.raw, POLLIN) else { return }
        switch receive(into: &buffer, from: client.socket) {
        case .bytes(let count): machine.receive(buffer[..<count])
        case .end: machine.receiveEnd()
        case .wouldBlock: break
        case .failed: return
        }
      }
    }
  }

  private func answer(_ call: Call, _ certification: inout Certification) -> [Reply] {
    do throws(VarlinkError) {
      if let reply = try service.answer(call) { return [reply] }
    } catch {
      return [Reply(error)]
    }
    return certification.answer(call)
  }
}

private final class Client: Sendable {
  let socket: FileDescriptor

  init(socket: consuming FileDescriptor) { self.socket = socket }
}

private func isReady(_ descriptor: CInt, _ events: CInt) -> Bool {
  var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
  var count: CInt
  repeat { count = unsafe poll(&descriptors, 1, -1) } while count < 0 && errno == EINTR
  return count > 0
}
