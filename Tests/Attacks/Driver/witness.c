// The well-behaved clients, and how long each of their answers took.
//
// One asks over a connection of its own every few milliseconds; one connects anew, asks and leaves; one changes the
// override of an app of its own, and the next change waits until a subscriber has heard of this one and it is
// acknowledged as saved. Each change has an end that no other has, by which it is told apart: what is heard has to be
// the change that was made, in order, and after a restart the newest that was saved. Echoes between two processes, one on
// each processor, measure meanwhile what the machine itself adds: of a virtual one any may stand still for a while.
//
// Told, by lines of its input:
//   report      what was seen since the last report: for each client count, 99th percentile and worst, in microseconds
//   hear true   waits until the subscriber was told this of highContrast (or false): "heard" or "never"
//   pause       no more changes: "paused" once the last is through; `go` makes them again
//   pace N      a change every N microseconds at most: "ok"
//   patience N  after so many milliseconds without an answer it is "never": "ok"
#include "attacker.h"
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>

// From FLOOR on, the echoes.
enum { STEADY, PASSING, SUBSCRIBER, MAKER, FLOOR, MOST = FLOOR + 16, BUFFER = 256 * 1024 };

static const char getState[] = "{\"method\":\"org.themed.theme.GetState\"}";
static const char monitor[] =
  "{\"method\":\"org.themed.theme.Monitor\",\"parameters\":{\"app\":\"witness\"},\"more\":true}";

typedef struct {
  int fd;             // negative: not connected
  int64_t asked;      // when, 0: nothing is asked
  int64_t next;       // when it asks again
  unsigned have;
  int64_t *samples;
  size_t count, room;
  char buffer[BUFFER];
} Client;

static Client clients[MOST];
static int clientCount = FLOOR;
static const char *path;
static int64_t pace = 100000, limit = 30000000;
static bool paused, pauseIsTold, hearing, contrast, wanted;
static int64_t hearing_since;
static long long token, made, saved, newest, told, unsaved, cut, wrong, serial;
// Of the change that is being made; at first there is none.
static bool heard_change = true, got_reply = true;
static int64_t change_began;

static void complain(const char *what, const char *frame) {
  wrong++;
  fprintf(stderr, "witness: %s (token %lld, serial %lld): %.900s\n", what, token, serial, frame);
}

static void sample(Client *client, int64_t time) {
  if (client->count == client->room) {
    client->room = client->room ? client->room * 2 : 4096;
    client->samples = realloc(client->samples, client->room * sizeof *client->samples);
    if (client->samples == NULL) fail("realloc");
  }
  client->samples[client->count++] = time;
}

static long long number_of(const char *frame, const char *name) {
  const char *place = strstr(frame, name);
  return place == NULL ? 0 : atoll(place + strlen(name));
}

// What is not answered or told in time is counted as wrong, once: it took at least so long.
static void lose(Client *client, const char *what) {
  complain(what, "");
  sample(client, microseconds() - client->asked);
  client->asked = 0;
}

static void hang_up(Client *client) {
  if (client->fd >= 0) close(client->fd);
  client->fd = -1;
  client->have = 0;
}

static bool say(Client *client, const char *bytes, size_t count) {
  return send(client->fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)count;
}

// A connection, and what is said first; where nobody listens it is tried again.
static bool open_client(Client *client, const char *first, size_t count) {
  if (client->fd >= 0) return true;
  client->fd = connected(path);
  client->have = 0;
  if (client->fd >= 0 && (count == 0 || say(client, first, count))) return true;
  hang_up(client);
  return false;
}

static void ask(Client *client, int64_t now) {
  if (client->asked == 0) client->asked = now;
  if (!open_client(client, "", 0) || !say(client, getState, sizeof getState)) {
    hang_up(client);
    client->next = now + 2000;
  } else {
    client->next = INT64_MAX;
  }
}

static void change(int64_t now) {
  Client *maker = &clients[MAKER];
  if (clients[SUBSCRIBER].fd < 0 || !open_client(maker, "", 0)) {
    maker->next = now + 2000;
    return;
  }
  token++;
  made++;
  heard_change = got_reply = false;
  change_began = clients[SUBSCRIBER].asked = maker->asked = now;
  char call[256];
  int count = snprintf(
    call, sizeof call,
    "{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{\"app\":\"witness\","
    "\"scheme\":\"%s\",\"expiresAt\":%lld}}}",
    token % 2 ? "dark" : "light", token);
  if (!say(maker, call, count + 1)) hang_up(maker);
  maker->next = INT64_MAX;
}

static void change_is_through(int64_t now) {
  if (!heard_change || !got_reply) return;
  int64_t next = change_began + pace;
  clients[MAKER].next = next > now ? next : now;
}

