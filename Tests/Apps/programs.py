"""The shipped app files with the real programs of Debian 13: enabled, shown light, dark and a theme, and disabled.

Run by tools/test-apps inside of a chroot. A program's own word or what it draws says whether it follows. What did not
is told with what was seen, and the exit status is 1.
"""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import signals
from session import CONFIG, HOME, LOG, Session, Wrong, output, pixels, programs, run, soon, version

STEPS = [("light", None), ("dark", None), ("dark", "80s"), ("light", "80s"), ("light", None)]


def drawn(words, is_right, seconds=10):
    """What a program draws in a terminal, until it is right."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        text, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(terminal, 65536)
                except OSError:
                    break
            if is_right(text.decode(errors="replace")):
                return True
        return False
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def behind(color, kind=48):
    """A colour as programs set it, behind text or (38) for it."""
    return f"{kind};2;" + ";".join(str(int(color[place:place + 2], 16)) for place in (1, 3, 5))


class Open:
    """A program that stays open in a terminal, whose drawing is kept."""

    def __init__(self, session, *words):
        self.path = "/tmp/typescript"
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)
        command = "stty rows 40 cols 120; exec " + " ".join(words)
        self.process = session.spawn("script", "--quiet", "--flush", "--command", command, self.path)

    def drew(self, code):
        """Whether the newest that it drew has this colour."""
        if not os.path.exists(self.path):
            return False
        with open(self.path, encoding="utf-8", errors="replace") as file:
            found = re.findall(r"48;2;\d+;\d+;\d+", file.read()[-20000:])
        return code in found[-400:]


def asks(session, *words):
    """A terminal with a program in it that asks for its colours."""
    path = f"/tmp/answers-{len(session.processes)}"
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    session.spawn(*words, "python3", "/themed/ask.py", path)

    def look(palette):
        if not os.path.exists(path):
            return False
        with open(path, encoding="ascii") as file:
            now = dict(line.split() for line in file)
        # rxvt tells the sixteen alone.
        if words[0] == "urxvt" and pixels().get(palette["background"], 0) < 10000:
            return False
        return all(
            words[0] == "urxvt" and ";" not in question or now.get(question) == palette[role]
            for question, role in (("10", "text"), ("11", "background"), ("4;1", "ansi1"), ("4;12", "ansi12")))

    return look


def shows(**least):
    """So many pixels of each of these roles at least."""

    def look(palette):
        seen = pixels()
        return all(seen.get(palette[role], 0) >= number for role, number in least.items())

    return look


def notified(session, name):
    session.spawn(name)
    notify = [
        "gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "app", "0", "", "hello",
        "body", "[]", "{}", "0"]
    if not soon(lambda: run(*notify).returncode == 0):
        raise Wrong(f"{name} takes no notification")
    return shows(surface=2000)


def menu(*words):
    def look(palette):
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=LOG, stderr=LOG)
        process.stdin.write(b"one\ntwo\nthree\n")
        process.stdin.close()
        try:
            return soon(lambda: shows(background=10000, selection=500)(palette), 5)
        finally:
            process.kill()
            process.wait()

    return look


def tmux(session):
    output("tmux", "new-session", "-d", "python3", "/themed/ask.py", "/tmp/answers-tmux")
    return lambda palette: output("tmux", "show", "-gv", "status-style").strip() == (
        f"fg={palette['text']},bg={palette['surface']}")


class Outer:
    """A terminal that a tmux is attached to, which reports light and dark where it is told to."""

    def __init__(self):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvp("tmux", ["tmux", "attach"])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.asked = b""
        if not soon(lambda: b"[?2031h" in self.drawn()):
            raise Wrong("tmux does not ask its terminal for reports")

    def drawn(self):
        while select.select([self.terminal], [], [], 0)[0]:
            self.asked += os.read(self.terminal, 65536)
        return self.asked

    def report(self, scheme):
        os.write(self.terminal, b"\033[?997;1n" if scheme == "dark" else b"\033[?997;2n")
        # It asks for the background then.
        self.asked = b""
        if not soon(lambda: b"]11;?" in self.drawn()):
            raise Wrong("tmux does not ask its terminal for the background")
        os.write(self.terminal, b"\033]11;rgb:%s\033\\" % (b"11/11/11" if scheme == "dark" else b"ee/ee/ee"))


def tmux_between(session):
    """tmux 3.6: panes are told in the place of a terminal that is silent, and never against one that reports."""
    path = "/tmp/told-tmux"
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    output("tmux", "new-session", "-d", "python3", "/themed/listen.py", path)

    def told():
        if not os.path.exists(path):
            return []
        with open(path, encoding="ascii") as file:
            return file.read().split()

    def follows(palette, scheme):
        lines = told()
        words = [line for line in lines if line[0] != "#"]
        return bool(words) and words[-1] == scheme and palette["background"] in lines[-2:]

    outer = []

    def look(palette):
        scheme = "light" if int(palette["background"][1:3], 16) > 127 else "dark"
        # The first is not told: it was so before.
        if not soon(lambda: follows(palette, scheme) or (scheme == "light" and told() == [palette["background"]])):
            return False
        if not outer:
            outer.append(Outer())
        return True

    def against():
        other = {"light": "dark", "dark": "light"}
        scheme = output("themectl", "get").strip()
        outer[0].report(other[scheme])
        if not soon(lambda: [line for line in told() if line[0] != "#"][-1] == other[scheme]):
            raise Wrong(f"panes are not told what their terminal reports: {told()}")
        if not soon(lambda: told()[-1] in ("#111111", "#eeeeee")):
            raise Wrong(f"panes are not told the terminal's background: {told()}")
        before = told()
        status = output("tmux", "show", "-gv", "status-style")
        for scheme in (other[scheme], scheme, other[scheme], scheme):
            output("themectl", "set", scheme)
            style = status
            if not soon(lambda: output("tmux", "show", "-gv", "status-style") != style):
                raise Wrong("tmux itself does not follow")
            status = output("tmux", "show", "-gv", "status-style")
        outer[0].report(scheme)
        if not soon(lambda: [line for line in told() if line[0] != "#"][-1] == scheme):
            raise Wrong(f"panes are not told what their terminal reports next: {told()}")
        if len([line for line in told() if line[0] != "#"]) != len([line for line in before if line[0] != "#"]) + 1:
            raise Wrong(f"panes were told against their terminal: {told()}")
        os.kill(outer[0].process, signal.SIGKILL)
        os.waitpid(outer[0].process, 0)

    look.then = against
    return look


class Shell:
    """A shell, whose prompt is <scheme/theme/primary>, in a terminal."""

    def __init__(self, session, words, is_asked=False):
        self.path = f"/tmp/typescript-{len(session.processes)}"
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)
        self.process = subprocess.Popen(
            ["script", "--quiet", "--flush", "--command", "stty rows 40 cols 120; exec " + words, self.path],
            stdin=subprocess.PIPE, stdout=LOG, stderr=LOG, env={**os.environ, "TERM": "xterm"})
        session.processes.append(self.process)
        self.is_asked = is_asked

    def __call__(self, palette):
        if self.is_asked:
            self.process.stdin.write(b"\n")
            self.process.stdin.flush()
            time.sleep(0.2)
        with open(self.path, encoding="utf-8", errors="replace") as file:
            found = re.findall(r"<(light|dark)/([a-z0-9]*)/(#?[0-9a-f]*)>", file.read())
        # zsh has the palette of a chosen theme alone.
        scheme = "light" if int(palette["background"][1:3], 16) > 127 else "dark"
        return bool(found) and found[-1][0] == scheme and found[-1][2] == (palette["primary"] if found[-1][1] else "")


def fish(session):
    # Else it begins to make completions of all the manual pages.
    os.makedirs(HOME + "/.local/share/fish/generated_completions")
    return Shell(session, "fish -i")


def kakoune(session):
    session.spawn("kak", "-d", "-s", "themed")
    answer = "/tmp/answer-kakoune"

    def look(palette):
        with contextlib.suppress(FileNotFoundError):
            os.remove(answer)
        told = run("kak", "-p", "themed", input=f"debug faces; evaluate-commands -buffer *debug* "
                   f"%{{ write -force {answer} }}; delete-buffer *debug*")
        if told.returncode or not soon(lambda: os.path.exists(answer), 2):
            return False
        theme = output("themectl", "get", "theme") if not run("themectl", "get", "theme").returncode else ""
        color = [("rgb:" + palette[role][1:]) if theme else "default" for role in ("text", "background")]
        with open(answer, encoding="utf-8") as file:
            return f" * Default: {color[0]},{color[1]},default\n" in file.read()

    return look


EDITOR_LOG = "/tmp/editor"


def editor(session, *words):
    """An editor, which writes the scheme, and the colors of text and background, whenever it has shown a state."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(EDITOR_LOG)
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=LOG, stderr=LOG)
    session.processes.append(process)

    def look(palette):
        if not os.path.exists(EDITOR_LOG):
            return False
        with open(EDITOR_LOG, encoding="utf-8") as file:
            written = file.read().split("\n")[-2].split()
        scheme = "light" if int(palette["background"][1:3], 16) > 127 else "dark"
        is_themed = run("themectl", "get", "theme").returncode == 0
        # Vim has no colors of a theme; the others have their own without one.
        colors = [palette["text"], palette["background"]]
        return written[0] == scheme and (len(written) == 1 or (written[1:] == colors) == is_themed)

    return look


