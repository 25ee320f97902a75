# A terminal emulator with windows, without a screen: it prints what its programs' terminals get, each as a line of a
# window's number and the bytes. On standard input: `new`; `late`, whose program comes with `begin N`, of which a line
# tells; `held`, of which it holds both ends, and whose program never comes; `stop N` and `go N` (Ctrl-S and Ctrl-Q in
# it). With the word `closed`, nobody may look into it, as into a program with rights of a group.
import ctypes, fcntl, os, pty, select, struct, sys

masters = []
paths = {}
if sys.argv[1:] == ["closed"]:
    ctypes.CDLL(None).prctl(4, 0)


def add(master):
    # What is typed takes effect when the kernel comes to it, and then it says so.
    fcntl.ioctl(master, 0x5420, struct.pack("i", 1))  # TIOCPKT
    masters.append(master)
    print("window", len(masters) - 1, flush=True)


def window():
    # Told when its program runs: until then it is a window that nobody has opened, which is coloured as a new one.
    runs, starts = os.pipe()  # Python has both closed by exec.
    child, master = pty.fork()
    if child == 0:
        os.execvp("sleep", ["sleep", "1000"])
    os.close(starts)
    os.read(runs, 1)
    os.close(runs)
    add(master)


def late():
    # os.openpty would open the other end, too.
    master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(master, 0x40045431, struct.pack("i", 0))  # TIOCSPTLCK
    number = struct.unpack("i", fcntl.ioctl(master, 0x80045430, bytes(4)))[0]  # TIOCGPTN
    paths[len(masters)] = f"/dev/pts/{number}"
    add(master)


def begin(number):
    print("begin", number, flush=True)
    if os.fork() == 0:
        os.setsid()
        os.login_tty(os.open(paths[number], os.O_RDWR))
        os.execvp("sleep", ["sleep", "1000"])


def held():
    # Python closes neither of the two.
    add(os.openpty()[0])


window()
while True:
    for ready in select.select([0] + masters, [], [])[0]:
        if ready != 0:
            data = os.read(ready, 65536)
            if data[0] & 0x0C:  # TIOCPKT_STOP, TIOCPKT_START
                print("typed", flush=True)
            elif data[0] == 0:
                print(masters.index(ready), repr(data[1:]), flush=True)
            continue
        words = os.read(0, 64).decode().split()
        if not words:
            sys.exit()
        if words[0] == "new":
            window()
        elif words[0] == "late":
            late()
        elif words[0] == "begin":
            begin(int(words[1]))
        elif words[0] == "held":
            held()
        else:
            os.write(masters[int(words[1])], b"\x13" if words[0] == "stop" else b"\x11")
