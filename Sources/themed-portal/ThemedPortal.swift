internal import ThemePortalProgram

@main
enum ThemedPortal {
  static func main() { PortalProgram.run() }
}
