// Loaded before a program of GTK (LD_PRELOAD): writes the time of each frame that the program has drawn, in microseconds, to
// standard error.
#include <gtk/gtk.h>
#include <stdio.h>

static gboolean drawn(GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  GdkFrameClock *clock = g_value_get_object(&values[0]);
  fprintf(stderr, "frame %" G_GINT64_FORMAT "\n", gdk_frame_clock_get_frame_time(clock));
  return TRUE;
}

__attribute__((constructor)) static void start(void) {
  // Only in the program, not in those that it runs.
  g_unsetenv("LD_PRELOAD");
  g_type_class_ref(GDK_TYPE_FRAME_CLOCK);
  g_signal_add_emission_hook(g_signal_lookup("after-paint", GDK_TYPE_FRAME_CLOCK), 0, drawn, NULL, NULL);
}
