// GTK and libadwaita, and what Swift cannot import of them: macros that cast, and functions with any number of arguments.
// Objects are passed as pointers without a type, as GtkBuilder hands them out.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#define ADW_DISABLE_DEPRECATION_WARNINGS
#include <adwaita.h>
#include <glib-unix.h>
#include <libintl.h>
#include <locale.h>
#include <stdbool.h>

static inline void themed_set_string(gpointer object, const char *name, const char *value) {
  g_object_set(object, name, value, NULL);
}

static inline void themed_set_flag(gpointer object, const char *name, bool value) {
  g_object_set(object, name, (gboolean)value, NULL);
}

static inline void themed_set_number(gpointer object, const char *name, int value) {
  g_object_set(object, name, value, NULL);
}

static inline void themed_set_object(gpointer object, const char *name, gpointer value) {
  g_object_set(object, name, value, NULL);
}

/// The value of a text property, to be freed.
static inline char *themed_string(gpointer object, const char *name) {
  char *value = NULL;
  g_object_get(object, name, &value, NULL);
  return value;
}

static inline bool themed_flag(gpointer object, const char *name) {
  gboolean value = FALSE;
  g_object_get(object, name, &value, NULL);
  return value;
}

static inline int themed_number(gpointer object, const char *name) {
  int value = 0;
  g_object_get(object, name, &value, NULL);
  return value;
}

/// Calls `call` with `data`, the signal's arguments and the object.
static inline gulong themed_connect(
    gpointer object, const char *signal, GCallback call, gpointer data, GClosureNotify destroy) {
  return g_signal_connect_data(object, signal, call, data, destroy, G_CONNECT_SWAPPED);
}

static inline void themed_set_label(gpointer widget, const char *label) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static inline void themed_describe(gpointer widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static inline void themed_flow_append(gpointer box, gpointer child) {
  gtk_flow_box_insert(GTK_FLOW_BOX(box), GTK_WIDGET(child), -1);
}

static inline void themed_flow_remove(gpointer box, gpointer child) {
  gtk_flow_box_remove(GTK_FLOW_BOX(box), GTK_WIDGET(child));
}

static inline void themed_group_add(gpointer group, gpointer row) {
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), GTK_WIDGET(row));
}

static inline void themed_group_remove(gpointer group, gpointer row) {
  adw_preferences_group_remove(ADW_PREFERENCES_GROUP(group), GTK_WIDGET(row));
}

static inline void themed_window_set_application(gpointer window, gpointer application) {
  gtk_window_set_application(GTK_WINDOW(window), GTK_APPLICATION(application));
}

static inline void themed_window_present(gpointer window) { gtk_window_present(GTK_WINDOW(window)); }

static inline void themed_toast(gpointer overlay, const char *text) {
  AdwToast *toast = adw_toast_new(text);
  adw_toast_set_timeout(toast, 5);
  adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(overlay), toast);
}

static inline gpointer themed_dialog(gpointer window, const char *title, const char *text) {
  return adw_message_dialog_new(GTK_WINDOW(window), title, text);
}

static inline void themed_dialog_answer(gpointer dialog, const char *id, const char *label) {
  adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), id, label);
}

static inline void themed_dialog_suggest(gpointer dialog, const char *id) {
  adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(dialog), id, ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(ADW_MESSAGE_DIALOG(dialog), id);
}

static inline void themed_set_draw(
    gpointer area, GtkDrawingAreaDrawFunc draw, gpointer data, GDestroyNotify destroy) {
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw, data, destroy);
}

static inline void themed_redraw(gpointer widget) { gtk_widget_queue_draw(GTK_WIDGET(widget)); }

static inline bool themed_is_rtl(gpointer widget) {
  return gtk_widget_get_direction(GTK_WIDGET(widget)) == GTK_TEXT_DIR_RTL;
}

static inline GdkRGBA themed_color(gpointer widget) {
  GdkRGBA color;
  gtk_style_context_get_color(gtk_widget_get_style_context(GTK_WIDGET(widget)), &color);
  return color;
}

static inline void themed_copy(gpointer widget, const char *text) {
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(widget)), text);
}

/// Calls `drop` with `data`, the value, the place and the drop target, if files are dropped on the widget.
static inline void themed_on_files(
    gpointer widget, gboolean (*drop)(gpointer, const GValue *, double, double, gpointer), gpointer data) {
  GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_swapped(target, "drop", G_CALLBACK(drop), data);
  gtk_widget_add_controller(GTK_WIDGET(widget), GTK_EVENT_CONTROLLER(target));
}

