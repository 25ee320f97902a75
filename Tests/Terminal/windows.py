# A terminal emulator with windows, without a screen: it prints what its programs' terminals get, each as a line of a
# window's number and the bytes. On standard input: `new`; `late`, whose program comes with `begin N`, and says so on its
# terminal; `stop N` and `go N` (Ctrl-S and Ctrl-Q in it). With the word `closed`, nobody may look into it, as into a
# program with rights of a group.
import ctypes, os, pty, select, sys

masters = []
slaves = {}
if sys.argv[1:] == ["closed"]:
    ctypes.CDLL(None).prctl(4, 0)


def window():
    child, master = pty.fork()
    if child == 0:
        os.execvp("sleep", ["sleep", "1000"])
    masters.append(master)
    print("window", len(masters) - 1, flush=True)


def late():
    master, slave = os.openpty()
    masters.append(master)
    slaves[len(masters) - 1] = slave
    print("window", len(masters) - 1, flush=True)


def begin(number):
    slave = slaves.pop(number)
    if os.fork() == 0:
        os.login_tty(slave)
        os.execvp("sh", ["sh", "-c", "printf begun; exec sleep 1000"])
    os.close(slave)


window()
while True:
    for ready in select.select([0] + masters, [], [])[0]:
        if ready != 0:
            print(masters.index(ready), repr(os.read(ready, 65536)), flush=True)
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
        else:
            os.write(masters[int(words[1])], b"\x13" if words[0] == "stop" else b"\x11")
            print("typed", flush=True)
