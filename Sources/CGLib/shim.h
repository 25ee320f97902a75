// GLib's loop, key files and options, as far as Swift can import them.
#include <glib.h>
#include <glib-unix.h>
