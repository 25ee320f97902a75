"""A session for trials of themed-apply with real programs, inside of the chroot of tools/test-apps."""

import collections
import json
import os
import re
import shutil
import struct
import subprocess
import time

HOME = "/tmp/home"
CONFIG = HOME + "/.config"
LOG = open("/tmp/log", "a", encoding="utf-8")


class Wrong(Exception):
    pass


def run(*words, **options):
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=180, **options)


def output(*words):
    finished = run(*words)
    if finished.returncode:
        raise Wrong(f"{words} ended with {finished.returncode}: {finished.stdout}{finished.stderr}")
    return finished.stdout


def soon(look, seconds=60):
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.1)


class Session:
    """A session of one app: bus, daemon, themed-apply; a display, sway or labwc where it is asked for."""

    def __init__(self):
        self.processes = []

    def begin(self, place, live_in=None):
        """Begins in a new home, which `live_in` fills, and whose variables it returns."""
        shutil.rmtree(HOME, ignore_errors=True)
        shutil.rmtree("/run/user", ignore_errors=True)
        os.makedirs(CONFIG)
        os.makedirs("/run/user", mode=0o700)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "I3SOCK"):
            os.environ.pop(name, None)
        os.environ.update(
            HOME=HOME, XDG_RUNTIME_DIR="/run/user", XDG_CONFIG_HOME=CONFIG, THEMED_APPS="/themed/share",
            XDG_DATA_DIRS="/themed/data:/usr/share", LIBGL_ALWAYS_SOFTWARE="1", COLORTERM="truecolor",
            TERM="xterm-256color", TMUX_TMPDIR="/run/user", NO_AT_BRIDGE="1",
            DBUS_SESSION_BUS_ADDRESS="unix:path=/run/user/bus")
        if live_in:
            os.environ.update(live_in())
        bus = self.spawn(
            "dbus-daemon", "--nofork", "--config-file=/themed/bus.conf", "--address=unix:path=/run/user/bus")
        soon(lambda: os.path.exists("/run/user/bus"))
        assert bus.poll() is None
        if place == "display":
            reading, writing = os.pipe()
            self.spawn(
                "Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-noreset", pass_fds=[writing])
            os.close(writing)
            with open(reading, encoding="ascii") as numbers:
                os.environ["DISPLAY"] = ":" + numbers.readline().strip()
            # No theme has this colour, and one has black behind its text.
            output("xsetroot", "-solid", "#747474")
        if place == "sway":
            os.environ.update(WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1")
            if not live_in:
                os.makedirs(CONFIG + "/sway")
                with open(CONFIG + "/sway/config", "w", encoding="utf-8") as file:
                    file.write("default_border normal 8\n")
            self.spawn("unshare", "--user", "sway")
            names = soon(lambda: [name for name in os.listdir("/run/user") if name.startswith("sway-ipc")])
            if not names or not soon(lambda: os.path.exists("/run/user/wayland-1")):
                raise Wrong("sway did not start")
            os.environ["SWAYSOCK"] = "/run/user/" + names[0]
            os.environ["WAYLAND_DISPLAY"] = "wayland-1"
        if place == "labwc":
            os.environ.update(WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES="1")
            self.spawn("unshare", "--user", "labwc")
            if not soon(lambda: os.path.exists("/run/user/wayland-0")):
                raise Wrong("labwc did not start")
            os.environ["WAYLAND_DISPLAY"] = "wayland-0"
        self.spawn("themed")
        soon(lambda: os.path.exists("/run/user/themed/org.themed.theme"))
        output("themectl", "set", "light")

    def spawn(self, *words, **options):
        process = subprocess.Popen(words, stdout=LOG, stderr=LOG, stdin=subprocess.DEVNULL, **options)
        self.processes.append(process)
        return process

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def pixels(rows=None):
    """How many pixels the screen shows of each colour, or so many rows at its bottom, or, if negative, at its top."""
    if "WAYLAND_DISPLAY" in os.environ:
        data = subprocess.run(["grim", "-t", "ppm", "-"], check=True, capture_output=True).stdout
        _, size, _, body = data.split(b"\n", 3)
        step, order = 3, (0, 1, 2)
        length = int(size.split()[0]) * step
        body = body[-rows * length:] if rows and rows > 0 else body[:-rows * length] if rows else body
    else:
        # It fails if a window goes while it looks.
        for is_last in (False, False, True):
            done = subprocess.run(["xwd", "-root", "-silent"], check=is_last, capture_output=True)
            if done.returncode == 0:
                break
        data = done.stdout
        head = struct.unpack(">25I", data[:100])
        # A pixel has four bytes, blue first; where windows of more than one depth are shown, three, a line is longer
        # than these, and xwd puts red first for some windows and blue for others: such a pixel counts as both.
        width, height, step, length = head[4], head[5], head[11] // 8, head[12]
        start, order = len(data) - height * length, (2, 1, 0)
        shown = range(height)[-rows:] if rows and rows > 0 else range(-rows if rows else height)
        body = b"".join(data[start + row * length:start + row * length + width * step] for row in shown)
    count = collections.Counter(zip(*(body[part::step] for part in order)))
    if step == 3 and "WAYLAND_DISPLAY" not in os.environ:
        count += collections.Counter(zip(*(body[part::step] for part in reversed(order))))
    return {"#%02x%02x%02x" % color: number for color, number in count.items()}


def programs(heading):
    """The rows of a table of docs/tested.md, by what stands in their first column."""
    with open("/themed/tested.md", encoding="utf-8") as file:
        part = file.read().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n") if line.startswith("|")]
    return {row[0]: row for row in rows[2:]}


def version(package):
    """The version of a Debian package as its authors count."""
    shown = output("dpkg-query", "--show", "--showformat=${Version}", package)
    return re.sub(r"^\d+:|[-+~].*", "", shown)
