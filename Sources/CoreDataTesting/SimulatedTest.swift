package import CodeReporting
import LiveCode
import Synchronization
public import Testing

/// Has a test of Swift Testing run under the simulation: what preparing a module adds to each
/// `@Test`, so that tests written for Apple's Core Data need no change.
///
/// The test case is a task of a run, from `init` to `deinit` of its suite. It is run once, with all
/// queues in order, and fails as it does elsewhere, or by a deadlock. With the environment
/// variable `FAULTLINE_SCHEDULES=500` it is run in as many orders, and the invariants are asked,
/// too: what fails in any order is shrunk and reported with what happened, line for line, why, and
/// the command that runs that order again. A scenario of it without the code, and a page that shows
/// the scenario, are attached to the test.
///
/// Such test cases run one after the other: the code under test may have state that they share.
public struct SimulatedTest: TestTrait, TestScoping {
  private let plan: TestPlan
  /// Where the test is in the sources as the app has them; nil for what the macro says.
  private let written: (path: String, line: Int)?

  /// Makes the trait of a test at a line of a source.
  public init(_ path: String, _ line: Int) {
    (plan, written) = (.ofEnvironment, (path, line))
  }

  /// Makes the trait of a test that is where the macro says.
  public init() { self.init(.ofEnvironment) }

  package init(_ plan: TestPlan, at written: (path: String, line: Int)? = nil) {
    (self.plan, self.written) = (plan, written)
  }

  /// Where a failure of the whole test is reported.
  private func place(of test: Test) -> SourceLocation {
    let known = test.sourceLocation
    guard let written else { return known }
    let module = known.fileID.split(separator: "/").first ?? ""
    let file = written.path.split(separator: "/").last ?? ""
    return SourceLocation(
      fileID: "\(module)/\(file)", filePath: written.path, line: written.line, column: 1)
  }

  /// Runs the test case. Throws what ends it without a failure of its own: that it is skipped, or
  /// what `#require` has reported.
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
    /// Nil for the test itself.
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

  /// A name in backticks is one without them there; of another, the parenthesis tells it from names
  /// that begin with it.
  private func filter(for test: Test) -> String {
    if test.name.hasPrefix("`") {
      return CodeOrigin.escaped(test.name.dropFirst().prefix { $0 != "`" })
    }
    return CodeOrigin.escaped(test.name.prefix { $0 != "(" }) + "\\("
  }

  /// What the test expects and does not find is recorded as it runs.
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
      // Swift Testing would report it where the copy of the source has the test.
      Issue.record(error, sourceLocation: place)
      return []
    }
    return reports.map { Failure(report: $0, place: nil) }
  }

  /// What the test expects and does not find is a failure of the run.
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

/// What a test has found wrong, kept instead of recorded: a test that is run in many orders has one
/// issue for each kind of failure. What fails no test, a known issue or a warning, is recorded when
/// it is found first.
private final class Issues: Sendable {
  private struct State {
    /// Of the run.
    var first: LiveAssertion?
    /// Of the first issue of any run.
    var place: SourceLocation?
    /// What was recorded.
    var harmless: Set<String> = []
    /// What `Test.cancel` has thrown.
    var cancellation: (any Error)?
  }

  private let state = Mutex(State())

  var firstOfRun: LiveAssertion? { state.withLock { $0.first } }
  var place: SourceLocation? { state.withLock { $0.place } }

  /// A run begins.
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

  /// What the test is cancelled by, if it is.
  var cancellation: (any Error)? { state.withLock { $0.cancellation } }

  /// Whether an error is how a test says that it is to be skipped. Swift Testing has no public name
  /// for it.
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

/// Lets one test case run at a time.
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
