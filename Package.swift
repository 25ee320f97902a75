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

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
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

    // Pure: the standard library alone.
    target("ThemedText", []),
    target("ThemeResolution", ["ThemedText"]),
    target("ThemeModel", ["ThemeResolution", "ThemedText"]),
    target("ThemeSchedule", ["ThemeResolution", "ThemedText"]),
    target("ThemedVarlink", ["ThemedText"]),
    target("ThemeApps", ["ThemeModel", "ThemeResolution", "ThemedText"]),
    target("ThemeInterface", ["ThemeResolution", "ThemeModel", "ThemedVarlink", "ThemedText"]),

    // Thin shells around the system's interfaces.
    target("ThemedUnix", ["CThemedLinux", "ThemedText"]),
    target("ThemeFiles", ["ThemeModel", "ThemedUnix", "ThemedText"]),
    target("ThemedLoop", ["CThemedGLib", "CThemedLinux", "ThemedUnix", "ThemedText"]),
    target("ThemedDBus", ["CThemedDBus", "ThemedLoop", "ThemedText"]),
    target("ThemedLog", ["CThemedLinux", "ThemedUnix", "ThemedText"]),

    // The daemon.
    target(
      "ThemeDaemon",
      [
        "ThemedText", "ThemeResolution", "ThemeModel", "ThemeSchedule", "ThemedVarlink", "ThemeInterface", "ThemedUnix",
        "ThemeFiles", "ThemeClientCore", "CThemedGLib", "CThemedLinux",
        "ThemedLoop", "ThemedDBus", "ThemedLog",
      ]),
    // As it is installed it is themed-apply and themed-portal, too, by these names.
    executable(
      "themed",
      [
        "ThemeDaemon", "ThemeApply", "ThemePortalProgram", "ThemeInterface", "ThemedLog", "ThemedText", "ThemedUnix",
        "CThemedGLib",
      ]),

    // Its clients.
    // Without tasks, whose runtime alone is a tenth of a MiB that each process writes to.
    target(
      "ThemeClientCore",
      ["ThemeResolution", "ThemeModel", "ThemedVarlink", "ThemeInterface", "ThemedUnix", "CThemedLinux", "ThemedText"]),
    target(
      "ThemeClient",
      ["ThemeClientCore", "ThemeResolution", "ThemedVarlink", "ThemeInterface", "ThemedUnix", "ThemedText"]),
    // A backend of the settings portal: what it answers and says, pure, and the program.
    target("ThemePortalBackend", ["ThemeClientCore", "ThemedDBus", "ThemedText"]),
    target(
      "ThemePortalProgram",
      [
        "ThemePortalBackend", "ThemeClientCore", "ThemeInterface", "ThemedDBus", "ThemedLoop", "ThemedLog",
        "ThemedUnix", "ThemedText",
      ]),
    executable("themed-portal", ["ThemePortalProgram"]),
    executable(
      "themectl",
      [
        "ThemeClientCore", "ThemeApps", "ThemeInterface", "ThemeModel", "ThemeResolution", "ThemeFiles", "ThemedUnix",
        "ThemedVarlink", "CThemedLinux", "CThemedYAML", "ThemedText", argumentParser,
      ]),

    // What keeps those up to date that are no clients.
    target(
      "ThemeApply",
      [
        "ThemeApps", "ThemeClientCore", "ThemeFiles", "ThemeInterface", "ThemeModel", "ThemeResolution",
        "ThemedVarlink",
        "ThemedUnix", "ThemedLog", "ThemedText", "CThemedLinux", "CThemedDBus",
      ]),
    executable("themed-apply", ["ThemeApply"]),

    // A program that follows themes, for its readers. Never installed.
    executable("themed-example", ["ThemeClient"]),
    // The same in a loop of GLib's.
    executable("themed-example-glib", ["ThemeClient", "CThemedGLib"]),
    // The same in a terminal, in a loop of its own around poll.
    executable("themed-example-poll", ["ThemeClient"]),

    .executableTarget(name: "themed-load", path: "Tests/Load"),
    // What a sandbox may deny, tried one by one.
    .executableTarget(name: "themed-probe", path: "Tests/Probe"),
    // Those who attack the daemon, and those who watch it meanwhile.
    .executableTarget(name: "themed-attacker", dependencies: ["CThemedDBus"], path: "Tests/Attacks/Driver"),
    .target(name: "ThemedSpawning", path: "Tests/Spawn"),
    .target(
      name: "ThemedTestSupport", dependencies: ["ThemedSpawning", "ThemedText"], path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    // A portal that misbehaves as a test tells it to: a program, so that it can be killed. Never installed.
    .executableTarget(
      name: "themed-fake-portal", dependencies: ["CThemedDBus"], path: "Tests/FakePortal", swiftSettings: settings),
    // GLib's reader of key files, which ours is compared with.
    .target(
      name: "ThemedKeyFileOracle", dependencies: ["CThemedGLib", "ThemeModel", "ThemedText"],
      path: "Tests/KeyFileOracle",
      swiftSettings: settings),
    tests("TestSupportTests", ["ThemedTestSupport"]),
    tests("ForeignTextTests", ["ThemedText"]),
    tests("AppearanceTests", ["ThemeResolution", "ThemedText"]),
    tests("ThemesTests", ["ThemeModel", "ThemeResolution", "ThemedKeyFileOracle", "ThemedTestSupport", "ThemedText"]),
    tests("ThemeScheduleTests", ["ThemeSchedule", "ThemeResolution", "ThemedTestSupport", "ThemedText"]),
    tests("VarlinkTests", ["ThemedVarlink", "ThemedTestSupport", "ThemedText"]),
    tests("ThemeInterfaceTests", ["ThemeInterface", "ThemeResolution", "ThemeModel", "ThemedVarlink", "ThemedText"]),
    .testTarget(
      name: "ThemeAppsTests",
      dependencies: ["ThemeApps", "ThemeFiles", "ThemeModel", "ThemeResolution", "ThemedTestSupport", "ThemedText"],
      exclude: ["Builders"], swiftSettings: settings),
    tests("ThemeFilesTests", ["ThemeFiles", "ThemedTestSupport", "ThemedText"]),
    tests("DBusTests", ["ThemedDBus", "ThemedLoop", "ThemedUnix", "ThemedText", "ThemedTestSupport"]),
    tests("ThemedLogTests", ["ThemedLog", "ThemedUnix", "CThemedLinux", "ThemedTestSupport", "ThemedText"]),
    tests(
      "ThemeDaemonTests",
      [
        "ThemeDaemon", "ThemedLog", "ThemeResolution", "ThemeModel", "ThemeSchedule", "ThemedVarlink", "ThemeInterface",
        "ThemedDBus", "ThemedLoop", "ThemedUnix", "CThemedGLib",
        "CThemedLinux", "ThemedTestSupport", "ThemedText",
      ]),
    tests(
      "ThemeClientTests",
      [
        "ThemeClient", "ThemeInterface", "ThemeModel", "ThemeResolution", "ThemedVarlink", "ThemedUnix", "CThemedLinux",
        "ThemedTestSupport", "ThemedText",
      ]),
    tests(
      "ThemectlTests",
      [
        "themectl", "ThemeResolution", "ThemeModel", "ThemeInterface", "ThemeClient", "ThemeClientCore",
        "ThemedVarlink",
        "ThemedKeyFileOracle",
        "ThemedTestSupport", "ThemedText",
        "ThemedUnix", "CThemedLinux",
      ]),
    tests(
      "ThemeApplyTests",
      [
        "ThemeApply", "ThemeApps", "ThemeClient", "ThemeModel", "ThemeResolution", "ThemedVarlink", "ThemedUnix",
        "ThemedLog", "CThemedLinux", "ThemedTestSupport", "ThemedText",
      ]),
    tests(
      "ThemePortalBackendTests", ["ThemePortalBackend", "ThemeClient", "ThemedDBus", "ThemedTestSupport", "ThemedText"]),
    tests("CertificationTests", ["ThemedVarlink", "ThemeClientCore", "ThemedUnix", "ThemedTestSupport", "ThemedText"]),
    tests(
      "StoryTests",
      ["ThemedTestSupport", "ThemeClient", "ThemeModel", "ThemeResolution", "ThemedVarlink", "ThemedText"]),
    // What the fuzzer runs (contrib/fuzz), with what it once found.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ThemeDaemon", "themectl", "ThemeClientCore", "ThemeApps", "ThemedDBus", "ThemedVarlink", "ThemeInterface",
        "ThemeModel",
        "ThemeResolution", "ThemedUnix",
        "ThemedText", "ThemedKeyFileOracle", "ThemedTestSupport",
      ], path: "Tests/Fuzz", exclude: ["corpus.tar.gz", "dictionaries"], swiftSettings: settings),
    .testTarget(
      name: "AttackTests", dependencies: ["ThemedTestSupport"], path: "Tests/Attacks/Suite", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
