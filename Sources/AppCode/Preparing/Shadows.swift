import Foundation

/// The file that declares the types of the simulation in a prepared module, under the names of the
/// types that they replace. A module's own name takes precedence over an imported name.
struct Shadows {
  /// A Boolean value that indicates whether the module contains tests.
  let isTest: Bool
  /// A Boolean value that indicates whether a source of the module uses Apple's log or its locks.
  let usesLog: Bool
  /// The types that the module itself declares. Types of the simulation must not replace these.
  let declared: Set<String>
  /// The types in `declared`, and types that are conditional or private to one file.
  let mentioned: Set<String>
  /// A Boolean value that indicates whether the module conforms `FileManager` to a protocol.
  let conformsFileManager: Bool
  /// The original path of a file of the module. Models are searched near it.
  let place: String
  /// The modules of the package.
  let modules: [String]
  /// The folder of the sources.
  let folder: String
  /// The models and mapping models of the module.
  let resources: [String]
  /// A Boolean value that indicates whether the module has `Bundle.module`. SwiftPM declares it for
  /// targets with resources.
  let hasBundle: Bool
  /// The Objective-C names of the module's classes.
  let names: ObjectiveCNames
  /// The promises in comments of the module's sources.
  let promises: [String]

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
    let modules = modules.map { literal($0) }.joined(separator: ", ")
    let resources = resources.map { literal($0) }.joined(separator: ", ")
    let promises = promises.map { literal($0) }.joined(separator: ", ")
    let neighbours = """
      /// The modules of the package, and the replacement of this module's bundle.
      public final class __FaultlineModules: SimulatedModules {
        override public class var names: [String] { [\(modules)] }
        override public class var folder: String { \(literal(folder)) }
        override public class var resources: [String] { [\(resources)] }
        override public class var promises: [String] { [\(promises)] }
        \(names.declaration ?? "")
      }
      """
    var values = Shadows.values.replacingOccurrences(
      of: "#filePath", with: literal(place))
    // A member that fulfils a requirement of a public protocol must be public.
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

  /// The types that sources may qualify, such as `Foundation.Timer` where `Timer` is another type.
  /// Types of Dispatch do not belong to Foundation.
  static let qualifiedTypes: Set<String> = Set(
    types.filter {
      !$0.hasPrefix("Dispatch") && !["CVaListPointer", "SystemRandomNumberGenerator"].contains($0)
    } + ["ValueTransformer"])

  /// The types for modules that import `os`. Elsewhere, `Logger` may be another type.
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
