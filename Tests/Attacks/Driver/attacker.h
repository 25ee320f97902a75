// What the attacks share: an end that is certain, the clock, sockets, and text made of combining marks.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// One program, and how it is called: see main.c.
int witness(int count, char **words);
int socket_attack(int count, char **words);
int bus_attack(int count, char **words);
int file_attack(int count, char **words);
int start_under(int count, char **words);
int storm(int count, char **words);
int keep(int count, char **words);

static inline _Noreturn void fail(const char *what) {
  fprintf(stderr, "attacker: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
  exit(1);
}

static inline int64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

static inline void pause_for(int64_t microseconds) {
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

// Whether an attack that may last so long is over; it is too once it was told to end.
extern volatile sig_atomic_t is_ended;
static inline bool is_over(int64_t end) { return is_ended || microseconds() >= end; }

// When that is.
static inline int64_t end_after(const char *seconds) { return microseconds() + (int64_t)(atof(seconds) * 1e6); }

// A socket that is connected to `path`, waiting for nothing; negative, with errno, where that cannot be.
static inline int connected(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path of a socket is too long");
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) fail("socket");
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// Appends marks of two kinds by turns of ordering, which whoever normalises has to sort: U+0301 and U+0323.
static inline char *put_marks(char *to, size_t count) {
  for (size_t mark = 0; mark < count; mark++) {
    *to++ = (char)0xcc;
    *to++ = (char)(mark % 2 == 0 ? 0x81 : 0xa3);
  }
  *to = 0;
  return to;
}

// Says how often an attack was made, for the table.
static inline int done(long long count) {
  printf("%lld\n", count);
  return 0;
}
