// What the load generators share: the clock, sockets, D-Bus messages as bytes, and samples.
#pragma once
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define SETTING_CHANGED                                                                                              \
  "type='signal',sender='" PORTAL "',path='" PORTAL_PATH "',interface='" SETTINGS                                    \
  "',member='SettingChanged',arg0='" APPEARANCE "'"

struct bytes {
  char *start;
  int length;
};

static inline void die(const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, errno ? strerror(errno) : "unexpected answer");
  exit(1);
}

static inline void *room(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) die("calloc");
  return memory;
}

static inline int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/// How long all threads of a process have run, those that have ended too.
static inline int64_t cpu_time(pid_t pid) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) die("the CPU clock of a process");
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline void raise_descriptor_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static inline struct sockaddr_un address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) die("the path of a socket is too long");
  strcpy(address.sun_path, path);
  return address;
}

static inline int connect_to(const char *path) {
  struct sockaddr_un to = address(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) die(path);
  return fd;
}

static inline void put(int fd, struct bytes bytes) {
  for (int sent = 0; sent < bytes.length;) {
    ssize_t count = send(fd, bytes.start + sent, bytes.length - sent, MSG_NOSIGNAL);
    if (count < 0) die("send");
    sent += count;
  }
}

static inline int get(int fd, char *buffer, int size) {
  ssize_t count = read(fd, buffer, size);
  if (count == 0) errno = ECONNRESET;
  if (count <= 0) die("read");
  return count;
}

/// A text with the NUL that ends a Varlink message.
static inline struct bytes text(const char *text) { return (struct bytes){strdup(text), strlen(text) + 1}; }

static inline struct bytes marshalled(DBusMessage *message) {
  struct bytes bytes;
  dbus_message_set_serial(message, 7);
  if (!dbus_message_marshal(message, &bytes.start, &bytes.length)) die("marshal");
  dbus_message_unref(message);
  return bytes;
}

/// A call of the bus, with one argument or none.
static inline struct bytes bus_call(const char *method, const char *argument) {
  DBusMessage *call = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, method);
  uint32_t none = 0;
  if (argument) dbus_message_append_args(call, DBUS_TYPE_STRING, &argument, DBUS_TYPE_INVALID);
  if (strcmp(method, "RequestName") == 0) dbus_message_append_args(call, DBUS_TYPE_UINT32, &none, DBUS_TYPE_INVALID);
  return marshalled(call);
}

/// How long the D-Bus message is whose first 16 bytes these are; the byte order is ours.
static inline int message_length(const char *header) {
  uint32_t body, fields;
  memcpy(&body, header + 4, 4);
  memcpy(&fields, header + 12, 4);
  return 16 + (fields + 7) / 8 * 8 + body;
}

/// Reads whole messages until the reply of a call.
static inline void bus_reply(int fd) {
  char message[4096];
  for (;;) {
    for (int have = 0; have < 16;) have += get(fd, message + have, 16 - have);
    int length = message_length(message);
    if (length > (int)sizeof message) die("a long message");
    for (int have = 16; have < length;) have += get(fd, message + have, length - have);
    if (message[1] == DBUS_MESSAGE_TYPE_ERROR) die("the bus refuses a call");
    if (message[1] == DBUS_MESSAGE_TYPE_METHOD_RETURN) return;
  }
}

/// A connection to a bus that has said Hello.
static inline int connect_to_bus(const char *path) {
  int fd = connect_to(path);
  char line[128], id[16], *hex = line + sprintf(line, "%cAUTH EXTERNAL ", 0);
  sprintf(id, "%u", getuid());
  for (char *digit = id; *digit; digit++) hex += sprintf(hex, "%02x", *digit);
  hex += sprintf(hex, "\r\n");
  put(fd, (struct bytes){line, hex - line});
  int have = 0;
  do have += get(fd, line + have, sizeof line - have);
  while (line[have - 1] != '\n');
  if (strncmp(line, "OK", 2) != 0) die("the bus lets us not in");
  put(fd, (struct bytes){(char *)"BEGIN\r\n", 7});
  put(fd, bus_call("Hello", NULL));
  bus_reply(fd);
  return fd;
}

static inline void watch(int epoll, int fd, uint32_t index) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) die("epoll_ctl");
}

static inline void print_samples(const int64_t *samples, int count) {
  for (int i = 0; i < count; i++) printf(" %lld", (long long)samples[i]);
  printf("\n");
  fflush(stdout);
}
