// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Modules that read and write text, draw pages, or run once. Of the time to compile them, the
// optimiser takes four fifths (Exporting: 25.5 s of CPU, 5.1 s without), and runs spend no time in
// them. Scenario and Preparing are not among them, because each command reads all scenarios, and
// each build of an app prepares its sources.
let textModules: Set = [
  "InputFiles", "Timelines", "Reporting", "Exporting", "Catalogue", "Calibration",
  "CodeReporting", "FaultlineTool", "MutantTool", "OtherImplementations",
]

// The package manager refuses unsafe flags in a package that it has fetched by URL. It keeps such
// packages in a folder `checkouts`. There everything is compiled as usual.
func flags(_ flags: String...) -> [SwiftSetting] {
  Context.packageDirectory.contains("/checkouts/")
    ? [] : [.unsafeFlags(flags, .when(configuration: .release))]
}

// The settings of a module. A separate job for the interface would compile the module twice, and
// no module begins earlier because of it.
func settings(of module: String) -> [SwiftSetting] {
  strict + flags("-no-emit-module-separately-wmo")
    + (textModules.contains(module) ? flags("-Onone", "-assert-config", "Release") : [])
}

func dependencies(_ modules: [String]) -> [Target.Dependency] {
  modules.map { .byName(name: $0) }
}

// The floors of the sources, from the ground up: folders of Sources with their modules. A module
// imports modules of its own floor and of the floors below. The library `Faultline`, between the
// floors AppCode and Products, has a folder of its own, because its documentation is linked from
// elsewhere.
let floors: KeyValuePairs = [
  "Base": ["Determinism", "Prose", "PropertyTesting"],
  "Language": ["ObjectModel", "Vocabulary", "Failures", "Scenario", "InputFiles"],
  "Engine": ["SimulatedDispatch", "SimulatedCoreData"],
  "Oracle": ["ReferenceModel", "ReferenceDispatch"],
  "Running": ["Generation", "Invariants", "Execution", "ScenarioChecking"],
  "Analysis": ["Diagnosis", "Shrinking"],
  "Results": [
    "Timelines", "Campaigns", "Reporting", "Exporting", "Calibration", "Catalogue",
  ],
  "AppCode": [
    "LiveCode", "CodeReporting", "CoreData", "Combine", "PlatformValues", "UIKit", "AppKit",
    "CoreLocation", "_Testing_UIKit", "_Testing_AppKit", "CoreDataXCTest", "CoreDataTesting",
    "Preparing", "PrepareTool", "FaultlinePrepare",
  ],
  "Products": ["FaultlineTesting", "FaultlineTool", "FaultlineFuzzer"],
  "Project": ["FaultlineBench", "MutantTool"],
]

func path(of module: String) -> String {
  let floor = floors.first { $0.value.contains(module) }?.key
  return "Sources/" + (floor.map { $0 + "/" } ?? "") + module
}

// Styles and scripts of pages. A module has their bytes, so that a page needs no file beside it.
let embedded: KeyValuePairs = [
  "Timelines": [
    "Pages/Resources/page.css", "Pages/Resources/page.js", "Pages/Resources/run.css",
    "Pages/Resources/run.js", "Pages/Resources/run-state.js", "Pages/Resources/tabs.css",
    "Pages/Resources/tabs.js",
  ],
  "Reporting": ["Resources/campaign.css", "Resources/campaign.js"],
  "Catalogue": ["Resources/book.css", "Resources/book.js"],
]

func module(_ name: String, _ uses: [String], settings extra: [SwiftSetting] = []) -> Target {
  let files = embedded.first { $0.key == name }?.value ?? []
  return .target(
    name: name, dependencies: dependencies(uses), path: path(of: name),
    resources: files.map { .embedInCode($0) }, swiftSettings: settings(of: name) + extra)
}

func executable(_ name: String, _ uses: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies(uses), path: path(of: name),
    swiftSettings: settings(of: name))
}

func module(_ name: String, _ uses: String..., settings extra: [SwiftSetting] = []) -> Target {
  module(name, uses, settings: extra)
}

