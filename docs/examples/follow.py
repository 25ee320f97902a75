"""Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts."""

import json, os, socket, sys, time

APP = "org.example.Follow"  # `themectl set dark --app org.example.Follow` reaches this program alone
runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
path = os.environ.get("THEMED_SOCKET") or runtime + "/themed/org.themed.theme"
call = {"method": "org.themed.theme.Monitor", "more": True, "parameters": {"app": APP}}
last = None


def show(scheme):
    try:
        print(scheme, flush=True)
    except OSError:
        os._exit(1)  # the reader has exited, and sys.exit would write to it again


while True:
    try:
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(path)
            daemon.sendall(json.dumps(call).encode() + b"\0")
            rest = b""  # a reply can arrive in parts, and several at once
            while data := daemon.recv(65536):
                *replies, rest = (rest + data).split(b"\0")
                for reply in map(json.loads, replies):
                    if "error" in reply:  # trying again would not help
                        sys.exit("themed refused the call: " + reply["error"])
                    scheme = reply["parameters"]["state"]["scheme"]
                    if scheme != last:  # another field changed, or themed restarted
                        show(scheme)
                    last = scheme
    except OSError:
        pass  # themed is not running, or is restarting
    time.sleep(1)
