// Clients by the thousand, for the tests and the soak: one thread, one epoll set, no allocation while it runs.
//
//   load hold PATH READERS              subscribes, says "ready", and holds on until its input ends
//   load fanout PATH READERS STALLED CHANGES
//                                       says how long each change takes to reach every reader, in microseconds
//   load soak PATH CHANGES              everything at once; pauses at each mark until it reads a line
//   load soak PATH CHANGES others       the same, where the desktop and files change the state as well
//
// Every change is a SetOverride that no other one equals, so that the daemon's serial counts them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16384, BUFFER = 2048 };

typedef enum { UNUSED, READER, STALLED, SETTER, PASSING, RUDE } Kind;

typedef struct {
  Kind kind;
  int fd;
  bool asleep;
  unsigned have;
  unsigned long long serial; // the newest that it was sent
  unsigned long long frames;
  char buffer[BUFFER];
} Client;

static Client clients[MOST];
static const char *path;
static int set;
static unsigned long long newest, asked, changes, connections, rubbish, frames;
static unsigned random_state = 1;

static void fail(const char *what) {
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static unsigned next_random(void) { return random_state = random_state * 1664525u + 1013904223u; }

static void wait_for(Client *client, unsigned events) {
  struct epoll_event event = {.events = events, .data.ptr = client};
  if (epoll_ctl(set, EPOLL_CTL_MOD, client->fd, &event) != 0) fail("epoll_ctl");
}

static void open_client(Client *client, Kind kind) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path is too long");
  strcpy(address.sun_path, path);
  *client = (Client){.kind = kind, .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (client->fd < 0) fail("socket");
  if (connect(client->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
  if (fcntl(client->fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(set, EPOLL_CTL_ADD, client->fd, &event) != 0) fail("epoll_ctl");
  connections++;
}

static void close_client(Client *client) {
  close(client->fd);
  client->kind = UNUSED;
}

// Sends what certainly fits; whether it did. A client that is refused learns of it when it reads.
static bool say(Client *client, const void *bytes, size_t count) {
  return send(client->fd, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static void subscribe(Client *client) {
  static const char call[] = "{\"method\":\"org.themed.theme.Monitor\",\"parameters\":{},\"more\":true}";
  if (!say(client, call, sizeof call)) fail("subscribing");
}

static void change(Client *client) {
  unsigned number = ++asked;
  char call[256];
  int count = snprintf(
    call, sizeof call,
    "{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{\"scheme\":\"%s\","
    "\"accentColor\":\"#%06x\"}}}",
    number & 1 ? "dark" : "light", number & 0xffffff);
  if (!say(client, call, count + 1)) fail("setting an override");
}

static unsigned long long serial_in(const char *frame) {
  const char *place = strstr(frame, "\"serial\":");
  return place == NULL ? 0 : strtoull(place + 9, NULL, 10);
}

static void took(Client *client, const char *frame);

// Reads once, and takes every whole frame; whether the connection still stands.
static bool take(Client *client) {
  ssize_t count = recv(client->fd, client->buffer + client->have, BUFFER - client->have, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  client->have += count;
  unsigned start = 0;
  for (char *end; (end = memchr(client->buffer + start, 0, client->have - start)) != NULL;) {
    took(client, client->buffer + start);
    if (client->kind == UNUSED) return true;
    start = end + 1 - client->buffer;
  }
  memmove(client->buffer, client->buffer + start, client->have - start);
  client->have -= start;
  if (client->have == BUFFER) fail("a frame is longer than any state");
  return true;
}

static void took(Client *client, const char *frame) {
  frames++;
  client->frames++;
  if (client->kind == RUDE) return;
  unsigned long long serial = serial_in(frame);
  if (serial == 0) {
    fprintf(stderr, "load: no state: %s\n", frame);
    exit(1);
  }
  if (client->kind != SETTER && serial <= client->serial) {
    fprintf(stderr, "load: the state %llu came after %llu\n", serial, client->serial);
    exit(1);
  }
  client->serial = serial;
  if (serial > newest) newest = serial;
  if (client->kind == PASSING) close_client(client);
  if (client->kind == SETTER) changes++;
}

// One round of events; whoever says something is given to `heard`, those that ended to `lost`.
static void turn(int timeout, void (*heard)(Client *), void (*lost)(Client *)) {
  static struct epoll_event events[512];
  int count = epoll_wait(set, events, 512, timeout);
  if (count < 0 && errno != EINTR) fail("epoll_wait");
  for (int index = 0; index < count; index++) {
    Client *client = events[index].data.ptr;
    if (client->kind == UNUSED) continue;
    if (take(client)) {
      if (heard != NULL) heard(client);
    } else {
      lost(client);
    }
  }
}

static void lost_one(Client *client) {
  fprintf(stderr, "load: a connection (kind %d) was closed\n", client->kind);
  exit(1);
}

static unsigned long long microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000ull + now.tv_nsec / 1000;
}

static unsigned behind(Client *first, unsigned count, unsigned long long serial) {
  unsigned number = 0;
  for (unsigned index = 0; index < count; index++) number += first[index].serial < serial;
  return number;
}

// Subscribes `count` clients, and waits until each has its first state.
static void subscribe_all(Client *first, unsigned count, Kind kind) {
  for (unsigned index = 0; index < count; index++) {
    open_client(&first[index], kind);
    subscribe(&first[index]);
    // The listener's queue is bounded: let it be emptied now and then.
    if (index % 256 == 255) turn(0, NULL, lost_one);
  }
  while (behind(first, count, 1) > 0) turn(-1, NULL, lost_one);
}

static void hold(unsigned readers) {
  subscribe_all(clients, readers, READER);
  printf("ready\n");
  fflush(stdout);
  char line[16];
  // Each line asks how many have the newest state; the end of the input is the end.
  while (fgets(line, sizeof line, stdin) != NULL) {
    unsigned long long serial = strtoull(line, NULL, 10);
    while (behind(clients, readers, serial) > 0) turn(-1, NULL, lost_one);
    printf("all %u have %llu\n", readers, serial);
    fflush(stdout);
  }
}

static int ascending(const void *one, const void *other) {
  unsigned long long a = *(const unsigned long long *)one, b = *(const unsigned long long *)other;
  return (a > b) - (a < b);
}

static void fanout(unsigned readers, unsigned stalled, unsigned rounds) {
  unsigned long long *times = calloc(rounds, sizeof *times);
  Client *setter = &clients[readers + stalled];
  if (times == NULL) fail("memory");
  subscribe_all(clients, readers, READER);
  subscribe_all(clients + readers, stalled, STALLED);
  for (unsigned index = readers; index < readers + stalled; index++) wait_for(&clients[index], 0);
  open_client(setter, SETTER);
  // First those that stall have to: each takes so many states before its buffers are full.
  for (unsigned round = 0; round < 64 + rounds; round++) {
    unsigned long long serial = newest + 1, begin = microseconds();
    change(setter);
    while (behind(clients, readers, serial) > 0) turn(-1, NULL, lost_one);
    if (round >= 64) times[round - 64] = microseconds() - begin;
    while (changes < asked) turn(-1, NULL, lost_one);
  }
  qsort(times, rounds, sizeof *times, ascending);
  printf("%u readers, %u stalled: quickest %llu, 10%% %llu, median %llu, 90%% %llu microseconds\n", readers, stalled,
         times[0], times[rounds / 10], times[rounds / 2], times[rounds * 9 / 10]);
}

// MARK: The soak

enum { READERS = 12, SLEEPERS = 4, SETTERS = 8, PASSERS = 32, RUDES = 32 };
enum { FIRST_SETTER = READERS + SLEEPERS, FIRST_PASSER = FIRST_SETTER + SETTERS, ALL = FIRST_PASSER + PASSERS + RUDES };

static unsigned long long first_serial;
static bool resting, others;

static void be_rude(Client *client) {
  static const char open_brackets[] = "{\"method\":\"org.themed.theme.GetState\",\"parameters\":{\"app\":";
  static const char *const calls[] = {
    "{\"method\":\"org.themed.theme.GetState\"}", "{\"method\":\"org.themed.theme.ListOverrides\"}",
    "{\"method\":\"org.themed.theme.Nothing\"}", "{\"method\":\"org.varlink.service.GetInfo\"}",
    "{\"method\":\"org.themed.theme.GetState\",\"oneway\":true}", "{\"method\":\"org.themed.theme.Monitor\"}",
    "[1,2", "{\"method\":7}", "\xff\xfe", "",
  };
  static char bytes[65536];
  rubbish++;
  switch (next_random() >> 24 & 7) {
  case 0: // bytes that mean nothing
    for (unsigned index = 0; index < 512; index++) bytes[index] = next_random() >> 24;
    say(client, bytes, 512);
    break;
  case 1: // open brackets
    say(client, open_brackets, sizeof open_brackets - 1);
    memset(bytes, '[', sizeof bytes);
    say(client, bytes, sizeof bytes);
    break;
  case 2: // a message that never ends
    say(client, open_brackets, 1 + (next_random() >> 24) % (sizeof open_brackets - 2));
    break;
  case 3: // subscribes, and is gone
    subscribe(client);
    close_client(client);
    return;
  case 4: // asks, and ends what it sends
    say(client, calls[0], strlen(calls[0]) + 1);
    shutdown(client->fd, SHUT_WR);
    break;
  default: { // many calls at once, of which some break the protocol; what is answered is not read
    size_t count = 0;
    for (unsigned call = 0; call < 100; call++) {
      const char *text = calls[(next_random() >> 24) % (call < 90 ? 6 : 10)];
      memcpy(bytes + count, text, strlen(text) + 1);
      count += strlen(text) + 1;
    }
    say(client, bytes, count);
    wait_for(client, 0);
  }
  }
}

static void soak_heard(Client *client) {
  if (client->kind == SETTER && !resting) change(client);
}

static void soak_lost(Client *client) {
  if (client->kind != RUDE && client->kind != PASSING) lost_one(client);
  close_client(client);
}

static void play(void) {
  unsigned first = next_random() >> 8;
  for (unsigned index = 0; index < PASSERS + RUDES; index++) {
    Client *client = &clients[FIRST_PASSER + (first + index) % (PASSERS + RUDES)];
    bool is_rude = client - clients >= FIRST_PASSER + PASSERS;
    if (client->kind == UNUSED) {
      // Two changes for each that comes: else the daemon would do nothing but greet.
      if (connections > 100 + changes / 2) continue;
      open_client(client, is_rude ? RUDE : PASSING);
      if (is_rude) be_rude(client); else subscribe(client);
    } else if (is_rude && (next_random() >> 24) < 8) {
      close_client(client);
    }
  }
  // Those that sleep wake now and then; they must never be far behind when they do.
  Client *sleeper = &clients[READERS + (next_random() >> 24) % SLEEPERS];
  if ((next_random() >> 24) < 32) wait_for(sleeper, (sleeper->asleep = !sleeper->asleep) ? 0 : EPOLLIN);
}

// Lets the daemon come to know what was closed: it answers so many calls, each in a turn of its own.
static void let_it_learn(Client *client) {
  static const char call[] = "{\"method\":\"org.themed.theme.GetState\"}";
  client->kind = RUDE;
  for (unsigned round = 0; round < 64; round++) {
    unsigned long long before = client->frames;
    if (!say(client, call, sizeof call)) fail("asking");
    while (client->frames == before) turn(-1, NULL, lost_one);
  }
  client->kind = SETTER;
}

// Lets everything come to rest: no guest is left, every subscriber reads, and has the newest state.
static void rest(const char *mark) {
  resting = true;
  for (Client *client = &clients[FIRST_PASSER]; client < &clients[ALL]; client++)
    if (client->kind != UNUSED) close_client(client);
  for (Client *client = &clients[READERS]; client < &clients[FIRST_SETTER]; client++) {
    client->asleep = false;
    wait_for(client, EPOLLIN);
  }
  while (changes < asked) turn(-1, soak_heard, soak_lost);
  if (others ? newest < first_serial + changes : newest != first_serial + changes) {
    fprintf(stderr, "load: %llu changes led from %llu to %llu\n", changes, first_serial, newest);
    exit(1);
  }
  while (behind(clients, FIRST_SETTER, newest) > 0) turn(-1, soak_heard, soak_lost);
  let_it_learn(&clients[FIRST_SETTER]);
  printf("%s: %llu changes, %llu connections, %llu of them rude, %llu frames\n", mark, changes, connections, rubbish,
         frames);
  fflush(stdout);
  if (getchar() == EOF) exit(1);
  resting = false;
}

static void soak(unsigned long long all) {
  subscribe_all(clients, FIRST_SETTER, READER);
  first_serial = newest;
  for (unsigned index = FIRST_SETTER; index < FIRST_PASSER; index++) open_client(&clients[index], SETTER);
  for (unsigned part = 1; part <= 10; part++) {
    for (unsigned index = FIRST_SETTER; index < FIRST_PASSER; index++) change(&clients[index]);
    while (asked < all / 10 * part) {
      play();
      turn(10, soak_heard, soak_lost);
    }
    rest(part < 10 ? "mark" : "end");
  }
}

int main(int count, char **words) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  set = epoll_create1(EPOLL_CLOEXEC);
  if (set < 0) fail("epoll_create1");
  if (count > 2) path = words[2];
  if (count == 4 && strcmp(words[1], "hold") == 0) {
    hold(atoi(words[3]));
  } else if (count == 6 && strcmp(words[1], "fanout") == 0) {
    fanout(atoi(words[3]), atoi(words[4]), atoi(words[5]));
  } else if ((count == 4 || (count == 5 && strcmp(words[4], "others") == 0)) && strcmp(words[1], "soak") == 0) {
    others = count == 5;
    soak(strtoull(words[3], NULL, 10));
  } else {
    fprintf(stderr, "usage: load hold PATH READERS | fanout PATH READERS STALLED CHANGES | soak PATH CHANGES [others]\n");
    return 64;
  }
  return 0;
}
