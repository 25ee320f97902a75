// How long calls take, side by side.
//
//   calls BLOCKS THEMED FLOOR BUS    GetState of two apps by turns, with changes between, the floor's echo of it, and
//                                    dbus-daemon's GetId
//   calls change COUNT THEMED        no benchmark: makes so many changes
//
// For each way of calling and each side a line is printed: way, name, and samples in ns per call.
#include "common.h"

enum { singles = 50, depth = 64, many = 100, sweeps = 10, buffer_size = 1 << 20 };

struct side {
  const char *name;
  /// What is asked, by turns: of the daemon as two apps, so that no two calls in a row are the same.
  struct bytes call[2], calls;
  /// What is changed before each measure, by turns, so that no answer is the one before; none for the bus.
  struct bytes change[2];
  int connections[many], epoll, changes;
  bool is_bus;
  /// How long the bus's reply is, on each connection: it says to whom it goes.
  int reply[many];
  int64_t *single, *pipelined, *together;
};

static char buffer[buffer_size];

/// Reads until so many replies have come.
static void await(struct side *side, int i, int replies) {
  int fd = side->connections[i];
  if (side->is_bus) {
    for (int left = replies * side->reply[i]; left > 0;) left -= get(fd, buffer, left < buffer_size ? left : buffer_size);
    return;
  }
  while (replies > 0) {
    int came = get(fd, buffer, buffer_size);
    for (char *at = buffer; (at = memchr(at, 0, buffer + came - at)); at++) replies--;
  }
}

static void ask(struct side *side, struct bytes call) {
  put(side->connections[0], call);
  await(side, 0, 1);
}

/// Has the next answer be another one.
static void change(struct side *side) {
  if (!side->is_bus) ask(side, side->change[side->changes++ % 2]);
}

static struct bytes override(const char *fields) {
  char call[200];
  sprintf(call, "{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{%s}}}", fields);
  return text(call);
}

static struct bytes get_state(const char *app) {
  char call[200];
  sprintf(call, "{\"method\":\"org.themed.theme.GetState\",\"parameters\":{\"app\":\"%s\"}}", app);
  return text(call);
}

static struct side side(const char *name, const char *socket, bool is_bus, int blocks) {
  struct side side = {.name = name, .is_bus = is_bus, .epoll = epoll_create1(EPOLL_CLOEXEC)};
  for (int i = 0; i < 2; i++) {
    side.call[i] = is_bus ? bus_call("GetId", NULL) : get_state(i ? "one" : "two");
    side.change[i] = override(i ? "\"highContrast\":true" : "\"highContrast\":false");
  }
  for (int i = 0; i < many; i++) {
    int fd = side.connections[i] = is_bus ? connect_to_bus(socket) : connect_to(socket);
    put(fd, side.call[i % 2]);
    int have = 0;
    if (is_bus) {
      // What the bus tells of our name may come first.
      while (have < 16 || buffer[1] != DBUS_MESSAGE_TYPE_METHOD_RETURN || have < message_length(buffer)) {
        have += get(fd, buffer + have, buffer_size - have);
        int length = have < 16 ? 0 : message_length(buffer);
        if (length && buffer[1] != DBUS_MESSAGE_TYPE_METHOD_RETURN && have >= length)
          memmove(buffer, buffer + length, have -= length);
      }
      side.reply[i] = have;
    } else {
      await(&side, i, 1);
    }
    watch(side.epoll, fd, i);
  }
  if (!is_bus) {
    // Each app has a state of its own.
    ask(&side, override("\"app\":\"one\",\"scheme\":\"dark\""));
    ask(&side, override("\"app\":\"two\",\"scheme\":\"light\""));
  }
  side.calls.start = room(depth, side.call[0].length);
  for (int i = 0; i < depth; i++) {
    memcpy(side.calls.start + side.calls.length, side.call[i % 2].start, side.call[i % 2].length);
    side.calls.length += side.call[i % 2].length;
  }
  side.single = room(blocks * singles, sizeof(int64_t));
  side.pipelined = room(blocks, sizeof(int64_t));
  side.together = room(blocks, sizeof(int64_t));
  return side;
}

static void one_at_a_time(struct side *side, int block) {
  for (int i = 0; i < singles; i++) {
    change(side);
    int64_t start = now();
    ask(side, side->call[i % 2]);
    side->single[block * singles + i] = now() - start;
  }
}

static void pipelined(struct side *side, int block) {
  change(side);
  int64_t start = now();
  put(side->connections[0], side->calls);
  await(side, 0, depth);
  side->pipelined[block] = (now() - start) / depth;
}

/// One call under way on each connection.
static void all_at_once(struct side *side, int block) {
  int left[many], calls = many * sweeps, answered = 0;
  change(side);
  int64_t start = now();
  for (int i = 0; i < many; i++) {
    put(side->connections[i], side->call[i % 2]);
    left[i] = side->reply[i];
  }
  int begun = many;
  while (answered < calls) {
    struct epoll_event ready[many];
    int met = epoll_wait(side->epoll, ready, many, 30000);
    if (met <= 0) die(side->name);
    for (int e = 0; e < met; e++) {
      int i = ready[e].data.u32, came = get(side->connections[i], buffer, buffer_size);
      left[i] -= came;
      if (side->is_bus ? left[i] > 0 : buffer[came - 1] != 0) continue;
      answered++;
      left[i] = side->reply[i];
      if (begun < calls) begun++, put(side->connections[i], side->call[i % 2]);
    }
  }
  side->together[block] = (now() - start) / calls;
}

static void make_changes(int count, const char *socket) {
  struct bytes changes[2] = {override("\"scheme\":\"light\""), override("\"scheme\":\"dark\"")};
  int fd = connect_to(socket);
  for (int i = 0; i < count; i++) {
    put(fd, changes[i % 2]);
    while (buffer[get(fd, buffer, buffer_size) - 1] != 0) continue;
  }
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "change") == 0) return make_changes(atoi(argv[2]), argv[3]), 0;
  if (argc != 5) die("usage: see the head of calls.c");
  int blocks = atoi(argv[1]);
  struct side sides[] = {
    side("themed", argv[2], false, blocks), side("bare C", argv[3], false, blocks),
    side("dbus-daemon", argv[4], true, blocks)};
  for (int block = 0; block < blocks; block++)
    for (int s = 0; s < 3; s++) one_at_a_time(&sides[s], block);
  for (int block = 0; block < blocks; block++)
    for (int s = 0; s < 3; s++) pipelined(&sides[s], block);
  for (int block = 0; block < blocks; block++)
    for (int s = 0; s < 3; s++) all_at_once(&sides[s], block);
  for (int s = 0; s < 3; s++) {
    printf("single\t%s\t", sides[s].name), print_samples(sides[s].single, blocks * singles);
    printf("pipelined\t%s\t", sides[s].name), print_samples(sides[s].pipelined, blocks);
    printf("together\t%s\t", sides[s].name), print_samples(sides[s].together, blocks);
  }
  return 0;
}
