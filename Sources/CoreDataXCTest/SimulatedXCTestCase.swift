import CoreData
import Execution
public import Foundation
import LiveCode
import PropertyTesting
public import XCTest

/// A test case whose tests run under the simulation: takes the place of `XCTestCase` in a prepared
/// module, so that tests written for Apple's Core Data need no change.
///
/// The test's code is the main thread of a run. It is played once, with all queues in order, and
/// fails as it does elsewhere, or by a deadlock. With the environment variable
/// `FAULTLINE_SCHEDULES=500`, or an override of `schedules`, it is played in as many orders as
/// that, and the invariants are asked, too: what fails in any order is shrunk and reported with
/// what happened, line for line.
open class SimulatedXCTestCase: XCTestCase {
  /// Those of the run that is played; nil outside of one.
  private var assertions: [LiveAssertion]?
  /// Whether a failure is one of a run, and not yet of the test.
  package var isInRun: Bool { assertions != nil }
  /// The first of any run, for its place in the source.
  private var first: LiveAssertion?
  private var expectations: [SimulatedXCTestExpectation] = []
  private let closure: XCTestCaseClosure
  /// Whether it is one of the instances that are played, each once.
  private var isPlayed = false

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

  /// Plays the test: other instances of it, from `setUp` to `tearDown`.
  open override func invokeTest() {
    if isPlayed {
      RealRunLoop.letSimulationGoOn()
      return super.invokeTest()
    }
    let plan = TestPlan(schedules: type(of: self).schedules, allowed: type(of: self).allowed)
    let report = plan.report(of: LiveCampaign { [unowned self] _ in try play() })
    // A run that ended in the middle of the test has left them.
    let pending = assertions?.first
    assertions = nil
    if let pending, !report.found.contains(where: { $0.failure.kind == .assertion }) {
      recordFailure(
        withDescription: pending.description, inFile: pending.file, atLine: pending.line,
        expected: true)
    }
    for found in report.found {
      recordFailure(
        withDescription: plan.text(of: found), inFile: first?.file ?? "", atLine: first?.line ?? 0,
        expected: true)
    }
  }

  /// Plays another instance, whose properties are made in the run.
  private func play() throws {
    assertions = []
    defer { assertions = nil }
    let player = type(of: self).init(name: name, testClosure: closure)
    player.isPlayed = true
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
    guard assertions != nil else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    assertions?.append(
      LiveAssertion(description, file: filePath, line: lineNumber))
  }

  // MARK: Expectations

  /// An expectation that the test fulfills.
  public func expectation(description: String) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTestExpectation(description: description)
    expectations.append(expectation)
    return expectation
  }

  /// An expectation that a notification fulfills, if `handler` finds that it is the right one.
  @discardableResult
  public func expectation(
    forNotification name: Notification.Name, object: Any?,
    handler: ((Notification) -> Bool)?
  ) -> SimulatedXCTestExpectation {
    let expectation = expectation(description: "notification \(name.rawValue)")
    expectation.observe(name, from: object, handler)
    return expectation
  }

  /// An expectation that a notification fulfills.
  @discardableResult
  public func expectation(
    forNotification name: Notification.Name, object: Any?
  ) -> SimulatedXCTestExpectation {
    expectation(forNotification: name, object: object, handler: nil)
  }

  /// An expectation that an object fulfills once the predicate is true of it.
  @discardableResult
  public func expectation(
    for predicate: NSPredicate, evaluatedWith object: Any?, handler: (() -> Bool)? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = expectation(description: "a predicate is true")
    expectation.condition = { predicate.evaluate(with: object) && handler?() ?? true }
    return expectation
  }

  /// Lets everything go on until all expectations of the test are fulfilled, or so much virtual
  /// time has passed.
  public func waitForExpectations(timeout: TimeInterval, handler: (((any Error)?) -> Void)?) {
    let waited = expectations
    expectations = []
    let isFulfilled = SimulatedXCTWaiter.waits(for: waited, timeout)
    if !isFulfilled { complain(waited, timeout) }
    handler?(
      isFulfilled
        ? nil
        : NSError(domain: XCTestErrorDomain, code: XCTestError.Code.timeoutWhileWaiting.rawValue))
  }

  /// Likewise.
  public func waitForExpectations(timeout: TimeInterval) {
    waitForExpectations(timeout: timeout, handler: nil)
  }

  /// Waits for these expectations.
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity
  ) {
    wait(for: expectations, timeout: timeout, enforceOrder: false)
  }

  /// Waits for these expectations. Their order is not checked.
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval, enforceOrder: Bool
  ) {
    self.expectations.removeAll { known in expectations.contains { $0 === known } }
    if !SimulatedXCTWaiter.waits(for: expectations, timeout) { complain(expectations, timeout) }
  }

  /// Has the task of a test wait for these expectations. Their order is not checked.
  public nonisolated(nonsending) func fulfillment(
    of expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) async {
    self.expectations.removeAll { known in expectations.contains { $0 === known } }
    if !(await SimulatedXCTWaiter.fulfills(expectations, timeout)) {
      complain(expectations, timeout)
    }
  }

  private func complain(_ waited: [SimulatedXCTestExpectation], _ timeout: TimeInterval) {
    let names = waited.filter { !$0.isSatisfied }.map(\.expectationDescription)
    XCTFail(
      "after \(timeout) s of virtual time these expectations are not as they should be: "
        + names.joined(separator: ", "))
  }
}
