"""A desktop without a screen: Xvfb, the real portal, themed and themed-apply, and the terminals of real programs."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import termios
import time
import tty

from daemons import BUS, MONITOR, Daemons

PACKAGE = pathlib.Path(__file__).resolve().parents[2]


class Desktop:
    """One of a name of a run's own. What is not installed comes from where tools/install-packages unpacks it."""

    def __init__(self, daemons: Daemons, name: str):
        self.daemons, self.name = daemons, name
        self.apply, self.enabled = None, []
        self.place = daemons.home / name
        self.unpacked = [path for path in [daemons.programs / "apps"] if (path / "ready").exists()]
        daemons.environment(name)
        self.assemble()
        self.variables = daemons.variables[name] = self.found() | {
            "XDG_CONFIG_HOME": self.place / ".config", "XDG_DATA_HOME": self.place / ".local/share",
            "XDG_CURRENT_DESKTOP": "GNOME", "NO_AT_BRIDGE": "1", "GIO_USE_VFS": "local", "LIBGL_ALWAYS_SOFTWARE": "1",
            "COLORTERM": "truecolor", "TERM": "xterm-256color", "THEMED_APPS": PACKAGE / "share",
            "TMUX_TMPDIR": self.place, "ZDOTDIR": self.place}
        self.variables["DISPLAY"] = self.display("800x600")
        daemons.bus(name, self.place / "bus.conf")
        self.set("light")

    def display(self, size: str) -> str:
        """Starts a screen that nobody sees; its name."""
        log = self.start(["Xvfb", "-displayfd", "1", "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp"],
                         lambda log: re.search(r"(?m)^\d+\n", log.read_text()))
        return ":" + re.findall(r"(?m)^(\d+)\n", log.read_text())[-1]

    def found(self) -> dict:
        """The variables by which programs find what was unpacked, and our themes."""
        libraries = [path for root in self.unpacked for path in sorted((root / "usr/lib").glob("*-linux-gnu*"))]
        programs = [root / path for root in self.unpacked for path in ("usr/bin", "usr/games")]
        lists = {"PATH": [self.daemons.programs / "release", *programs, os.environ["PATH"]],
                 "LD_LIBRARY_PATH": [*libraries, *(path / "pulseaudio" for path in libraries)],
                 "XDG_DATA_DIRS": [PACKAGE / "Tests/Data", *(root / "usr/share" for root in self.unpacked)],
                 "GIO_EXTRA_MODULES": [path / "gio/modules" for path in libraries],
                 "QT_PLUGIN_PATH": [path / "qt5/plugins" for path in libraries],
                 "PERL5LIB": [path / "urxvt" for path in libraries],
                 "XDG_CONFIG_DIRS": [*(root / "etc/xdg" for root in self.unpacked), "/etc/xdg"]}
        desktop = (self.place / "pieces/variables").read_bytes().decode().split("\0")[:-1]
        for name, value in (variable.split("=", 1) for variable in desktop):
            lists.setdefault(name, []).append(value)
        return {name: ":".join(map(str, values)) for name, values in lists.items() if values}

    def assemble(self) -> None:
        """Has the portal and what it needs put together, of what is installed and what is not."""
        words = [PACKAGE / "tools/desktop", self.daemons.programs / "desktop", self.place / "pieces", "check"]
        if subprocess.run(words, check=False).returncode != 0:
            sys.exit("bench: without this desktop nothing can be measured; tools/install-packages bench brings it")
        # Lets the bus start the portal, and nothing else.
        shutil.copytree(self.place / "pieces/services", self.place / "services")
        shutil.copy(BUS, self.place / "bus.conf")

    def environment(self) -> dict:
        return self.daemons.environment(self.name)

    def start(self, command: list, is_up=lambda log: True) -> pathlib.Path:
        """Starts a program that ends with the run; returns its log."""
        self.daemons.start(command, self.name, is_up)
        return self.daemons.home / f"{pathlib.Path(command[0]).name}.{self.name}.log"

    def which(self, program: str) -> str:
        return shutil.which(program, path=self.environment()["PATH"]) or ""

    def output(self, *command: str) -> str:
        done = subprocess.run(command, env=self.environment(), text=True, capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}: {done.stderr}")
        return done.stdout

    def set(self, scheme: str) -> subprocess.Popen:
        """What a user types, or the settings program does."""
        return subprocess.Popen(["gsettings", "set", "org.gnome.desktop.interface", "color-scheme", f"prefer-{scheme}"],
                                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def follow(self, theme: str) -> None:
        """Starts themed, with this theme on both sides."""
        self.daemons.themed(self.name)
        self.output("themectl", "set", "theme", theme)
        shown = json.loads(self.output("themectl", "theme", "show", theme, "--json"))
        self.palettes = {scheme: shown[scheme]["palette"] | {"scheme": scheme} for scheme in ("light", "dark")}

    def enable(self, app: str, file: str = "", text: str = "") -> None:
        """Has themed-apply change an app, whose own file has this text, and waits until it has."""
        if file:
            self.write(file, text)
        self.output("themectl", "app", "enable", app, "--yes")
        self.enabled.append(app)
        self.apply_starts()
        self.until(f"{app} done", lambda: self.applied(app).get("state") == "done")

    def apply_starts(self) -> None:
        """Starts themed-apply, unless it runs."""
        if self.apply is None or self.apply.poll() is not None:
            program = self.daemons.programs / "release/themed-apply"
            self.apply = self.daemons.start([program], self.name, lambda log: True)

    def disable_all(self) -> None:
        """Has it change none of them any more."""
        for app in self.enabled:
            self.output("themectl", "app", "disable", app)
        self.enabled = []

    def applied(self, app: str) -> dict:
        """What themed-apply says that it did last."""
        try:
            apps = json.loads((self.place / "themed-apply/status.json").read_text())["apps"]
        except (OSError, ValueError):
            return {}
        return next((one for one in apps if one["name"] == app), {})

    def until(self, what: str, is_so) -> None:
        end = time.monotonic() + 30
        while not is_so():
            if time.monotonic() > end:
                sys.exit(f"bench: not so in half a minute: {what}")
            time.sleep(0.01)

    def write(self, file: str, text: str) -> pathlib.Path:
        """Writes it whole: another program may be reading it."""
        path = self.place / file
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + ".new")
        new.write_text(text)
        return new.rename(path)

    def sway(self) -> None:
        """Starts a sway without a screen, for programs of Wayland."""
        self.variables |= {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        self.write(".config/sway/config", "default_border normal 8\n")
        # It does not run as root: in a user namespace of its own it is nobody there.
        self.start(["unshare", "--user", "sway"] if os.getuid() == 0 else ["sway"],
                   lambda log: (self.place / "wayland-1").exists() and list(self.place.glob("sway-ipc*")))
        self.variables["WAYLAND_DISPLAY"] = "wayland-1"

    def word(self) -> socket.socket:
        """A subscriber: each change is a message that it gets."""
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(self.daemons.socket(self.name)))
        client.sendall(MONITOR)
        client.recv(65536)
        client.setblocking(False)
        return client