// Tests run against optimised modules (`make test` is a release build), which saves minutes. Tests
// that are optimised themselves would cost as many.
let tested = strict + flags("-Onone", "-no-emit-module-separately-wmo")

func tests(of name: String, _ uses: [String]) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies([name] + uses.filter { $0 != name }),
    swiftSettings: tested)
}

func tests(of name: String, _ uses: String...) -> Target {
  tests(of: name, uses)
}

// What everything that looks at the engine sees of it.
let engine = ["Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary", "SimulatedCoreData"]

// The modules that tests of runs and of failures import.
let runs =
  engine + [
    "Scenario", "InputFiles", "Failures", "Invariants", "Execution", "ScenarioChecking",
    "TestSupport",
  ]

let everything =
  engine + [
    "Prose", "ReferenceModel", "ReferenceDispatch", "Scenario", "PropertyTesting", "InputFiles",
    "Generation",
    "Failures", "Invariants", "Execution", "Diagnosis", "ScenarioChecking", "Shrinking",
    "Timelines", "Campaigns",
    "Reporting", "Catalogue", "Faultline", "Preparing", "Exporting", "Calibration",
  ]

// libFuzzer goes where the engine has branches that it has not seen: only there they are counted.
let instrumented: [SwiftSetting] =
  Context.environment["FAULTLINE_LIBFUZZER"] == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])]

// An app's code is compiled against the simulated Core Data where there is none of Apple's.
#if os(Linux)
  let liveModules = ["LiveCode", "CodeReporting", "PropertyTesting"]
  let codeModules = ["LiveCode", "CodeReporting", "CoreData"]
  let liveProducts: [Product] = [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "UIKit", targets: ["UIKit", "_Testing_UIKit"]),
    .library(name: "AppKit", targets: ["AppKit", "_Testing_AppKit"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "CoreDataXCTest", targets: ["CoreDataXCTest"]),
    .library(name: "CoreDataTesting", targets: ["CoreDataTesting"]),
    .executable(name: "faultline-prepare", targets: ["PrepareTool"]),
    .plugin(name: "FaultlinePrepare", targets: ["FaultlinePrepare"]),
  ]
  let liveTargets: [Target] = [
    module(
      "LiveCode",
      engine + [
        "PropertyTesting", "Scenario", "Failures", "Invariants", "Execution", "Timelines",
      ]),
    // What a failure of code is told as.
    module(
      "CodeReporting",
      engine + [
        "LiveCode", "PropertyTesting", "Scenario", "Failures", "Execution", "Diagnosis",
        "ScenarioChecking", "Shrinking", "Timelines", "Campaigns", "Reporting", "Prose",
      ]),
    module("CoreData", engine + ["InputFiles", "Execution", "LiveCode"]),
    // Values of Apple's platforms that attributes keep, for sources that import these modules.
    module("PlatformValues"),
    module("UIKit", "PlatformValues"),
    module("AppKit", "PlatformValues"),
    module("_Testing_UIKit"),
    module("_Testing_AppKit"),
    module("CoreLocation"),
    // Apple's Combine in virtual time.
    module("Combine", "CoreData"),
    // XCTest under the simulation: an app's tests as they are.
    module("CoreDataXCTest", engine + ["CoreData", "LiveCode", "Execution", "CodeReporting"]),
    // Swift Testing under the simulation, likewise.
    module("CoreDataTesting", engine + ["LiveCode", "Execution", "CodeReporting"]),
    executable("PrepareTool", ["Preparing", "InputFiles"]),
    .plugin(
      name: "FaultlinePrepare", capability: .buildTool(), dependencies: ["PrepareTool"],
      path: path(of: "FaultlinePrepare")),
    tests(
      of: "CoreData", "CoreDataXCTest", "CoreDataTesting", "UIKit", "AppKit", "CoreLocation",
      "_Testing_UIKit", "_Testing_AppKit", "Determinism", "Execution", "LiveCode",
      "ObjectModel", "Scenario", "ScenarioChecking", "Vocabulary", "CodeReporting", "Failures",
      "Faultline"),
    tests(
      of: "Combine", "CoreData", "LiveCode", "Determinism", "Execution", "SimulatedDispatch",
      "Invariants", "Vocabulary", "Faultline"),
  ]
