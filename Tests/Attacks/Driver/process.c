// Surroundings that a daemon may be started in, and signals.
#include "attacker.h"
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <termios.h>

// A process that holds a descriptor open and never reads it, for as long as the other one lives.
static void hold(int kept, int notKept) {
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid > 0) {
    close(kept);
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  close(notKept);
  // The test waits for the end of its pipes: they are not this one's to hold.
  for (int fd = 0; fd < 256; fd++) {
    if (fd != kept) close(fd);
  }
  for (;;) pause();
}

static int unread_terminal(void) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) fail("posix_openpt");
  int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) fail("a terminal");
  hold(master, slave);
  return slave;
}

static int full_pipe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  char page[4096] = {0};
  while (write(ends[1], page, sizeof page) > 0) {}
  fcntl(ends[1], F_SETFL, 0);
  hold(ends[0], ends[1]);
  return ends[1];
}

// A service manager's socket that takes nothing more.
static void stalled_manager(void) {
  int ends[2];
  // The name has to outlive this process's memory: an abstract one, held by who never reads.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char name[64];
  sprintf(name, "themed-attack-%d", getpid());
  memcpy(address.sun_path + 1, name, strlen(name));
  ends[0] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bind(ends[0], (struct sockaddr *)&address, sizeof(sa_family_t) + 1 + strlen(name)) != 0) fail("bind");
  char variable[80];
  sprintf(variable, "@%s", name);
  setenv("NOTIFY_SOCKET", variable, 1);
  hold(ends[0], -1);
}

// Descriptors that are not what their names say, the daemon's own among the names.
static void forged_descriptors(void) {
  char names[2048] = "", number[16];
  int given = 40;
  for (int index = 0; index < given; index++) {
    int ends[2] = {-1, -1}, fd = -1;
    switch (index % 5) {
    case 0:
      fd = memfd_create("forged", 0);
      if (write(fd, "themed handover 2\0\xff{\"instance\":1}", 33) < 0) fail("write");
      break;
    case 1: fd = open("/dev/zero", O_RDWR); break;
    case 2: if (pipe(ends) != 0) fail("pipe"); fd = ends[0]; break;
    case 3: if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair"); fd = ends[0]; break;
    case 4: fd = open("/", O_RDONLY | O_DIRECTORY); break;
    }
    dup2(fd, 100 + index);
  }
  for (int index = 0; index < given; index++) {
    dup2(100 + index, 3 + index);
    close(100 + index);
    sprintf(names + strlen(names), "%sthemed-connections", index ? ":" : "");
  }
  sprintf(number, "%d", given);
  setenv("LISTEN_FDS", number, 1);
  sprintf(number, "%d", getpid());
  setenv("LISTEN_PID", number, 1);
  setenv("LISTEN_FDNAMES", names, 1);
}

int start_under(int count, char **words) {
  (void)count;
  const char *how = words[0];
  int errors = -1;
  if (strcmp(how, "terminal") == 0) errors = unread_terminal();
  else if (strcmp(how, "full-pipe") == 0) errors = full_pipe();
  else if (strcmp(how, "full-disk") == 0) errors = open("/dev/full", O_WRONLY);
  else if (strcmp(how, "no-errors") == 0) close(2);
  else if (strcmp(how, "nothing") == 0) close(0), close(1), close(2);
  else if (strcmp(how, "stalled-manager") == 0) stalled_manager();
  else if (strcmp(how, "forged-descriptors") == 0) forged_descriptors();
  else if (strncmp(how, "descriptors=", 12) == 0) {
    struct rlimit limit = {atoi(how + 12), atoi(how + 12)};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("setrlimit");
  } else if (strncmp(how, "file-size=", 10) == 0) {
    struct rlimit limit = {atoi(how + 10), atoi(how + 10)};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) fail("setrlimit");
    // The log is a file, too.
    errors = memfd_create("log", MFD_CLOEXEC);
  } else if (strchr(how, '=') != NULL) {
    // A variable; those that say how many there are count only for the process that they name.
    char number[16];
    sprintf(number, "%d", getpid());
    setenv("LISTEN_PID", number, 1);
    if (strncmp(how, "LISTEN_FDNAMES=", 15) == 0) setenv("LISTEN_FDS", "3", 1);
    if (putenv(words[0]) != 0) fail("putenv");
  } else {
    fail(how);
  }
  if (errors >= 0) dup2(errors, 2), close(errors);
  signal(SIGPIPE, SIG_DFL);
  execv(words[1], words + 1);
  fail(words[1]);
}

int storm(int count, char **words) {
  (void)count;
  pid_t pid = atoi(words[0]);
  int64_t end = end_after(words[1]);
  long long sent = 0;
  while (!is_over(end) && kill(pid, SIGHUP) == 0) {
    sent++;
    pause_for(1000);
  }
  return done(sent);
}
