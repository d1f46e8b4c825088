// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Tests run against optimised modules (`make test` is a release build), which saves minutes; that they
// are optimised themselves would cost as many.
let tested = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func module(_ name: String, _ uses: String..., settings: [SwiftSetting] = []) -> Target {
  .target(
    name: name, dependencies: uses.map { .byName(name: $0) }, swiftSettings: strict + settings)
}

func tests(of name: String, _ uses: String...) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ([name] + uses).map { .byName(name: $0) },
    swiftSettings: tested)
}

// libFuzzer goes where the engine has branches that it has not seen: only there they are counted.
let instrumented: [SwiftSetting] =
  Context.environment["FAULTLINE_LIBFUZZER"] == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])]

// Which module may know which other: the architecture, checked by the compiler. The edges that
// are missing matter most. The reference never sees the engine, nor the engine its tests.
let package = Package(
  name: "Faultline",
  // What Synchronization needs.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Faultline", targets: ["Faultline"]),
    .executable(name: "faultline", targets: ["FaultlineTool"]),
    .executable(name: "faultline-bench", targets: ["FaultlineBench"]),
    .library(name: "FaultlineFuzzer", type: .static, targets: ["FaultlineFuzzer"]),
  ],
  targets: [
    module("Determinism"),
    module("SimulatedDispatch", "Determinism"),
    module("ObjectModel", "Determinism"),
    module("Vocabulary", "Determinism", "ObjectModel"),
    module(
      "SimulatedCoreData", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
      settings: instrumented),
    module("ReferenceModel", "Determinism", "ObjectModel", "Vocabulary"),
    module("Scenario", "Determinism", "ObjectModel", "Vocabulary"),
    module("PropertyTesting", "Determinism"),
    module(
      "Faultline", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
      "SimulatedCoreData", "ReferenceModel", "Scenario", "PropertyTesting"),
    .executableTarget(
      name: "FaultlineTool",
      dependencies: [
        "Faultline", "Determinism", "ObjectModel", "Vocabulary", "Scenario", "SimulatedCoreData",
      ],
      swiftSettings: strict),
    // What libFuzzer calls; `make libfuzzer` links it with libFuzzer itself.
    module(
      "FaultlineFuzzer", "Faultline", "Determinism", "Vocabulary", "SimulatedCoreData", "Scenario"),
    // How fast all that is: measured, on demand.
    .executableTarget(
      name: "FaultlineBench",
      dependencies: [
        "Faultline", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
        "SimulatedCoreData", "Scenario", "PropertyTesting",
      ],
      swiftSettings: strict),
    tests(of: "Determinism"),
    tests(of: "SimulatedDispatch", "Determinism"),
    tests(of: "ObjectModel"),
    tests(
      of: "SimulatedCoreData", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary"),
    tests(of: "ReferenceModel", "ObjectModel", "Vocabulary"),
    tests(of: "Scenario", "ObjectModel", "Vocabulary"),
    tests(of: "PropertyTesting", "Determinism", "ShrinkingChallenges"),
    // Problems by which shrinkers are compared; two test targets use them.
    .target(
      name: "ShrinkingChallenges", dependencies: ["Determinism", "PropertyTesting"],
      path: "Tests/ShrinkingChallenges", swiftSettings: strict),
    tests(
      of: "Faultline", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
      "SimulatedCoreData", "ReferenceModel", "Scenario", "PropertyTesting"),
    // How well bugs are found, and how small their examples get: measured.
    .testTarget(
      name: "QualityTests",
      dependencies: [
        "Faultline", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
        "SimulatedCoreData", "Scenario", "PropertyTesting", "ShrinkingChallenges",
      ],
      swiftSettings: tested),
    // Runs the built executables.
    .testTarget(
      name: "ToolTests", dependencies: ["FaultlineTool", "FaultlineBench"], swiftSettings: tested),
  ]
)
