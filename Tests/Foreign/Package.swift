// swift-tools-version:6.2
import PackageDescription

// Another project that uses ThemeClient. Its modules have names that ours have or once had, its types are called like
// ours, and it has its own version of the argument parser. tools/checks/foreign builds and runs it.
let package = Package(
  name: "foreign",
  dependencies: [
    .package(path: "../../Sources/ThemeClient"),
    .package(path: "swift-argument-parser"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(name: "ThemeModel"),
    .target(name: "ThemeApps"),
    .target(name: "Text"),
    .target(name: "Loop"),
    .executableTarget(
      name: "foreign",
      dependencies: [
        "ThemeModel", "ThemeApps", "Text", "Loop", .product(name: "ThemeClient", package: "ThemeClient"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // As a program with windows is, by the template of Xcode.
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    // The example of docs/examples.
    .executableTarget(
      name: "nio",
      dependencies: [
        .product(name: "ThemeClient", package: "ThemeClient"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ]
)