static void heard(const char *frame, int64_t now) {
  const char *scheme = strstr(frame, "\"scheme\":");
  bool isDark = scheme != NULL && strncmp(scheme + 9, "\"dark\"", 6) == 0;
  long long newSerial = number_of(frame, "\"serial\":"), end = number_of(frame, "\"expiresAt\":");
  if (newSerial == 0) return complain("no state", frame);
  if (newSerial <= serial) complain("a state that is no newer", frame);
  serial = newSerial;
  contrast = strstr(frame, "\"highContrast\":true") != NULL;
  if (end != 0 && isDark != (end % 2 == 1)) complain("another scheme than was set", frame);
  if (end > token || end < newest) complain("another change than was made", frame);
  if (end < saved) complain("an override that was saved is lost", frame);
  newest = end;
  if (end == token && !heard_change) {
    heard_change = true;
    told++;
    if (clients[SUBSCRIBER].asked != 0) sample(&clients[SUBSCRIBER], now - clients[SUBSCRIBER].asked);
    clients[SUBSCRIBER].asked = 0;
    change_is_through(now);
  }
}

static void took(Client *client, const char *frame, int64_t now) {
  if (client == &clients[SUBSCRIBER]) return heard(frame, now);
  if (client->asked == 0) return;
  sample(client, now - client->asked);
  client->asked = 0;
  if (client == &clients[MAKER]) {
    got_reply = true;
    if (strstr(frame, "\"saved\":true") != NULL) {
      saved = token;
    } else if (strstr(frame, "\"saved\":false") != NULL) {
      unsaved++;
    } else {
      complain("a change is refused", frame);
      heard_change = true;
    }
    change_is_through(now);
  } else {
    if (strstr(frame, "\"serial\":") == NULL) complain("no state", frame);
    client->next = now + (client == &clients[PASSING] ? 20000 : 5000);
    if (client == &clients[PASSING]) hang_up(client);
  }
}

// A connection that is cut: a restart's doing, or the daemon's fault. Who was asked is asked again.
static void lost(Client *client, int64_t now) {
  cut++;
  hang_up(client);
  if (client == &clients[SUBSCRIBER] || client == &clients[MAKER]) {
    // Whether the change was made cannot be known: another is made then.
    hang_up(&clients[SUBSCRIBER]);
    hang_up(&clients[MAKER]);
    clients[SUBSCRIBER].asked = clients[MAKER].asked = 0;
    serial = newest = 0;
    heard_change = got_reply = true;
    clients[MAKER].next = now + 2000;
  } else {
    client->next = now + 2000;
  }
}

static void take(Client *client) {
  ssize_t count = recv(client->fd, client->buffer + client->have, BUFFER - client->have, MSG_DONTWAIT);
  int64_t now = microseconds();
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return lost(client, now);
  client->have += count;
  unsigned start = 0;
  for (char *end; client->fd >= 0 && (end = memchr(client->buffer + start, 0, client->have - start)) != NULL;) {
    took(client, client->buffer + start, now);
    start = end + 1 - client->buffer;
  }
  if (client->fd < 0) return;
  memmove(client->buffer, client->buffer + start, client->have - start);
  client->have -= start;
  if (client->have == BUFFER) fail("a frame is longer than any state");
}

static int ascending(const void *one, const void *other) {
  int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
  return (a > b) - (a < b);
}

static void report(void) {
  static const char *names[] = {"steady", "passing", "heard", "acknowledged", "floor"};
  for (int index = FLOOR + 1; index < clientCount; index++) {
    for (size_t each = 0; each < clients[index].count; each++) sample(&clients[FLOOR], clients[index].samples[each]);
    clients[index].count = 0;
  }
  for (int index = 0; index <= FLOOR; index++) {
    Client *client = &clients[index];
    // Who waits still has waited so long at least.
    size_t count = client->count;
    if (client->asked != 0) sample(client, microseconds() - client->asked);
    qsort(client->samples, client->count, sizeof *client->samples, ascending);
    int64_t worst = client->count ? client->samples[client->count - 1] : 0;
    int64_t most = client->count ? client->samples[client->count * 99 / 100] : 0;
    printf("%s=%zu %s.p99=%lld %s.worst=%lld ", names[index], count, names[index], (long long)most, names[index],
           (long long)worst);
    client->count = 0;
  }
  printf("made=%lld told=%lld unsaved=%lld cut=%lld wrong=%lld saved=%lld\n", made, told, unsaved, cut, wrong, saved);
  fflush(stdout);
  made = told = unsaved = cut = wrong = 0;
}

