"""The signals of the shipped app files with real programs, from the first moment of their life: none of them is ended.

Each program is given app files that send it a signal, and themed-apply sends it at each change, of which there are as
many as can be made. Which signals a program is ready for is what docs/tested.md says.
"""

import contextlib
import json
import os
import subprocess
import time

from session import CONFIG, Session, Wrong, output, programs, soon, version

# The program, its package, where it is tried, its words.
PROGRAMS = [
    ("kitty", "kitty", "display", "kitty -o update_check_interval=0 sleep 1000"),
    ("btop", "btop", "terminal", "btop --utf-force"),
    ("hx", "hx", "terminal", "hx"),
    ("waybar", "waybar", "sway", "waybar"),
    ("foot", "foot", "sway", "foot sleep 1000"),
    ("alacritty", "alacritty", "display", "alacritty -e sleep 1000"),
    ("xterm", "xterm", "display", "xterm -e sleep 1000"),
    ("urxvt", "rxvt-unicode", "display", "urxvt -e sleep 1000"),
    ("konsole", "konsole", "display", "konsole --nofork -e sleep 1000"),
    ("mako", "mako-notifier", "sway", "mako"),
    ("dunst", "dunst", "display", "dunst"),
    ("zathura", "zathura", "display", "zathura"),
    ("sway", "sway", "sway", "unshare --user sway"),
    ("rofi", "rofi", "display", "rofi -show run"),
    ("fuzzel", "fuzzel", "sway", "fuzzel"),
    ("fzf", "fzf", "terminal", "bash -c 'sleep 1000 | fzf'"),
    ("tmux", "tmux", "terminal", "tmux -D"),
    ("polybar", "polybar", "display", "polybar example"),
]
SIGNALS = ("USR1", "USR2")


def runs(number, name):
    """Whether this process runs this program."""
    try:
        return os.path.basename(os.readlink(f"/proc/{number}/exe")) == name
    except OSError:
        return False


def started(number):
    """This process, and what it has started."""
    try:
        with open(f"/proc/{number}/task/{number}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        children = []
    return [number] + [one for child in children for one in started(child)]


def ending(process):
    """How it has ended, once it has: one that dumps its memory first takes a while."""
    try:
        return process.wait(10)
    except subprocess.TimeoutExpired:
        return "it still runs"


def states():
    try:
        with open("/run/user/themed-apply/status.json", encoding="utf-8") as file:
            return {one["name"]: one["state"] for one in json.load(file)["apps"]}
    except (OSError, ValueError):
        return {}


def trial(name, package, place, words):
    session = Session()
    try:
        session.begin(None if place == "terminal" else place)
        os.makedirs(CONFIG + "/themed/apps")
        # The pause that the program needs, such as Waybar, which may crash while it reads its files again.
        debounce = ""
        with contextlib.suppress(FileNotFoundError), open(f"/themed/share/apps/{name}.app", encoding="utf-8") as file:
            debounce = "".join(line for line in file if line.startswith("debounce="))
        for signal in SIGNALS:
            with open(f"{CONFIG}/themed/apps/{signal}.app", "w", encoding="utf-8") as file:
                file.write(f"[app]\ntitle={signal}\nprogram={name}\n{debounce}[reload]\nsignal={signal}\nprocess={name}\n")
            output("themectl", "app", "enable", signal, "--yes")
        session.spawn("themed-apply")
        if not soon(lambda: len(states()) == len(SIGNALS)):
            raise Wrong("themed-apply does not follow")
        if place == "terminal":
            process = session.spawn(
                "script", "--quiet", "--command", "cd; stty cols 80 rows 24; exec " + words, "/dev/null")
        else:
            process = session.spawn(*words.split())
        number, end = None, time.monotonic() + 60
        while time.monotonic() < end:
            for scheme in ("dark", "light"):
                output("themectl", "set", scheme)
            # What it starts itself is it, too, for a moment.
            found = [one for one in started(process.pid) if runs(one, name)]
            if found and not number:
                number, end = found[0], time.monotonic() + 6
            if number and number not in found:
                raise Wrong(f"{number} was ended ({ending(process)}): " + account())
        if not number:
            raise Wrong("it was never there")
        ready = []
        for signal in SIGNALS:
            told = soon(lambda: "reload: " in (shown := output("themectl", "app", "show", signal))
                        and "signalled later" not in shown and states()[signal] == "done")
            line = [line for line in account(signal).split("\n") if "reload: " in line][-1]
            if not told or not ("reload: done: signalled" in line or "not ready for SIG" in line):
                raise Wrong(f"{signal}: {line}")
            ready.append("told" if "reload: done: signalled" in line else "left")
        expected = programs("Signals").get(name)
        if expected is None or expected[4:] != [version(package)] + ready:
            raise Wrong(f"docs/tested.md does not say {version(package)}, {ready}, but {expected}")
        if not runs(number, name):
            raise Wrong(f"{number} was ended ({ending(process)}): " + account())
    finally:
        session.close()


def account(*signals):
    return "".join(output("themectl", "app", "show", signal) for signal in signals or SIGNALS)
