internal import ThemeApply

@main
enum ThemedApply {
  static func main() { ApplyProgram.run() }
}
