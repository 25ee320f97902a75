"""Twelve lived-in homes by the programs of a Debian: what an open window shows after `themectl setup`.

Run by tools/test-apps in a system of its own: matrix.py SYSTEM [NAME…]. It tells one word for each home and program:

  follows     the window, the prompt or the answer of the terminal has the theme's colours, light and dark, and the
              user's own file is still read
  told        it does not follow, and setup does not say that it would: it names the file and what is in the way
  WRONG       it was reported as done, but the window does not follow
  UNREADABLE  the text of the window has a contrast below 3:1
  silent      it does not follow, and nothing says so
  absent      the program is not installed

The exit status is 1 if a program is WRONG, UNREADABLE or silent.
"""

import contextlib
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time

import homes
from programs import Open, asks, behind, drawn, kakoune, menu, notified, resources, shows
from session import CONFIG, HOME, LOG, Session, Wrong, output, pixels, run, soon

SECONDS = 20


def home_shell(command):
    """A command as the user types it, in a shell that has read the user's files."""
    return [os.environ["SHELL"], "-i", "-c", command]


def shell(session, name):
    """A shell of the user's, asked at a prompt what it has in its variable."""
    def look(palette):
        wanted = f"<{scheme_of(palette)}{mine()}>".encode()
        pid, end = pty.fork()
        if pid == 0:
            os.execvp(name, [name, "-i"])
        try:
            drawn, stop = b"", time.monotonic() + 5
            while time.monotonic() < stop and wanted not in drawn:
                # The line as it is typed does not hold what is looked for.
                os.write(end, b'echo "<$themed_scheme$mine>"\r')
                while select.select([end], [], [], 0.5)[0]:
                    drawn += os.read(end, 65536)
            return wanted in drawn
        except OSError:
            return False
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(end)
    return look


def vim(session):
    log = "/tmp/vim.log"
    with contextlib.suppress(FileNotFoundError):
        os.remove(log)
    asking = f"call timer_start(200, {{-> writefile([&background .. get(g:, 'mine', '')], '{log}')}}, {{'repeat': -1}})"
    terminal(session, "vim", "-n", "-i", "NONE", "-c", asking)
    return lambda palette: wrote(log, scheme_of(palette) + mine())


def nvim(session):
    socket = "/tmp/nvim.sock"
    with contextlib.suppress(FileNotFoundError):
        os.remove(socket)
    terminal(session, "nvim", "-n", "-i", "NONE", "--listen", socket)

    def look(palette):
        told = run("nvim", "--server", socket, "--remote-expr", "&background .. get(g:, 'mine', '')")
        return (told.stdout + told.stderr).strip() == scheme_of(palette) + mine()
    return look


def emacs(session):
    log = "/tmp/emacs.log"
    with contextlib.suppress(FileNotFoundError):
        os.remove(log)
    telling = ("(run-at-time 1 0.3 (lambda () (write-region (format \"%s%s\" (frame-parameter nil 'background-mode) "
               f"(if (boundp 'mine) 1 \"\")) nil \"{log}\" nil 'quiet)))")
    terminal(session, "emacs", "-nw", "--eval", telling)
    return lambda palette: wrote(log, scheme_of(palette) + mine())


def mine():
    """What the user's own files set, if there are any: they are still read."""
    return "1" if os.environ["THEMED_TEST_HOME"] != "empty" else ""


def scheme_of(palette):
    return "light" if int(palette["background"][1:3], 16) > 127 else "dark"


def wrote(path, word):
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8", errors="replace") as file:
        return word in file.read().split()
    return False


def terminal(session, *words):
    """A program in a terminal of its own, which nobody looks at."""
    session.spawn("script", "--quiet", "--flush", "--command",
                  "stty rows 40 cols 120; exec " + shlex.join(words), "/dev/null")


def tmux(session):
    run("tmux", "kill-server")
    program = Open(session, "tmux", "-T", "RGB", "new-session", "sleep", "1000")
    return lambda palette: (program.drew(behind(palette["surface"]))
                            and run("tmux", "show", "-gv", "base-index").stdout.strip() == (mine() or "0"))


def helix(session):
    program = Open(session, "hx", "/etc/passwd")
    return lambda palette: program.drew(behind(palette["background"]))


def btop(session):
    program = Open(session, "btop", "--utf-force")
    return lambda palette: program.drew(behind(palette["background"]))


def bat(session):
    return lambda palette: drawn(
        home_shell("batcat --paging=never --color=always /etc/hosts"),
        lambda text: behind(palette["text"], 38) in text, 4)


