// swift-tools-version: 6.2
import PackageDescription

// An app's tests that use Faultline. Yours would name a version:
// .package(url: "…", from: "…").
// The app's own code. On a Mac it has Apple's Core Data, which no scheduler controls.
#if os(Linux)
  let codeTargets: [Target] = [
    .target(
      name: "NotesApp", dependencies: [.product(name: "CoreData", package: "Faultline")]),
    .testTarget(
      name: "NotesAppTests",
      dependencies: ["NotesApp", .product(name: "Faultline", package: "Faultline")]),
  ]
#else
  let codeTargets: [Target] = []
#endif

let package = Package(
  name: "Example",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Faultline", path: "../..")],
  targets: [
    .testTarget(
      name: "NotesTests",
      dependencies: [.product(name: "Faultline", package: "Faultline")],
      exclude: ["Notes.model", "Form.stack", "Main.stack", "Scenarios"])
  ] + codeTargets
)
