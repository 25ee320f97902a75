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
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "themed",
  products: [
    .executable(name: "themed", targets: ["themed"]),
    .executable(name: "themectl", targets: ["themectl"]),
    .library(name: "ThemeClient", targets: ["ThemeClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // One C library each: a module map and a header, no logic.
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Pure: the standard library alone.
    target("ForeignText", []),
    target("Appearance", ["ForeignText"]),
    target("Themes", ["Appearance", "ForeignText"]),
    target("Varlink", ["ForeignText"]),
    target("ThemeInterface", ["Appearance", "Themes", "Varlink", "ForeignText"]),

    // Thin shells around the system's interfaces.
    target("Unix", ["CLinux", "ForeignText"]),
    target("ThemeFiles", ["Themes", "Unix", "ForeignText"]),
    target("MainLoop", ["CGLib", "CLinux", "Unix", "ForeignText"]),
    target("DBus", ["CDBus", "MainLoop", "ForeignText"]),

    // The daemon.
    target(
      "ThemeDaemon",
      [
        "ForeignText", "Appearance", "Themes", "Varlink", "ThemeInterface", "Unix", "ThemeFiles", "CGLib", "CLinux",
        "MainLoop", "DBus", logging,
      ]),
    executable("themed", ["ThemeDaemon", "ThemeInterface", "ForeignText", "Unix", "CGLib"]),

    // Its clients.
    target("ThemeClient", ["Appearance", "Themes", "Varlink", "ThemeInterface", "Unix", "CLinux", "ForeignText"]),
    executable(
      "themectl",
      ["ThemeClient", "ThemeFiles", "Unix", "Varlink", "CLinux", "CYAML", "ForeignText", argumentParser]),

    // A program that follows themes, for its readers. Never installed.
    executable("theme-example", ["ThemeClient"]),

    .executableTarget(name: "load", path: "Tests/Load"),
    // What a sandbox may deny, tried one by one.
    .executableTarget(name: "probe", path: "Tests/Probe"),
    // Those who attack the daemon, and those who watch it meanwhile.
    .executableTarget(name: "attacker", dependencies: ["CDBus"], path: "Tests/Attacks/Driver"),
    .target(name: "Spawning", path: "Tests/Spawn"),
    .target(
      name: "TestSupport", dependencies: ["Spawning", "ForeignText"], path: "Tests/TestSupport", swiftSettings: settings
    ),
    // A portal that misbehaves as a test tells it to: a program, so that it can be killed. Never installed.
    .executableTarget(
      name: "fake-portal", dependencies: ["CDBus"], path: "Tests/FakePortal", swiftSettings: settings),
    // GLib's reader of key files, which ours is compared with.
    .target(
      name: "KeyFileOracle", dependencies: ["CGLib", "Themes", "ForeignText"], path: "Tests/KeyFileOracle",
      swiftSettings: settings),
    tests("TestSupportTests", ["TestSupport"]),
    tests("ForeignTextTests", ["ForeignText"]),
    tests("AppearanceTests", ["Appearance", "ForeignText"]),
    tests("ThemesTests", ["Themes", "Appearance", "KeyFileOracle", "TestSupport", "ForeignText"]),
    tests("VarlinkTests", ["Varlink", "TestSupport", "ForeignText"]),
    tests("ThemeInterfaceTests", ["ThemeInterface", "Appearance", "Themes", "Varlink", "ForeignText"]),
    tests("ThemeFilesTests", ["ThemeFiles", "TestSupport", "ForeignText"]),
    tests("DBusTests", ["DBus", "MainLoop", "Unix", "ForeignText", "TestSupport"]),
    tests(
      "ThemeDaemonTests",
      [
        "ThemeDaemon", "Appearance", "Themes", "Varlink", "ThemeInterface", "DBus", "MainLoop", "Unix", "CGLib",
        "CLinux", "TestSupport", "ForeignText", logging,
      ]),
    tests(
      "ThemeClientTests",
      ["ThemeClient", "ThemeInterface", "Varlink", "Unix", "CLinux", "TestSupport", "ForeignText"]),
    tests(
      "ThemectlTests",
      [
        "themectl", "Appearance", "Themes", "ThemeClient", "Varlink", "KeyFileOracle", "TestSupport", "ForeignText",
        "Unix",
      ]),
    tests("CertificationTests", ["Varlink", "ThemeClient", "Unix", "TestSupport", "ForeignText"]),
    tests("StoryTests", ["TestSupport", "ThemeClient", "Varlink"]),
    // What the fuzzer runs (contrib/fuzz), with what it once found.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "ThemeDaemon", "themectl", "ThemeClient", "DBus", "Varlink", "ThemeInterface", "Themes", "Appearance", "Unix",
        "ForeignText", "KeyFileOracle", "TestSupport",
      ], path: "Tests/Fuzz", exclude: ["corpus"], swiftSettings: settings),
    .testTarget(
      name: "AttackTests", dependencies: ["TestSupport"], path: "Tests/Attacks/Suite", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
