"""A program of libadwaita: prints `dark` or `light` at each change, and several times a second `now dark`."""

import gi

gi.require_version("Adw", "1")
from gi.repository import Adw, GLib  # noqa: E402

Adw.init()
manager = Adw.StyleManager.get_default()


def tell(kind=""):
    print(kind + ("dark" if manager.get_dark() else "light"), flush=True)
    return True


manager.connect("notify::dark", lambda *_: tell())
tell()
GLib.timeout_add(200, tell, "now ")
GLib.MainLoop().run()
