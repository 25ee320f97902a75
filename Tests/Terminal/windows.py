# A terminal emulator with windows, without a screen: it prints what its programs' terminals get, each as a line of a
# window's number and the bytes. On standard input: `new`, `stop N` and `go N` (Ctrl-S and Ctrl-Q in it).
import os, pty, select, sys

masters = []


def window():
    child, master = pty.fork()
    if child == 0:
        os.execvp("sleep", ["sleep", "1000"])
    masters.append(master)
    print("window", len(masters) - 1, flush=True)


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
        else:
            os.write(masters[int(words[1])], b"\x13" if words[0] == "stop" else b"\x11")
            print("typed", flush=True)
