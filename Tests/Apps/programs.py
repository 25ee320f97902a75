"""The shipped app files with real programs: enabled, shown light, dark and a theme, and disabled.

Run by tools/test-apps inside of a chroot of Debian 13 (trixie) or of the newest packages (sid): `programs.py SUITE
[NAME...]`. A program's own word or what it draws says whether it follows. What did not is told with what was seen, and
the exit status is 1. With sid, it is also told which program warned of its file, and which entry of docs/tested.md has
grown old; that alone does not fail.
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


def gnome_terminal(session):
    session.spawn("/usr/libexec/gnome-terminal-server")
    if not soon(lambda: "org.gnome.Terminal" in run(
            "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
            "org.freedesktop.DBus.ListNames").stdout):
        raise Wrong("gnome-terminal-server did not start")
    return asks(session, "gnome-terminal", "--")


def shows(**least):
    """So many pixels of each of these roles at least."""

    def look(palette):
        seen = pixels()
        return all(seen.get(palette[role], 0) >= number for role, number in least.items())

    return look


def notified(session, name):
    """A notification, which stays; swaync closes those soon that are not urgent."""
    session.spawn(name)
    hints = "{'urgency': <byte 2>}" if name == "swaync" else "{}"
    notify = [
        "gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
        "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "app", "0", "", "hello",
        "body", "[]", hints, "0"]
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


def kakoune(session, has_client=False):
    if has_client:
        session.spawn("script", "--quiet", "--command", "stty rows 24 cols 80; exec kak -s themed", "/dev/null")
    else:
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
dofile('/usr/share/themed/nvim/plugin/themed.lua')
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
    # Without a battery to read, its default modules would end it.
    with open("/tmp/waybar", "w", encoding="ascii") as file:
        file.write('{"modules-left": ["clock"]}')
    session.spawn("waybar", "--config", "/tmp/waybar")
    return shows(surface=10000)


def zathura(session):
    session.spawn("zathura")
    return shows(background=50000, surface=1000)


def helix(session):
    program = Open(session, "hx", "/etc/passwd")
    return lambda palette: program.drew(behind(palette["background"])) and program.process.poll() is None


def btop(session):
    program = Open(session, "btop")
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


def labwc(session):
    session.spawn("foot", "sleep", "1000")
    return shows(surface=3000)


def hyprland(session):
    """It needs a GPU, but checks its file without one."""
    return lambda palette: palette["primary"][1:] in open(CONFIG + "/hypr/themed.lua", encoding="utf-8").read() and run(
        "unshare", "--user", "Hyprland", "--verify-config").returncode == 0


def polybar(session):
    session.spawn("polybar", "--config=" + CONFIG + "/polybar/config.ini", "top")
    return shows(surface=5000)


POLYBAR = """[bar/top]
background = ${themed.surface}
foreground = ${themed.text}
modules-left = date
[module/date]
type = internal/date
date = %Y
"""


def bspwm(session):
    session.spawn("bspwm", "-c", CONFIG + "/bspwm/bspwmrc")
    if not soon(lambda: run("bspc", "config", "border_width", "20").returncode == 0):
        raise Wrong("bspwm did not start")
    session.spawn("xlogo")
    return shows(primary=3000)


def herbstluftwm(session):
    session.spawn("herbstluftwm", "--autostart", CONFIG + "/herbstluftwm/autostart")
    if not soon(lambda: run("herbstclient", "attr", "theme.border_width", "20").returncode == 0):
        raise Wrong("herbstluftwm did not start")
    session.spawn("xlogo")
    return shows(primary=3000)


def wob(session):
    def look(palette):
        process = subprocess.Popen(["wob"], stdin=subprocess.PIPE, stdout=LOG, stderr=LOG)
        process.stdin.write(b"50\n")
        process.stdin.flush()
        try:
            return soon(lambda: shows(background=500, primary=500)(palette), 0.9)
        finally:
            process.kill()
            process.wait()

    return look


def swaylock(session):
    def look(palette):
        process = session.spawn("swaylock")
        try:
            return soon(lambda: shows(background=100000)(palette), 5)
        finally:
            process.kill()
            process.wait()
            # sway stays locked otherwise.
            unlock = session.spawn("swaylock")
            time.sleep(0.5)
            unlock.send_signal(signal.SIGUSR1)
            unlock.wait()

    return look


def starship(session):
    return lambda palette: behind(palette["success"], 38) in output(
        "bash", "-c", "STARSHIP_SHELL=bash starship prompt")


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
    ("starship", "starship", None, ".config/starship.toml", "add_newline = false\n", starship),
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
    ("wofi", "wofi", "sway", None, None, lambda session: menu("wofi", "--dmenu")),
    ("tofi", "tofi", "sway", ".config/tofi/config", "font-size = 20\n", lambda session: menu("tofi")),
    ("swaync", "sway-notification-center", "sway", None, None, lambda session: notified(session, "swaync")),
    ("wob", "wob", "sway", ".config/wob/wob.ini", "width = 300\n", wob),
    ("swaylock", "swaylock", "sway", ".config/swaylock/config", "ignore-empty-password\n", swaylock),
    ("labwc", "labwc", "labwc", None, None, labwc),
    ("hyprland", "hyprland", None, ".config/hypr/hyprland.lua", "-- mine\n", hyprland),
    ("polybar", "polybar", "display", ".config/polybar/config.ini", POLYBAR, polybar),
    ("bspwm", "bspwm", "display", ".config/bspwm/bspwmrc", "#!/bin/sh\nbspc config window_gap 3\n", bspwm),
    ("herbstluftwm", "herbstluftwm", "display", ".config/herbstluftwm/autostart",
     "#!/bin/sh\nherbstclient set frame_gap 3\n", herbstluftwm),
    ("gnome-terminal", "gnome-terminal", "display", None, None, gnome_terminal),
    ("xfce4-terminal", "xfce4-terminal", "display", None, None,
     lambda session: asks(session, "xfce4-terminal", "--disable-server", "-x")),
    ("mate-terminal", "mate-terminal", "display", None, None,
     lambda session: asks(session, "mate-terminal", "--disable-factory", "-x")),
    ("lxterminal", "lxterminal", "display", None, None, lambda session: asks(session, "lxterminal", "--no-remote", "-e")),
    ("tilix", "tilix", "display", None, None, lambda session: asks(session, "tilix", "--new-process", "-e")),
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


def compare(before):
    """The user's files are as they were, and none of ours is left."""
    after = files()
    changed = [name for name, data in before.items() if after.get(name) != data]
    if changed:
        raise Wrong(f"{changed} are not as they were")
    ours = [name for name, data in after.items() if name not in before and b"themed-apply" in data.split(b"\n")[0]]
    if ours:
        raise Wrong(f"{ours} are left")


