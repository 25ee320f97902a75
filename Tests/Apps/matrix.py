"""Twelve lived-in homes by the programs of a Debian: what an open window shows after `themectl setup`.

Run by tools/test-apps in a system of its own: matrix.py SYSTEM [NAME…]. It tells one word for each home and program:

  follows     the window, the prompt or the answer of the terminal has the theme's colours, light and dark, and the
              user's own file is still read
  by hand     its file cannot be changed; it follows once the lines that setup told are written there by hand
  told        it does not follow, and setup does not say that it would: it names the file and what is in the way
  WRONG       it was reported as done, but the window does not follow
  UNREADABLE  the text of the window has a contrast below 3:1
  silent      it does not follow, and nothing says so
  absent      the program is not installed

With the word `open`, a window is there before its app is enabled, and in the home without files before there is any
file. It then tells two words more, which are right, too:

  again       the window does not follow; enabling said that the program has to start again, and a new one is right
  disabled    nothing enables it in this home, so there is nothing to look at

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
from programs import (
    Open, asks, behind, drawn, gnome_terminal, kakoune, menu, notified, resources, shows, swaylock, wob)
from session import CONFIG, HOME, LOG, Session, Wrong, output, pixels, run, soon

# How long a window may take to follow; one of a program that is not enabled is not waited for as long.
SECONDS, FEW = 45, 6


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

    def look(palette):
        return (program.drew(behind(palette["surface"]))
                and run("tmux", "show", "-gv", "base-index").stdout.strip() == (mine() or "0"))

    def read(palette):
        with open(program.path, encoding="utf-8", errors="replace") as file:
            # Its last screen.
            return least_contrast(re.split(r"\033\[H|\033\[1;1H", file.read())[-1][-6000:], palette)
    look.read = read
    return look


def least_contrast(text, palette):
    """The lowest contrast of what a program has drawn, in a terminal that has this palette."""
    def color(words):
        if words[:1] == ["2"] and len(words) > 3:
            return "#%02x%02x%02x" % tuple(int(word) for word in words[1:4]), words[4:]
        number = int(words[1])
        if number < 16:
            return palette[f"ansi{number}"], words[2:]
        if number > 231:
            return "#" + f"{8 + 10 * (number - 232):02x}" * 3, words[2:]
        parts = (number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6
        return "#" + "".join(f"{part and 55 + 40 * part:02x}" for part in parts), words[2:]

    front, back, is_reverse, least = palette["text"], palette["background"], False, 21.0
    for codes, letter in re.findall(r"\033\[([\d;:]*)m|(\033.[\d;?]*[a-zA-Z]?|\S)", text):
        if letter:
            if letter[0] != "\033":
                least = min(least, contrast(front, back))
            continue
        words = re.split("[;:]", codes) if codes else ["0"]
        while words:
            code, words = words[0] or "0", words[1:]
            if code == "0":
                front, back, is_reverse = palette["text"], palette["background"], False
            elif code in ("38", "48"):
                found, words = color([word for word in words if word])
                front, back = (found, back) if (code == "38") != is_reverse else (front, found)
            elif code in ("7", "27") and is_reverse != (code == "7"):
                front, back, is_reverse = back, front, not is_reverse
            elif code == "39":
                front = palette["text"]
            elif code == "49":
                back = palette["background"]
            elif 30 <= int(code) <= 37 or 90 <= int(code) <= 97:
                front = palette[f"ansi{int(code) - (30 if int(code) < 90 else 82)}"]
            elif 40 <= int(code) <= 47 or 100 <= int(code) <= 107:
                back = palette[f"ansi{int(code) - (40 if int(code) < 100 else 92)}"]
    return least


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
    """A prompt in a terminal, whose sixteen colours are those of Starship's own names."""
    prompts = "while :; do clear; STARSHIP_SHELL=bash starship prompt; sleep 1; done"
    session.spawn("xterm", "-e", *home_shell(f"sh -c '{prompts}'"))

    def look(palette):
        seen = pixels()
        return seen.get(palette["background"], 0) > 5000 and any(
            seen.get(palette[role], 0) >= 5 for role in ("success", "info", "ansi2", "ansi6", "ansi10", "ansi14"))
    return look


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


