import Glibc

// The least that a Swift program can do to be timed as the daemon is: it answers the call that waits at the socket that
// it inherits, says that it is ready, and ends.
let connection = accept(3, nil, nil)
var call = [UInt8](repeating: 0, count: 4096)
guard read(connection, &call, call.count) > 0, write(connection, "{}", 3) == 3 else { exit(1) }

var address = sockaddr_un()
address.sun_family = sa_family_t(AF_UNIX)
guard let path = getenv("NOTIFY_SOCKET"), strlen(path) < MemoryLayout.size(ofValue: address.sun_path) else { exit(1) }
withUnsafeMutableBytes(of: &address.sun_path) {
  $0.copyMemory(from: UnsafeRawBufferPointer(start: path, count: strlen(path)))
}
let notifications = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
let sent = withUnsafeBytes(of: &address) {
  sendto(notifications, "READY=1", 7, 0, $0.bindMemory(to: sockaddr.self).baseAddress, socklen_t($0.count))
}
exit(sent == 7 ? 0 : 1)
