// Prints light or dark, now and after each change, with NIO and ThemeSession. Pass the path of themed's socket.
import NIOCore
import NIOPosix
import ThemeClient
let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
var connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>?
var session = ThemeSession(app: "nio")
var next = session.handle(.started)
while let action = next.take() {
  switch action {
  case .connect:
    connection = try? await bootstrap.connect(unixDomainSocketPath: CommandLine.arguments[1]) { channel in
      channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
    }
    next = session.handle(connection == nil ? .disconnected : .connected())
  case .send(let bytes):
    try? await connection?.executeThenClose { replies, calls in
      try await calls.write(ByteBuffer(bytes: bytes))
      for try await reply in replies {
        next = session.handle(.received(Array(buffer: reply)[...]))
        if let state = session.nextState() { print(state.scheme) }
        if next != nil { return }
      }
    }
    next = next ?? session.handle(.disconnected)
  case .wait(let pause): try await Task.sleep(for: pause); next = session.handle(.timePassed)
  case .giveUp(let error): throw error
  }
}
