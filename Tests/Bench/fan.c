// Time from a change until the last of N subscribers has it, side by side.
//
//   fan out SPEC THEMED PID FLOOR PID BUS PID    an override, the floor's, and a signal over dbus-daemon
//   fan stalled SPEC THEMED PID THEMED PID       an override, with as many among the subscribers who never read, and without
//   fan hop SPEC THEMED PID PORTALBUS FLOOR PID FLOORBUS BUS PID
//                                                a portal's signal through themed, through the floor, and straight
//   fan portal PORTALBUS                         no benchmark: a portal that answers, until it is killed
//
// SPEC is N:ROUNDS,N:ROUNDS,… with growing N. Each round asks every side once. For each side and N a line is printed:
// name, N, the server's CPU time per round in ns, its PSS and private dirty memory in KiB, and each round in ns.
#include "common.h"

#include <signal.h>

enum { batch = 1024, buffer_size = 65536, control = UINT32_MAX, settings = 4 };

struct side {
  const char *name, *socket;
  pid_t pid;
  /// Who causes the changes, and what it sends for each, by turns.
  int source;
  struct bytes change[2];
  /// Whether the source is a portal, and so has questions to answer; else whether a reply comes.
  bool is_portal, has_reply, is_bus;
  /// Whether beside each subscriber there is one that never reads.
  bool has_stalled;
  /// Whether each round begins after a rest.
  bool has_rest;
  /// What makes a connection a subscriber.
  struct bytes subscribe;
  int *subscribers, *missing;
  int count, epoll, turn, answered, frame;
  uint32_t scheme;
};

static char buffer[buffer_size];

// MARK: The portal

static struct bytes setting_changed(uint32_t value) {
  DBusMessage *signal = dbus_message_new_signal(PORTAL_PATH, SETTINGS, "SettingChanged");
  const char *namespace = APPEARANCE, *key = "color-scheme";
  DBusMessageIter arguments, variant;
  dbus_message_append_args(signal, DBUS_TYPE_STRING, &namespace, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID);
  dbus_message_iter_init_append(signal, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "u", &variant);
  dbus_message_iter_append_basic(&variant, DBUS_TYPE_UINT32, &value);
  dbus_message_iter_close_container(&arguments, &variant);
  return marshalled(signal);
}

/// The answer to a question for a setting: `Read` packs it twice.
static DBusMessage *setting(DBusMessage *call, uint32_t scheme) {
  const char *namespace, *key;
  if (!dbus_message_get_args(
        call, NULL, DBUS_TYPE_STRING, &namespace, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID))
    return dbus_message_new_error(call, DBUS_ERROR_INVALID_ARGS, "two strings are wanted");
  if (strcmp(namespace, APPEARANCE) != 0 || strcmp(key, "color-scheme") != 0)
    return dbus_message_new_error(call, "org.freedesktop.portal.Error.NotFound", "Requested setting not found");
  bool twice = dbus_message_is_method_call(call, SETTINGS, "Read");
  DBusMessage *reply = dbus_message_new_method_return(call);
  DBusMessageIter arguments, outer, inner;
  dbus_message_iter_init_append(reply, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, twice ? "v" : "u", &outer);
  if (twice) dbus_message_iter_open_container(&outer, DBUS_TYPE_VARIANT, "u", &inner);
  dbus_message_iter_append_basic(twice ? &inner : &outer, DBUS_TYPE_UINT32, &scheme);
  if (twice) dbus_message_iter_close_container(&outer, &inner);
  dbus_message_iter_close_container(&arguments, &outer);
  return reply;
}

/// Answers the calls that have come to the portal.
static void answer(struct side *side) {
  static int have;
  have += get(side->source, buffer + have, buffer_size - have);
  int at = 0;
  for (int length; have - at >= 16 && have - at >= (length = message_length(buffer + at)); at += length) {
    if (buffer[at + 1] != DBUS_MESSAGE_TYPE_METHOD_CALL) continue;
    DBusMessage *call = dbus_message_demarshal(buffer + at, length, NULL);
    if (!call) die("demarshal");
    struct bytes reply = marshalled(
      dbus_message_is_method_call(call, SETTINGS, "ReadOne") || dbus_message_is_method_call(call, SETTINGS, "Read")
        ? setting(call, side->scheme) : dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "no such method"));
    put(side->source, reply);
    dbus_free(reply.start);
    dbus_message_unref(call);
    side->answered++;
  }
  memmove(buffer, buffer + at, have -= at);
}

