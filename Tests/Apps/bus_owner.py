# A program on the session bus that has a name: `bus_owner.py ADDRESS-PATH NAME [silent]`.
#
# It has two objects below each path, and prints each call that it answers: its object, its member and its first text.
# Once it has the name it prints that; one that is silent reads nothing from then on, and so hangs for whoever calls it.
import os, socket, struct, sys, time


def aligned(data, size):
    return data + b"\0" * (-len(data) % size)


def put(data, kind, value):
    if kind == "g":
        return data + bytes([len(value)]) + value.encode() + b"\0"
    data = aligned(data, 4)
    if kind == "u":
        return data + struct.pack("<I", value)
    return data + struct.pack("<I", len(value)) + value.encode() + b"\0"


def send(kind, serial, fields, body=()):
    data = b""
    for code, type, value in fields + ([(8, "g", "".join(type for type, _ in body))] if body else []):
        data = put(put(aligned(data, 8) + bytes([code]), "g", type), type, value)
    content = b""
    for type, value in body:
        content = put(content, type, value)
    head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(content), serial, len(data))
    bus.sendall(aligned(head + data, 8) + content)


def take(count):
    data = b""
    while len(data) < count:
        more = bus.recv(count - len(data))
        if not more:
            sys.exit()
        data += more
    return data


def receive():
    head = take(16)
    _, kind, _, _, length, serial, size = struct.unpack("<cBBBIII", head)
    data = take(size + -size % 8)
    body = take(length)
    fields, at = {}, 0
    while at < size:
        at += -at % 8
        code, type = data[at], chr(data[at + 2])
        at += 4
        if type == "g":
            fields[code] = data[at + 1 : at + 1 + data[at]].decode()
            at += 2 + data[at]
            continue
        at += -at % 4
        (value,) = struct.unpack("<I", data[at : at + 4])
        at += 4
        if type == "u":
            fields[code] = value
        else:
            fields[code] = data[at : at + value].decode()
            at += value + 1
    return kind, serial, fields, body


path, name = sys.argv[1:3]
bus = socket.socket(socket.AF_UNIX)
bus.connect(path)
bus.sendall(b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\n")
answer = b""
while not answer.endswith(b"\r\n"):
    answer += take(1)
bus.sendall(b"BEGIN\r\n")
driver = [(1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (6, "s", "org.freedesktop.DBus")]
send(1, 1, driver + [(3, "s", "Hello")])
send(1, 2, driver + [(3, "s", "RequestName")], [("s", name), ("u", 0)])
serial = 2
while True:
    kind, number, fields, body = receive()
    if fields.get(5) == 2:
        print(name, flush=True)
        while "silent" in sys.argv:
            time.sleep(1000)
    if kind != 1:
        continue
    serial += 1
    reply = [(5, "u", number), (6, "s", fields[7])]
    if fields[3] == "Introspect":
        send(2, serial, reply, [("s", '<node><node name="1"/><node name="2"/></node>')])
    else:
        print(fields[1], fields[3], body[4 : 4 + struct.unpack("<I", body[:4])[0]].decode(), flush=True)
        send(2, serial, reply)
