// swift-tools-version:6.2
import PackageDescription

// A package of its own, so that GTK is needed by nobody who does not build the window.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let package = Package(
  name: "themed-settings",
  products: [.executable(name: "themed-settings", targets: ["themed-settings"])],
  dependencies: [.package(path: "../ThemeClient")],
  targets: [
    // A module map and a header, no logic.
    .systemLibrary(
      name: "CThemedGtk", path: "CThemedGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    // What the window shows, and what it asks themectl for: without GTK's widgets, so that tests need no screen.
    .target(name: "SettingsModel", dependencies: ["CThemedGtk"], path: "Model", swiftSettings: settings),
    .executableTarget(
      name: "themed-settings",
      dependencies: ["SettingsModel", "CThemedGtk", .product(name: "ThemeClient", package: "ThemeClient")],
      path: "Program",
      resources: [
        .embedInCode("window.ui"), .embedInCode("row.ui"), .embedInCode("card.ui"), .embedInCode("style.css"),
      ], swiftSettings: settings),
    .testTarget(name: "SettingsModelTests", dependencies: ["SettingsModel"], path: "Tests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
