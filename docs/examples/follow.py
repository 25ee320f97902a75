"""Prints the scheme that themed reports, now and after each change; connects again if the daemon restarts."""

import json, os, socket, time

runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
path = os.environ.get("THEMED_SOCKET") or runtime + "/themed/org.themed.theme"
call = {"method": "org.themed.theme.Monitor", "more": True}
last = None
while True:
    try:
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(path)
            daemon.sendall(json.dumps(call).encode() + b"\0")
            rest = b""
            while data := daemon.recv(65536):
                *replies, rest = (rest + data).split(b"\0")
                for reply in map(json.loads, replies):
                    if "error" in reply:
                        raise SystemExit(reply["error"])
                    scheme = reply["parameters"]["state"]["scheme"]
                    if scheme != last:
                        print(scheme, flush=True)
                    last = scheme
    except OSError:
        pass  # the daemon is not running, or is restarting
    time.sleep(1)
