"""Stands in for the daemon at a socket, one connection after the other, and says what it is told to.

Prints `call TEXT` for each connection, and `end` when that is closed from the other side. Each line of its input is a
JSON string, which is sent as it is; an empty line closes the connection, and `flood` sends two megabytes without an end.
"""

import json, os, select, socket, sys

listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(8)


def say(text):
    print(text, flush=True)


def serve(connection):
    call = b""
    while not call.endswith(b"\0"):
        data = connection.recv(65536)
        if not data:
            return
        call += data
    say("call " + call[:-1].decode())
    while True:
        ready, _, _ = select.select([connection, 0], [], [])
        if connection in ready and not connection.recv(65536):
            return say("end")
        if 0 in ready:
            line = b""
            while not line.endswith(b"\n"):
                line += os.read(0, 1) or sys.exit()
            if line == b"\n":
                return
            connection.sendall(b"x" * (2 << 20) if line == b"flood\n" else json.loads(line).encode())


while True:
    with listener.accept()[0] as connection:
        try:
            serve(connection)
        except OSError:
            say("end")