NVIM = f"""
vim.g.themed = {{ palette = true }}
pcall(dofile, '/usr/share/themed/nvim/plugin/themed.lua')
vim.api.nvim_create_autocmd('User', {{ pattern = 'Themed', callback = function()
  local normal = vim.fn.hlID('Normal')
  local colors = {{ vim.fn.synIDattr(normal, 'fg#', 'gui'), vim.fn.synIDattr(normal, 'bg#', 'gui') }}
  vim.fn.writefile({{ table.concat({{ vim.o.background, unpack(colors) }}, ' ') }}, '{EDITOR_LOG}', 'a')
end }})
"""
VIM = f"""
set nocompatible runtimepath+=/usr/share/themed/vim
autocmd User Themed call writefile([&background], '{EDITOR_LOG}', 'a')
"""
EMACS = f"""
(setq themed-palette t)
(load "/usr/share/themed/emacs/themed") (themed-mode)
(add-hook 'themed-change-hook
          (lambda ()
            (write-region (format "%s %s %s\\n" frame-background-mode (face-foreground 'default)
                                  (face-background 'default))
                          nil "{EDITOR_LOG}" t 'quiet)))
"""


def i3(session):
    session.spawn("i3", "-c", CONFIG + "/i3/config")
    os.environ["I3SOCK"] = soon(lambda: run("i3", "--get-socketpath").stdout.strip())
    session.spawn("xlogo")
    return shows(primary=3000)


