// What a stranger can do on the session's bus.
#include "attacker.h"
#include <dbus/dbus.h>
#include <poll.h>

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"

static DBusConnection *bus;
static pid_t pid;        // whom it is aimed at
static char victim[256]; // by this name on the bus, which is another after each reconnect
static bool isLost = true;
static long long count;

static DBusMessage *asked(const char *method, const char *argument) {
  DBusMessage *call = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, method);
  if (argument != NULL) dbus_message_append_args(call, DBUS_TYPE_STRING, &argument, DBUS_TYPE_INVALID);
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 10000, NULL);
  dbus_message_unref(call);
  return reply;
}

// Finds the daemon's name, as any stranger can.
static void find_victim(void) {
  DBusMessage *reply = asked("ListNames", NULL);
  char **names = NULL;
  int length = 0;
  if (reply == NULL) fail("ListNames");
  dbus_message_get_args(reply, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &names, &length, DBUS_TYPE_INVALID);
  isLost = true;
  for (int index = 0; index < length && isLost; index++) {
    if (names[index][0] != ':') continue;
    DBusMessage *answer = asked("GetConnectionUnixProcessID", names[index]);
    dbus_uint32_t number = 0;
    if (answer == NULL) continue;
    dbus_message_get_args(answer, NULL, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
    dbus_message_unref(answer);
    if (number != (dbus_uint32_t)pid) continue;
    snprintf(victim, sizeof victim, "%s", names[index]);
    isLost = false;
  }
  dbus_free_string_array(names);
  dbus_message_unref(reply);
}

// Reads what has come; a name that comes or goes may be the daemon's.
static void read_along(void) {
  dbus_connection_read_write(bus, 0);
  for (DBusMessage *got; (got = dbus_connection_pop_message(bus)) != NULL;) {
    if (dbus_message_is_signal(got, DBUS_INTERFACE_DBUS, "NameOwnerChanged")) isLost = true;
    dbus_message_unref(got);
  }
}

// Sends it, and waits until the bus has it; what comes back is of no interest.
static void post(DBusMessage *message) {
  dbus_message_set_destination(message, victim);
  dbus_message_set_no_reply(message, TRUE);
  if (!dbus_connection_send(bus, message, NULL)) fail("dbus_connection_send");
  dbus_message_unref(message);
  dbus_connection_flush(bus);
  read_along();
  if (!dbus_connection_get_is_connected(bus)) fail("the bus cut the connection");
  count++;
}

static DBusMessage *signal_of(const char *path, const char *interface, const char *member) {
  return dbus_message_new_signal(path, interface, member);
}

static void put_text(DBusMessageIter *to, const char *text) { dbus_message_iter_append_basic(to, DBUS_TYPE_STRING, &text); }

// SettingChanged, with a value that is a text.
static DBusMessage *changed(const char *namespace, const char *key, const char *value) {
  DBusMessage *message = signal_of(PORTAL_PATH, SETTINGS, "SettingChanged");
  DBusMessageIter all, variant;
  dbus_message_iter_init_append(message, &all);
  put_text(&all, namespace);
  put_text(&all, key);
  dbus_message_iter_open_container(&all, DBUS_TYPE_VARIANT, "s", &variant);
  put_text(&variant, value);
  dbus_message_iter_close_container(&all, &variant);
  return message;
}

static DBusMessage *bytes(size_t length, bool isCall) {
  DBusMessage *message = isCall ? dbus_message_new_method_call(victim, PORTAL_PATH, SETTINGS, "SettingChanged")
                                : signal_of(PORTAL_PATH, SETTINGS, "SettingChanged");
  static char *room;
  if (room == NULL) room = calloc(1, 8 * 1024 * 1024);
  const char *namespace = APPEARANCE, *key = "color-scheme";
  DBusMessageIter all, variant, array;
  dbus_message_iter_init_append(message, &all);
  put_text(&all, namespace);
  put_text(&all, key);
  dbus_message_iter_open_container(&all, DBUS_TYPE_VARIANT, "ay", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "y", &array);
  dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &room, (int)length);
  dbus_message_iter_close_container(&variant, &array);
  dbus_message_iter_close_container(&all, &variant);
  return message;
}

static DBusMessage *with_descriptors(int number) {
  DBusMessage *message = signal_of(PORTAL_PATH, SETTINGS, "SettingChanged");
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  for (int index = 0; index < number; index++) dbus_message_append_args(message, DBUS_TYPE_UNIX_FD, &null, DBUS_TYPE_INVALID);
  close(null);
  return message;
}

// A call of something that there is not, or that the daemon might answer out of courtesy.
static DBusMessage *foreign_call(void) {
  static const char *calls[][2] = {
    {"org.freedesktop.DBus.Introspectable", "Introspect"}, {"org.freedesktop.DBus.Peer", "Ping"},
    {"org.freedesktop.DBus.Properties", "GetAll"},         {SETTINGS, "ReadAll"},
    {"org.themed.theme", "SetOverride"},                   {"org.freedesktop.DBus.Peer", "GetMachineId"}};
  const char **call = calls[count % 6];
  DBusMessage *message = dbus_message_new_method_call(victim, "/", call[0], call[1]);
  const char *word = APPEARANCE;
  dbus_message_append_args(message, DBUS_TYPE_STRING, &word, DBUS_TYPE_INVALID);
  return message;
}

static DBusMessage *forged_owner(void) {
  static const char *names[] = {PORTAL, "org.freedesktop.DBus", "org.freedesktop.systemd1", ":1.0"};
  const char *name = names[count % 4], *before = count % 2 ? "" : ":1.1", *after = count % 3 ? dbus_bus_get_unique_name(bus) : "";
  DBusMessage *message = signal_of(DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "NameOwnerChanged");
  dbus_message_append_args(message, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before, DBUS_TYPE_STRING, &after, DBUS_TYPE_INVALID);
  return message;
}

