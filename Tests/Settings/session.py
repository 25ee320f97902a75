"""A session without a screen of its own: Xvfb, a bus, the accessibility bus, themed and the settings window, with a driver
that sees of the window what a screen reader sees, and presses keys."""

import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60
KEYS = {":": "Shift_L+semicolon", "-": "minus", ".": "period", ",": "comma", "/": "slash", "_": "Shift_L+minus"}

def until(what, look):
    """The first result of `look` that counts as true; an error after a while."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            found = look()
        except Exception as error:  # A widget may go while it is looked at.
            found, problem = None, error
        else:
            problem = None
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come" + (f": {problem}" if problem else ""))
        time.sleep(0.05)


class Session:
    """Starts the session in a directory of its own, and stops everything in it at the end."""

    def __init__(self, programs, window, screen="1100x1000x24"):
        self.programs, self.window_program = pathlib.Path(programs), pathlib.Path(window)
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="themed-settings-"))
        self.started = []
        self.daemon = None
        self.screen = screen
        home = self.place / "home"
        for name in ["home/.config/themed", "run", "services", "bin"]:
            (self.place / name).mkdir(parents=True)
        (self.place / "run").chmod(0o700)
        self.environment = {
            "HOME": str(home), "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state", "XDG_CACHE_HOME": f"{home}/.cache",
            "XDG_RUNTIME_DIR": str(self.place / "run"), "TZ": "Europe/Berlin", "LANG": "C.UTF-8",
            "XDG_DATA_DIRS": f"{PROJECT}/Tests/Data:{self.window_program.parent.parent}/share:/usr/share",
            # themectl is found beside the window, or in PATH.
            "PATH": f"{self.place}/bin:{self.programs}:/usr/bin:/bin", "GSETTINGS_BACKEND": "memory",
            # The renderer that needs no graphics card.
            "GSK_RENDERER": "cairo", "GTK_A11Y": "atspi",
        }

    def __enter__(self):
        try:
            self._start_screen()
            self._start_bus()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.place, ignore_errors=True)

    def start(self, *words, log, more=None, **options):
        file = open(self.place / log, "ab")
        environment = {**self.environment, **(more or {})}
        process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, **options)
        self.started.append(process)
        return process

    def log(self, name):
        return (self.place / name).read_text(errors="replace")

    def _start_screen(self):
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", str(writing), "-screen", "0", self.screen, "-nolisten", "tcp", "-noreset", log="xvfb.log",
                   pass_fds=[writing])
        os.close(writing)
        with open(reading) as display:
            number = display.readline().strip()
        assert number, self.log("xvfb.log")
        self.environment["DISPLAY"] = f":{number}"

    def _start_bus(self):
        service = pathlib.Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
        assert service.exists(), "at-spi2-core is not installed"
        # Without a line that leaves the start to systemd.
        lines = [line for line in service.read_text().splitlines() if not line.startswith("SystemdService")]
        (self.place / "services/org.a11y.Bus.service").write_text("\n".join(lines) + "\n")
        shutil.copy(PROJECT / "tools/bus.conf", self.place)
        bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={self.place}/bus.conf", "--nofork", "--print-address"], env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(self.place / "bus.log", "ab"), text=True)
        self.started.append(bus)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        # The driver in this process uses the same buses and screen.
        for name in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TZ"]:
            os.environ[name] = self.environment[name]
        time.tzset()

    # What the daemon and the command say.

    def start_daemon(self):
        self.daemon = self.start(str(self.programs / "themed"), log="themed.log")
        until("the daemon", lambda: self.themectl("status").returncode == 0)

    def stop_daemon(self):
        self.daemon.terminate()
        self.daemon.wait()
        self.started.remove(self.daemon)

    def themectl(self, *words):
        return subprocess.run(
            [str(self.programs / "themectl"), *words], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def json(self, *words):
        return json.loads(self.themectl(*words, "--json").stdout)

    def open_window(self, **more):
        process = self.start(str(self.window_program), log="window.log", more=more)
        return Window(self, process)

    def install(self, name, version):
        """A program that does nothing but say its version."""
        path = self.place / "bin" / name
        path.write_text(f"#!/bin/sh\necho '{version}'\n")
        path.chmod(0o755)


    def override_themectl(self, cases):
        """Makes the windows that open from now on run another themectl, which does some commands differently, by cases of a
        shell, and which keeps a list of all commands."""
        path = self.place / "bin/themectl"
        path.write_text(f'''#!/bin/sh
echo "$*" >> '{self.place}/commands'
case "$*" in
{cases}
esac
exec '{self.programs}/themectl' "$@"
''')
        path.chmod(0o755)

    def commands(self):
        return self.log("commands").splitlines()


class Attributes(ctypes.Structure):
    """The attributes of a window, as Xlib has them."""

    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border", ctypes.c_int), ("depth", ctypes.c_int), ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong),
                ("class", ctypes.c_int), ("gravity", ctypes.c_int * 2), ("backing", ctypes.c_int), ("planes", ctypes.c_ulong * 2),
                ("under", ctypes.c_int), ("colormap", ctypes.c_ulong), ("installed", ctypes.c_int), ("shown", ctypes.c_int),
                ("rest", ctypes.c_char * 200)]


class Window:
    """The window as assistive technology sees it."""

    def __init__(self, session, process):
        import gi

        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi

        self.Atspi, self.session, self.process = Atspi, session, process
        self.root = until("the window", self._own)
        # Newer versions of GTK have roles of their own for these.
        self.button = ["push button", "button"]
        self.toggle, self.switch = [*self.button, "toggle button"], ["toggle button", "switch", "check box"]
        self.x11, self.xtest = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(session.environment["DISPLAY"].encode()))
        # It starts in the middle of the screen, over the window.
        self.point(1090, 990)
        self.take_focus()

    def _own(self):
        assert self.process.poll() is None, self.session.log("window.log")
        desktop = self.Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child and child.get_process_id() == self.process.pid and child.get_child_count() > 0:
                return child
        return None

    def take_focus(self):
        """Gives the keyboard to the window that came last, as a window manager would."""
        self.id = until("the window on the screen", self.newest)
        self.x11.XSetInputFocus(self.display, ctypes.c_ulong(self.id), 1, 0)
        self.x11.XSync(self.display, 0)

    def newest(self):
        """The window of any program that came last to the screen."""
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))
        out, children, count = ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x11.XQueryTree(self.display, root, ctypes.byref(out), ctypes.byref(out), ctypes.byref(children), ctypes.byref(count))
        best = None
        for index in range(count.value):
            attributes = Attributes()
            self.x11.XGetWindowAttributes(self.display, ctypes.c_ulong(children[index]), ctypes.byref(attributes))
            # The others are GTK's own, and are not shown.
            if attributes.width > 100 and attributes.shown == 2:
                best = children[index]
        return best

    def resize(self, width, height):
        self.x11.XResizeWindow(self.display, ctypes.c_ulong(self.id), width, height)
        self.x11.XSync(self.display, 0)

    # Finding.

    def all(self, node=None):
        """Each accessible object that is shown, in order."""
        node = node or self.root
        node.clear_cache()
        yield node
        for index in range(node.get_child_count()):
            child = node.get_child_at_index(index)
            if child is not None and (node is self.root or self.has(child, "VISIBLE")):
                yield from self.all(child)

    def has(self, node, state):
        return node.get_state_set().contains(getattr(self.Atspi.StateType, state))

    def named(self, name, *roles):
        """The object with this name, or else one whose name begins like this."""

        def look():
            found = [node for node in self.all()
                     if (node.get_name() or "").startswith(name) and (not roles or node.get_role_name() in roles)]
            return next((node for node in found if node.get_name() == name), found[0] if found else None)

        return until(f"'{name}' {roles or ''}", look)

    def is_usable(self, node):
        """Whether neither the object nor one around it is greyed out."""
        while node is not None and node.get_role_name() != "frame":
            if not self.has(node, "SENSITIVE"):
                return False
            node = node.get_parent()
        return True

    def content(self, entry):
        """The text in an entry."""
        node = self.named(entry, "text")
        return self.Atspi.Text.get_text(node, 0, self.Atspi.Text.get_character_count(node))

    def texts(self):
        return [node.get_name() for node in self.all() if node.get_name()]

    def awaits(self, words):
        """Waits until some object says this."""
        return until(f"'{words}'", lambda: next((text for text in self.texts() if words in text), None))

    def loses(self, words):
        until(f"the end of '{words}'", lambda: not any(words in text for text in self.texts()))

    # Acting.

    def press(self, node):
        """Does what a click does."""
        assert node.get_action_iface() is not None and node.get_n_actions() > 0, f"{node.get_name()} has no action"
        assert node.do_action(0), f"{node.get_name()} cannot be pressed"

    def dismiss(self):
        """Closes the message with the keyboard."""
        self.awaits("themectl says")
        self.take_focus()
        self.keys("Escape")
        self.loses("themectl says")
        self.take_focus()

    def fill(self, row, downs, text, is_applied=True):
        """Goes to a row below another one, writes into its entry and applies that, all with the keyboard."""
        self.focus(row)
        self.keys(*["Down"] * downs, "Return", "Control_L+a", *(KEYS.get(letter, letter) for letter in text),
                  *["Return"] * is_applied)

    def focus(self, node):
        """Goes to an object with the Tab key."""
        for _ in range(60):
            if any(self.has(inner, "FOCUSED") for inner in self.all(node)):
                return
            self.keys("Tab")
        raise AssertionError(f"the Tab key does not reach '{node.get_name()}'")

    def focused(self):
        """The names of the object that has the focus, and of those in it."""
        return [inner.get_name() for node in self.all() if self.has(node, "FOCUSED") for inner in self.all(node)]

    def keys(self, *names):
        """Presses keys by their names in X, one after another; `Alt_L+1` holds the first one."""
        self.x11.XStringToKeysym.restype = ctypes.c_ulong
        for name in names:
            codes = [self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(self.x11.XStringToKeysym(key.encode())))
                     for key in name.split("+")]
            for code in codes:
                self.xtest.XTestFakeKeyEvent(self.display, code, 1, 0)
            for code in reversed(codes):
                self.xtest.XTestFakeKeyEvent(self.display, code, 0, 0)
            self.x11.XSync(self.display, 0)
            time.sleep(0.1)

    def spot(self, node):
        """The middle of an object on the screen, within some points: the window is in the corner, with a frame or not."""
        place = self.extents(node)
        return place.x + place.width // 2, place.y + place.height // 2

    def extents(self, node):
        return self.Atspi.Component.get_extents(node, self.Atspi.CoordType.WINDOW)

    def point(self, x, y):
        """Moves the pointer to a place on the screen."""
        self.xtest.XTestFakeMotionEvent(self.display, -1, round(x), round(y), 0)
        self.x11.XSync(self.display, 0)

    def hold(self, is_held):
        """Presses or releases the button of the mouse."""
        self.xtest.XTestFakeButtonEvent(self.display, 1, int(is_held), 0)
        self.x11.XSync(self.display, 0)

    def drag(self, start, *ends, steps=20):
        """Drags from one place on the screen to others, one after the other."""
        self.point(*start)
        time.sleep(0.2)
        self.hold(True)
        time.sleep(0.2)
        for end in ends:
            for step in range(1, steps + 1):
                self.point(*(a + (b - a) * step / steps for a, b in zip(start, end)))
                time.sleep(0.016)
            start = end
        time.sleep(0.2)
        self.hold(False)

    def drop(self, *uris):
        """Drags files from another program's window onto this one."""
        before = self.newest()
        self.session.start("/usr/bin/python3", str(PROJECT / "Tests/Settings/source.py"), *uris, log="source.log")
        source = until("the other window", lambda: self.newest() not in [None, before] and self.newest())
        # Both come to the corner of the screen, without a window manager.
        self.x11.XMoveWindow(self.display, ctypes.c_ulong(source), 800, 100)
        self.x11.XSync(self.display, 0)
        # The window has to be drawn before it can be dragged from.
        until("the colour of the other window", lambda: self.pixel(810, 110) != "#000000")

        def is_dragged():
            self.drag((900, 200), (360, 300))
            time.sleep(1)
            return "dragged" in self.session.log("source.log")

        # GTK takes no hold of a window of which it does not know yet where it is; a hand would try again, too.
        until("a drag from the other window", is_dragged)

    def pixel(self, x, y):
        """The colour at a place on the screen, as #rrggbb."""
        self.x11.XGetImage.restype = ctypes.c_void_p
        root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))
        image = ctypes.c_void_p(self.x11.XGetImage(self.display, root, x, y, 1, 1, ctypes.c_ulong(0xFFFFFF), 2))
        self.x11.XGetPixel.restype = ctypes.c_ulong
        color = self.x11.XGetPixel(image, 0, 0)
        self.x11.XDestroyImage(image)
        return f"#{color & 0xFFFFFF:06x}"

    def type(self, text):
        self.keys(*(KEYS.get(letter, letter) for letter in text))

    def close(self):
        self.process.terminate()
        self.process.wait()