def sway(session):
    session.spawn("foot", "sleep", "1000")
    return shows(primary=3000)


def waybar(session):
    session.spawn("waybar")
    return shows(surface=10000)


def zathura(session):
    session.spawn("zathura")
    return shows(background=50000, surface=1000)


def helix(session):
    program = Open(session, "hx", "/etc/passwd")
    return lambda palette: program.drew(behind(palette["background"])) and program.process.poll() is None


def btop(session):
    program = Open(session, "btop", "--utf-force")
    return lambda palette: program.drew(behind(palette["background"])) and program.process.poll() is None


def bat(session):
    # While its cache is being built it fails.
    return lambda palette: behind(palette["text"], 38) in run(
        "batcat", "--style=plain", "--color=always", "/etc/hosts").stdout


def delta(session):
    with open("/tmp/patch", "w", encoding="ascii") as file:
        file.write("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n")

    def look(palette):
        text = output("bash", "-c", "delta < /tmp/patch")
        return behind(palette["error"], 38) in text or behind(palette["success"], 38) in text

    return look


def fzf(session):
    return lambda palette: drawn(
        ["bash", "-c", ". ~/.bashrc; seq 9 | fzf"], lambda text: behind(palette["background"]) in text)


def starship(session):
    return lambda palette: behind(palette["success"], 38) in output(
        "bash", "-c", ". ~/.bashrc; STARSHIP_SHELL=bash starship prompt")