static DBusMessage *forged_reply(void) {
  DBusMessage *message = dbus_message_new(count % 2 ? DBUS_MESSAGE_TYPE_ERROR : DBUS_MESSAGE_TYPE_METHOD_RETURN);
  if (count % 2) dbus_message_set_error_name(message, "org.freedesktop.DBus.Error.NameHasNoOwner");
  dbus_message_set_reply_serial(message, (dbus_uint32_t)(1 + count % 5000));
  const char *name = dbus_bus_get_unique_name(bus);
  dbus_message_append_args(message, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
  return message;
}

// Owns the portal's name and gives it up, as fast as the bus goes along.
static void flip(int64_t end) {
  while (!is_over(end)) {
    int flags = DBUS_NAME_FLAG_ALLOW_REPLACEMENT | DBUS_NAME_FLAG_REPLACE_EXISTING | DBUS_NAME_FLAG_DO_NOT_QUEUE;
    dbus_bus_request_name(bus, PORTAL, flags, NULL);
    dbus_bus_release_name(bus, PORTAL, NULL);
    count++;
    read_along();
  }
}

// A bus at `path` that hangs up as soon as it has said who one is; prints how often it was dialled.
static void hang_up_after_hello(const char *path, int64_t end) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 16) != 0) fail(path);
  fprintf(stderr, "listening\n");
  while (!is_over(end)) {
    struct pollfd polled = {.fd = listening, .events = POLLIN};
    if (poll(&polled, 1, 100) <= 0) continue;
    int fd = accept(listening, NULL, NULL);
    struct timeval patience = {.tv_sec = 2};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char line[1024];
    bool isIn = false;
    for (ssize_t got; !isIn && (got = recv(fd, line, sizeof line - 1, 0)) > 0;) {
      line[got] = 0;
      const char *text = line[0] ? line : line + 1;
      if (strstr(text, "BEGIN") != NULL) isIn = true;
      else if (strstr(text, "NEGOTIATE") != NULL) send(fd, "AGREE_UNIX_FD\r\n", 15, MSG_NOSIGNAL);
      else send(fd, "OK 0123456789abcdef0123456789abcdef\r\n", 37, MSG_NOSIGNAL);
    }
    // Hello is the first message, its serial is 1: a reply that says ":1.7".
    DBusMessage *reply = dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN);
    const char *name = ":1.7";
    dbus_message_set_reply_serial(reply, 1);
    dbus_message_set_sender(reply, DBUS_SERVICE_DBUS);
    dbus_message_set_destination(reply, name);
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);
    dbus_message_set_serial(reply, 1);
    char *wire;
    int length;
    if (!dbus_message_marshal(reply, &wire, &length)) fail("marshal");
    send(fd, wire, length, MSG_NOSIGNAL);
    dbus_free(wire);
    dbus_message_unref(reply);
    pause_for(10000);
    close(fd);
    count++;
  }
  unlink(path);
}

int bus_attack(int words_count, char **words) {
  (void)words_count;
  const char *kind = words[0];
  pid = atoi(words[1]);
  int64_t end = end_after(words[2]);
  if (strcmp(kind, "hang-up") == 0) {
    hang_up_after_hello(words[1], end);
    return done(count);
  }
  bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
  if (bus == NULL) fail("no bus");
  dbus_connection_set_exit_on_disconnect(bus, FALSE);
  if (strcmp(kind, "flip") == 0) {
    flip(end);
    return done(count);
  }
  // As many as the figure, below the daemon's limit of 1 MiB a message.
  enum { MARKS = 460000 };
  char *long_name = malloc(MARKS * 2 + 64);
  int64_t rest = 50000;
  dbus_bus_add_match(bus, "type='signal',sender='" DBUS_SERVICE_DBUS "',member='NameOwnerChanged'", NULL);
  while (!is_over(end)) {
    read_along();
    if (isLost) find_victim();
    if (isLost) {
      pause_for(5000);
      continue;
    }
    if (strcmp(kind, "namespace") == 0) {
      put_marks(long_name + sprintf(long_name, "%s", "org.freedesktop.appearanc"), MARKS);
      post(changed(long_name, "color-scheme", "x"));
    } else if (strcmp(kind, "key") == 0) {
      put_marks(long_name + sprintf(long_name, "%s", "color-schem"), MARKS);
      post(changed(APPEARANCE, long_name, "x"));
    } else if (strcmp(kind, "value") == 0) {
      put_marks(long_name, MARKS);
      post(changed(APPEARANCE, "color-scheme", long_name));
    } else if (strcmp(kind, "bytes") == 0) {
      post(bytes(1000000, false));
    } else if (strcmp(kind, "too-long") == 0) {
      post(bytes(count % 2 ? 2000000 : 8000000, false));
      rest = 100000;
    } else if (strcmp(kind, "descriptors") == 0) {
      post(with_descriptors(1 + (int)(count % 16)));
      rest = 5000;
    } else if (strcmp(kind, "calls") == 0) {
      post(foreign_call());
      rest = count % 50 == 0 ? 5000 : 0;
    } else if (strcmp(kind, "call-of-bytes") == 0) {
      post(bytes(1000000, true));
    } else if (strcmp(kind, "owners") == 0) {
      post(forged_owner());
      rest = count % 50 == 0 ? 5000 : 0;
    } else if (strcmp(kind, "replies") == 0) {
      post(forged_reply());
      rest = count % 50 == 0 ? 5000 : 0;
    } else {
      fail(kind);
    }
    if (rest > 0) pause_for(rest);
  }
  return done(count);
}
