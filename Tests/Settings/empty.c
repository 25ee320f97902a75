// An empty window with a header bar, with which the start of the settings window is compared.
#include <adwaita.h>
static void activate(GApplication *app) {
  GtkWidget *w = adw_application_window_new(GTK_APPLICATION(app));
  gtk_window_set_default_size(GTK_WINDOW(w), 720, 760);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(w), adw_header_bar_new());
  gtk_window_present(GTK_WINDOW(w));
}
int main(int c, char **v) {
  AdwApplication *a = adw_application_new("org.example.Empty", G_APPLICATION_DEFAULT_FLAGS);
  g_signal_connect(a, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(a), c, v);
}
