#if os(Linux)
  package import CodeReporting
  import InputFiles
  import LiveCode
  import Vocabulary

  /// A campaign on an app's own code, which is compiled against product `CoreData`.
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
  /// Each run calls the body as the app's main thread, and then its functions in an order that the
  /// seed decides. Blocks on the queues of contexts run when a scheduler has them run: one at a
  /// time, in orders that real queues can have. Every action is compared with a reference model and
  /// checked against the invariants. What fails is shrunk: fewer functions are called, with smaller
  /// numbers, in a simpler order.
  ///
  /// Each failure has a command that runs the smallest run again, and no other:
  /// `FAULTLINE_SCHEDULE=… swift test --filter …`.
  ///
  /// Runs are made one after the other, whatever the number of cores: code may share state that
  /// lies outside of a run (a singleton, a static variable), and Swift's tasks have executors of
  /// the process. Failures are shrunk without the code, side by side.
  ///
  /// A campaign is a function of these values if the code is one: if it asks no clock, no random
  /// numbers but those of `app`, and does not depend on the order of a `Set` or a `Dictionary`.
  public struct CodeFuzzer: Sendable {
    /// The number of runs.
    public var runs: Int
    /// Decides everything: another seed means other runs.
    public var seed: UInt64
    /// Which release of Core Data is simulated where releases differ.
    public var profile: Fuzzer.Profile
    /// How many functions a run calls.
    public var calls: Int
    /// Kinds of violations that are no failures, and that must be found.
    public var expected: [ViolationKind]
    /// Kinds of violations that are no failures, found or not.
    public var allowed: [ViolationKind]
    /// What the environment asks for.
    package var plan = TestPlan.ofEnvironment

    /// Makes a fuzzer.
    ///
    /// - Parameters:
    ///   - runs: The number of runs.
    ///   - seed: Decides everything. Any number.
    ///   - profile: Which release of Core Data is simulated.
    ///   - calls: How many functions a run calls.
    ///   - expected: Kinds of violations that are no failures, and that must be found.
    ///   - allowed: Kinds of violations that are no failures, found or not.
    public init(
      runs: Int = 2_000, seed: UInt64 = 1, profile: Fuzzer.Profile = .current, calls: Int = 20,
      expected: [ViolationKind] = [], allowed: [ViolationKind] = []
    ) {
      self.runs = runs
      self.seed = seed
      self.profile = profile
      self.calls = calls
      self.expected = expected
      self.allowed = allowed
    }

    /// Runs the campaign, and throws `UnexpectedCodeOutcome` if it finds what it should not, or
    /// does not find what it should. Throws `InvalidInput` if the environment has a value that
    /// cannot be used.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as a report gives it; nil for all.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - body: Makes the app's stack and declares its functions.
    public func check(
      run number: Int? = nil, test: String = #function,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) throws {
      try checkPlan()
      try judge(run(number, test: test, body), isComplete: number == nil)
    }

    /// Likewise, for a body that is a task of the main actor.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as a report gives it; nil for all.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - body: Makes the app's stack and declares its functions, which are called when it has
    ///     ended.
    public func check(
      run number: Int? = nil, test: String = #function,
      _ body: @escaping @MainActor (SimulatedApp) async throws -> Void
    ) async throws {
      try checkPlan()
      try judge(await run(number, test: test, body), isComplete: number == nil)
    }

    /// Before any run is made.
    private func checkPlan() throws {
      try InvalidInput.reported {
        for problem in plan.problems { throw InputError(file: "CodeFuzzer", message: problem) }
      }
    }

    private func judge(_ report: CodeReport, isComplete: Bool) throws {
      let failures = report.failures.filter { failure in
        !plan.allowed.contains(failure.kind)
          && failure.violation.map { !(expected + allowed).contains($0) } ?? true
      }
      // A single run need not show all.
      let isComplete = isComplete && plan.schedule == nil
      let missing = (isComplete ? expected : []).filter { kind in
        !report.failures.contains { $0.violation == kind }
      }
      if !failures.isEmpty || !missing.isEmpty {
        throw UnexpectedCodeOutcome(
          report: report, failures: CodeFailure.finished(failures, by: plan), missing: missing)
      }
    }

    /// Runs the campaign, or the one run of this number, and returns what was found.
    public func run(
      _ number: Int? = nil, test: String = #function,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) -> CodeReport {
      run(LiveCampaign { try body(SimulatedApp($0)) }, number, test)
    }

    /// Likewise, for a body that is a task of the main actor.
    public func run(
      _ number: Int? = nil, test: String = #function,
      _ body: @escaping @MainActor (SimulatedApp) async throws -> Void
    ) async -> CodeReport {
      run(LiveCampaign { try await body(SimulatedApp($0)) }, number, test)
    }

    private func run(_ campaign: LiveCampaign, _ number: Int?, _ test: String) -> CodeReport {
      precondition(runs > 0, "a campaign of \(runs) runs")
      precondition(calls >= 0, "a run with \(calls) calls")
      precondition(number.map { $0 > 0 } ?? true, "runs are counted from 1")
      var campaign = campaign
      campaign.seed = seed
      campaign.profile = profile.simulated
      campaign.actionCount = calls
      let name = test.prefix { $0 != "(" }
      let origin = CodeOrigin(
        plan.schedule == nil ? .campaign(only: number) : .replay, test: String(name),
        filter: CodeOrigin.escaped(name), seed: seed, profile: campaign.profile)
      let report = plan.run(campaign, number.map { $0 - 1..<$0 } ?? 0..<runs, origin)
      return CodeReport(report, origin)
    }
  }

  /// The app, as the body of a campaign gets it.
  public final class SimulatedApp: Sendable {
    private let app: LiveApp

    init(_ app: LiveApp) { self.app = app }

    /// A number in `0..<bound` that the seed decides; a shrinker tries smaller ones.
    public func number(below bound: Int) -> Int {
      precondition(bound > 0, "a number below \(bound)")
      return app.number(below: bound)
    }

    /// Declares a function of the app, to be called on the main thread, again and again, in an
    /// order that the seed decides.
    public func function(_ name: String, _ body: @escaping () throws -> Void) {
      app.declare(name, body)
    }

    /// Declares a function that is begun as a task of the main actor, as a button does: what the
    /// user does next does not wait for its end.
    public func function(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
      app.declare(name, body)
    }
  }
#endif