def delta(session):
    with open("/tmp/patch", "w", encoding="ascii") as file:
        file.write("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n")
    return lambda palette: drawn(
        home_shell("delta --paging=never < /tmp/patch"),
        lambda text: behind(palette["error"], 38) in text or behind(palette["success"], 38) in text, 4)


def fzf(session):
    return lambda palette: drawn(home_shell("seq 9 | fzf"), lambda text: behind(palette["background"]) in text, 4)


def starship(session):
    return lambda palette: drawn(
        home_shell("env STARSHIP_SHELL=bash starship prompt"), lambda text: behind(palette["success"], 38) in text, 4)


def window(*words, **least):
    def start(session):
        session.spawn(*words)
        return shows(**least)
    return start


def i3(session):
    session.spawn("i3")
    os.environ["I3SOCK"] = soon(lambda: run("i3", "--get-socketpath").stdout.strip())
    session.spawn("xlogo")
    return shows(primary=1000)


# The program's app file, where its window is opened, and how it is looked at.
PROGRAMS = [
    ("alacritty", "display", lambda session: asks(session, "alacritty", "-e")),
    ("kitty", "display", lambda session: asks(session, "kitty")),
    ("xterm", "display", lambda session: asks(session, "xterm", "-e")),
    ("rxvt", "display", lambda session: asks(session, "urxvt", "-e")),
    ("konsole", "display", lambda session: asks(session, "konsole", "--nofork", "-e")),
    ("xresources", "display", resources),
    ("bash", "display", lambda session: shell(session, "bash")),
    ("fish", "display", lambda session: shell(session, "fish")),
    ("zsh", "display", lambda session: shell(session, "zsh")),
    ("tmux", "display", tmux),
    ("vim", "display", vim),
    ("nvim", "display", nvim),
    ("emacs", "display", emacs),
    ("kakoune", "display", kakoune),
    ("helix", "display", helix),
    ("btop", "display", btop),
    ("bat", "display", bat),
    ("delta", "display", delta),
    ("fzf", "display", fzf),
    ("starship", "display", starship),
    ("dunst", "display", lambda session: notified(session, "dunst")),
    ("rofi", "display", lambda session: menu("rofi", "-dmenu")),
    ("zathura", "display", window("zathura", background=50000, surface=1000)),
    ("i3", "display", i3),
    ("foot", "sway", lambda session: asks(session, "foot")),
    ("sway", "sway", window("foot", "sleep", "1000", primary=1000)),
    ("waybar", "sway", window("waybar", surface=5000)),
    ("mako", "sway", lambda session: notified(session, "mako")),
    ("fuzzel", "sway", lambda session: menu("fuzzel", "--dmenu")),
]
DRAWN = {"dunst", "zathura", "waybar", "mako"}
COMMANDS = {"rxvt": "urxvt", "xresources": "xrdb", "kakoune": "kak", "helix": "hx", "bat": "batcat"}