static void own_portal(int fd) {
  put(fd, bus_call("RequestName", PORTAL));
  bus_reply(fd);
}

// MARK: Rounds

/// Takes what came on a connection; how many whole messages that were.
static int take(struct side *side, uint32_t index) {
  if (index == control) {
    if (side->is_portal) return answer(side), 0;
    int count = get(side->source, buffer, buffer_size);
    if (side->has_reply && buffer[count - 1] == 0) side->answered++;
    return 0;
  }
  int count = get(side->subscribers[index], buffer, buffer_size);
  if (!side->is_bus) return buffer[count - 1] == 0;
  if (!side->frame) side->frame = message_length(buffer);
  side->missing[index] += count;
  if (side->missing[index] < side->frame) return 0;
  side->missing[index] -= side->frame;
  return 1;
}

static void turn_loop(struct side *side, int *left) {
  struct epoll_event ready[batch];
  int met = epoll_wait(side->epoll, ready, batch, 30000);
  if (met <= 0) die(side->name);
  for (int i = 0; i < met; i++) *left -= take(side, ready[i].data.u32);
}

/// One change; how long it took until the last subscriber had it.
static int64_t round_of(struct side *side) {
  side->turn = !side->turn;
  side->scheme = side->turn ? 1 : 2;
  side->answered = 0;
  int left = side->count;
  // A change of the desktop comes upon everybody at rest: after another side's round the machine would be warm.
  if (side->has_rest) usleep(10000);
  int64_t start = now();
  put(side->source, side->change[side->turn]);
  while (left > 0) turn_loop(side, &left);
  int64_t end = now();
  int awaited = side->is_portal ? settings : side->has_reply;
  while (side->answered < awaited) turn_loop(side, &left);
  return end - start;
}

static void connect_up_to(struct side *side, int count) {
  for (; side->count < count; side->count++) {
    int fd = side->is_bus ? connect_to_bus(side->socket) : connect_to(side->socket);
    put(fd, side->subscribe);
    if (side->is_bus) bus_reply(fd);
    else while (buffer[get(fd, buffer, buffer_size) - 1] != 0) continue;
    side->subscribers[side->count] = fd;
    watch(side->epoll, fd, side->count);
    if (side->has_stalled) put(connect_to(side->socket), side->subscribe);
  }
}

static void memory_of(pid_t pid) {
  char path[64], line[256];
  long pss = 0, dirty = 0;
  sprintf(path, "/proc/%d/smaps_rollup", pid);
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  while (fgets(line, sizeof line, file)) {
    sscanf(line, "Pss: %ld", &pss);
    sscanf(line, "Private_Dirty: %ld", &dirty);
  }
  fclose(file);
  printf(" %ld %ld", pss, dirty);
}

/// The sides take turns by handing on a token; each is a process of its own, for one may not have descriptors for all.
static int tokens[3][2];

static void take_token(int own) {
  char token;
  if (read(tokens[own][0], &token, 1) != 1) die("the other side is gone");
}

/// Waits until a side's daemon has done what it does after a round, so that it does not fall into another's.
static void settle(struct side *side) {
  for (int64_t before = -1, now = cpu_time(side->pid); now != before; now = cpu_time(side->pid)) {
    before = now;
    usleep(500);
  }
}

static void hand_on(int own, int count) {
  if (write(tokens[(own + 1) % count][1], "t", 1) != 1) die("the other side is gone");
}

static void measure(struct side *side, int own, int count, int subscribers, int rounds) {
  take_token(own);
  connect_up_to(side, subscribers);
  int64_t *samples = room(rounds, sizeof(int64_t)), cpu = 0;
  // Until what the kernel keeps for those who do not read is full.
  for (int warm = 0; warm < (side->has_stalled ? 50 : 2); warm++) round_of(side);
  settle(side);
  hand_on(own, count);
  for (int r = 0; r < rounds; r++) {
    take_token(own);
    int64_t before = cpu_time(side->pid);
    samples[r] = round_of(side);
    settle(side);
    cpu += cpu_time(side->pid) - before;
    hand_on(own, count);
  }
  take_token(own);
  printf("%s\t%d\t%lld", side->name, subscribers, (long long)cpu / rounds);
  memory_of(side->pid);
  print_samples(samples, rounds);
  hand_on(own, count);
  free(samples);
}