def trial(app, package, place, file, text, start):
    """Tries an app; returns remarks: what has grown old on the page, and what the program complained about."""
    remarks = told(app, package)
    begin = os.path.getsize(LOG.name)
    session = Session()
    try:
        session.begin(place)
        path = file and f"{HOME}/{file}"
        if path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as own:
                own.write(text)
            if text.startswith("#!"):
                os.chmod(path, 0o755)
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
        remarks += complaints(app, begin)
        if not is_plugin:
            output("themectl", "app", "disable", app)
        compare(before)
        return remarks
    finally:
        session.close()


DAY = {"text": "#010203", "background": "#fdfcfb", "ansi1": "#a01010", "ansi12": "#1010a0"}
NIGHT = {"text": "#fdfcfb", "background": "#010203", "ansi1": "#ff8080", "ansi12": "#8080ff"}
KITTY = "background {background}\nforeground {text}\ncolor1 {ansi1}\ncolor12 {ansi12}\n"
FOOT = "[colors{dark}]\nbackground={background}\nforeground={text}\nregular1={ansi1}\nbright4={ansi12}\n"


def new_foot(session):
    """New windows of foot: open ones keep their own colours."""
    return lambda palette: soon(lambda look=asks(session, "foot"): look(palette), 10)


# Two looks of the user's own: the app, its package, where it is tried, the looks or the format of two files, how it is
# looked at.
OWN = [
    ("kitty", "kitty", "display", KITTY, lambda session: asks(session, "kitty")),
    ("foot", "foot", "sway", FOOT, new_foot),
    ("helix", "hx", None, ({"name": "onelight", "background": "#fafafa"}, {"name": "onedark", "background": "#282c34"}),
     helix),
]


def own_trial(app, package, place, looks, start):
    """Tries `themectl app use`, and that --reset and disabling take it back."""
    version(package)
    session = Session()
    try:
        session.begin(place)
        session.spawn("themed-apply")
        names = []
        for look, name in zip((DAY, NIGHT) if isinstance(looks, str) else looks, ("day", "night")):
            names.append(look.get("name", f"{HOME}/{name}.conf"))
            if isinstance(looks, str):
                colors = {key: color[1:] if app == "foot" else color for key, color in look.items()}
                with open(names[-1], "w", encoding="ascii") as file:
                    file.write(looks.format(**colors, dark="-dark" if SUITE == "sid" else ""))
        before = files()
        output("themectl", "app", "use", app, "--light", names[0], "--dark", names[1], "--yes")
        look = start(session)
        shown = (DAY, NIGHT) if isinstance(looks, str) else looks
        for scheme, palette in zip(("light", "dark", "light"), (*shown, shown[0])):
            output("themectl", "set", scheme)
            if not soon(lambda: look(palette)):
                raise Wrong(f"it does not show {palette}: " + run("themectl", "app", "show", app).stdout)
        output("themectl", "app", "disable", app)
        compare(before)
    finally:
        session.close()


