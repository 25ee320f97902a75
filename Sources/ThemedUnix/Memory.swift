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

/// Gives back what work has left of the calling thread's stack, for a thread that waits for the next.
func giveStackBack() {
  // A quarter of what a thread has, and much less than lies below the first one's: nobody else's.
  themed_give_back_stack(128 * 1024, UInt(sysconf(CInt(_SC_PAGESIZE))))
}

/// Gives back what only work needs, for a program that mostly sleeps: the memory that was freed, the rest of the stack,
/// and the pages of its own code and constants.
///
/// The last are never written to, and stay in the kernel's cache of files: what is needed of them again comes back by
/// itself, in some microseconds.
public func giveBackWhatWorkNeeds() {
  giveMemoryBack()
  giveStackBack()
  let page = UInt(sysconf(CInt(_SC_PAGESIZE)))
  let start = unsafe UInt(bitPattern: themed_program_start()) / page * page
  let end = unsafe UInt(bitPattern: themed_program_end()) / page * page
  guard start > 0, end > start, let address = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
  unsafe madvise(address, Int(end - start), MADV_DONTNEED)
}
