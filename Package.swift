// swift-tools-version:6.2
import PackageDescription

/// What every target of ours is compiled with.
///
/// `.ci/run` adds warnings as errors, for developers of `themed` only: a newer compiler's new warning must not keep a
/// user from building.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func executable(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The modules that all programs are built on: text, the system, the event loop; what is decided; Varlink, the interface,
/// and the calls of clients.
let modules = Target.Dependency.product(name: "ThemedModules", package: "ThemeClient")
let client = Target.Dependency.product(name: "ThemeClient", package: "ThemeClient")
/// The calls of Linux.
let linux = Target.Dependency.product(name: "CThemedLinux", package: "ThemeClient")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "themed",
  products: [
    .executable(name: "themed", targets: ["themed"]),
    .executable(name: "themed-portal", targets: ["themed-portal"]),
    .executable(name: "themed-tray", targets: ["themed-tray"]),
    .executable(name: "themectl", targets: ["themectl"]),
    .executable(name: "themed-apply", targets: ["themed-apply"]),
  ],
  dependencies: [
    // The clients' library, and the modules that it and these programs are built on.
    .package(path: "Sources/ThemeClient"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // One C library each: a module map and a header, no logic.
    .systemLibrary(name: "CThemedGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CThemedDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CThemedYAML", providers: [.apt(["libyaml-dev"])]),

    // D-Bus, with GLib; app files.
    target("ThemedDBus", ["CThemedDBus", "CThemedGLib", modules]),
    target("ThemeApps", [modules]),

    // What is on this machine, what is in the way of following themes, and what to do about it: for the command and for a
    // settings window, so without a parser and without output.
    target(
      "ThemeSetup",
      ["ThemeApps", "CThemedYAML", linux, modules]),

    // The daemon, what writes the files of programs that cannot subscribe, the backend of the settings portal, and the
    // icon in the panel.
    target(
      "ThemeDaemon",
      ["CThemedGLib", "ThemedDBus", linux, modules]),
    target(
      "ThemeApply",
      ["ThemeApps", "ThemedDBus", linux, modules]),
    target("ThemePortal", ["ThemedDBus", modules]),
    target("ThemeTray", ["ThemedDBus", modules]),

    // The programs. The installed themed is themed-apply, themed-portal and themed-tray, too, by these names.
    executable(
      "themed",
      ["ThemeDaemon", "ThemeApply", "ThemePortal", "ThemeTray", "CThemedGLib", modules]),
    executable("themed-apply", ["ThemeApply"]),
    executable("themed-portal", ["ThemePortal"]),
    executable("themed-tray", ["ThemeTray"]),
    executable(
      "themectl",
      ["ThemeSetup", "ThemeApps", argumentParser, modules]),

    // Programs that follow themes, for readers of the documentation: with tasks, in GLib's loop, and around poll.
    executable("themed-example", [client], path: "docs/examples/swift/async"),
    executable("themed-example-glib", [client, "CThemedGLib"], path: "docs/examples/swift/glib"),
    executable("themed-example-poll", [client], path: "docs/examples/swift/poll"),

    .executableTarget(name: "themed-load", path: "Tests/Load"),
    // What a sandbox may deny, tried one by one.
    .executableTarget(name: "themed-probe", path: "Tests/Probe"),
    // Those who attack the daemon, and those who watch it meanwhile.
    .executableTarget(name: "themed-attacker", dependencies: ["CThemedDBus"], path: "Tests/Attacks/Driver"),
    .target(name: "ThemedSpawning", path: "Tests/Spawn"),
    .target(
      name: "ThemedTestSupport", dependencies: ["ThemedSpawning", modules], path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // A portal that misbehaves as a test tells it to: a program, so that it can be killed. Never installed.
    .executableTarget(
      name: "themed-fake-portal", dependencies: ["CThemedDBus"], path: "Tests/FakePortal", swiftSettings: settings),
    // GLib's reader of key files, which ours is compared with.
    .target(
      name: "ThemedKeyFileOracle", dependencies: ["CThemedGLib", modules],
      path: "Tests/KeyFileOracle",
      swiftSettings: settings),
    tests("TestSupportTests", ["ThemedTestSupport"]),
    tests("ThemedSystemTests", ["ThemedTestSupport", linux, modules]),
    tests("ThemedDBusTests", ["ThemedDBus", "ThemedTestSupport", modules]),
    tests("ThemedModelTests", ["ThemedKeyFileOracle", "ThemedTestSupport", modules]),
    tests("ThemedVarlinkTests", ["ThemedTestSupport", modules]),
    tests("ThemedInterfaceTests", [modules]),
    .testTarget(
      name: "ThemeAppsTests",
      dependencies: ["ThemeApps", "ThemedTestSupport", modules],
      exclude: ["Builders"], swiftSettings: settings),
    tests(
      "ThemeDaemonTests",
      ["ThemeDaemon", "ThemedDBus", "CThemedGLib", "ThemedTestSupport", linux, modules]),
    tests(
      "ThemeClientTests",
      [client, "ThemedTestSupport", linux, modules]),
    tests(
      "ThemeSetupTests",
      ["ThemeSetup", "ThemeApps", "ThemedKeyFileOracle", "ThemedTestSupport", linux, modules]),
    tests(
      "ThemectlTests",
      ["themectl", "ThemeSetup", "ThemedKeyFileOracle", "ThemedTestSupport", modules]),
    tests(
      "ThemeApplyTests",
      ["ThemeApply", "ThemeApps", "ThemedTestSupport", linux, modules]),
    tests(
      "ThemePortalTests", ["ThemePortal", "ThemedDBus", "ThemedTestSupport", modules]),
    tests("ThemeTrayTests", ["ThemeTray", "ThemedDBus", "ThemedTestSupport", modules]),
    tests("CertificationTests", ["ThemedTestSupport", modules]),
    tests(
      "StoryTests",
      ["ThemedTestSupport", client, modules]),
    // What the fuzzer runs (tools/fuzz), with what it once found.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ThemeDaemon", "themectl", "ThemeSetup", "ThemeApps", "ThemedDBus", "ThemedKeyFileOracle", "ThemedTestSupport",
        modules,
      ], path: "Tests/Fuzz", exclude: ["corpus.tar.gz", "dictionaries"], swiftSettings: settings),
    .testTarget(
      name: "AttackTests", dependencies: ["ThemedTestSupport"], path: "Tests/Attacks/Suite", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