# The commands with which programs check their own files.
CHECKS = {
    "foot": ["foot", "--check-config"],
    "fuzzel": ["fuzzel", "--check-config"],
    "sway": ["sway", "--validate", "--unsupported-gpu"],
    "i3": ["i3", "-C", "-c", CONFIG + "/i3/config"],
    "rofi": ["rofi", "-dump-theme"],
    "alacritty": ["alacritty", "migrate", "--dry-run", "--silent"],
    "helix": ["hx", "--health", "rust"],
    "fish": ["fish", "--no-execute", CONFIG + "/fish/config.fish"],
}
COMPLAINT = re.compile(r"deprecat|obsolete|unknown|invalid|not a valid|no such (option|key)|unrecogni[sz]ed", re.I)


def complaints(app, begin):
    """What the program has said of its file: lines of its output, and of its own check."""
    with open(LOG.name, encoding="utf-8", errors="replace") as file:
        file.seek(begin)
        lines = [line for line in file.read().split("\n") if COMPLAINT.search(line) and "org.freedesktop" not in line]
    if app in CHECKS:
        checked = run(*CHECKS[app])
        said = [line for line in (checked.stdout + checked.stderr).split("\n") if COMPLAINT.search(line)]
        if checked.returncode:
            said = said or [f"{CHECKS[app]} ended with {checked.returncode}: {checked.stderr[-300:]}"]
        lines += said
    return [f"it says: {line[:200]}" for line in list(dict.fromkeys(lines))[:3]]


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
    """Whether docs/tested.md tells the version that is tried; for the newest, what it tells instead."""
    try:
        now = version(package)
    except Wrong as error:
        raise Missing(f"there is no package {package}") from error
    row = programs("Apps").get(app)
    page = row[COLUMNS[SUITE]] if row else None
    if page == now:
        return []
    if SUITE == "sid":
        return [f"docs/tested.md has {page}, and it is {now} now"]
    if page == "-":
        raise Missing(f"docs/tested.md says that {now} was not tried")
    raise Wrong(f"docs/tested.md does not say that it was tried with {now}, but {page}")


class Missing(Exception):
    """The suite does not have the program, or has a version that is too old."""


SUITE, COLUMNS = sys.argv[1], {"trixie": 2, "sid": 3}


def main():
    chosen = sys.argv[2:]
    trials = [(app, trial, rest) for app, *rest in TRIALS]
    trials += [(f"own:{app}", own_trial, (app, *rest)) for app, *rest in OWN]
    # The page has the signals of Debian 13.
    if SUITE == "trixie":
        trials += [(f"signals:{name}", signals.trial, (name, *rest)) for name, *rest in signals.PROGRAMS]
    if chosen:
        trials = [one for one in trials if one[0] in chosen or one[0].split(":")[0] in chosen]
    failed, old, absent = [], [], []
    for name, trying, words in trials:
        try:
            remarks = trying(name, *words) if trying is trial else trying(*words) or []
            old += [name] if any(remark.startswith("docs/") for remark in remarks) else []
            print("; ".join([f"  ok: {name}"] + remarks), flush=True)
        except Missing as error:
            absent.append(name)
            print(f"  not tried: {name}: {error}", flush=True)
        except (Wrong, OSError, subprocess.SubprocessError, AssertionError) as error:
            failed.append(name)
            print(f"  FAILED: {name}: {error}", flush=True)
            with open(LOG.name, encoding="utf-8", errors="replace") as file:
                print("".join(f"    {line}\n" for line in file.read().split("\n")[-9:-1]), end="", flush=True)
    passed = f"{SUITE}: {len(trials) - len(failed) - len(absent)} of {len(trials)} passed"
    missing = sorted(name for name in apps() - {trial[0] for trial in TRIALS})
    # mako is new enough, what has Qt 5 there has none of its tools, and Ptyxis opens no
    # window here.
    if missing != ["mako-whole", "ptyxis", "qt5ct", "qt6ct", "xsettingsd"]:
        print(f"  FAILED: there is no trial of {missing}")
        failed += missing
    print(passed + "".join(
        f"; {words} {names}" for words, names in (
            ("not", failed), ("not tried:", absent), ("grown old in docs/tested.md:", old)) if names))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
