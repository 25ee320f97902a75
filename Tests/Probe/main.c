// Tries one thing that a sandbox may deny, as the ordinary user that it runs as: probe WHAT [PATH]
//
// Exits with 0 where it could be done, with 1 where it was denied, and with 64 where the words are wrong. A call that is
// denied by a signal ends it so.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path;

static bool could(int result) { return result != -1; }

static bool creates(void) { return could(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666)); }

static bool socket_of(int family) { return could(socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)); }

static bool inet(void) { return socket_of(AF_INET); }
static bool inet6(void) { return socket_of(AF_INET6); }
static bool netlink(void) { return socket_of(AF_NETLINK); }
static bool local(void) { return socket_of(AF_UNIX); }

// Runs what `path` names, and says whether it succeeded.
static bool executes(void) {
  const pid_t child = fork();
  if (child == 0) {
    execl(path, path, "is-root", (char *)NULL);
    _exit(errno == ENOENT ? 64 : 1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) == 64) exit(64);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_root(void) { return geteuid() == 0; }

static bool readable_by_others(void) {
  struct stat status;
  return creates() && could(stat(path, &status)) && (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

static bool set_user_id(void) { return creates() && could(chmod(path, 04755)); }

static bool chown_to_oneself(void) { return creates() && could(chown(path, getuid(), (gid_t)-1)); }

static bool traced(void) { return could((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }

static bool user_namespace(void) { return could(unshare(CLONE_NEWUSER)); }

// An ordinary user may only where an administrator has allowed it. So this asks for a priority that there is not: who
// hears that may ask.
static bool realtime(void) {
  const struct sched_param parameters = {.sched_priority = 0};
  return !could(sched_setscheduler(0, SCHED_FIFO, &parameters)) && errno == EINVAL;
}

static bool another_personality(void) { return could(personality(ADDR_NO_RANDOMIZE)); }

static bool writable_code(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

// getpid, as a program of the machine's older kind asks for it.
static bool foreign_call(void) {
#ifdef __x86_64__
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return result == getpid();
#else
  return true;
#endif
}

// Connects to a socket that has a name, and no file.
static bool connects(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const size_t length = strlen(path);
  if (length >= sizeof(address.sun_path)) exit(64);
  memcpy(address.sun_path + 1, path, length);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  return could(fd) && could(connect(fd, (const struct sockaddr *)&address, size));
}

static bool exists(void) { return could(access(path, F_OK)); }

static bool opens_to_write(void) { return could(open(path, O_WRONLY | O_CLOEXEC)); }

static bool makes_directory(void) { return could(mkdir(path, 0700)); }

// Who a file of root's belongs to, seen from here.
static bool knows_root(void) {
  struct stat status;
  return could(stat("/", &status)) && status.st_uid == 0;
}

static const struct {
  const char *name;
  bool (*is_possible)(void);
} probes[] = {
    {"another-personality", another_personality},
    {"chown-to-oneself", chown_to_oneself},
    {"connects", connects},
    {"creates", creates},
    {"executes", executes},
    {"exists", exists},
    {"foreign-call", foreign_call},
    {"inet", inet},
    {"inet6", inet6},
    {"is-root", is_root},
    {"knows-root", knows_root},
    {"local", local},
    {"makes-directory", makes_directory},
    {"netlink", netlink},
    {"opens-to-write", opens_to_write},
    {"readable-by-others", readable_by_others},
    {"realtime", realtime},
    {"set-user-id", set_user_id},
    {"traced", traced},
    {"user-namespace", user_namespace},
    {"writable-code", writable_code},
};

int main(int count, char **words) {
  path = count > 2 ? words[2] : "/nothing";
  for (size_t index = 0; count > 1 && index < sizeof(probes) / sizeof(probes[0]); index++) {
    if (strcmp(words[1], probes[index].name) != 0) continue;
    errno = 0;
    const bool is_possible = probes[index].is_possible();
    printf("%s: %s\n", words[1], is_possible ? "possible" : strerror(errno));
    return is_possible ? 0 : 1;
  }
  fprintf(stderr, "usage: probe WHAT [PATH]\n");
  return 64;
}
