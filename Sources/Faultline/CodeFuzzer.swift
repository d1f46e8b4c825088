#if os(Linux)
  package import CodeReporting
  import InputFiles
  import LiveCode
  import Vocabulary

  /// A campaign on an app's own code, which is compiled against the product `CoreData`.
  ///
  ///     import CoreData
  ///     import Faultline
  ///     import Testing
  ///
  ///     @Test func `imports lose nothing`() throws {
  ///       try CodeFuzzer(runs: 2_000).check { app in
  ///         let notes = NoteStore()
  ///         app.function("import") { notes.importFeed(items: app.number(below: 5)) }
  ///         app.function("rename") { try notes.rename(to: "draft \(app.number(below: 9))") }
  ///       }
  ///     }
  ///
  /// Each run calls the body as the app's main thread, then calls its functions in an order that
  /// the seed decides. A scheduler runs the blocks on the queues of contexts, one at a time, in
  /// orders that are possible for real queues. Every action is compared with a reference model and
  /// checked against the invariants. Failing runs are shrunk to fewer calls, smaller numbers and a
  /// simpler order.
  ///
  /// Each failure has a command that runs only the smallest failing run again:
  /// `FAULTLINE_SCHEDULE=… swift test --filter …`.
  ///
  /// Runs are made one after the other, whatever the number of cores. Code may share state between
  /// runs, such as a singleton or a static variable, and the executors of Swift's tasks belong to
  /// the process. Failures are shrunk in parallel, without the code.
  ///
  /// A campaign is a function of its settings if the code is deterministic. Code must not read a
  /// clock, use random numbers other than those of `app`, or depend on the order of a `Set` or a
  /// `Dictionary`.
  public struct CodeFuzzer: Sendable {
    /// The number of runs.
    public var runs: Int
    /// The seed that decides all choices. Another seed generates other runs.
    public var seed: UInt64
    /// The release of Core Data to simulate, where releases differ.
    public var profile: Fuzzer.Profile
    /// The number of functions that a run calls.
    public var calls: Int
    /// The promises about its data that the code must keep, in addition to the promises in comments
    /// of prepared sources.
    public var promises: [Promise]
    /// Kinds of violations that must be found, and that are not failures.
    public var expected: [ViolationKind]
    /// Kinds of violations that are not failures, whether found or not.
    public var allowed: [ViolationKind]
    /// The requests of the environment, such as a schedule to run again.
    package var plan = TestPlan.ofEnvironment

    /// Creates a fuzzer.
    ///
    /// - Parameters:
    ///   - runs: The number of runs.
    ///   - seed: The seed that decides all choices. Any number.
    ///   - profile: The release of Core Data to simulate, where releases differ.
    ///   - calls: The number of functions that a run calls.
    ///   - promises: The promises about its data that the code must keep.
    ///   - expected: Kinds of violations that must be found, and that are not failures.
    ///   - allowed: Kinds of violations that are not failures, whether found or not.
    public init(
      runs: Int = 2_000, seed: UInt64 = 1, profile: Fuzzer.Profile = .current, calls: Int = 20,
      promises: [Promise] = [], expected: [ViolationKind] = [], allowed: [ViolationKind] = []
    ) {
      self.runs = runs
      self.seed = seed
      self.profile = profile
      self.calls = calls
      self.promises = promises
      self.expected = expected
      self.allowed = allowed
    }

    /// Runs the campaign.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as a report gives it. `nil` makes all runs.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - body: Makes the app's stack and declares its functions.
    /// - Throws: `UnexpectedCodeOutcome` if a failure is unexpected or an expected violation is
    ///   missing. `InvalidInput` if a value in the environment cannot be used.
    public func check(
      run number: Int? = nil, test: String = #function,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) throws {
      try checkPlan()
      try judge(run(number, test: test, body), isComplete: number == nil)
    }

    /// Runs the campaign, for a body that is a task of the main actor.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as a report gives it. `nil` makes all runs.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - body: Makes the app's stack and declares its functions, which are called after the body
    ///     has ended.
    /// - Throws: `UnexpectedCodeOutcome` if a failure is unexpected or an expected violation is
    ///   missing. `InvalidInput` if a value in the environment cannot be used.
    public func check(
      run number: Int? = nil, test: String = #function,
      _ body: @escaping @MainActor (SimulatedApp) async throws -> Void
    ) async throws {
      try checkPlan()
      try judge(await run(number, test: test, body), isComplete: number == nil)
    }

    /// Throws if a value in the environment cannot be used, before any run is made.
    private func checkPlan() throws {
      try InvalidInput.reported {
        for problem in plan.problems { throw InputError(file: "CodeFuzzer", message: problem) }
      }
    }

    private func judge(_ report: CodeReport, isComplete: Bool) throws {
      let given = promises.map(\.text)
      try InvalidInput.reported {
        for promise in report.promises {
          // A comment in a source may be about data that this test does not use.
          guard let problem = promise.problem, given.contains(promise.text) else { continue }
          throw InputError(
            file: "CodeFuzzer", message: "promise '\(promise.text)': \(problem)")
        }
      }
      let failures = report.failures.filter { failure in
        !plan.allowed.contains(failure.kind)
          && failure.violation.map { !(expected + allowed).contains($0) } ?? true
      }
      // A single run need not show every expected violation.
      let isComplete = isComplete && plan.schedule == nil
      let missing = (isComplete ? expected : []).filter { kind in
        !report.failures.contains { $0.violation == kind }
      }
      if !failures.isEmpty || !missing.isEmpty {
        throw UnexpectedCodeOutcome(
          report: report, failures: CodeFailure.finished(failures, by: plan), missing: missing)
      }
    }

    /// Runs the campaign, or only the run with the given number, and returns its report.
    public func run(
      _ number: Int? = nil, test: String = #function,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) -> CodeReport {
      run(LiveCampaign { try body(SimulatedApp($0)) }, number, test)
    }

    /// Runs the campaign, or only one run, for a body that is a task of the main actor.
    public func run(
      _ number: Int? = nil, test: String = #function,
      _ body: @escaping @MainActor (SimulatedApp) async throws -> Void
    ) async -> CodeReport {
      run(LiveCampaign { try await body(SimulatedApp($0)) }, number, test)
    }

    private func run(_ campaign: LiveCampaign, _ number: Int?, _ test: String) -> CodeReport {
      precondition(runs > 0, "a campaign needs at least one run, not \(runs)")
      precondition(calls >= 0, "the number of calls must not be negative: \(calls)")
      precondition(number.map { $0 > 0 } ?? true, "runs are counted from 1")
      var campaign = campaign
      campaign.seed = seed
      campaign.profile = profile.simulated
      campaign.actionCount = calls
      campaign.promises = promises.map(\.text)
      let name = test.prefix { $0 != "(" }
      let origin = CodeOrigin(
        plan.schedule == nil ? .campaign(only: number) : .replay, test: String(name),
        filter: CodeOrigin.escaped(name), seed: seed, profile: campaign.profile)
      let report = plan.run(campaign, number.map { $0 - 1..<$0 } ?? 0..<runs, origin)
      return CodeReport(report, origin)
    }
  }

  /// The simulated app, which the body of a campaign receives.
  public final class SimulatedApp: Sendable {
    private let app: LiveApp

    init(_ app: LiveApp) { self.app = app }

    /// Returns a number in `0..<bound` that the seed decides. A shrinker tries smaller numbers.
    public func number(below bound: Int) -> Int {
      precondition(bound > 0, "the bound must be positive: \(bound)")
      return app.number(below: bound)
    }

    /// Declares a function of the app. Runs call it on the main thread, any number of times, in an
    /// order that the seed decides.
    public func function(_ name: String, _ body: @escaping () throws -> Void) {
      app.declare(name, body)
    }

    /// Declares a function that starts as a task of the main actor, as the action of a button does.
    /// The next call does not wait for the end of the task.
    public func function(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
      app.declare(name, body)
    }
  }
#endif
