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

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "themed",
  products: [
    .executable(name: "themed", targets: ["themed"]),
    .executable(name: "themed-portal", targets: ["themed-portal"]),
    .executable(name: "themed-tray", targets: ["themed-tray"]),
    .executable(name: "themectl", targets: ["themectl"]),
    .executable(name: "themed-apply", targets: ["themed-apply"]),
    .library(name: "ThemeClient", targets: ["ThemeClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // One C library each: a module map and a header, no logic.
    .systemLibrary(name: "CThemedGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CThemedDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CThemedYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CThemedLinux"),

    // What every program is built on: text, the calls of the system, the event loop, the log; then D-Bus, with GLib.
    target("ThemedSystem", ["CThemedLinux"]),
    target("ThemedDBus", ["CThemedDBus", "CThemedGLib", "CThemedLinux", "ThemedSystem"]),

    // What is decided: states, overrides, themes, the schedule; Varlink and the interface; app files.
    target("ThemeModel", ["ThemedSystem"]),
    target("ThemedVarlink", ["ThemedSystem"]),
    .target(
      name: "ThemeInterface", dependencies: ["ThemeModel", "ThemedVarlink", "ThemedSystem"],
      resources: [.embedInCode("org.themed.theme.varlink"), .embedInCode("org.themed.admin.varlink")],
      swiftSettings: settings),
    target("ThemeApps", ["ThemeModel", "ThemedSystem"]),

    // The clients' library. The first part is without tasks, whose runtime each process would pay for.
    target(
      "ThemeClientCore", ["ThemeModel", "ThemedVarlink", "ThemeInterface", "ThemedSystem", "CThemedLinux"]),
    target("ThemeClient", ["ThemeClientCore", "ThemedVarlink", "ThemedSystem"]),

    // What is on this machine, what is in the way of following themes, and what to do about it: for the command and for a
    // settings window, so without a parser and without output.
    target(
      "ThemeSetup",
      [
        "ThemeClientCore", "ThemeApps", "ThemeInterface", "ThemeModel", "ThemedSystem", "ThemedVarlink",
        "CThemedLinux", "CThemedYAML",
      ]),

    // The daemon, what writes the files of programs that cannot subscribe, the backend of the settings portal, and the
    // icon in the panel.
    target(
      "ThemeDaemon",
      [
        "ThemedSystem", "ThemeModel", "ThemedVarlink", "ThemeInterface", "ThemeClientCore", "CThemedGLib",
        "CThemedLinux", "ThemedDBus",
      ]),
    target(
      "ThemeApply",
      [
        "ThemeApps", "ThemeClientCore", "ThemeModel", "ThemeInterface", "ThemedVarlink", "ThemedSystem",
        "CThemedLinux", "ThemedDBus",
      ]),
    target("ThemePortal", ["ThemeClientCore", "ThemeInterface", "ThemedDBus", "ThemedSystem"]),
    target("ThemeTray", ["ThemeClientCore", "ThemeInterface", "ThemeModel", "ThemedDBus", "ThemedSystem"]),

    // The programs. The installed themed is themed-apply, themed-portal and themed-tray, too, by these names.
    executable(
      "themed",
      ["ThemeDaemon", "ThemeApply", "ThemePortal", "ThemeTray", "ThemeInterface", "ThemedSystem", "CThemedGLib"]),
    executable("themed-apply", ["ThemeApply"]),
    executable("themed-portal", ["ThemePortal"]),
    executable("themed-tray", ["ThemeTray"]),
    executable(
      "themectl",
      [
        "ThemeSetup", "ThemeClientCore", "ThemeApps", "ThemeInterface", "ThemeModel", "ThemedSystem", "ThemedVarlink",
        "CThemedLinux", argumentParser,
      ]),

    // Programs that follow themes, for readers of the documentation: with tasks, in GLib's loop, and around poll.
    executable("themed-example", ["ThemeClient"], path: "docs/examples/swift/async"),
    executable("themed-example-glib", ["ThemeClient", "CThemedGLib"], path: "docs/examples/swift/glib"),
    executable("themed-example-poll", ["ThemeClient"], path: "docs/examples/swift/poll"),

    .executableTarget(name: "themed-load", path: "Tests/Load"),
    // What a sandbox may deny, tried one by one.
    .executableTarget(name: "themed-probe", path: "Tests/Probe"),
    // Those who attack the daemon, and those who watch it meanwhile.
    .executableTarget(name: "themed-attacker", dependencies: ["CThemedDBus"], path: "Tests/Attacks/Driver"),
    .target(name: "ThemedSpawning", path: "Tests/Spawn"),
    .target(
      name: "ThemedTestSupport", dependencies: ["ThemedSpawning", "ThemedSystem"], path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // A portal that misbehaves as a test tells it to: a program, so that it can be killed. Never installed.
    .executableTarget(
      name: "themed-fake-portal", dependencies: ["CThemedDBus"], path: "Tests/FakePortal", swiftSettings: settings),
    // GLib's reader of key files, which ours is compared with.
    .target(
      name: "ThemedKeyFileOracle", dependencies: ["CThemedGLib", "ThemeModel", "ThemedSystem"],
      path: "Tests/KeyFileOracle",
      swiftSettings: settings),
    tests("TestSupportTests", ["ThemedTestSupport"]),
    tests("ThemedSystemTests", ["ThemedSystem", "CThemedLinux", "ThemedTestSupport"]),
    tests("ThemedDBusTests", ["ThemedDBus", "ThemedSystem", "ThemedTestSupport"]),
    tests("ThemeModelTests", ["ThemeModel", "ThemedKeyFileOracle", "ThemedTestSupport", "ThemedSystem"]),
    tests("ThemedVarlinkTests", ["ThemedVarlink", "ThemedTestSupport", "ThemedSystem"]),
    tests("ThemeInterfaceTests", ["ThemeInterface", "ThemeModel", "ThemedVarlink", "ThemedSystem"]),
    .testTarget(
      name: "ThemeAppsTests",
      dependencies: ["ThemeApps", "ThemeModel", "ThemedTestSupport", "ThemedSystem"],
      exclude: ["Builders"], swiftSettings: settings),
    tests(
      "ThemeDaemonTests",
      [
        "ThemeDaemon", "ThemedSystem", "ThemeModel", "ThemedVarlink", "ThemeInterface", "ThemedDBus", "CThemedGLib",
        "CThemedLinux", "ThemedTestSupport",
      ]),
    tests(
      "ThemeClientTests",
      [
        "ThemeClient", "ThemeInterface", "ThemeModel", "ThemedVarlink", "ThemedSystem", "CThemedLinux",
        "ThemedTestSupport",
      ]),
    tests(
      "ThemeSetupTests",
      [
        "ThemeSetup", "ThemeApps", "ThemeModel", "ThemeInterface", "ThemeClientCore", "ThemedVarlink",
        "ThemedKeyFileOracle", "ThemedTestSupport", "ThemedSystem", "CThemedLinux",
      ]),
    tests(
      "ThemectlTests",
      [
        "themectl", "ThemeSetup", "ThemeModel", "ThemeInterface", "ThemeClient", "ThemeClientCore", "ThemedVarlink",
        "ThemedKeyFileOracle", "ThemedTestSupport", "ThemedSystem", "CThemedLinux",
      ]),
    tests(
      "ThemeApplyTests",
      [
        "ThemeApply", "ThemeApps", "ThemeClient", "ThemeInterface", "ThemeModel", "ThemedVarlink", "ThemedSystem",
        "CThemedLinux", "ThemedTestSupport",
      ]),
    tests(
      "ThemePortalTests", ["ThemePortal", "ThemeClient", "ThemedDBus", "ThemedTestSupport", "ThemedSystem"]),
    tests("ThemeTrayTests", ["ThemeTray", "ThemeClient", "ThemedDBus", "ThemedSystem"]),
    tests("CertificationTests", ["ThemedVarlink", "ThemeClientCore", "ThemedSystem", "ThemedTestSupport"]),
    tests(
      "StoryTests",
      ["ThemedTestSupport", "ThemeClient", "ThemeModel", "ThemedVarlink", "ThemedSystem"]),
    // What the fuzzer runs (tools/fuzz), with what it once found.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ThemeDaemon", "themectl", "ThemeSetup", "ThemeClientCore", "ThemeApps", "ThemedDBus", "ThemedVarlink",
        "ThemeInterface", "ThemeModel", "ThemedSystem", "ThemedKeyFileOracle", "ThemedTestSupport",
      ], path: "Tests/Fuzz", exclude: ["corpus.tar.gz", "dictionaries"], swiftSettings: settings),
    .testTarget(
      name: "AttackTests", dependencies: ["ThemedTestSupport"], path: "Tests/Attacks/Suite", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
