package import CodeReporting
import LiveCode
import Synchronization
public import Testing

/// A test trait that runs a test of Swift Testing in the simulation. Preparing a module adds the
/// trait to each `@Test`, so that tests written for Apple's Core Data need no change.
///
/// The test case is a task of a run, from `init` to `deinit` of its suite. It runs once, with all
/// queues in order. It fails as it does elsewhere, or by a deadlock.
///
/// With the environment variable `FAULTLINE_SCHEDULES=500`, the test case runs in 500 orders and
/// the invariants are checked. A failure in any order is shrunk. The report contains the events
/// line by line, the cause, and the command that repeats the order. A scenario without the code,
/// and a page that shows the scenario, are attached to the test.
///
/// Only one such test case runs at a time, because test cases may share state of the code under
/// test.
public struct SimulatedTest: TestTrait, TestScoping {
  private let plan: TestPlan
  /// The place of the test in the app's sources, or `nil` to use the location from the macro.
  private let written: (path: String, line: Int)?

  /// Creates the trait of a test at a line of a source file.
  public init(_ path: String, _ line: Int) {
    (plan, written) = (.ofEnvironment, (path, line))
  }

  /// Creates the trait of a test at the location from the macro.
  public init() { self.init(.ofEnvironment) }

  package init(_ plan: TestPlan, at written: (path: String, line: Int)? = nil) {
    (self.plan, self.written) = (plan, written)
  }

  /// Returns the location at which a failure of the whole test is reported.
  private func place(of test: Test) -> SourceLocation {
    let known = test.sourceLocation
    guard let written else { return known }
    let module = known.fileID.split(separator: "/").first ?? ""
    let file = written.path.split(separator: "/").last ?? ""
    return SourceLocation(
      fileID: "\(module)/\(file)", filePath: written.path, line: written.line, column: 1)
  }

  /// Runs the test case. Throws an error that ends the test case without a new failure: a
  /// cancellation, or a failed `#require` that was already reported.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turn.shared.take()
    defer { Turn.shared.pass() }
    let place = place(of: test)
    if !plan.problems.isEmpty {
      for problem in plan.problems { Issue.record("\(problem)", sourceLocation: place) }
      return
    }
    var failures: [Failure] = []
    if plan.isInOrder {
      failures = try runOnce(test, function, at: place)
    } else {
      let found = Mutex<[Failure]>([])
      let issues = Issues()
      try await issues.trait.provideScope(for: test, testCase: testCase) {
        let failures = runInManyOrders(test, issues, function)
        found.withLock { $0 = failures }
      }
      failures = found.withLock { $0 }
      if let cancellation = issues.cancellation { throw cancellation }
    }
    for failure in failures { failure.record(at: place) }
  }

  private struct Failure: Sendable {
    let report: CodeFailureReport
    /// The location of the failure, or `nil` for the location of the test.
    let place: SourceLocation?

    func record(at placeOfTest: SourceLocation) {
      let place = place ?? placeOfTest
      if let scenario = report.scenario {
        let names = scenario.fileNames
        Attachment.record(scenario.text, named: names.scenario, sourceLocation: place)
        Attachment.record(scenario.page, named: names.page, sourceLocation: place)
      }
      Issue.record("\(report.description)", sourceLocation: place)
    }
  }

  private func failures(of campaign: LiveCampaign, _ test: Test) -> [CodeFailureReport] {
    var campaign = campaign
    // Two suites may have tests of one name.
    campaign.test = "\(test.id)"
    return plan.failures(of: campaign, test: test.name, filter: filter(for: test))
  }

  /// Returns a filter for the test's name. A name in backticks is passed without the backticks. The
  /// parenthesis after any other name excludes names that begin with it.
  private func filter(for test: Test) -> String {
    if test.name.hasPrefix("`") {
      return CodeOrigin.escaped(test.name.dropFirst().prefix { $0 != "`" })
    }
    return CodeOrigin.escaped(test.name.prefix { $0 != "(" }) + "\\("
  }

  /// Runs the test case once. Failed expectations are recorded immediately.
  private func runOnce(
    _ test: Test, _ function: @Sendable () async throws -> Void, at place: SourceLocation
  ) throws -> [Failure] {
    let thrown = Mutex<(any Error)?>(nil)
    let reports = Abandoned.withoutEscaping(function) { function in
      failures(
        of: LiveCampaign(inheriting: {
          do { try await function() } catch {
            thrown.withLock { $0 = error }
            throw error
          }
        }), test)
    }
    if let error = thrown.withLock({ $0 }) {
      if error is ExpectationFailedError || Issues.isCancellation(error) { throw error }
      // Swift Testing would report the location in the prepared copy of the source.
      Issue.record(error, sourceLocation: place)
      return []
    }
    return reports.map { Failure(report: $0, place: nil) }
  }

  /// Runs the test case in many orders. Failed expectations are failures of the run.
  private func runInManyOrders(
    _ test: Test, _ issues: Issues, _ function: @Sendable () async throws -> Void
  ) -> [Failure] {
    let reports = Abandoned.withoutEscaping(function) { function in
      failures(
        of: LiveCampaign(inheriting: {
          issues.forget()
          do { try await function() } catch {
            if issues.isCancelled(by: error) { return }
            throw issues.firstOfRun ?? error
          }
          if let assertion = issues.firstOfRun { throw assertion }
        }), test)
    }
    return reports.map { Failure(report: $0, place: $0.isAssertion ? issues.place : nil) }
  }
}