static inline gpointer themed_chooser(gpointer window, const char *title, const char *accept) {
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new(title, GTK_WINDOW(window), GTK_FILE_CHOOSER_ACTION_OPEN, accept, NULL);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(chooser), TRUE);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(chooser), TRUE);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
  return chooser;
}

static inline GListModel *themed_chosen_files(gpointer chooser) {
  return gtk_file_chooser_get_files(GTK_FILE_CHOOSER(chooser));
}

/// The page of a stack that is shown, by its name.
static inline const char *themed_visible_page(gpointer stack) {
  return adw_view_stack_get_visible_child_name(ADW_VIEW_STACK(stack));
}

static inline void themed_show_page(gpointer stack, const char *name) {
  adw_view_stack_set_visible_child_name(ADW_VIEW_STACK(stack), name);
}

/// Replaces the texts from a position on.
static inline void themed_string_list_set(gpointer list, guint from, const char *const *texts) {
  gtk_string_list_splice(GTK_STRING_LIST(list), from, g_list_model_get_n_items(G_LIST_MODEL(list)) - from, texts);
}

static inline bool themed_has_focus(gpointer widget) {
  return (gtk_widget_get_state_flags(GTK_WIDGET(widget)) & (GTK_STATE_FLAG_FOCUS_WITHIN | GTK_STATE_FLAG_FOCUSED)) != 0;
}

static inline void themed_focus(gpointer widget) { gtk_widget_grab_focus(GTK_WIDGET(widget)); }

static inline gpointer themed_add_style(void) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_style_context_add_provider_for_display(
      gdk_display_get_default(), GTK_STYLE_PROVIDER(provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  return provider;
}

static inline void themed_set_style(gpointer provider, const char *style, gssize length) {
  gtk_css_provider_load_from_data(GTK_CSS_PROVIDER(provider), style, length);
}

static inline void themed_use_scheme(AdwColorScheme scheme) {
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme);
}

static inline void themed_set_cursor(gpointer widget, const char *name) {
  gtk_widget_set_cursor_from_name(GTK_WIDGET(widget), name);
}

static inline void themed_claim(gpointer gesture) { gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED); }

/// The place where a drag has begun and its way since, as fractions of the width of the widget within a margin.
struct themed_drag { double start, way; };

static inline struct themed_drag themed_drag(gpointer gesture, double margin) {
  struct themed_drag drag = {0, 0};
  gtk_gesture_drag_get_start_point(GTK_GESTURE_DRAG(gesture), &drag.start, NULL);
  gtk_gesture_drag_get_offset(GTK_GESTURE_DRAG(gesture), &drag.way, NULL);
  double width = gtk_widget_get_width(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture))) - 2 * margin;
  drag.start = (drag.start - margin) / width;
  drag.way /= width;
  return drag;
}

/// Whether the pointer has gone further to a side than it does in a click.
static inline bool themed_is_drag(gpointer gesture) {
  double start = 0, way = 0;
  gtk_gesture_drag_get_start_point(GTK_GESTURE_DRAG(gesture), &start, NULL);
  gtk_gesture_drag_get_offset(GTK_GESTURE_DRAG(gesture), &way, NULL);
  GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture));
  return gtk_drag_check_threshold(widget, (int)start, 0, (int)(start + way), 0);
}

static inline gpointer themed_application(const char *name) { return adw_application_new(name, G_APPLICATION_DEFAULT_FLAGS); }

static inline int themed_run(gpointer application, int count, char **words) {
  return g_application_run(G_APPLICATION(application), count, words);
}

/// Makes keys such as `<Alt>1` show a page of a stack, by an action of the window.
static inline void themed_add_action(gpointer window, const char *name, const char *const *keys, void (*call)(gpointer), gpointer data) {
  GSimpleAction *action = g_simple_action_new(name, NULL);
  g_signal_connect_swapped(action, "activate", G_CALLBACK(call), data);
  g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(action));
  g_object_unref(action);
  char *full = g_strconcat("win.", name, NULL);
  gtk_application_set_accels_for_action(gtk_window_get_application(GTK_WINDOW(window)), full, keys);
  g_free(full);
}
