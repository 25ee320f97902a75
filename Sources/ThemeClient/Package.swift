// swift-tools-version:6.2
import PackageDescription

/// The compiler settings of every target.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

func target(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: name, resources: resources, swiftSettings: settings)
}

// The clients' library, which depends on nothing but the standard library and the C library. themed's own programs use its
// lower modules.
let package = Package(
  name: "ThemeClient",
  products: [
    // For other people's programs; docs/ThemeClient.api lists all of it.
    .library(name: "ThemeClient", targets: ["ThemeClient"]),
    // For themed's own programs. Each version may change all of it.
    .library(
      name: "ThemedModules",
      targets: ["ThemedSystem", "ThemedModel", "ThemedVarlink", "ThemedInterface", "ThemedClientCore"]),
    .library(name: "CThemedLinux", targets: ["CThemedLinux"]),
  ],
  targets: [
    // The calls of Linux: a module map and a header, no logic.
    .systemLibrary(name: "CThemedLinux", path: "CThemedLinux"),
    // Text, the calls of the system, the event loop, the log.
    target("ThemedSystem", ["CThemedLinux"]),
    // What is decided: states, overrides, themes, the schedule.
    target("ThemedModel", ["ThemedSystem"]),
    // The protocol, and the interface in it.
    target("ThemedVarlink", ["ThemedSystem"]),
    target(
      "ThemedInterface", ["ThemedModel", "ThemedVarlink", "ThemedSystem"],
      resources: [.embedInCode("org.themed.theme.varlink"), .embedInCode("org.themed.admin.varlink")]),
    // Calling and following the daemon, without tasks, whose runtime each process would pay for.
    target("ThemedClientCore", ["ThemedModel", "ThemedVarlink", "ThemedInterface", "ThemedSystem", "CThemedLinux"]),
    // The public types.
    target("ThemeClient", ["ThemedClientCore", "ThemedInterface", "ThemedModel", "ThemedVarlink", "ThemedSystem"]),
  ],
  swiftLanguageModes: [.v6]
)
