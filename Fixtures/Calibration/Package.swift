// swift-tools-version: 6.0
import PackageDescription

// On a Mac the tests need nothing but Core Data. On Linux they are compiled with product `CoreData`
// of the checkout of Faultline that the environment variable FAULTLINE_CHECKOUT names.
#if os(Linux)
  let faultline: [Package.Dependency] = [
    .package(name: "Faultline", path: Context.environment["FAULTLINE_CHECKOUT"] ?? "../..")
  ]
  let tests: Target = .testTarget(
    name: "CalibrationTests",
    dependencies: [.product(name: "CoreDataXCTest", package: "Faultline")],
    sources: ["Simulated.swift"],
    swiftSettings: [.unsafeFlags(["-Onone"])],
    plugins: [.plugin(name: "FaultlinePrepare", package: "Faultline")])
#else
  let faultline: [Package.Dependency] = []
  let tests: Target = .testTarget(name: "CalibrationTests")
#endif

let package = Package(
  name: "Calibration",
  platforms: [.macOS(.v13)],
  dependencies: faultline,
  targets: [
    // What './calibrate' does, from the sources of Faultline.
    .target(name: "Calibrating"),
    .executableTarget(name: "Calibrate", dependencies: ["Calibrating"]),
    // Starts the recorder of results when the tests are loaded.
    .target(name: "Loading"),
    .testTarget(name: "HarnessTests", dependencies: ["Loading"]),
    tests,
  ],
  swiftLanguageModes: [.v5]
)
