#define _GNU_SOURCE
#include "spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// More than any program of ours is given.
enum { MOST = 16 };

// In the child, whose memory is its parent's still: nothing but system calls.
static int become(const struct spawning *spawning, pid_t parent) {
  if (spawning->bound) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have gone before.
    if (getppid() != parent) return ESRCH;
  } else if (setsid() < 0) {
    return errno;
  }
  for (int number = 1; number < NSIG; number++) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL); // But for those that cannot be changed.
  }
  // Out of the way first: a descriptor may have the number that another is to get.
  int moved[MOST];
  for (int index = 0; index < spawning->count; index++) {
    moved[index] = fcntl(spawning->descriptors[index], F_DUPFD_CLOEXEC, MOST);
    if (moved[index] < 0) return errno;
  }
  for (int index = 0; index < spawning->count; index++) {
    if (dup2(moved[index], index) < 0) return errno;
  }
  if (close_range(spawning->count, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return errno;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  if (spawning->open_files < limit.rlim_max) limit.rlim_cur = spawning->open_files;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(spawning->path, spawning->arguments, spawning->environment);
  return errno;
}

pid_t spawn_program(const struct spawning *spawning) {
  if (spawning->count > MOST) return -E2BIG;
  // No handler of the parent's may run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  volatile int error = 0;
  pid_t child = vfork();
  if (child == 0) {
    error = become(spawning, parent);
    _exit(127);
  }
  int failed = child < 0 ? errno : error;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && failed != 0) {
    siginfo_t information;
    while (waitid(P_PID, (id_t)child, &information, WEXITED) < 0 && errno == EINTR) {}
  }
  return failed != 0 ? -failed : child;
}

int open_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
