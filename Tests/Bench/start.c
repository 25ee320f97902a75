// How long the daemon's start takes, and that of an empty program, by turns.
//
//   start ROUNDS EMPTY THEMED DIRECTORY
//
// The daemon inherits a listening socket in DIRECTORY, where a call waits already. Three lines of samples are printed,
// in ns: the empty program until its end, the daemon until its answer, the daemon until it is ready.
#include "common.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

static int bound(const char *directory, const char *name, int type) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  unlink(path);
  struct sockaddr_un at = address(path);
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0) die(path);
  if (type == SOCK_STREAM && listen(fd, 8) != 0) die("listen");
  if (type == SOCK_DGRAM) setenv("NOTIFY_SOCKET", path, 1);
  return fd;
}

/// Starts a program, with a listening socket in the way of systemd if there is one.
static pid_t start(char *program, int listener, int log) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  if (listener >= 0) {
    char own[16];
    sprintf(own, "%d", getpid());
    setenv("LISTEN_PID", own, 1);
    setenv("LISTEN_FDS", "1", 1);
    if (dup2(log, STDERR_FILENO) < 0) die("dup2");
    if (dup2(listener, 3) != 3) die("dup2");
  }
  execl(program, program, (char *)NULL);
  die(program);
  return -1;
}

static void end(pid_t pid, int signal) {
  int status;
  if (signal) kill(pid, signal);
  if (waitpid(pid, &status, 0) != pid || status != 0) die("a program does not end well");
}

int main(int argc, char **argv) {
  if (argc != 5) die("usage: start ROUNDS EMPTY THEMED DIRECTORY");
  int rounds = atoi(argv[1]);
  int64_t *samples[3];
  for (int i = 0; i < 3; i++) samples[i] = room(rounds, sizeof(int64_t));
  struct bytes call = text("{\"method\":\"org.themed.theme.GetState\"}");
  // Descriptor 3 is the child's to use.
  if (dup2(STDERR_FILENO, 3) != 3) die("dup2");
  int notified = bound(argv[4], "notify", SOCK_DGRAM);
  char path[200], buffer[4096];
  snprintf(path, sizeof path, "%s/start.log", argv[4]);
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  snprintf(path, sizeof path, "%s/start", argv[4]);
  for (int r = 0; r < rounds; r++) {
    int64_t begin = now();
    end(start(argv[2], -1, -1), 0);
    samples[0][r] = now() - begin;

    int listener = bound(argv[4], "start", SOCK_STREAM), client = connect_to(path);
    put(client, call);
    begin = now();
    pid_t daemon = start(argv[3], listener, log);
    struct pollfd awaited[2] = {{client, POLLIN, 0}, {notified, POLLIN, 0}};
    while (!samples[1][r] || !samples[2][r]) {
      if (poll(awaited, 2, 30000) <= 0) die("the daemon does not answer");
      int64_t then = now() - begin;
      if (awaited[0].revents && buffer[get(client, buffer, sizeof buffer) - 1] == 0) samples[1][r] = then;
      if (awaited[1].revents) {
        buffer[get(notified, buffer, sizeof buffer - 1)] = 0;
        if (strstr(buffer, "READY=1")) samples[2][r] = then;
      }
    }
    end(daemon, SIGTERM);
    // What it says of its end is not the next one's beginning.
    while (recv(notified, buffer, sizeof buffer, MSG_DONTWAIT) > 0) continue;
    close(client);
    close(listener);
  }
  for (int i = 0; i < 3; i++) print_samples(samples[i], rounds);
  return 0;
}
