// Those who attack the daemon, and the well-behaved clients who watch it meanwhile. For tests alone, never installed.
//
//   attacker witness SOCKET                         asks, subscribes and changes; see witness.c for what it is told
//   attacker socket KIND SOCKET SECONDS             floods over the socket (socket.c)
//   attacker bus KIND PID SECONDS                   floods over the session's bus, to that process (bus.c)
//   attacker file KIND PATH SECONDS                 what becomes of files (files.c)
//   attacker storm PID SECONDS                      SIGHUP, a thousand times a second
//   attacker keep DIRECTORY                         ends what a killed test has left of a session (keep.c)
//   attacker under HOW PROGRAM ARGUMENTS…           becomes PROGRAM in hostile surroundings (process.c)
//
// An attack says that it is attacking, from when on SIGTERM ends it, and then or after its time how often it was made.
// Each ends with whoever started it, and after its time whatever happens.
#include "attacker.h"
#include <sys/prctl.h>

volatile sig_atomic_t is_ended;

static void end_attack(int signal) {
  (void)signal;
  is_ended = 1;
}

int main(int count, char **words) {
  static const struct {
    const char *name;
    int words;
    bool isAttack;
    int (*run)(int, char **);
  } commands[] = {
    {"witness", 3, false, witness},  {"socket", 5, true, socket_attack}, {"bus", 5, true, bus_attack},
    {"file", 5, true, file_attack}, {"storm", 4, true, storm},           {"under", 4, false, start_under},
    {"keep", 3, false, keep},
  };
  // Who takes away what is left is there after the others.
  if (count > 1 && strcmp(words[1], "keep") != 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("prctl");
  signal(SIGPIPE, SIG_IGN);
  for (size_t index = 0; index < sizeof commands / sizeof *commands; index++) {
    if (count < commands[index].words || strcmp(words[1], commands[index].name) != 0) continue;
    if (commands[index].isAttack) {
      // Whatever waits is interrupted, too.
      struct sigaction ending = {.sa_handler = end_attack};
      sigaction(SIGTERM, &ending, NULL);
      printf("attacking\n");
      fflush(stdout);
      // Whether the daemon holds others up is asked, not whether the machine is full.
      if (nice(10) == -1 && errno != 0) fail("nice");
      alarm(atoi(words[commands[index].words - 1]) + 60);
    }
    return commands[index].run(count - 2, words + 2);
  }
  fprintf(stderr, "attacker: what is to be done? See Tests/Attacks/Driver/main.c.\n");
  return 64;
}
