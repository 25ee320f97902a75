internal import CThemedLinux
internal import Glibc
internal import ThemedUnix

/// Gives back what only runs need, for a program that mostly sleeps: the memory that was freed, and the pages of its own
/// code and constants.
///
/// Those are never written to, and stay in the kernel's cache of files: what is needed of them again comes back by
/// itself, in some microseconds.
func giveBackWhatRunsNeed() {
  giveMemoryBack()
  let page = UInt(sysconf(CInt(_SC_PAGESIZE)))
  let start = unsafe UInt(bitPattern: themed_program_start()) / page * page
  let end = unsafe UInt(bitPattern: themed_program_end()) / page * page
  guard start > 0, end > start, let address = unsafe UnsafeMutableRawPointer(bitPattern: start) else { return }
  unsafe madvise(address, Int(end - start), MADV_DONTNEED)
}
