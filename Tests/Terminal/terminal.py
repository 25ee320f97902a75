"""A terminal for `themectl theme preview`, as far as colours go: it answers what they are, and keeps what is set.

    terminal.py END PROGRAM ARGUMENT...

runs the program in it. Once the program has set all colours, END happens: a key ('key:q', 'keys: q' after one another),
a signal ('signal:2'), 'close' (the terminal goes away), or nothing ('wait'). 'silent' is a terminal that answers nothing.
With 'live', each line of the standard input is typed without its end ('\\n' is Enter), and each screen that the program
draws, from its upper left on, is printed as JSON: its lines, and the background; of one that draws but a line, this.

Prints at the end as JSON the colours at first, those that were shown, one list for each time all were set, those at the
end, which of these a program has set and not reset (one has before), whether the terminal's settings are as they were, and how the program ended.
"""

import json, os, pty, re, select, sys, termios, time

end, program = sys.argv[1], sys.argv[2:]
names = [f"4;{n}" for n in range(16)] + ["10", "11", "12"]
colors = {name: "rgb:%04x/%04x/%04x" % (i * 257, 65535 - i * 1000, 4660 + i) for i, name in enumerate(names)}
# What the terminal does not tell is put back to its settings.
mute = "12"
settings = dict(colors)
# Some program has set one before; that one alone is not as the terminal's settings say, which do not change it any more.
own = set() if end == "live" else {"4;3"}
colors.update({name: "rgb:3333/3333/3333" for name in own})
first = dict(colors)
shown, output, pending = [], "", b""
screen, typed = None, b""
everything = set(names)
unset = set(names)
keys = list(end.removeprefix("keys:")) if end.startswith("keys:") else []

child, master = pty.fork()
if child == 0:
    os.execv(program[0], program)


def answer(text):
    if end != "silent":
        os.write(master, text.encode())


def control(text):
    global unset, screen
    if text == "[H":
        screen = len(output)
    elif end == "live" and (text == "[J" if screen is not None else text == "[K"):
        lines = output[screen:].split("\r\n") if screen is not None else [output.split("\r")[-1]]
        print(json.dumps({"screen": lines, "background": colors["11"]}), flush=True)
    match = re.fullmatch(r"\](4;\d+|1[012]);(.*)", text)
    reset = re.fullmatch(r"\]1(04;\d+|1[012])", text)
    if text == "[c":
        answer("\x1b[?64;1c")
    elif match and match[2] == "?":
        if match[1] != mute:
            # xterm ends an answer as the question ended; others always by BEL.
            answer(f"\x1b]{match[1]};{colors[match[1]]}" + ("\a" if match[1] == "10" else "\x1b\\"))
    elif match:
        colors[match[1]] = match[2]
        own.add(match[1])
        unset.discard(match[1])
        if not unset:
            shown.append(dict(colors))
            unset = set(names)
            happen()
    elif reset:
        name = {"04": "4"}.get(reset[1][:2], reset[1]) + reset[1][2:]
        colors[name] = settings[name]
        own.discard(name)
        unset = set(names)


def happen():
    if keys:
        os.write(master, keys.pop(0).encode())
    elif end.startswith("signal:"):
        os.kill(child, int(end.removeprefix("signal:")))
    elif end == "close":
        os.close(master)
        raise EOFError


status = None
deadline = time.monotonic() + 600
waited = [master, 0] if end == "live" else [master]
try:
    while time.monotonic() < deadline:
        ready = select.select(waited, [], [], 1)[0]
        if 0 in ready:
            more = os.read(0, 4096)
            *lines, typed = (typed + more).split(b"\n")
            for line in lines:
                os.write(master, line.replace(b"\\n", b"\n"))
            if not more:
                waited = [master]
        if master not in ready:
            continue
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        pending += data
        while True:
            start = pending.find(b"\x1b")
            if start < 0:
                output += pending.decode(errors="replace")
                pending = b""
                break
            sequence = re.match(rb"\x1b(\[[^@-~]*[@-~]|\][^\x07\x1b]*(?=\x07|\x1b\\))(\x07|\x1b\\)?", pending[start:])
            if not sequence:
                break
            output += pending[:start].decode(errors="replace")
            pending = pending[start + sequence.end() :]
            control(sequence[1].decode())
except EOFError:
    pass

restored = None
try:
    modes = termios.ICANON | termios.ECHO | termios.ISIG
    restored = termios.tcgetattr(master)[3] & modes == modes and termios.tcgetattr(master)[6][termios.VSUSP] != b"\0"
except (OSError, termios.error):
    pass
status = os.waitpid(child, 0)[1]
print(
    json.dumps(
        {
            "first": first,
            "shown": shown[: len(end.removeprefix("keys:")) if end.startswith("keys:") else 1],
            "last": colors,
            "set": sorted(own),
            "output": output,
            "settings": restored,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            "status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
        }
    )
)