/// The issues of a test that runs in many orders. Failures are kept instead of recorded, so that
/// the test has one issue for each kind of failure.
///
/// Issues that fail no test, such as known issues and warnings, are recorded when they first occur.
private final class Issues: Sendable {
  private struct State {
    /// The first failed expectation of the current run.
    var first: LiveAssertion?
    /// The location of the first issue of any run.
    var place: SourceLocation?
    /// The recorded issues that fail no test.
    var harmless: Set<String> = []
    /// The error that `Test.cancel` threw.
    var cancellation: (any Error)?
  }

  private let state = Mutex(State())

  var firstOfRun: LiveAssertion? { state.withLock { $0.first } }
  var place: SourceLocation? { state.withLock { $0.place } }

  /// Prepares for a new run.
  func forget() { state.withLock { $0.first = nil } }

  var trait: IssueHandlingTrait {
    .compactMapIssues { [self] issue in
      guard issue.isFailure else { return isNew(issue) ? issue : nil }
      keep(issue)
      return nil
    }
  }

  private func isNew(_ issue: Issue) -> Bool {
    let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? ""
    return state.withLock { $0.harmless.insert("\(place) \(issue)").inserted }
  }

  /// The error that cancels the test, if any.
  var cancellation: (any Error)? { state.withLock { $0.cancellation } }

  /// Returns a Boolean value that indicates whether an error cancels or skips the test. Swift
  /// Testing has no public name for this type of error.
  static func isCancellation(_ error: any Error) -> Bool { "\(type(of: error))" == "SkipInfo" }

  func isCancelled(by error: any Error) -> Bool {
    guard Issues.isCancellation(error) else { return false }
    state.withLock { $0.cancellation = error }
    return true
  }

  private func keep(_ issue: Issue) {
    let place = issue.sourceLocation
    let assertion = LiveAssertion(
      "\(issue)", file: place?.fileID ?? "", line: place?.line ?? 0)
    state.withLock {
      if $0.first == nil { $0.first = assertion }
      if $0.place == nil { $0.place = place }
    }
  }
}

/// Lets only one test case run at a time.
private final class Turn: Sendable {
  static let shared = Turn()

  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func pass() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isTaken = false
      return nil
    }
    next?.resume()
  }
}
