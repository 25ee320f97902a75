// How long calls take, side by side.
//
//   calls BLOCKS THEMED FLOOR BUS    GetState, the floor's echo of it, and dbus-daemon's GetId
//   calls change COUNT THEMED        no benchmark: makes so many changes
//
// For each way of calling and each side a line is printed: way, name, and samples in ns per call.
#include "common.h"

enum { singles = 50, depth = 64, many = 100, sweeps = 10, buffer_size = 1 << 20 };

struct side {
  const char *name;
  struct bytes call, calls;
  int connections[many];
  /// How long a reply is, on each connection: the bus says to whom it goes.
  int reply[many], epoll;
  int64_t *single, *pipelined, *together;
};

static char buffer[buffer_size];

static void await(int fd, int bytes) {
  while (bytes > 0) bytes -= get(fd, buffer, bytes < buffer_size ? bytes : buffer_size);
}

static struct side side(const char *name, const char *socket, struct bytes call, bool is_bus, int blocks) {
  struct side side = {.name = name, .call = call, .epoll = epoll_create1(EPOLL_CLOEXEC)};
  for (int i = 0; i < many; i++) {
    int fd = side.connections[i] = is_bus ? connect_to_bus(socket) : connect_to(socket);
    put(fd, call);
    int have = 0;
    if (is_bus) {
      // What the bus tells of our name may come first.
      while (have < 16 || buffer[1] != DBUS_MESSAGE_TYPE_METHOD_RETURN || have < message_length(buffer)) {
        have += get(fd, buffer + have, buffer_size - have);
        int length = have < 16 ? 0 : message_length(buffer);
        if (length && buffer[1] != DBUS_MESSAGE_TYPE_METHOD_RETURN && have >= length)
          memmove(buffer, buffer + length, have -= length);
      }
    } else {
      do have += get(fd, buffer + have, buffer_size - have);
      while (buffer[have - 1] != 0);
    }
    side.reply[i] = have;
    watch(side.epoll, fd, i);
  }
  side.calls = (struct bytes){room(depth, call.length), depth * call.length};
  for (int i = 0; i < depth; i++) memcpy(side.calls.start + i * call.length, call.start, call.length);
  side.single = room(blocks * singles, sizeof(int64_t));
  side.pipelined = room(blocks, sizeof(int64_t));
  side.together = room(blocks, sizeof(int64_t));
  return side;
}

static void one_at_a_time(struct side *side, int block) {
  for (int i = 0; i < singles; i++) {
    int64_t start = now();
    put(side->connections[0], side->call);
    await(side->connections[0], side->reply[0]);
    side->single[block * singles + i] = now() - start;
  }
}

static void pipelined(struct side *side, int block) {
  int64_t start = now();
  put(side->connections[0], side->calls);
  await(side->connections[0], depth * side->reply[0]);
  side->pipelined[block] = (now() - start) / depth;
}

/// One call under way on each connection.
static void all_at_once(struct side *side, int block) {
  int left[many], calls = many * sweeps, answered = 0;
  int64_t start = now();
  for (int i = 0; i < many; i++) {
    put(side->connections[i], side->call);
    left[i] = side->reply[i];
  }
  int begun = many;
  while (answered < calls) {
    struct epoll_event ready[many];
    int met = epoll_wait(side->epoll, ready, many, 30000);
    if (met <= 0) die(side->name);
    for (int e = 0; e < met; e++) {
      int i = ready[e].data.u32;
      left[i] -= get(side->connections[i], buffer, buffer_size);
      if (left[i] > 0) continue;
      answered++;
      left[i] = side->reply[i];
      if (begun < calls) begun++, put(side->connections[i], side->call);
    }
  }
  side->together[block] = (now() - start) / calls;
}

static void change(int count, const char *socket) {
  const char *format = "{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{\"scheme\":\"%s\"}}}";
  int fd = connect_to(socket);
  struct bytes changes[2];
  for (int i = 0; i < 2; i++) {
    char call[200];
    sprintf(call, format, i ? "dark" : "light");
    changes[i] = text(call);
  }
  for (int i = 0; i < count; i++) {
    put(fd, changes[i % 2]);
    while (buffer[get(fd, buffer, buffer_size) - 1] != 0) continue;
  }
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "change") == 0) return change(atoi(argv[2]), argv[3]), 0;
  if (argc != 5) die("usage: see the head of calls.c");
  int blocks = atoi(argv[1]);
  struct bytes get_state = text("{\"method\":\"org.themed.theme.GetState\"}");
  struct side sides[] = {
    side("themed", argv[2], get_state, false, blocks), side("bare C", argv[3], get_state, false, blocks),
    side("dbus-daemon", argv[4], bus_call("GetId", NULL), true, blocks)};
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
