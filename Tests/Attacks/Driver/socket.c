// Floods over the socket.
#include "attacker.h"
#include <sys/resource.h>

enum { CALL = 64 * 1024 };

static const char *path;
static int64_t end;
static long long count;

// Connected and blocking; where the queue is full, a little later. Negative once the time is over.
static int come(void) {
  while (!is_over(end)) {
    int fd = connected(path);
    if (fd >= 0) {
      struct timeval patience = {.tv_sec = 1};
      setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
      setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      fcntl(fd, F_SETFL, 0);
      return fd;
    }
    pause_for(2000);
  }
  return -1;
}

static bool say(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    length -= sent;
  }
  return true;
}

// Reads as many replies, or until the other side closes or takes long.
static void hear(int fd, int replies) {
  static char buffer[65536];
  while (replies > 0) {
    ssize_t got = recv(fd, buffer, sizeof buffer, 0);
    if (got <= 0) return;
    for (ssize_t index = 0; index < got; index++) replies -= buffer[index] == 0;
  }
}

// Calls with marks in a place where text of a client's is compared: what it is, and whether more members come before.
static void marks(const char *before, const char *after, int pipelined) {
  static char call[2 * CALL];
  char *place = call + sprintf(call, "%s", before);
  size_t room = CALL - 200 - strlen(before) - strlen(after);
  place = put_marks(place, room / 2);
  place += sprintf(place, "%s", after) + 1;
  while (!is_over(end)) {
    int fd = come();
    if (fd < 0) return;
    int said = 0;
    while (said < pipelined && say(fd, call, place - call)) said++;
    hear(fd, said);
    close(fd);
    count += said;
    pause_for(20000);
  }
}

static void seventeen_members(int pipelined) {
  char before[1024], *to = before;
  to += sprintf(to, "{\"method\":\"org.themed.theme.GetState\",\"parameters\":{");
  for (int member = 0; member < 16; member++) to += sprintf(to, "\"m%d\":0,", member);
  sprintf(to, "\"");
  marks(before, "\":0}}", pipelined);
}

// Arrays within arrays, as deep as a call is long.
static void nested(void) {
  static char call[CALL];
  int begin = sprintf(call, "{\"method\":\"org.themed.theme.GetState\",\"parameters\":{\"app\":");
  memset(call + begin, '[', sizeof call - 2 - begin);
  while (!is_over(end)) {
    int fd = come();
    if (fd < 0) return;
    if (say(fd, call, sizeof call)) hear(fd, 1);
    close(fd);
    count++;
    pause_for(2000);
  }
}

#define METHOD(name) "{\"method\":\"org.themed.theme." name

// Connects, says nothing, something or a call, and leaves without a word.
static void connects(void) {
  static const char call[] = METHOD("GetState\"}");
  while (!is_over(end)) {
    int fd = connected(path);
    if (fd < 0) {
      pause_for(200);
      continue;
    }
    count++;
    if (count % 3 == 1) send(fd, call, count % sizeof call, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count % 3 == 2) send(fd, call, sizeof call, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
  }
}

// Many connections at once, each of which does the same until the time is over.
static void many(int number, void (*first)(int fd), void (*again)(int fd)) {
  int *fds = calloc(number, sizeof *fds);
  for (int index = 0; index < number; index++) {
    fds[index] = come();
    if (fds[index] >= 0) first(fds[index]), count++;
  }
  while (!is_over(end)) {
    for (int index = 0; index < number && again != NULL; index++) {
      if (fds[index] >= 0) again(fds[index]);
    }
    pause_for(20000);
  }
  for (int index = 0; index < number; index++) close(fds[index]);
  free(fds);
}

static void say_half(int fd) { say(fd, METHOD("GetSt"), 30); }

static void subscribe(int fd) {
  static const char call[] = METHOD("Monitor\",\"parameters\":{\"details\":true},\"more\":true}");
  int least = 1;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof least);
  say(fd, call, sizeof call);
}

// As many calls as the kernel takes, and no reply is ever read.
static void push(int fd) {
  static const char call[] = METHOD("GetState\"}");
  static char calls[sizeof call * 500];
  if (calls[0] == 0) {
    for (int index = 0; index < 500; index++) memcpy(calls + index * sizeof call, call, sizeof call);
  }
  for (int round = 0; round < 8; round++) {
    if (send(fd, calls, sizeof calls, MSG_NOSIGNAL | MSG_DONTWAIT) < (ssize_t)sizeof calls) return;
  }
}

