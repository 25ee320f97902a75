/* Prints the scheme that themed reports, now and after each change; connects again if the daemon restarts.
 * Build it with: cc -o follow follow.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
  static const char call[] = "{\"method\":\"org.themed.theme.Monitor\",\"more\":true}"; /* the NUL byte is sent too */
  const char *path = getenv("THEMED_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR"), *found;
  struct sockaddr_un socket_path = {.sun_family = AF_UNIX};
  char *reply = NULL, scheme[8], last[8] = "", usual[32];
  snprintf(usual, sizeof usual, "/run/user/%u", (unsigned)getuid());
  snprintf(socket_path.sun_path, sizeof socket_path.sun_path, "%s%s", path && *path ? path
           : runtime && *runtime ? runtime : usual, path && *path ? "" : "/themed/org.themed.theme");
  for (size_t size = 0;; sleep(1)) { /* the daemon is not running, or is restarting */
    FILE *daemon = fdopen(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "r");
    if (!daemon) return perror("socket"), 1;
    if (!connect(fileno(daemon), (struct sockaddr *)&socket_path, sizeof socket_path))
      send(fileno(daemon), call, sizeof call, MSG_NOSIGNAL);
    while (getdelim(&reply, &size, 0, daemon) > 0) /* themed writes the scheme to show before any other scheme */
      if ((found = strstr(reply, "\"scheme\":\"")) && sscanf(found + 10, "%7[a-z]", scheme) == 1 &&
          strcmp(scheme, last))
        printf("%s\n", strcpy(last, scheme)), fflush(stdout);
    fclose(daemon);
  }
}
