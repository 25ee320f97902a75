internal import CThemedLinux
internal import Glibc

/// Makes the C library return freed memory to the system; call this before there is a second thread.
///
/// By default it keeps more and more: after the first long message is freed, it keeps blocks of up to that size, and
/// each thread has a heap of its own. The memory of a flood of messages would never be returned.
public func keepMemorySmall() {
  // Shorter than the replies that wait for a client that does not read.
  mallopt(M_MMAP_THRESHOLD, 32 * 1024)
  mallopt(M_ARENA_MAX, 1)
}

/// Returns freed memory to the system, for use after something that took much memory for a moment.
///
/// The more memory is in use, the longer it takes.
public func giveMemoryBack() {
  malloc_trim(0)
}
