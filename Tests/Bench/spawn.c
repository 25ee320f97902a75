// How long whole processes take, by turns.
//
//   spawn ROUNDS COMMAND… -- COMMAND… -- …
//
// For each command a line of samples is printed, in ns.
#include "common.h"

#include <fcntl.h>
#include <spawn.h>

extern char **environ;

enum { most = 16 };

static int64_t run(char **command, posix_spawn_file_actions_t *quietly) {
  pid_t pid;
  int status;
  int64_t start = now();
  errno = posix_spawnp(&pid, command[0], quietly, NULL, command, environ);
  if (errno != 0) die(command[0]);
  if (waitpid(pid, &status, 0) != pid) die("waitpid");
  if (status != 0) {
    fprintf(stderr, "bench: %s ended with status %d\n", command[0], status);
    exit(1);
  }
  return now() - start;
}

int main(int argc, char **argv) {
  if (argc < 3) die("usage: spawn ROUNDS COMMAND… -- COMMAND… -- …");
  int rounds = atoi(argv[1]), count = 0;
  char **commands[most];
  commands[count++] = argv + 2;
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--") == 0 && count < most) {
      argv[i] = NULL;
      commands[count++] = argv + i + 1;
    }
  posix_spawn_file_actions_t quietly;
  posix_spawn_file_actions_init(&quietly);
  posix_spawn_file_actions_addopen(&quietly, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  int64_t *samples = room(count * rounds, sizeof(int64_t));
  for (int c = 0; c < count; c++) run(commands[c], &quietly);
  for (int r = 0; r < rounds; r++)
    for (int c = 0; c < count; c++) samples[c * rounds + r] = run(commands[c], &quietly);
  for (int c = 0; c < count; c++) print_samples(samples + c * rounds, rounds);
  return 0;
}