def bar_rows():
    """Where the bar of the window manager is: some rows at the bottom of the screen; in sway's own file at its top."""
    return -12 if "WAYLAND_DISPLAY" in os.environ and not mine() else 12


def bar(session):
    """The bar of the window manager."""
    def look(palette):
        return pixels(bar_rows()).get(palette["surface"], 0) >= 4000
    return look


def i3bar(session):
    session.spawn("i3")
    return bar(session)


def bspwm(session):
    session.spawn("bspwm")
    if not soon(lambda: run("bspc", "query", "-M").returncode == 0, 10):
        raise Wrong("bspwm did not start")
    session.spawn("xlogo")
    return shows(primary=1000)


def herbstluftwm(session):
    session.spawn("herbstluftwm")
    if not soon(lambda: run("herbstclient", "get", "frame_gap").returncode == 0, 10):
        raise Wrong("herbstluftwm did not start")
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
    ("kakoune", "display", lambda session: kakoune(session, has_client=True)),
    ("helix", "display", helix),
    ("btop", "display", btop),
    ("bat", "display", bat),
    ("delta", "display", delta),
    ("fzf", "display", fzf),
    ("starship", "display", starship),
    ("dunst", "display", lambda session: notified(session, "dunst")),
    ("rofi", "display", lambda session: menu("rofi", "-dmenu")),
    ("zathura", "display", window("zathura", background=50000, surface=1000)),
    ("polybar", "display", window("polybar", surface=5000)),
    ("gnome-terminal", "display", gnome_terminal),
    ("xfce4-terminal", "display", lambda session: asks(session, "xfce4-terminal", "--disable-server", "-x")),
    ("mate-terminal", "display", lambda session: asks(session, "mate-terminal", "--disable-factory", "-x")),
    ("lxterminal", "display", lambda session: asks(session, "lxterminal", "--no-remote", "-e")),
    ("tilix", "display", lambda session: asks(session, "tilix", "--new-process", "-e")),
    ("i3", "display", i3),
    ("i3bar", "display", i3bar),
    ("bspwm", "display", bspwm),
    ("herbstluftwm", "display", herbstluftwm),
    ("foot", "sway", lambda session: asks(session, "foot")),
    ("sway", "sway", window("foot", "sleep", "1000", primary=1000)),
    ("waybar", "sway", window("waybar", surface=5000)),
    ("mako", "sway", lambda session: notified(session, "mako")),
    ("swaync", "sway", lambda session: notified(session, "swaync")),
    ("fuzzel", "sway", lambda session: menu("fuzzel", "--dmenu")),
    ("wofi", "sway", lambda session: menu("wofi", "--dmenu")),
    ("tofi", "sway", lambda session: menu("tofi")),
    ("wob", "sway", wob),
    ("swaylock", "sway", swaylock),
    ("swaybar", "sway", bar),
    ("labwc", "labwc", window("foot", "sleep", "1000", surface=3000)),
]
DRAWN = {"dunst", "zathura", "waybar", "mako", "swaync", "polybar"}
BARS = {"i3bar", "swaybar"}
COMMANDS = {"rxvt": "urxvt", "xresources": "xrdb", "kakoune": "kak", "helix": "hx", "bat": "batcat"}
# Programs that follow by the app file of another one.
APPS = {"swaybar": "sway"}