static void rude(void) {
  static unsigned state = 1;
  static char bytes[CALL];
  while (!is_over(end)) {
    for (size_t index = 0; index < sizeof bytes; index++) {
      state = state * 1664525u + 1013904223u;
      bytes[index] = count % 4 == 0 ? (char)(state >> 24) : "{}[]\",:0\\e-ntf"[(state >> 24) % 14];
    }
    // The beginning of a message, so that what follows is looked at.
    if (count % 2 == 0) memcpy(bytes, "{\"method\":", 10);
    int fd = come();
    if (fd < 0) return;
    if (say(fd, bytes, state % sizeof bytes)) say(fd, "", 1);
    close(fd);
    count++;
    pause_for(2000);
  }
}

// Calls with descriptors attached, which nobody wants.
static void descriptors(void) {
  static const char call[] = METHOD("GetState\"}");
  int given[64];
  for (int index = 0; index < 64; index++) given[index] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (!is_over(end)) {
    int fd = come();
    if (fd < 0) return;
    for (int round = 0; round < 20; round++) {
      int number = 1 + (count + round) % 64;
      char control[CMSG_SPACE(sizeof given)];
      struct iovec part = {(void *)call, sizeof call};
      struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(number * sizeof(int))};
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      *header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(number * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
      memcpy(CMSG_DATA(header), given, number * sizeof(int));
      if (sendmsg(fd, &message, MSG_NOSIGNAL) <= 0) break;
      count++;
    }
    hear(fd, 20);
    close(fd);
    pause_for(2000);
  }
}

// Six fields for each of 240 apps, each with an end of its own, and all of it removed again.
static void overrides(void) {
  static const char *fields[] = {
    "\"scheme\":\"dark\"", "\"highContrast\":true", "\"reducedMotion\":true",
    "\"accentColor\":\"#1f801f\"",
    "\"lightTheme\":\"attack\"", "\"darkTheme\":\"attack\""};
  const int most = sizeof fields / sizeof *fields;
  char call[1024], app[256];
  while (!is_over(end)) {
    int fd = come();
    if (fd < 0) return;
    long long expiry = time(NULL) + 1000000;
    for (int removing = 0; removing < 2; removing++) {
      for (int number = 0; number < 240; number++) {
        // What was set is removed, whatever the time.
        if (!removing && is_over(end)) break;
        memset(app, 'a', sizeof app);
        sprintf(app + 240, "%d", number);
        for (int field = 0; field < (removing ? 1 : most); field++) {
          int length = removing
            ? sprintf(call, METHOD("ClearOverride\",\"parameters\":{\"app\":\"%s\"}}"), app)
            : sprintf(call, METHOD("SetOverride\",\"parameters\":{\"override\":{\"app\":\"%s\",%s,\"expiresAt\":%lld}}}"),
                      app, fields[field], expiry + number * 10 + field);
          if (say(fd, call, length + 1)) count++;
        }
        hear(fd, removing ? 1 : most);
      }
    }
    close(fd);
  }
}

int socket_attack(int words_count, char **words) {
  (void)words_count;
  const char *kind = words[0];
  path = words[1];
  end = end_after(words[2]);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (strcmp(kind, "members") == 0) seventeen_members(1);
  else if (strcmp(kind, "pipelined") == 0) seventeen_members(8);
  else if (strcmp(kind, "method") == 0) marks(METHOD("GetState"), "\"}", 1);
  else if (strcmp(kind, "interface") == 0) marks("{\"method\":\"org.themed.them", ".GetState\"}", 1);
  else if (strcmp(kind, "flag") == 0) marks("{\"method\":\"a.B\",\"mor", "\":true}", 1);
  else if (strcmp(kind, "app") == 0) marks(METHOD("GetState\",\"parameters\":{\"app\":\""), "\"}}", 1);
  else if (strcmp(kind, "word") == 0)
    marks(METHOD("SetOverride\",\"parameters\":{\"override\":{\"scheme\":\"dark"), "\"}}}", 1);
  else if (strcmp(kind, "theme") == 0) marks(METHOD("GetTheme\",\"parameters\":{\"name\":\"a"), "\"}}", 1);
  else if (strcmp(kind, "fields") == 0)
    marks(METHOD("ClearOverride\",\"parameters\":{\"app\":\"x\",\"fields\":[\"scheme"), "\"]}}", 1);
  else if (strcmp(kind, "connects") == 0) connects();
  else if (strcmp(kind, "half") == 0) many(200, say_half, NULL);
  else if (strcmp(kind, "stalled") == 0) many(1000, subscribe, NULL);
  else if (strcmp(kind, "slow") == 0) many(50, push, push);
  else if (strcmp(kind, "rude") == 0) rude();
  else if (strcmp(kind, "nested") == 0) nested();
  else if (strcmp(kind, "descriptors") == 0) descriptors();
  else if (strcmp(kind, "overrides") == 0) overrides();
  else fail(kind);
  return done(count);
}