def resources(session):
    return lambda palette: f"*.background:\t{palette['background']}" in output("xrdb", "-query")


# The app, its package, where it is tried, the user's own file and its text, how it is looked at.
TRIALS = [
    ("alacritty", "alacritty", "display", ".config/alacritty/alacritty.toml", "[font]\nsize = 9\n",
     lambda session: asks(session, "alacritty", "-e")),
    ("foot", "foot", "sway", ".config/foot/foot.ini", "pad=3x3\n", lambda session: asks(session, "foot")),
    ("kitty", "kitty", "display", ".config/kitty/kitty.conf", "update_check_interval 0\n",
     lambda session: asks(session, "kitty")),
    ("xterm", "xterm", "display", None, None, lambda session: asks(session, "xterm", "-e")),
    ("rxvt", "rxvt-unicode", "display", None, None, lambda session: asks(session, "urxvt", "-e")),
    ("konsole", "konsole", "display", None, None, lambda session: asks(session, "konsole", "--nofork", "-e")),
    ("xresources", "x11-xserver-utils", "display", ".Xresources", "XTerm*scrollBar: false\n", resources),
    ("tmux", "tmux", None, ".tmux.conf", "set -g mouse on\n", tmux),
    ("tmux", "tmux", None, ".tmux.conf", "set -g mouse on\n", tmux_between),
    ("bash", "bash", None, ".bashrc", "PS1='<$themed_scheme/$themed_theme/${themed_palette[primary]}> '\n",
     lambda session: Shell(session, "bash -i", is_asked=True)),
    ("fish", "fish", None, ".config/fish/config.fish",
     "function fish_prompt\n    echo -n \"<$themed_scheme/$themed_theme/$themed_color_primary> \"\nend\n",
     fish),
    ("zsh", "zsh", None, ".zshrc",
     "source /usr/share/themed/zsh/themed.plugin.zsh\nsetopt prompt_subst\n"
     "PROMPT='<${themed_scheme}/${themed_theme}/${themed_palette[primary]}> '\n",
     lambda session: Shell(session, "zsh -i")),
    ("kakoune", "kakoune", None, ".config/kak/kakrc",
     "try %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }\n", kakoune),
    ("nvim", "neovim", None, ".config/nvim/init.lua", NVIM,
     lambda session: editor(session, "nvim", "--headless", "-n")),
    ("vim", "vim", None, ".vimrc", VIM, lambda session: editor(
        session, "script", "--quiet", "--command", "stty rows 24 cols 80; exec vim -n -i NONE", "/dev/null")),
    ("emacs", "emacs-nox", None, ".emacs.d/init.el", EMACS, lambda session: editor(session, "emacs", "--fg-daemon=test")),
    ("btop", "btop", None, None, None, btop),
    ("helix", "hx", None, ".config/helix/config.toml", "[editor]\nmouse = false\n", helix),
    ("bat", "bat", None, ".config/bat/config", "--style=plain\n", bat),
    ("delta", "git-delta", None, ".gitconfig", "[user]\n\tname = Somebody\n", delta),
    ("fzf", "fzf", None, ".bashrc", "shopt -s histappend\n", fzf),
    ("starship", "starship", None, ".bashrc", "shopt -s histappend\n", starship),
    ("mako", "mako-notifier", "sway", ".config/mako/config", "font=monospace 9\n",
     lambda session: notified(session, "mako")),
    ("dunst", "dunst", "display", ".config/dunst/dunstrc", "[global]\n    font = Monospace 8\n",
     lambda session: notified(session, "dunst")),
    ("waybar", "waybar", "sway", ".config/waybar/style.css", "* { font-size: 12px; }\n", waybar),
    ("sway", "sway", "sway", ".config/sway/config", "default_border normal 8\n", sway),
    ("i3", "i3-wm", "display", ".config/i3/config", "# i3 config file (v4)\nfont pango:monospace 8\n", i3),
    ("rofi", "rofi", "display", ".config/rofi/config.rasi", "configuration {\n}\n",
     lambda session: menu("rofi", "-dmenu")),
    ("fuzzel", "fuzzel", "sway", ".config/fuzzel/fuzzel.ini", "width=40\n", lambda session: menu("fuzzel", "--dmenu")),
    ("zathura", "zathura", "display", ".config/zathura/zathurarc", "set guioptions s\n", zathura),
]


