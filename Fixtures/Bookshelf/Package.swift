// swift-tools-version: 6.2
import PackageDescription

// An app's stack and its tests, as they are written for Apple's Core Data: nothing but this file
// and Simulated.swift of each target knows of Faultline.
func simulated(_ name: String) -> Target.Dependency { .product(name: name, package: "Faultline") }
let plugins: [Target.PluginUsage] = [.plugin(name: "FaultlinePrepare", package: "Faultline")]

let package = Package(
  name: "Bookshelf",
  dependencies: [.package(name: "Faultline", path: "../..")],
  targets: [
    .target(
      name: "Bookshelf", dependencies: [simulated("CoreData")],
      exclude: ["Bookshelf.xcdatamodeld"], sources: ["Simulated.swift"],
      swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
    .testTarget(
      name: "BookshelfXCTests", dependencies: ["Bookshelf", simulated("CoreDataXCTest")],
      sources: ["Simulated.swift"], swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
    .testTarget(
      name: "BookshelfTests", dependencies: ["Bookshelf", simulated("CoreDataTesting")],
      sources: ["Simulated.swift"], swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
  ]
)
