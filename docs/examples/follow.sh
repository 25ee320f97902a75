#!/bin/bash
# Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
# This script needs socat and jq. 'themectl monitor --app org.example.Follow' does the same.

app=org.example.Follow # `themectl set dark --app org.example.Follow` reaches this program alone
socket=${THEMED_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$UID}/themed/org.themed.theme}
call='{"method":"org.themed.theme.Monitor","more":true,"parameters":{"app":"'$app'"}}'
last=
for program in socat jq; do
  type "$program" > /dev/null || exit 1 # bash says that it is missing
done
while :; do
  exec 3< <(exec socat -t 999999 - "UNIX-CONNECT:$socket,shut-none" < <(printf '%s\0' "$call") 2> /dev/null)
  socat=$!
  trap 'kill "$socat" 2> /dev/null' EXIT
  # read waits for the NUL byte, however the reply arrives.
  while IFS= read -r -d '' -u 3 reply; do
    read -r kind word < <(jq -r 'if .error then "error \(.error)" else "scheme \(.parameters.state.scheme)" end' <<< "$reply")
    if [[ $kind == error ]]; then # trying again would not help
      echo "themed refused the call: $word" >&2
      exit 1
    fi
    [[ $word == "$last" ]] || echo "$word" # it is the same if another field changed, or themed restarted
    last=$word
  done
  sleep 1 # themed is not running, or is restarting
done
