/* Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
 * It needs cJSON (in Debian libcjson-dev). Build it with: cc -o follow follow.c -lcjson */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* `themectl set dark --app org.example.Follow` reaches this program alone. The NUL byte at the end is sent, too. */
static const char call[] =
    "{\"method\":\"org.themed.theme.Monitor\",\"more\":true,\"parameters\":{\"app\":\"org.example.Follow\"}}";

int main(void) {
  const char *path = getenv("THEMED_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char *text = NULL, last[8] = "", usual[32];
  snprintf(usual, sizeof usual, "/run/user/%u", (unsigned)getuid());
  if (!path || !*path)
    snprintf(address.sun_path, sizeof address.sun_path, "%s/themed/org.themed.theme",
             runtime && *runtime ? runtime : usual);
  else
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  for (size_t size = 0;; sleep(1)) { /* themed is not running, or is restarting */
    FILE *daemon = fdopen(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "r");
    if (!daemon) return perror("socket"), 1;
    if (!connect(fileno(daemon), (struct sockaddr *)&address, sizeof address))
      send(fileno(daemon), call, sizeof call, MSG_NOSIGNAL);
    while (getdelim(&text, &size, 0, daemon) > 0) { /* it waits for the NUL byte, however the reply arrives */
      cJSON *reply = cJSON_Parse(text);
      const char *error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(reply, "error"));
      cJSON *state = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(reply, "parameters"), "state");
      const char *scheme = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(state, "scheme"));
      if (error) return fprintf(stderr, "themed refused the call: %s\n", error), 1; /* trying again would not help */
      if (scheme && strcmp(scheme, last)) { /* it is the same if another field changed, or themed restarted */
        snprintf(last, sizeof last, "%s", scheme);
        puts(last);
        fflush(stdout);
      }
      cJSON_Delete(reply);
    }
    fclose(daemon);
  }
}