class Screen:
    """A program in a terminal of ours: what it draws shows its color."""

    def __init__(self, desktop: Desktop, command: list, end: list = ()):
        self.text, self.end = b"", lambda: end and desktop.output(*end)
        child, self.descriptor = pty.fork()
        if child == 0:
            os.execvpe(command[0], [str(word) for word in command], desktop.environment())
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        os.set_blocking(self.descriptor, False)
        self.child = child

    def forget(self) -> None:
        """What was drawn so far counts no more."""
        while select.select([self.descriptor], [], [], 0)[0]:
            self.read()
        self.text = b""

    def ask(self) -> None:
        """It shows its color by itself."""

    def press(self, key: bytes) -> None:
        os.write(self.descriptor, key)

    def read(self) -> None:
        self.text += os.read(self.descriptor, 65536)

    def shows(self, palette: dict) -> bool:
        """Whether it has drawn this color behind something since."""
        color = int(palette["background"][1:], 16)
        return b"48;2;%d;%d;%d" % (color >> 16, color >> 8 & 255, color & 255) in self.text

    def close(self) -> None:
        self.end()
        os.close(self.descriptor)
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)


class Terminal:
    """A terminal, which is asked for its background on its own device, again and again."""

    def __init__(self, desktop: Desktop, command: list):
        place = desktop.place / f"{command[0]}.tty"
        desktop.start([*command, "sh", "-c", f"tty > {place}.new; mv {place}.new {place}; exec sleep 100000"],
                      lambda log: place.exists())
        self.descriptor = os.open(place.read_text().strip(), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.descriptor)
        self.answer, self.asked = b"", 0.0

    def forget(self) -> None:
        self.asked = 0.0

    def ask(self) -> None:
        """Asks, if that has been answered, or was lost."""
        now = time.monotonic()
        if self.answer.endswith((b"\033\\", b"\007")) or now > self.asked + 1:
            # What takes nothing now, as while another one writes to it, is asked at the next turn.
            with contextlib.suppress(BlockingIOError):
                os.write(self.descriptor, b"\033]11;?\033\\")
                self.answer, self.asked = b"", now

    def read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.answer += os.read(self.descriptor, 4096)

    def shows(self, palette: dict) -> bool:
        found = re.search(rb"rgb:(..)[^/]*/(..)[^/]*/(..)[0-9a-f]*(\033\\|\007)", self.answer)
        return bool(found) and "#" + b"".join(found.groups()[:3]).decode() == palette["background"]

    def close(self) -> None:
        os.close(self.descriptor)


class Fifo:
    """What writes light or dark into a FIFO."""

    def __init__(self, desktop: Desktop, name: str):
        self.path, self.text = desktop.place / f"{name}.fifo", b""
        os.mkfifo(self.path)
        self.descriptor = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def forget(self) -> None:
        while select.select([self.descriptor], [], [], 0)[0]:
            self.read()
        self.text = b""

    def ask(self) -> None:
        """It says so by itself."""

    def read(self) -> None:
        self.text += os.read(self.descriptor, 4096)

    def shows(self, palette: dict) -> bool:
        return self.text.endswith(palette["scheme"].encode() + b"\n")

    def close(self) -> None:
        os.close(self.descriptor)