def luminance(color):
    parts = [int(color[place:place + 2], 16) / 255 for place in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable(name, look, palette, empty):
    """Whether text can be told from what is behind it, as far as that can be seen."""
    if hasattr(look, "read"):
        return look.read(palette) >= 3
    answers = [f"/tmp/{file}" for file in os.listdir("/tmp") if file.startswith("answers-")]
    if answers and name not in DRAWN:
        newest = max(answers, key=os.path.getmtime)
        with open(newest, encoding="ascii") as file:
            now = dict(line.split() for line in file)
        colors = [now.get(question, "none") for question in ("10", "11")]
        return "none" in colors or contrast(*colors) >= 3
    if name in DRAWN or name in BARS:
        now = pixels(bar_rows() if name in BARS else None)
        seen = {color: number - empty.get(color, 0) for color, number in now.items()}
        # A bar has little text.
        seen = {color: number for color, number in seen.items() if number >= (1 if name in BARS else 12)}
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


def verdict(name, start, session, palettes, setup, is_open=False):
    """The word for this program in this home, and why."""
    count = len(session.processes)
    for file in os.listdir("/tmp"):
        if file.startswith("answers-"):
            os.remove(f"/tmp/{file}")
    empty = pixels() if name in DRAWN else {}
    app = APPS.get(name, name)
    seconds = SECONDS if shown(app).get("enabled") else FEW
    failed, is_readable = [], True
    if is_open:
        if not shown(app).get("enabled"):
            return "disabled", ""
        run("themectl", "app", "disable", app)
    try:
        look = start(session)
        if is_open:
            # It has read its files by then.
            soon(lambda: False, FEW)
            told = run("themectl", "app", "enable", app, "--yes")
            setup = told.stdout + told.stderr
        # A program that is starting may not look at its files yet.
        soon(lambda: look(palettes["light"]), seconds)
        for scheme in ("dark", "light"):
            output("themectl", "set", scheme)
            if not soon(lambda: look(palettes[scheme]), seconds):
                failed.append(scheme)
            # A bar has its colours a moment before its text.
            is_readable = is_readable and soon(lambda: readable(name, look, palettes[scheme], empty), FEW)
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
    if is_open and " is enabled; restart it" in setup:
        word, why = verdict(name, start, session, palettes, setup)
        return ("again" if word == "follows" else word), why
    name = app
    title = shown(name).get("title", name)
    lines = [line for line in setup.split("\n") if re.search(rf"\b{re.escape(title)}\b|\b{re.escape(name)}\b", line)]
    if any(re.search(r"\b(is enabled|done)\b", line) and "hidden" not in line and "not" not in line
           and "only when it starts" not in line for line in lines):
        return "WRONG", f"{failed}: " + " / ".join(lines)
    return ("told" if lines else "silent"), f"{failed}: " + " / ".join(lines)


def tree():
    """What the home directory holds: modes, links and contents."""
    found = {}
    for directory, directories, names in os.walk(HOME):
        for name in directories + names:
            path = f"{directory}/{name}"
            # What programs keep for themselves.
            if any(part in path for part in ("/.cache", "/.local/state", "/dconf/", "/eln-cache")):
                continue
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = (os.stat(path).st_mode, file.read())
    return found


def changes(before):
    """What is not as it was after all apps have been disabled, but for what programs keep for themselves."""
    after = tree()
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
                  and "/themed/" not in path and "_history" not in path
                  and (path in before or b"themed" in str(after[path]).encode()))


BY_HAND = re.compile(
    r"themectl: (\S+): (~\S+)(?: \(it leads to (\S+)\))? is on a read-only file system; change it by hand: "
    r"(add|begin the file with|add below line (\d+) [^:]*): (.+)")


def write_by_hand(setup, store):
    """Writes the lines that setup told for files on a read-only file system, and returns the apps of these files."""
    found = list(dict.fromkeys(BY_HAND.findall(setup)))
    run("mount", "-o", "remount,rw", store)
    for _, path, leads, where, line, lines in found:
        path = leads or path.replace("~", HOME, 1)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = lines.replace(", and: ", "\n") + "\n"
        with open(path, "w", encoding="utf-8") as file:
            above = text.split("\n")[:int(line)] if line else []
            above = "".join(one + "\n" for one in above)
            file.write(text + lines if where == "add" else above + lines + text[len(above):])
    run("mount", "-o", "remount,ro", store)
    return {app for app, *_ in found}


