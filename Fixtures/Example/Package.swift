// swift-tools-version: 6.2
import PackageDescription

// An app's tests that use Faultline. Yours would name a version:
// .package(url: "…", from: "…").
// The app's own code. On a Mac it has Apple's Core Data, which no scheduler controls. On Linux the
// plugin prepares all sources and models but the one file that is named.
#if os(Linux)
  func simulated(_ name: String) -> Target.Dependency { .product(name: name, package: "Faultline") }
  let plugins: [Target.PluginUsage] = [.plugin(name: "FaultlinePrepare", package: "Faultline")]
  let codeTargets: [Target] = [
    .target(
      name: "NotesApp", dependencies: [simulated("CoreData")], exclude: ["Notes.xcdatamodeld"],
      sources: ["Simulated.swift"], plugins: plugins),
    .testTarget(
      name: "NotesAppTests", dependencies: ["NotesApp", simulated("Faultline")]),
    // Stacks that articles about Core Data describe, in the Swift of apps as old as those.
    .target(
      name: "ArticleStacks", dependencies: [simulated("CoreData")],
      exclude: ["Company.xcdatamodeld"], sources: ["Simulated.swift"],
      swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
    .testTarget(
      name: "ArticleStacksTests", dependencies: ["ArticleStacks", simulated("Faultline")]),
    // Tests that were written without Faultline.
    .testTarget(
      name: "NotesAppXCTests", dependencies: ["NotesApp", simulated("CoreDataXCTest")],
      sources: ["Simulated.swift"], plugins: plugins),
    .testTarget(
      name: "NotesAppSwiftTests", dependencies: ["NotesApp", simulated("CoreDataTesting")],
      sources: ["Simulated.swift"], plugins: plugins),
  ]
#else
  let codeTargets: [Target] = []
#endif

let package = Package(
  name: "Example",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [.package(name: "Faultline", path: "../..")],
  targets: [
    .testTarget(
      name: "NotesTests",
      dependencies: [
        .product(name: "Faultline", package: "Faultline"),
        .product(name: "FaultlineTesting", package: "Faultline"),
      ],
      exclude: ["Notes.model", "Form.stack", "Main.stack", "Reader.stack", "Scenarios"])
  ] + codeTargets
)
