#!/bin/bash
# Prints the scheme that themed reports, now and after each change; connects again if the daemon restarts.
# This script needs socat.

socket=${THEMED_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$UID}/themed/org.themed.theme}
last=
while :; do
  while IFS= read -r -d '' reply; do
    # themed writes the scheme to show before any other scheme in a reply.
    if [[ $reply =~ \"scheme\":\"([a-z]+)\" && ${BASH_REMATCH[1]} != "$last" ]]; then
      last=${BASH_REMATCH[1]}
      echo "$last"
    fi
  done < <(
    printf '{"method":"org.themed.theme.Monitor","more":true}\0' |
      socat -t 999999 - "UNIX-CONNECT:$socket" 2> /dev/null
  )
  sleep 1 # the daemon is not running, or is restarting
done
