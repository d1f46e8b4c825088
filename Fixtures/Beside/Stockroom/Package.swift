// swift-tools-version: 6.2
import PackageDescription

// The app and its tests on Faultline. Tests/beside.py compiles the same sources with real queues.
let plugins: [Target.PluginUsage] = [.plugin(name: "FaultlinePrepare", package: "Faultline")]

let package = Package(
  name: "Stockroom",
  dependencies: [.package(name: "Faultline", path: "../../..")],
  targets: [
    .target(
      name: "Stockroom", dependencies: [.product(name: "CoreData", package: "Faultline")],
      sources: ["Simulated.swift"], swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
    .testTarget(
      name: "StockroomXCTests",
      dependencies: ["Stockroom", .product(name: "CoreDataXCTest", package: "Faultline")],
      sources: ["Simulated.swift"], swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
  ]
)
