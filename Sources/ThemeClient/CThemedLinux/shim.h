// What Swift's Glibc module leaves out. No logic: declarations, and macros as constants or inline functions.
#ifndef THEMED_CLINUX_SHIM_H
#define THEMED_CLINUX_SHIM_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <stdint.h>
#include <unistd.h>

// glibc declares these only with _GNU_SOURCE, which would make this module's view of glibc's headers differ from
// that of Swift's Glibc module.
struct themed_ucred {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
extern int pipe2(int ends[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);

// renameat2 with RENAME_NOREPLACE, both fixed by the kernel.
static inline int themed_rename_no_replace(const char *from, const char *to) {
  return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1);
}
// The same with RENAME_EXCHANGE: each file has the other's name then.
static inline int themed_rename_exchange(const char *one, const char *other) {
  return renameat2(-100, one, -100, other, 2);
}
// A number that differs if the file of this path was created anew later; 0 if its file system does not know the time.
// It reads the field stx_btime of struct statx, which glibc declares only with _GNU_SOURCE.
static inline uint64_t themed_birth(const char *path) {
  uint64_t status[32] = {0};
  if (syscall(SYS_statx, -100, path, 0x100 /* AT_SYMLINK_NOFOLLOW */, 0x800 /* STATX_BTIME */, status) != 0) return 0;
  return status[10] * 1000000007 ^ status[11];
}
// openat2 (Linux 5.6) with RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS and RESOLVE_BENEATH.
static inline int themed_open_beneath(int directory, const char *path, uint64_t flags) {
  struct { uint64_t flags, mode, resolve; } how = {flags, 0, 0x02 | 0x04 | 0x08};
  return (int)syscall(437, directory, path, &how, sizeof how);
}

// Linux 5.3 and 5.1; glibc has functions for them only since 2.36, and with _GNU_SOURCE. The numbers are those of every
// processor but Alpha.
static inline int themed_pidfd_open(pid_t process) { return (int)syscall(434, process, 0); }
static inline int themed_pidfd_send_signal(int process, int number) {
  return (int)syscall(424, process, number, (void *)0, 0);
}
// Whoever loses its parent becomes a child of this process, and not of process 1.
static inline int themed_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
// What this process is called where processes are listed: 15 bytes.
static inline int themed_name_process(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Fixed by the kernel; glibc names them only with _GNU_SOURCE.
enum {
  THEMED_MFD_CLOEXEC = 1,
  THEMED_MFD_ALLOW_SEALING = 2,
  THEMED_F_ADD_SEALS = 1033,
  THEMED_F_GET_SEALS = 1034,
  THEMED_SEALS = 0x2 | 0x4 | 0x8, // F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE
  THEMED_POSIX_SPAWN_SETSID = 0x80,
  THEMED_SO_PEERPIDFD = 77,       // Linux 6.5; on a few processors it has another number, and is refused
};

#endif
