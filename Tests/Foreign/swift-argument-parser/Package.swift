// swift-tools-version:6.2
import PackageDescription

// The project's own version of the package that themectl uses: its identity is the same, its content is not.
let package = Package(
  name: "swift-argument-parser",
  products: [.library(name: "ArgumentParser", targets: ["ArgumentParser"])],
  targets: [.target(name: "ArgumentParser")]
)
