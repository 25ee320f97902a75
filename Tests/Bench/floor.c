// The floor: what a server costs that does nothing but to send known bytes.
//
//   floor SOCKET REPLY FRAME [BUS]
//
// A message that says Monitor makes its connection a subscriber, which gets FRAME; one that says SetOverride sends
// FRAME to every subscriber, then REPLY; every other is answered with REPLY. With the socket of a bus a portal's signal
// sends FRAME to every subscriber, too, and nothing of it is read but its kind and length.
#include "common.h"

enum { most = 20000, events = 256, size = 65536 };
static int subscribers[most], count;

static void fan_out(struct bytes frame) {
  for (int i = 0; i < count; i++) put(subscribers[i], frame);
}

/// Reads what the bus has sent: it is asked for nothing but this signal.
static void hear(int bus, struct bytes frame) {
  static char heard[size];
  static int have;
  have += get(bus, heard + have, size - have);
  for (int length; have >= 16 && have >= (length = message_length(heard));) {
    if (heard[1] == DBUS_MESSAGE_TYPE_SIGNAL) fan_out(frame);
    memmove(heard, heard + length, have -= length);
  }
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) die("usage: floor SOCKET REPLY FRAME [BUS]");
  raise_descriptor_limit();
  struct bytes reply = text(argv[2]), frame = text(argv[3]);
  struct sockaddr_un at = address(argv[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), epoll = epoll_create1(EPOLL_CLOEXEC);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 128) != 0) die("listen");
  watch(epoll, listener, listener);
  int bus = -1;
  if (argc == 5) {
    bus = connect_to_bus(argv[4]);
    put(bus, bus_call("AddMatch", SETTING_CHANGED));
    bus_reply(bus);
    watch(epoll, bus, bus);
  }
  char *input = room(size, 1), *output = room(size, reply.length);
  for (;;) {
    struct epoll_event ready[events];
    int met = epoll_wait(epoll, ready, events, -1);
    for (int i = 0; i < met; i++) {
      int fd = ready[i].data.u32;
      if (fd == listener) {
        int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (accepted < 0) die("accept");
        watch(epoll, accepted, accepted);
        continue;
      }
      if (fd == bus) {
        hear(bus, frame);
        continue;
      }
      ssize_t came = read(fd, input, size);
      if (came <= 0) {
        for (int j = 0; j < count; j++)
          if (subscribers[j] == fd) subscribers[j--] = subscribers[--count];
        close(fd);
        continue;
      }
      struct bytes answer = {output, 0};
      for (char *at = input, *end; (end = memchr(at, 0, input + came - at)); at = end + 1) {
        // The method's name begins at the same place in each: {"method":"org.themed.theme.
        char method = end - at > 28 ? at[28] : 0;
        if (method == 'M' && count < most) {
          subscribers[count++] = fd;
          put(fd, frame);
          continue;
        }
        if (method == 'S') fan_out(frame);
        memcpy(output + answer.length, reply.start, reply.length);
        answer.length += reply.length;
      }
      put(fd, answer);
    }
  }
}