def luminance(color):
    parts = [int(color[place:place + 2], 16) / 255 for place in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable(name, session, empty):
    """Whether text can be told from what is behind it, as far as that can be seen."""
    answers = [f"/tmp/{file}" for file in os.listdir("/tmp") if file.startswith("answers-")]
    if answers and name not in DRAWN:
        newest = max(answers, key=os.path.getmtime)
        with open(newest, encoding="ascii") as file:
            now = dict(line.split() for line in file)
        colors = [now.get(question, "none") for question in ("10", "11")]
        return "none" in colors or contrast(*colors) >= 3
    if name in DRAWN:
        seen = {color: number - empty.get(color, 0) for color, number in pixels().items()}
        seen = {color: number for color, number in seen.items() if number >= 12}
        if not seen:
            return True
        back = max(seen, key=seen.get)
        return max(contrast(back, color) for color in seen) >= 3
    return True


def shown(name):
    """What `themectl app show` says, as a dictionary."""
    told = run("themectl", "app", "show", name, "--json")
    with contextlib.suppress(ValueError):
        return json.loads(told.stdout)
    return {}


def verdict(name, start, session, palettes, setup):
    """The word for this program in this home, and why."""
    count = len(session.processes)
    for file in os.listdir("/tmp"):
        if file.startswith("answers-"):
            os.remove(f"/tmp/{file}")
    empty = pixels() if name in DRAWN else {}
    failed, is_readable = [], True
    try:
        look = start(session)
        for scheme in ("dark", "light"):
            output("themectl", "set", scheme)
            if not soon(lambda: look(palettes[scheme]), SECONDS):
                failed.append(scheme)
            is_readable = is_readable and readable(name, session, empty)
    except (Wrong, OSError, subprocess.SubprocessError, AssertionError, IndexError, ValueError) as error:
        failed.append(str(error).strip().split("\n")[-1][:200])
    finally:
        for process in reversed(session.processes[count:]):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(3)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
        del session.processes[count:]
        if name == "tmux":
            run("tmux", "kill-server")
        run("themectl", "unset")
    if not is_readable:
        return "UNREADABLE", str(failed)
    if not failed:
        return "follows", ""
    title = shown(name).get("title", name)
    lines = [line for line in setup.split("\n") if re.search(rf"\b{re.escape(title)}\b|\b{re.escape(name)}\b", line)]
    if any(re.search(r"\b(is enabled|done)\b", line) and "hidden" not in line and "not" not in line for line in lines):
        return "WRONG", f"{failed}: " + " / ".join(lines)
    return ("told" if lines else "silent"), f"{failed}: " + " / ".join(lines)


def tree():
    """What the home directory holds: modes, links and contents."""
    found = {}
    for directory, directories, names in os.walk(HOME):
        for name in directories + names:
            path = f"{directory}/{name}"
            if "/.cache" in path or "/.local/state" in path:
                continue
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = (os.stat(path).st_mode, file.read())
    return found


def try_home(home, place, chosen):
    """Yields a row for each program of this place in this home."""
    session = Session()
    saved = dict(os.environ)
    try:
        os.environ["THEMED_TEST_HOME"] = home
        session.begin(place, lambda: homes.build(home))
        before = tree()
        output("themectl", "set", "theme", "80s")
        palettes = {scheme: one["palette"] for scheme, one in
                    json.loads(output("themectl", "theme", "show", "80s", "--json")).items()
                    if scheme in ("light", "dark")}
        run("themectl", "unset")
        session.spawn("themed-apply")
        soon(lambda: os.path.exists("/run/user/themed-apply/status.json"))
        finished = run("themectl", "setup", "--yes")
        setup = finished.stdout + finished.stderr
        # Programs that setup leaves alone unless they are named are what this is about, too.
        for name in chosen:
            if not shown(name).get("enabled"):
                more = run("themectl", "app", "enable", name, "--yes")
                setup += more.stdout + more.stderr
        with open(f"/tmp/setup-{home}-{place}", "w", encoding="utf-8") as file:
            file.write(setup)
        for name, where, start in PROGRAMS:
            if where != place or name not in chosen:
                continue
            if not shutil.which(COMMANDS.get(name, name)):
                yield name, "absent", ""
                continue
            yield name, *verdict(name, start, session, palettes, setup)
        run("themectl", "app", "disable", "--all")
        run("themectl", "unset", "theme")
        after = tree()
        # What programs keep for themselves is theirs.
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
                         and "/themed/" not in path and "_history" not in path
                         and (path in before or b"themed" in str(after[path]).encode()))
        if changed:
            yield "undo", "WRONG", f"not as before: {changed}"
    finally:
        session.close()
        os.environ.clear()
        os.environ.update(saved)
        run("umount", "/tmp/store")


def main():
    names = [name for name, _, _ in PROGRAMS]
    chosen = [word for word in sys.argv[2:] if word in names] or names
    known = homes.homes()
    of_homes = [word for word in sys.argv[2:] if word in known] or list(known)
    count = {}
    for home in of_homes:
        for place in ("display", "sway"):
            here = [name for name, where, _ in PROGRAMS if where == place and name in chosen]
            if not here:
                continue
            try:
                for name, word, why in try_home(home, place, here):
                    count[word] = count.get(word, 0) + 1
                    print(f"{home}\t{name}\t{word}\t{why}", flush=True)
            except (Wrong, OSError, subprocess.SubprocessError, AssertionError, KeyError) as error:
                count["WRONG"] = count.get("WRONG", 0) + 1
                print(f"{home}\t{place}\tWRONG\t{error}", flush=True)
    total = sum(count.values()) - count.get("absent", 0)
    share = 100 * count.get("follows", 0) // max(total, 1)
    print(f"test-homes: {', '.join(f'{number} {word}' for word, number in count.items())}; {share}% follow")
    sys.exit(not total or any(count.get(word) for word in ("WRONG", "UNREADABLE", "silent")))


if __name__ == "__main__":
    main()
