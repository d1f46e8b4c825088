// swift-tools-version: 6.2
import PackageDescription

// An app's tests that use Faultline. Yours would name a version:
// .package(url: "…", from: "…").
let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Faultline", path: "../..")],
  targets: [
    .testTarget(
      name: "NotesTests",
      dependencies: [.product(name: "Faultline", package: "Faultline")],
      exclude: ["Notes.model", "Form.stack", "Main.stack", "Scenarios"])
  ]
)
