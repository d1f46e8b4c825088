package import CodeReporting
import CoreData
import Execution
import Foundation
import LiveCode
public import XCTest

/// A test case that runs its tests under the simulation. Replaces `XCTestCase` in a prepared
/// module, so tests written for Apple's Core Data need no change.
///
/// The test's code is the main thread of a run. By default, the test is played once with all queues
/// in order. It fails as it would without the simulation, or by a deadlock.
///
/// The environment variable `FAULTLINE_SCHEDULES=500`, or an override of `schedules`, sets the
/// number of schedules to play. With several schedules, the invariants are also checked. A failure
/// under any schedule is shrunk and reported with the lines of the run and the cause. The report
/// also has the command that replays the schedule, and a scenario without the test's code.
open class SimulatedXCTestCase: XCTestCase {
  /// The failed assertions of the current run, or nil outside a run.
  private var assertions: [LiveAssertion]?
  /// A Boolean value that indicates whether a failure belongs to a run and is not yet a failure of
  /// the test.
  package var isInRun: Bool { assertions != nil || isPlayed }
  /// The first failed assertion of all runs, which provides the source location.
  private var first: LiveAssertion?
  /// The expectations that the test has created and not waited for.
  var expectations: [SimulatedXCTestExpectation] = []
  private let closure: XCTestCaseClosure
  /// The instance that represents the test, if this instance plays a single run of it.
  private var original: SimulatedXCTestCase?
  private var isPlayed: Bool { original != nil }

  /// Creates a test case for a test method, as XCTest does.
  public required init(name: String, testClosure: @escaping XCTestCaseClosure) {
    closure = testClosure
    super.init(name: name, testClosure: testClosure)
  }

  /// The number of schedules under which each test is played.
  open class var schedules: Int { TestPlan.ofEnvironment.schedules }

  /// The kinds of violations, by name, that do not fail a test. By default, the environment
  /// variable `FAULTLINE_ALLOW` lists them, as in `duplicate awakeFromInsert, temporary ID leak`.
  open class var allowed: [String] { TestPlan.ofEnvironment.allowed }

  /// The source locations of the test methods, indexed by name. Prepared sources override this
  /// property.
  open class var testPlaces: [String: (file: String, line: Int)] { [:] }

  /// Initializes the properties whose initial values are results of calls. Prepared sources
  /// override this method and make these properties lazy, because XCTest also creates instances
  /// outside runs.
  open func __makeProperties() {}

  /// Returns the name of the class with its module, as in Objective-C.
  open class func description() -> String { String(reflecting: self) }

  /// The name of the object's class with its module, as on macOS.
  open var className: String { String(reflecting: type(of: self)) }

  /// The location of the test method, for failures without a source location.
  private var ownPlace: (file: String, line: Int) {
    let method = String(name.split(separator: ".").last ?? "")
    return type(of: self).testPlaces[method] ?? ("", 0)
  }

  /// The test run of the represented test. An instance that plays a run adds a skip only once, so
  /// the value is nil after a skip.
  open override var testRun: XCTestRun? {
    guard let original else { return super.testRun }
    return original.testRun.flatMap { $0.hasBeenSkipped ? nil : $0 }
  }

  /// Plays the test with separate instances, each from `setUp` to `tearDown`.
  open override func invokeTest() {
    if isPlayed {
      RealRunLoop.letSimulationGoOn()
      return super.invokeTest()
    }
    var plan = TestPlan.ofEnvironment
    (plan.schedules, plan.allowed) = (type(of: self).schedules, type(of: self).allowed)
    play(by: plan)
  }

  /// Plays the test according to the plan and reports failures.
  package func play(by plan: TestPlan) {
    if !plan.problems.isEmpty {
      for problem in plan.problems { report(problem, at: ownPlace) }
      return
    }
    let failures = plan.failures(
      of: LiveCampaign { [unowned self] _ in try play() }, test: name, filter: filter)
    // A run that ended in the middle of the test has left these assertions.
    let pending = assertions?.first
    assertions = nil
    if let pending, !failures.contains(where: \.isAssertion) {
      report(pending.description, at: (pending.file, pending.line))
    }
    for failure in failures {
      let place = failure.isAssertion ? first.map { ($0.file, $0.line) } : nil
      report(failure.description, at: place ?? ownPlace)
    }
  }

  private func report(_ text: String, at place: (file: String, line: Int)) {
    recordFailure(
      withDescription: text, inFile: place.file, atLine: place.line, expected: true)
  }

  /// The regular expression that selects the test on the command line. XCTest's name
  /// `StockTests.testImport` corresponds to `Module.StockTests/testImport` there.
  private var filter: String {
    name.split(separator: ".").map(CodeOrigin.escaped).joined(separator: "/") + "$"
  }

  /// Plays a run with another instance, whose properties are initialized in the run.
  private func play() throws {
    assertions = []
    defer { assertions = nil }
    CallingModules.note(moduleOf: type(of: self))
    let player = type(of: self).init(name: name, testClosure: closure)
    player.original = self
    player.__makeProperties()
    player.invokeTest()
    if let failure = assertions?.first {
      if first == nil { first = failure }
      throw failure
    }
  }

  /// Records a failure. Failures of runs are reported after all runs have been played.
  open override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    if let original {
      return original.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    guard assertions != nil else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    // An error that the test throws has no source location.
    let place = lineNumber > 0 ? (filePath, lineNumber) : ownPlace
    assertions?.append(LiveAssertion(description, file: place.0, line: place.1))
  }
}