#else
  let liveModules: [String] = []
  let codeModules: [String] = []
  let liveProducts: [Product] = []
  let liveTargets: [Target] = []
#endif

// Which module may know which other: the architecture, checked by the compiler. The edges that
// are missing matter most. The reference never sees the engine, nor the engine its tests.
let package = Package(
  name: "Faultline",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .library(name: "Faultline", targets: ["Faultline"]),
    .library(name: "FaultlineTesting", targets: ["FaultlineTesting"]),
    .executable(name: "faultline", targets: ["FaultlineTool"]),
    .executable(name: "faultline-bench", targets: ["FaultlineBench"]),
    .executable(name: "faultline-mutants", targets: ["MutantTool"]),
    .library(name: "FaultlineFuzzer", type: .static, targets: ["FaultlineFuzzer"]),
  ] + liveProducts,
  targets: [
    module("Determinism"),
    module("Prose"),
    module("SimulatedDispatch", "Determinism"),
    module("ObjectModel", "Determinism"),
    module("Vocabulary", "Determinism", "ObjectModel"),
    module(
      "SimulatedCoreData", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary",
      settings: instrumented),
    module("ReferenceModel", "Determinism", "ObjectModel", "Vocabulary"),
    module("ReferenceDispatch", "Vocabulary"),
    module("Failures", "Vocabulary"),
    module("Scenario", "Determinism", "Prose", "ObjectModel", "Vocabulary", "Failures"),
    module("PropertyTesting", "Determinism"),
    module("InputFiles", "Determinism", "Prose", "ObjectModel", "Vocabulary", "Scenario"),
    // What makes sources that are written for Apple's Core Data compile with product CoreData.
    module("Preparing", "ObjectModel", "Vocabulary", "Scenario", "InputFiles"),
    module("Generation", engine),
    module("Invariants", engine + ["Failures"]),
    module(
      "Execution",
      engine + [
        "Scenario", "PropertyTesting", "ReferenceModel", "ReferenceDispatch", "Generation",
        "Failures", "Invariants", "Prose",
      ]),
    module(
      "ScenarioChecking",
      engine + ["Scenario", "Execution", "Failures", "Invariants", "InputFiles", "Prose"]),
    // Runs the tests of a calibration package, and says what they decide. The package has a copy.
    module("Calibration"),
    // Scenarios as Swift files that need nothing but Core Data.
    module(
      "Exporting",
      engine + [
        "Scenario", "Failures", "Invariants", "Execution", "ScenarioChecking", "Timelines", "Prose",
      ]),
    // Why a program fails, which part of a design is at fault, and which failures are one finding.
    module("Diagnosis", engine + ["Failures", "Invariants", "Execution"]),
    module(
      "Shrinking",
      engine + [
        "PropertyTesting", "Generation", "Failures", "Invariants", "Execution", "Diagnosis",
        "Prose", "Scenario",
      ]),
    module(
      "Timelines",
      engine + [
        "ReferenceDispatch", "Scenario", "Failures", "Invariants", "Execution", "Prose",
      ]),
    module(
      "Campaigns",
      engine + [
        "Scenario", "PropertyTesting", "InputFiles", "Generation", "Failures", "Invariants",
        "Execution", "Diagnosis",
        "ScenarioChecking", "Shrinking", "Timelines", "Prose",
      ]),
    module(
      "Reporting",
      engine + [
        "Scenario", "PropertyTesting", "InputFiles", "Generation", "Failures", "Invariants",
        "Execution", "Diagnosis", "ScenarioChecking", "Shrinking", "Timelines", "Campaigns",
        "Prose",
      ]),
    // Swift Testing: a campaign as a trait of a test.
    module("FaultlineTesting", "Faultline"),
    module(
      "Catalogue",
      engine + [
        "Scenario", "InputFiles", "Generation", "Failures", "Invariants", "Execution",
        "ScenarioChecking",
        "Shrinking", "Timelines", "Campaigns", "Reporting", "Prose", "Exporting", "Calibration",
      ]),
    module(
      "Faultline",
      engine + [
        "Scenario", "InputFiles", "Generation", "Failures", "Invariants", "ScenarioChecking",
        "Timelines", "Execution", "Shrinking", "Campaigns", "Reporting", "Prose",
      ] + liveModules),
    executable("FaultlineTool", everything),
    // What libFuzzer calls; `make libfuzzer` links it with libFuzzer itself.
    module("FaultlineFuzzer", everything),
    // How fast all that is: measured, on demand.
    executable("FaultlineBench", everything + codeModules),
    // Programs for other implementations of Core Data, and what these answer: Tests/OTHERS.md.
    .executableTarget(
      name: "OtherImplementations", dependencies: dependencies(everything),
      path: "Tests/Others/Comparer", swiftSettings: settings(of: "OtherImplementations")),
    // Which changes of the engine campaigns notice: `make mutants`.
    executable("MutantTool", ["Determinism", "Preparing"]),
    tests(of: "Determinism"),
    tests(of: "SimulatedDispatch", "Determinism"),
    tests(of: "ObjectModel"),
    tests(
      of: "SimulatedCoreData", "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary"),
    tests(of: "ReferenceModel", "ObjectModel", "Vocabulary"),
    tests(of: "ReferenceDispatch", "ObjectModel", "Vocabulary"),
    tests(of: "Scenario", "ObjectModel", "Vocabulary"),
    tests(of: "PropertyTesting", "Determinism", "ShrinkingChallenges"),
    tests(of: "Preparing", "InputFiles"),
    // Problems by which shrinkers are compared; two test targets use them.
    .target(
      name: "ShrinkingChallenges", dependencies: ["Determinism", "PropertyTesting"],
      path: "Tests/ShrinkingChallenges", swiftSettings: strict),
    // Fixtures that the tests of several modules share. Those that need campaigns are apart, so that
    // tests of lower modules compile earlier.
    .target(
      name: "TestSupport",
      dependencies: dependencies([
        "ObjectModel", "Vocabulary", "Scenario", "InputFiles", "Failures", "Invariants",
        "Execution", "ScenarioChecking",
      ]), path: "Tests/TestSupport", swiftSettings: tested),
    .target(
      name: "CampaignSupport", dependencies: dependencies(["TestSupport", "Campaigns"]),
      path: "Tests/CampaignSupport", swiftSettings: tested),
    tests(of: "InputFiles", "ObjectModel", "Scenario", "TestSupport"),
    tests(of: "ScenarioChecking", runs + ["Generation", "Prose", "ReferenceModel"]),
    tests(of: "Invariants", runs + ["Generation", "Diagnosis", "Timelines"]),
    tests(of: "Diagnosis", runs),
    tests(of: "Timelines", runs + ["Reporting"]),
    tests(of: "Exporting", runs),
    tests(of: "Shrinking", runs + ["Generation", "Diagnosis"]),
    tests(
      of: "Campaigns",
      runs + ["Generation", "ReferenceModel", "Diagnosis", "Shrinking", "CampaignSupport"]),
    tests(
      of: "Reporting",
      runs + [
        "Generation", "Prose", "Diagnosis", "Shrinking", "Timelines", "Campaigns",
        "CampaignSupport",
      ]),
    tests(
      of: "Catalogue",
      runs + [
        "Generation", "Campaigns", "Timelines", "Exporting", "Calibration", "CampaignSupport",
      ]),
    tests(of: "Faultline", runs + ["Generation", "FaultlineTesting"]),
    // How well bugs are found, and how small their examples get: measured, on problems of its own
    // that are run some hundred thousand times.
    .testTarget(
      name: "QualityTests",
      dependencies: dependencies(everything + ["ShrinkingChallenges"]),
      swiftSettings: strict),
    tests(of: "MutantTool"),
    // The layout of the sources, and what each module may import.
    .testTarget(name: "HouseTests", swiftSettings: tested),
    // Runs the built executables.
    .testTarget(
      name: "ToolTests", dependencies: ["FaultlineTool", "FaultlineBench", "OtherImplementations"],
      swiftSettings: tested),
  ] + liveTargets
)
