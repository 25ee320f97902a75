// GLib's loop and options (and for the tests, its key files), as far as Swift can import them.
#include <glib.h>
#include <glib-unix.h>
