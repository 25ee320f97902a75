internal import ThemePortal

@main
enum ThemedPortal {
  static func main() { PortalProgram.run() }
}
