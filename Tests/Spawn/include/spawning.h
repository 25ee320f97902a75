// Starting programs from tests: what posix_spawn has no words for.
#ifndef THEMED_SPAWNING_H
#define THEMED_SPAWNING_H

#include <sys/types.h>

// How a program is to be started.
struct spawning {
  const char *path;
  char *const *arguments;
  char *const *environment;
  // These become its 0, 1, 2, …; it gets no other descriptor.
  const int *descriptors;
  int count;
  // Its soft limit of open files.
  unsigned long open_files;
  // 1: it dies with the thread that starts it. 0: it outlives this process, in a session of its own.
  int bound;
};

// Starts a program, and returns its number; or the negative of an errno.
pid_t spawn_program(const struct spawning *spawning);

// A descriptor that can be read from once the process has ended; or -1.
int open_process(pid_t pid);

// A pipe that no program inherits unless it is given it; or -1.
int open_pipe(int ends[2]);

#endif
