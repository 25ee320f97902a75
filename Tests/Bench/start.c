// How long the daemon's start takes, and that of a program that does nothing else but answer, by turns.
//
//   start ROUNDS EMPTY THEMED DIRECTORY
//
// Both inherit a listening socket in DIRECTORY, where a call waits already, and both are timed to the same ends. Four
// lines of samples are printed, in ns: the empty program until its answer and until it is ready, the daemon likewise.
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

/// Starts a program, with a listening socket in the way of systemd.
static pid_t start(char *program, int listener, int log) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  char own[16];
  sprintf(own, "%d", getpid());
  setenv("LISTEN_PID", own, 1);
  setenv("LISTEN_FDS", "1", 1);
  if (dup2(log, STDERR_FILENO) < 0) die("dup2");
  if (dup2(listener, 3) != 3) die("dup2");
  execl(program, program, (char *)NULL);
  die(program);
  return -1;
}

struct measured {
  int64_t answer, ready;
};

/// Starts a program and ends it; the one that does nothing else ends by itself.
static struct measured measure(char *program, bool ends_itself, const char *directory, int notified, int log) {
  char path[200], buffer[4096];
  snprintf(path, sizeof path, "%s/start", directory);
  int listener = bound(directory, "start", SOCK_STREAM), client = connect_to(path);
  put(client, text("{\"method\":\"org.themed.theme.GetState\"}"));
  struct measured times = {0, 0};
  int64_t begin = now();
  pid_t pid = start(program, listener, log);
  struct pollfd awaited[2] = {{client, POLLIN, 0}, {notified, POLLIN, 0}};
  while (!times.answer || !times.ready) {
    if (poll(awaited, 2, 30000) <= 0) die("a program does not answer");
    int64_t then = now() - begin;
    if (awaited[0].revents && buffer[get(client, buffer, sizeof buffer) - 1] == 0) {
      times.answer = then;
      // Its end is of no interest.
      awaited[0].fd = -1;
    }
    if (awaited[1].revents) {
      buffer[get(notified, buffer, sizeof buffer - 1)] = 0;
      if (strstr(buffer, "READY=1")) times.ready = then;
    }
  }
  int status;
  if (!ends_itself) kill(pid, SIGTERM);
  // What it says of its end is not the next one's beginning; and it waits for that to be read.
  pid_t ended;
  while ((ended = waitpid(pid, &status, WNOHANG)) == 0)
    if (poll(&awaited[1], 1, 1) > 0) recv(notified, buffer, sizeof buffer, 0);
  if (ended != pid || status != 0) die("a program does not end well");
  while (recv(notified, buffer, sizeof buffer, MSG_DONTWAIT) > 0) continue;
  close(client);
  close(listener);
  return times;
}

int main(int argc, char **argv) {
  if (argc != 5) die("usage: start ROUNDS EMPTY THEMED DIRECTORY");
  int rounds = atoi(argv[1]);
  int64_t *samples[4];
  for (int i = 0; i < 4; i++) samples[i] = room(rounds, sizeof(int64_t));
  // Descriptor 3 is the child's to use.
  if (dup2(STDERR_FILENO, 3) != 3) die("dup2");
  int notified = bound(argv[4], "notify", SOCK_DGRAM);
  char path[200];
  snprintf(path, sizeof path, "%s/start.log", argv[4]);
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  for (int r = 0; r < rounds; r++)
    for (int s = 0; s < 2; s++) {
      struct measured times = measure(argv[2 + s], s == 0, argv[4], notified, log);
      samples[2 * s][r] = times.answer;
      samples[2 * s + 1][r] = times.ready;
    }
  for (int i = 0; i < 4; i++) print_samples(samples[i], rounds);
  return 0;
}
