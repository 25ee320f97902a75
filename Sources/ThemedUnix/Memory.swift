internal import CThemedLinux
internal import Glibc

/// Has the C library give memory back to the system when it is free; to be called before there is a thread.
///
/// By itself it keeps more and more: with the first long message that is freed it learns to keep all up to that length,
/// and each thread has a heap of its own. What a stranger's flood took would stay.
public func keepMemorySmall() {
  // Shorter than what waits for a client that does not read.
  mallopt(M_MMAP_THRESHOLD, 32 * 1024)
  mallopt(M_ARENA_MAX, 1)
}

/// Gives back what was freed, for after something that held much for a moment.
///
/// It takes time with what is held.
public func giveMemoryBack() {
  malloc_trim(0)
}
