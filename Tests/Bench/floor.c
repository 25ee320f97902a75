// The floor: what a server costs that does nothing but to send known bytes.
//
//   floor SOCKET REPLY FRAME
//
// A message that says Monitor makes its connection a subscriber, which gets FRAME; one that says SetOverride sends
// FRAME to every subscriber, then REPLY; every other is answered with REPLY.
#include "common.h"

enum { most = 20000, events = 256, size = 65536 };
static int subscribers[most], count;

static void fan_out(struct bytes frame) {
  for (int i = 0; i < count; i++) put(subscribers[i], frame);
}

int main(int argc, char **argv) {
  if (argc != 4) die("usage: floor SOCKET REPLY FRAME");
  raise_descriptor_limit();
  struct bytes reply = text(argv[2]), frame = text(argv[3]);
  struct sockaddr_un at = address(argv[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), epoll = epoll_create1(EPOLL_CLOEXEC);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 128) != 0) die("listen");
  watch(epoll, listener, listener);
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