static void run(struct side *side, int own, int count, char *specs) {
  for (char *spec = strtok(specs, ","); spec; spec = strtok(NULL, ",")) {
    int subscribers, rounds;
    if (sscanf(spec, "%d:%d", &subscribers, &rounds) != 2) die("N:ROUNDS is wanted");
    measure(side, own, count, subscribers, rounds);
  }
}

/// Runs each side in a process of its own; how many failed.
static int run_all(struct side *sides, int count, char *specs) {
  pid_t children[3];
  int failures = 0, status;
  for (int s = 0; s < count; s++)
    if (pipe(tokens[s]) != 0) die("pipe");
  for (int s = 0; s < count; s++) {
    children[s] = fork();
    if (children[s] == 0) run(&sides[s], s, count, specs), exit(0);
  }
  hand_on(count - 1, count);
  for (int s = 0; s < count; s++) {
    if (wait(&status) < 0 || status == 0) continue;
    // Without it the others would wait for ever.
    if (!failures++) for (int c = 0; c < count; c++) kill(children[c], SIGTERM);
  }
  return failures;
}

// MARK: Sides

static struct side side(const char *name, const char *socket, const char *pid, int source, int most) {
  struct side side = {.name = name, .socket = socket, .pid = atoi(pid), .source = source};
  side.epoll = epoll_create1(EPOLL_CLOEXEC);
  side.subscribers = room(most, sizeof(int));
  side.missing = room(most, sizeof(int));
  side.subscribe = text("{\"method\":\"org.themed.theme.Monitor\",\"more\":true}");
  watch(side.epoll, source, control);
  return side;
}

static struct side overridden(const char *name, const char *socket, const char *pid, int most) {
  struct side it = side(name, socket, pid, connect_to(socket), most);
  it.has_reply = true;
  // What holds already would be no change: dark does.
  it.turn = 1;
  const char *call = "{\"method\":\"org.themed.theme.SetOverride\",\"parameters\":{\"override\":{\"scheme\":\"%s\"}}}";
  for (int i = 0; i < 2; i++) {
    char change[200];
    sprintf(change, call, i ? "dark" : "light");
    it.change[i] = text(change);
  }
  return it;
}

static struct side signalled(const char *name, const char *socket, const char *pid, int source, int most) {
  struct side it = side(name, socket, pid, source, most);
  own_portal(source);
  for (int i = 0; i < 2; i++) it.change[i] = setting_changed(i ? 1 : 2);
  return it;
}

static struct side straight(const char *socket, const char *pid, int most) {
  struct side it = signalled("dbus-daemon", socket, pid, connect_to_bus(socket), most);
  it.is_bus = true;
  it.subscribe = bus_call("AddMatch", SETTING_CHANGED);
  return it;
}

int main(int argc, char **argv) {
  raise_descriptor_limit();
  bool is_hop = argc > 1 && strcmp(argv[1], "hop") == 0, is_stalled = argc > 1 && strcmp(argv[1], "stalled") == 0;
  if (argc == 3 && strcmp(argv[1], "portal") == 0) {
    struct side portal = {.source = connect_to_bus(argv[2]), .scheme = 1};
    own_portal(portal.source);
    printf("ready\n");
    fflush(stdout);
    for (;;) answer(&portal);
  }
  if (argc != (is_hop ? 11 : is_stalled ? 7 : 9)) die("usage: see the head of fan.c");
  char *last = strrchr(argv[2], ',');
  int most = atoi(last ? last + 1 : argv[2]), count = 0, left = 0;
  struct side sides[3];
  if (is_hop) {
    struct side *portal = &sides[count++];
    *portal = signalled("themed", argv[3], argv[4], connect_to_bus(argv[5]), most);
    portal->is_portal = true;
    // The daemon has met the portal when it has asked it.
    while (portal->answered < settings) turn_loop(portal, &left);
    sides[count++] = signalled("bare C", argv[6], argv[7], connect_to_bus(argv[8]), most);
    sides[count++] = straight(argv[9], argv[10], most);
    for (int s = 0; s < count; s++) sides[s].has_rest = true;
  } else if (is_stalled) {
    sides[count] = overridden("as many stalled", argv[3], argv[4], most);
    sides[count++].has_stalled = true;
    sides[count++] = overridden("none stalled", argv[5], argv[6], most);
  } else {
    sides[count++] = overridden("themed", argv[3], argv[4], most);
    sides[count++] = overridden("bare C", argv[5], argv[6], most);
    sides[count++] = straight(argv[7], argv[8], most);
  }
  return run_all(sides, count, argv[2]) ? 1 : 0;
}
