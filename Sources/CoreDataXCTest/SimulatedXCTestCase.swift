package import CodeReporting
import CoreData
import Execution
import Foundation
import LiveCode
public import XCTest

/// A test case whose tests run under the simulation: takes the place of `XCTestCase` in a prepared
/// module, so that tests written for Apple's Core Data need no change.
///
/// The test's code is the main thread of a run. It is played once, with all queues in order, and
/// fails as it does elsewhere, or by a deadlock. With the environment variable
/// `FAULTLINE_SCHEDULES=500`, or an override of `schedules`, it is played in as many orders as
/// that, and the invariants are asked, too: what fails in any order is shrunk and reported with
/// what happened, line for line, why, the command that plays that order again, and a scenario of it
/// without the code.
open class SimulatedXCTestCase: XCTestCase {
  /// Those of the run that is played; nil outside of one.
  private var assertions: [LiveAssertion]?
  /// Whether a failure is one of a run, and not yet of the test.
  package var isInRun: Bool { assertions != nil || isPlayed }
  /// The first of any run, for its place in the source.
  private var first: LiveAssertion?
  /// Those that the test has made and not waited for.
  var expectations: [SimulatedXCTestExpectation] = []
  private let closure: XCTestCaseClosure
  /// Of an instance that is played, once: the instance that stands for the test.
  private var original: SimulatedXCTestCase?
  private var isPlayed: Bool { original != nil }

  /// A test case for a test method, as XCTest makes it.
  public required init(name: String, testClosure: @escaping XCTestCaseClosure) {
    closure = testClosure
    super.init(name: name, testClosure: testClosure)
  }

  /// In how many orders each test is played.
  open class var schedules: Int { TestPlan.ofEnvironment.schedules }

  /// Kinds of violations that fail no test, by name: those of the environment variable
  /// `FAULTLINE_ALLOW`, as `duplicate awakeFromInsert, temporary ID leak`.
  open class var allowed: [String] { TestPlan.ofEnvironment.allowed }

  /// Where the methods of the class are that are tests, by name. Overridden in prepared sources.
  open class var testPlaces: [String: (file: String, line: Int)] { [:] }

  /// Makes the properties that begin with what a call answers. Overridden in prepared sources,
  /// where these properties are lazy: XCTest makes instances outside of runs, too.
  open func __makeProperties() {}

  /// The name of the class, with its module, as Objective-C gives it to every class.
  open class func description() -> String { String(reflecting: self) }

  /// The name of the object's class, with its module, as on macOS.
  open var className: String { String(reflecting: type(of: self)) }

  /// A failure that has no place of its own is one of the test method.
  private var ownPlace: (file: String, line: Int) {
    let method = String(name.split(separator: ".").last ?? "")
    return type(of: self).testPlaces[method] ?? ("", 0)
  }

  /// That of the test. A played instance adds to it that the test is skipped, the first time.
  open override var testRun: XCTestRun? {
    guard let original else { return super.testRun }
    return original.testRun.flatMap { $0.hasBeenSkipped ? nil : $0 }
  }

  /// Plays the test: other instances of it, from `setUp` to `tearDown`.
  open override func invokeTest() {
    if isPlayed {
      RealRunLoop.letSimulationGoOn()
      return super.invokeTest()
    }
    var plan = TestPlan.ofEnvironment
    (plan.schedules, plan.allowed) = (type(of: self).schedules, type(of: self).allowed)
    play(by: plan)
  }

  /// Plays the test as the plan has it, and reports what fails.
  package func play(by plan: TestPlan) {
    if !plan.problems.isEmpty {
      for problem in plan.problems { report(problem, at: ownPlace) }
      return
    }
    let failures = plan.failures(
      of: LiveCampaign { [unowned self] _ in try play() }, test: name, filter: filter)
    // A run that ended in the middle of the test has left them.
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

  /// `StockTests.testImport`, as XCTest names it, is `Module.StockTests/testImport` there.
  private var filter: String {
    name.split(separator: ".").map(CodeOrigin.escaped).joined(separator: "/") + "$"
  }

  /// Plays another instance, whose properties are made in the run.
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

  /// A failure of a run is reported when all have been played.
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
    // An error that the test throws has no place.
    let place = lineNumber > 0 ? (filePath, lineNumber) : ownPlace
    assertions?.append(LiveAssertion(description, file: place.0, line: place.1))
  }
}
