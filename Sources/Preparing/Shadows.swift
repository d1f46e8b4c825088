import Foundation

/// The file that gives a prepared module the types of the simulation, under the names of those
/// whose place they take: a name that a module declares itself goes before an imported one.
struct Shadows {
  /// Whether the module is one of tests.
  let isTest: Bool
  /// Whether a source of the module asks for Apple's log or its locks.
  let usesLog: Bool
  /// The types that the module has itself: what it calls so is no type of the simulation.
  let declared: Set<String>
  /// Those, and others that it may have, or has in one file only.
  let mentioned: Set<String>
  /// Whether the module has `FileManager` conform to a protocol.
  let conformsFileManager: Bool
  /// A file of the module as the app has it: near it, models are looked for.
  let place: String
  /// The modules of the package.
  let modules: [String]
  /// The folder of the sources.
  let folder: String
  /// The models and mapping models of the module.
  let resources: [String]
  /// Whether the module has `Bundle.module`: SwiftPM declares it for targets with resources.
  let hasBundle: Bool
  /// What Objective-C calls classes of the module.
  let names: ObjectiveCNames

  var source: String {
    let imports =
      ["public import CoreData", "import Foundation"]
      + (isTest ? ["public import CoreDataXCTest"] : [])
    let types = Shadows.types + (isTest ? Shadows.testTypes : [])
    let aliases =
      types.filter { !declared.contains($0) }
      .map { "public typealias \($0) = Simulated\($0)" }
      + Shadows.qualifiedTypes.sorted().map { name in
        "public typealias __Foundation\(name) = "
          + (Shadows.types.contains(name) ? "Simulated\(name)" : "CoreData.\(name)")
      }
      + ["public typealias __ActorExecutor = SimulatedActorExecutor"]
      + Shadows.logTypes.filter { usesLog && !mentioned.contains($0.name) }
      .map { "public typealias \($0.name) = \($0.other)" }
    let bundle =
      hasBundle ? "" : "extension Bundle { static var module: Bundle { .main } }"
    let modules = modules.map { Preparation.literal($0) }.joined(separator: ", ")
    let resources = resources.map { Preparation.literal($0) }.joined(separator: ", ")
    let neighbours = """
      /// The modules of the package, and what stands for the bundle of this one.
      public final class __FaultlineModules: SimulatedModules {
        override public class var names: [String] { [\(modules)] }
        override public class var folder: String { \(Preparation.literal(folder)) }
        override public class var resources: [String] { [\(resources)] }
        \(names.declaration ?? "")
      }
      """
    var values = Shadows.values.replacingOccurrences(
      of: "#filePath", with: Preparation.literal(place))
    // What fulfils a public protocol has to be public.
    if conformsFileManager {
      values = values.replacingOccurrences(
        of: "extension FileManager {", with: "public extension FileManager {")
    }
    return (imports + [""] + aliases + ["", neighbours, "", bundle, "", values, ""]).joined(
      separator: "\n")
  }

  static let types = [
    "DispatchQueue", "DispatchGroup", "DispatchSemaphore", "DispatchTime", "DispatchWorkItem",
    "NotificationCenter", "Thread", "RunLoop", "Timer", "OperationQueue", "Operation",
    "BlockOperation", "NSLock", "NSRecursiveLock", "Selector", "NSExpression",
    "NSComparisonPredicate", "NSCompoundPredicate", "CVaListPointer", "SortDescriptor",
    "SystemRandomNumberGenerator",
  ]

  /// The types that a module may call `Foundation.Timer` and the like, for one where `Timer` is a
  /// type of its own. Those of Dispatch are none of Foundation's.
  static let qualifiedTypes: Set<String> = Set(
    types.filter {
      !$0.hasPrefix("Dispatch") && !["CVaListPointer", "SystemRandomNumberGenerator"].contains($0)
    } + ["ValueTransformer"])

  /// In modules that import `os`: `Logger` may be another type elsewhere.
  private static let logTypes: [(name: String, other: String)] = [
    ("Logger", "SimulatedLogger"), ("OSLog", "SimulatedOSLog"), ("OSLogType", "SimulatedLogType"),
    ("OSLogMessage", "SimulatedLogMessage"), ("OSLogPrivacy", "SimulatedLogMessage.Privacy"),
    ("OSAllocatedUnfairLock", "SimulatedUnfairLock"),
  ]

  private static let testTypes = [
    "XCTestCase", "XCTestExpectation", "XCTNSNotificationExpectation",
    "XCTNSPredicateExpectation", "XCTKVOExpectation", "XCTWaiter",
  ]
}
