import Glibc
import Synchronization

/// Held while pipes are made and children started, so that no child inherits another's pipe.
let spawning = Mutex(())

/// Starts a program with the given descriptors as its 0, 1, 2, … and nothing else of ours but what it is passed.
func spawn(
  _ executable: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
) throws -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  // Moved out of the way first: a descriptor may already have the number that another is to get.
  let spare: Int32 = 200
  for (index, descriptor) in descriptors.enumerated() {
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, spare + Int32(index))
  }
  for index in descriptors.indices {
    unsafe posix_spawn_file_actions_adddup2(&actions, spare + Int32(index), Int32(index))
    unsafe posix_spawn_file_actions_addclose(&actions, spare + Int32(index))
  }

  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

  let words = unsafe ([executable] + arguments).map { unsafe strdup($0) }
  let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
  defer { unsafe (words + variables).forEach { unsafe free($0) } }
  var pid: pid_t = -1
  let error = unsafe posix_spawn(&pid, executable, &actions, &attributes, words + [nil], variables + [nil])
  guard error == 0 else {
    throw Failure("cannot start \(executable): \(unsafe String(cString: strerror(error)))")
  }
  return pid
}
