import ThemeTray

@main
enum ThemedTray {
  static func main() { TrayProgram.run() }
}
