"""A window that offers files to be dragged: source.py URI..."""

import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

uris = "".join(f"{uri}\r\n" for uri in sys.argv[1:])
content = Gdk.ContentProvider.new_for_bytes("text/uri-list", GLib.Bytes.new(uris.encode()))
label = Gtk.Label(label="Drag this", hexpand=True, vexpand=True)
source = Gtk.DragSource(content=content, actions=Gdk.DragAction.COPY)
label.add_controller(source)
loop = GLib.MainLoop()
# What became of the drag, for the log.
source.connect("drag-begin", lambda *_: print("dragged", flush=True))
source.connect("drag-end", lambda *_: print("dropped", flush=True))
source.connect("drag-cancel", lambda *_: print("refused", flush=True))
window = Gtk.Window(title="Source", default_width=200, default_height=200, child=label)
window.present()
loop.run()
