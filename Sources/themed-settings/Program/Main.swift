internal import CThemedGtk
internal import Glibc
internal import SettingsModel

/// The settings window, which runs `themectl` for everything.
@main
enum Main {
  static func main() {
    unsafe setlocale(LC_ALL, "")
    translate()
    guard let application = unsafe themed_application("org.themed.Settings") else { exit(1) }
    var window: SettingsWindow?
    unsafe Widget(application).on("activate") {
      // GTK knows the direction of languages that it is translated into. A translator of ours answers default:RTL here.
      if tr("default:LTR") == "default:RTL" { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
      let shown = unsafe window ?? SettingsWindow(Widget(application))
      window = shown
      shown.present()
    }
    exit(unsafe themed_run(application, CommandLine.argc, CommandLine.unsafeArgv))
  }

  /// Finds the translations in the directory of this installation.
  private static func translate() {
    let own = unsafe g_file_read_link("/proc/self/exe", nil)
    defer { unsafe g_free(own) }
    guard let own = unsafe own, let directory = unsafe g_path_get_dirname(own) else { return }
    defer { unsafe g_free(directory) }
    unsafe bindtextdomain(textDomain, String(cString: directory) + "/../share/locale")
    unsafe bind_textdomain_codeset(textDomain, "UTF-8")
    unsafe textdomain(textDomain)
  }
}