static bool read_commands(void) {
  static char input[4096];
  static size_t have;
  ssize_t count = read(0, input + have, sizeof input - 1 - have);
  if (count <= 0) return false;
  have += count;
  input[have] = 0;
  for (char *end; (end = strchr(input, '\n')) != NULL;) {
    *end = 0;
    if (strcmp(input, "report") == 0) report();
    if (strncmp(input, "hear ", 5) == 0) {
      hearing = true;
      wanted = strcmp(input + 5, "true") == 0;
      hearing_since = microseconds();
    }
    if (strcmp(input, "pause") == 0) paused = true, pauseIsTold = false;
    if (strcmp(input, "go") == 0) {
      paused = false;
      printf("ok\n");
    }
    if (strncmp(input, "pace ", 5) == 0) {
      pace = atoll(input + 5);
      printf("ok\n");
    }
    if (strncmp(input, "patience ", 9) == 0) {
      limit = atoll(input + 9) * 1000;
      printf("ok\n");
    }
    fflush(stdout);
    have -= end + 1 - input;
    memmove(input, end + 1, have + 1);
  }
  return true;
}

// The other end of a floor: it sends back as much as a state is, on a processor of its own.
static void echo(int fd, int processor) {
  char buffer[512] = {0};
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(processor, &own);
  if (sched_setaffinity(0, sizeof own, &own) != 0) fail("sched_setaffinity");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail("prctl");
  while (recv(fd, buffer, sizeof buffer, 0) > 0) {
    buffer[400] = 0;
    if (send(fd, buffer, 401, MSG_NOSIGNAL) < 0) break;
  }
  _exit(0);
}

static void open_floors(void) {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) fail("sched_getaffinity");
  for (int processor = 0; processor < CPU_SETSIZE && clientCount < MOST; processor++) {
    if (!CPU_ISSET(processor, &processors)) continue;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    if (fork() == 0) {
      close(ends[0]);
      close(0);
      echo(ends[1], processor);
    }
    close(ends[1]);
    clients[clientCount++].fd = ends[0];
  }
}

static void floor_took(Client *client, int64_t now) {
  if (recv(client->fd, client->buffer, BUFFER, MSG_DONTWAIT) <= 0) return;
  sample(client, now - client->asked);
  client->asked = 0;
  client->next = now + 5000;
}

// Everything that is due; returns when something is next.
static int64_t act(int64_t now) {
  if (clients[STEADY].next <= now) ask(&clients[STEADY], now);
  if (clients[PASSING].next <= now) ask(&clients[PASSING], now);
  for (Client *client = &clients[FLOOR]; client < &clients[clientCount]; client++) {
    if (client->next > now) continue;
    client->asked = now;
    client->next = INT64_MAX;
    if (!say(client, getState, sizeof getState)) fail("the floor");
  }
  static int64_t subscribing;
  if (clients[SUBSCRIBER].fd < 0 && subscribing <= now) {
    if (!open_client(&clients[SUBSCRIBER], monitor, sizeof monitor)) subscribing = now + 2000;
  }
  bool isIdle = clients[MAKER].next != INT64_MAX;
  if ((!paused || newest == 0) && clients[MAKER].next <= now) change(now);
  // The first save is what the daemon needs a thread for, too: before it nothing is as it stays.
  if (paused && isIdle && newest > 0 && !pauseIsTold) {
    printf("paused\n");
    fflush(stdout);
    pauseIsTold = true;
  }
  return now + 2000;
}

int witness(int count, char **words) {
  (void)count;
  path = words[0];
  token = time(NULL) + 100000;
  for (int index = 0; index < MOST; index++) clients[index].fd = -1;
  open_floors();
  for (;;) {
    int64_t now = microseconds(), next = act(now);
    for (int index = 0; index < clientCount; index++) {
      Client *client = &clients[index];
      if (client->asked != 0 && now - client->asked > limit) {
        lose(client, "no answer");
        // An answer to be had still would be taken for the next one's.
        if (index < FLOOR) lost(client, now), cut--;
      }
    }
    if (hearing && contrast == wanted) {
      hearing = false;
      printf("heard\n");
      fflush(stdout);
    } else if (hearing && now - hearing_since > limit) {
      hearing = false;
      printf("never\n");
      fflush(stdout);
    }
    struct pollfd polled[MOST + 1];
    for (int index = 0; index < clientCount; index++) {
      polled[index] = (struct pollfd){.fd = clients[index].fd, .events = POLLIN};
    }
    polled[clientCount] = (struct pollfd){.fd = 0, .events = POLLIN};
    int64_t wait = (next - microseconds()) / 1000;
    if (poll(polled, clientCount + 1, wait < 1 ? 1 : (int)wait) < 0 && errno != EINTR) fail("poll");
    for (int index = 0; index < clientCount; index++) {
      if (polled[index].revents == 0 || clients[index].fd != polled[index].fd) continue;
      if (index >= FLOOR) {
        floor_took(&clients[index], microseconds());
      } else {
        take(&clients[index]);
      }
    }
    if (polled[clientCount].revents != 0 && !read_commands()) return 0;
  }
}
