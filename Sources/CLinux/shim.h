// What Swift's Glibc module leaves out. No logic: declarations, and macros as constants or inline functions.
#ifndef THEMED_CLINUX_SHIM_H
#define THEMED_CLINUX_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// glibc declares these only with _GNU_SOURCE, which would make this module's view of glibc's headers differ from
// that of Swift's Glibc module.
struct themed_ucred {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
extern int pipe2(int ends[2], int flags);
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

#endif
