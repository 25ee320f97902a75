// swift-tools-version:6.2
import PackageDescription

// A project of strangers that uses ThemeClient, and calls its own things as we might: built and run by tools/checks/foreign.
let package = Package(
  name: "foreign",
  // Wherever the clone lies, and whatever that directory is called.
  dependencies: [
    .package(name: "themed", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(name: "Unix"),
    .target(name: "Varlink"),
    .target(name: "TestSupport"),
    .executableTarget(
      name: "foreign",
      dependencies: ["Unix", "Varlink", "TestSupport", .product(name: "ThemeClient", package: "themed")],
      // As a program with windows is, by the template of Xcode.
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    // The example of docs/examples.
    .executableTarget(
      name: "nio",
      dependencies: [
        .product(name: "ThemeClient", package: "themed"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ]
)