# Where a package installs the files that start a plugin once its app is enabled, and the homes that have such a package:
# in the others, the user's own files get a line.
VENDOR = {
    "emacs/themed.el": "/etc/emacs/site-start.d/50themed.el",
    "fish/themed.fish": "/usr/share/fish/vendor_conf.d/themed.fish",
    "kakoune/themed.kak": "/usr/share/kak/rc/themed.kak",
    "nvim/themed.lua": "/usr/share/nvim/site/plugin/themed.lua",
    "vim/themed.vim": "/usr/share/vim/vimfiles/plugin/themed.vim",
}
PACKAGED = {"xdg", "stow", "store", "includes"}


def install(home):
    for file, place in VENDOR.items():
        with contextlib.suppress(FileNotFoundError):
            os.remove(place)
        if home in PACKAGED:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copy(f"/themed/vendor/{file}", place)


def try_home(home, place, chosen, is_open):
    """Yields a row for each program of this place in this home."""
    session = Session()
    saved = dict(os.environ)
    try:
        os.environ["THEMED_TEST_HOME"] = home
        install(home)
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
        def enable():
            told = ""
            for name in dict.fromkeys(APPS.get(name, name) for name in chosen):
                if not shown(name).get("enabled"):
                    more = run("themectl", "app", "enable", name, "--yes")
                    told += more.stdout + more.stderr
            return told
        setup += enable()
        apps_by_hand, store = set(), homes.homes()[home][3]
        if store:
            run("themectl", "app", "disable", "--all")
            changed = changes(before)
            apps_by_hand = write_by_hand(setup, store)
            run("themectl", "setup", "--yes")
            setup += enable()
        if os.path.isdir("/kept"):
            with open(f"/kept/{home}-{place}", "w", encoding="utf-8") as file:
                file.write(setup)
        for name, where, start in PROGRAMS:
            if where != place or name not in chosen:
                continue
            if not shutil.which(COMMANDS.get(name, name)):
                yield name, "absent", ""
                continue
            word, why = verdict(name, start, session, palettes, setup, is_open)
            yield name, "by hand" if word == "follows" and APPS.get(name, name) in apps_by_hand else word, why
        if not store:
            run("themectl", "app", "disable", "--all")
            run("themectl", "unset", "theme")
            changed = changes(before)
        if changed:
            yield "undo", "WRONG", f"not as before: {changed}"
    finally:
        session.close()
        if os.path.isdir("/kept"):
            shutil.copy(LOG.name, f"/kept/{home}-{place}.log")
        os.environ.clear()
        os.environ.update(saved)
        run("umount", "/tmp/store")


def main():
    names = [name for name, _, _ in PROGRAMS]
    chosen = [word for word in sys.argv[2:] if word in names] or names
    known = homes.homes()
    is_open = "open" in sys.argv[2:]
    of_homes = [word for word in sys.argv[2:] if word in known] or list(known)
    count = {}
    for home in of_homes:
        for place in ("display", "sway", "labwc"):
            here = [name for name, where, _ in PROGRAMS if where == place and name in chosen]
            if not here:
                continue
            try:
                for name, word, why in try_home(home, place, here, is_open):
                    count[word] = count.get(word, 0) + 1
                    print(f"{home}\t{name}\t{word}\t{why}", flush=True)
            except (Wrong, OSError, subprocess.SubprocessError, AssertionError, KeyError) as error:
                count["WRONG"] = count.get("WRONG", 0) + 1
                print(f"{home}\t{place}\tWRONG\t{error}", flush=True)
    total = sum(count.values()) - count.get("absent", 0)
    share = 100 * (count.get("follows", 0) + count.get("again", 0)) // max(total, 1)
    print(f"test-homes: {', '.join(f'{number} {word}' for word, number in count.items())}; {share}% follow")
    sys.exit(not total or any(count.get(word) for word in ("WRONG", "UNREADABLE", "silent")))


if __name__ == "__main__":
    main()