def files():
    """What the home directory holds, but for what themed itself keeps."""
    found = {}
    for directory, _, names in os.walk(HOME):
        for path in (f"{directory}/{name}" for name in names):
            if "/themed/" not in path and os.path.isfile(path):
                with open(path, "rb") as file:
                    found[path] = file.read()
    return found


def trial(app, package, place, file, text, start):
    told(app, package)
    session = Session()
    try:
        session.begin(place)
        path = file and f"{HOME}/{file}"
        if path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as own:
                own.write(text)
        before = files()
        # What follows by a plugin has nothing to be enabled.
        is_plugin = "by=plugin" in open(f"/themed/share/apps/{app}.app", encoding="utf-8").read()
        if not is_plugin:
            output("themectl", "app", "enable", app, "--yes")
            session.spawn("themed-apply")
        status = "/run/user/themed-apply/status.json"

        def done():
            with contextlib.suppress(OSError, ValueError):
                with open(status, encoding="utf-8") as file:
                    return any(one["name"] == app and one["state"] == "done" for one in json.load(file)["apps"])
            return False

        if not is_plugin and not soon(done):
            raise Wrong("themed-apply has not done it: " + run("themectl", "app", "show", app).stdout)
        look = start(session)
        for scheme, theme in STEPS:
            output("themectl", "theme", *(["set", theme] if theme else ["unset"]))
            output("themectl", "set", scheme)
            shown = json.loads(output("themectl", "theme", "show", theme or "default", "--json"))
            if not soon(lambda: look(shown[scheme]["palette"])):
                raise Wrong(f"it did not follow to {theme or 'default'}, {scheme}: "
                            + run("themectl", "app", "show", app).stdout)
        getattr(look, "then", lambda: None)()
        if not is_plugin:
            output("themectl", "app", "disable", app)
        after = files()
        changed = [name for name, data in before.items() if after.get(name) != data]
        if changed:
            raise Wrong(f"{changed} are not as they were")
        ours = [name for name, data in after.items() if name not in before and b"themed-apply" in data.split(b"\n")[0]]
        if ours:
            raise Wrong(f"{ours} are left")
    finally:
        session.close()


def apps():
    """The apps that have something of ours: those that only follow by themselves have nothing to be tried."""
    found = set()
    for name in os.listdir("/themed/share/apps"):
        with open(f"/themed/share/apps/{name}", encoding="utf-8") as file:
            text = file.read()
        if any(group in text for group in ("[write", "[reload", "[terminal]", "by=plugin")):
            found.add(name[:-4])
    return found


def told(app, package):
    """Whether docs/tested.md tells the version that was tried."""
    row = programs("Apps").get(app)
    if not row or row[2] != version(package):
        raise Wrong(f"docs/tested.md does not say that it was tried with {version(package)}, but {row}")


def main():
    chosen = sys.argv[1:]
    trials = [(app, trial, rest) for app, *rest in TRIALS]
    trials += [(f"signals:{name}", signals.trial, (name, *rest)) for name, *rest in signals.PROGRAMS]
    if chosen:
        trials = [one for one in trials if one[0] in chosen or "signals" in chosen and one[0].startswith("signals:")]
    failed = []
    for name, trying, words in trials:
        try:
            trying(name, *words) if trying is trial else trying(*words)
            print(f"  ok: {name}", flush=True)
        except (Wrong, OSError, subprocess.SubprocessError, AssertionError) as error:
            failed.append(name)
            print(f"  FAILED: {name}: {error}", flush=True)
    passed = f"test-apps: {len(trials) - len(failed)} of {len(trials)} passed"
    missing = sorted(name for name in apps() - {trial[0] for trial in TRIALS})
    # mako is new enough, GTK is that of Debian 12, and what has Qt 5 there has none of its tools.
    if missing != ["gtk", "mako-whole", "qt5ct", "qt6ct", "xsettingsd"]:
        print(f"  FAILED: there is no trial of {missing}")
        failed += missing
    print(passed + (f"; not {failed}" if failed else ""))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
