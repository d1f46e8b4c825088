package import Determinism
package import Execution
package import Failures
import Invariants
import ObjectModel
package import PropertyTesting
import SimulatedDispatch
import Timelines
package import Vocabulary

/// A way in which a run of code failed.
package struct LiveFailure: IdentifiedFailure {
  package enum Kind: Hashable, Sendable {
    case violation(FailureKind)
    case disagreement
    /// A function of the app, or the body, has thrown.
    case thrown(String)
    /// A test found something else than it expects.
    case assertion
    /// Some code waits for what no other code will ever do.
    case standstill
  }

  package let kind: Kind
  /// In words, with the values that prove it.
  package let text: String
  /// The name of the context in which an invariant was violated; nil for none.
  package var context: String?

  /// Whether the code cannot have gone on, or has found itself that something is wrong: what fails
  /// a test that asks for no invariants.
  package var isFatal: Bool {
    guard case .violation(let kind) = kind else { return true }
    let fatal: [Invariant] = [.WaitForGraphIsAcyclic, .EveryBlockRuns, .EveryStepTerminates]
    return kind.invariant.map(fatal.contains) ?? true
  }

  package var identity: String {
    switch kind {
    case .violation(let kind): kind.name
    case .disagreement: "disagreement of engine and reference model"
    case .thrown(let type): "\(LiveFailure.errorPrefix)\(type)"
    case .assertion: "failed assertion"
    case .standstill: "code that waits for ever"
    }
  }

  package static let errorPrefix = "error "
  /// What failures are counted under that are no violations, but for errors.
  package static let otherIdentities = [Kind.disagreement, .assertion, .standstill].map {
    LiveFailure(kind: $0, text: "").identity
  }
}

/// What a test expected and did not find, thrown to end a run.
package struct LiveAssertion: Error, CustomStringConvertible {
  package let description: String
  package let file: String
  package let line: Int

  package init(_ description: String, file: String, line: Int) {
    (self.description, self.file, self.line) = (description, file, line)
  }
}

/// Runs of an app's code from one seed, and what came of them, shrunk.
///
/// A run is a function of its choices: of the workload, which the body and its functions draw, and
/// of the schedule. The same choices lead to the same run in every build and process, unless the
/// code itself depends on something else.
package struct LiveCampaign {
  package var seed: UInt64 = 1
  package var profile = Profile.current
  package var bugs = PlantedBugSet()
  /// Whether lanes go on in the order in which they came; otherwise each run has another order.
  package var isInOrder = false
  /// How many functions of the app a run calls.
  package var actionCount = 20
  /// How many runs shrinking may take, for each failure.
  package var shrinkBudget = 400
  /// Which failures are looked into; the others are counted only.
  package var isOfInterest: (LiveFailure) -> Bool = { _ in true }
  /// The body of a run that is about to begin; called by the thread that begins it.
  private let body: (LiveRun) -> (LiveApp) throws -> Void

  package init(_ body: @escaping (LiveApp) throws -> Void) {
    self.body = { run in
      run.keepTaskLocals()
      return body
    }
  }

  /// A campaign whose body is a task: the functions that it declares are called when it has ended.
  package init(_ body: @escaping (LiveApp) async throws -> Void) {
    self.body = { run in
      run.keepTaskLocals()
      return { app in try app.run.wait { try await body(app) } }
    }
  }

  /// A campaign whose body is a task with the task-local values of the task that calls `run`. All
  /// blocks of the run have them, too: by them Swift Testing knows to which test an issue belongs.
  package init(inheriting body: @escaping () async throws -> Void) {
    self.body = { run in
      run.taskOfBlocks = TaskOfBlocks()
      let wait = run.begin(body)
      return { _ in try wait() }
    }
  }

  /// A failure, shrunk.
  package struct Found {
    package let finding: Finding<LiveFailure>
    package let failure: LiveFailure
    package let trace: [String]
    /// The choices of the shrunk run.
    package let recording: Choices.Recording
    /// The shrunk run without the code; nil if it fails otherwise without it.
    package let recorded: (program: Program, failure: FailureSignature)?
  }

  package struct Report {
    package let campaign: Campaign<LiveFailure>
    package let found: [Found]
  }

  /// The runs of these numbers, from 0.
  package func run(_ indexes: Range<Int>) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    let campaign = survey(indexes, threads)
    return Report(
      campaign: campaign,
      found: campaign.findings.filter { isOfInterest($0.example.failure) }
        .map { shrink($0, threads) })
  }

  /// The one run of these choices; nothing is shrunk.
  package func replay(_ recording: Choices.Recording) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    var campaign = Campaign<LiveFailure>()
    var choices = Choices(replaying: recording)
    campaign.collect(
      outcome(of: &choices, threads), index: 0, seed: seed, size: choices.size,
      recording: recording)
    return Report(
      campaign: campaign,
      found: campaign.findings.filter { isOfInterest($0.example.failure) }
        .map { tell($0, recording, threads) })
  }

  /// How many actions these runs have; nothing is shrunk.
  package func count(_ indexes: Range<Int>) -> Int {
    let threads = ThreadPool()
    defer { threads.drain() }
    return survey(indexes, threads).steps
  }

  private func survey(_ indexes: Range<Int>, _ threads: ThreadPool) -> Campaign<LiveFailure> {
    Campaign.run(indexes, seed: seed) { outcome(of: &$0, threads) }
  }

  private func outcome(of choices: inout Choices, _ threads: ThreadPool) -> Case<LiveFailure> {
    let run = play(&choices, threads, isTraced: false)
    defer { run.dispose() }
    return Case(
      digest: run.run.digest.value, steps: run.run.stepCount, failures: failures(of: run))
  }

  private func shrink(_ finding: Finding<LiveFailure>, _ threads: ThreadPool) -> Found {
    let shrunk = Shrinker<LiveFailure>.shrink(
      finding.example.recording, keeping: finding.identity, budget: shrinkBudget
    ) { choices in
      let run = play(&choices, threads, isTraced: false)
      let failures = failures(of: run)
      run.dispose()
      let same = failures.first { $0.identity == finding.identity }
      return (same ?? failures.first).map { .failed($0) } ?? .passed
    }
    return tell(finding, shrunk?.recording ?? finding.example.recording, threads)
  }

  /// Plays the run of these choices once more, for a reader.
  private func tell(
    _ finding: Finding<LiveFailure>, _ recording: Choices.Recording, _ threads: ThreadPool
  ) -> Found {
    var choices = Choices(replaying: recording)
    let run = play(&choices, threads, isTraced: true)
    let failure = failures(of: run).first { $0.identity == finding.identity }
    defer { run.dispose() }
    var recorded: RecordedProgram?
    if case .violation? = failure?.kind { recorded = RecordedProgram(run, configuration) }
    return Found(
      finding: finding, failure: failure ?? finding.example.failure,
      trace: run.trace?.lines(of: run) ?? [], recording: recording,
      recorded: recorded?.failing(as: finding.identity))
  }

  /// What one run did, as a program without the code.
  package func record(_ index: Int) -> RecordedProgram? {
    let threads = ThreadPool()
    defer { threads.drain() }
    var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
    let run = play(&choices, threads, isTraced: true)
    defer { run.dispose() }
    return RecordedProgram(run, configuration)
  }

  /// How a recorded program is run.
  package var configuration: RunConfiguration {
    var configuration = RunConfiguration(
      model: ObjectModel(entities: []), quirks: profile.quirks)
    configuration.bugs = bugs
    configuration.checkLevel = .code
    return configuration
  }

  /// One run.
  private func play(
    _ choices: inout Choices, _ threads: ThreadPool, isTraced: Bool
  ) -> LiveRun {
    let policy = isInOrder ? .inOrder : SearchStrategy.portfolio.policy(&choices)
    let run = LiveRun(policy: policy, quirks: profile.quirks, bugs: bugs, threads: threads)
    if isTraced { (run.trace, run.recording) = (Trace(), Recording()) }
    let app = LiveApp(run)
    // The app's functions mostly hold what they are declared with.
    defer { app.forget() }
    let body = body(run)
    run.play(&choices) {
      do {
        try body(app)
        try app.callActions(actionCount)
      } catch {
        if run.thrown == nil { run.thrown = error }
      }
    }
    return run
  }

  private func failures(of run: LiveRun) -> [LiveFailure] {
    var failures: [LiveFailure] = []
    if let disagreement = run.run.disagreement {
      failures.append(
        LiveFailure(kind: .disagreement, text: "\(disagreement.failureKind)"))
    }
    for violation in run.run.violations {
      let failure = LiveFailure(
        kind: .violation(violation.kind), text: run.text(of: violation),
        context: violation.context.map { run.stack[$0].name })
      if !failures.contains(where: { $0.identity == failure.identity }) { failures.append(failure) }
    }
    if let failure = run.thrown as? LiveAssertion {
      failures.append(LiveFailure(kind: .assertion, text: failure.description))
    } else if let error = run.thrown {
      failures.append(
        LiveFailure(kind: .thrown("\(type(of: error))"), text: "the app throws: \(error)"))
    }
    let isExplained = failures.contains(where: \.isFatal)
    if run.stop == .standstill, !isExplained {
      failures.append(
        LiveFailure(kind: .standstill, text: "nothing can go on, and some code has not ended"))
    }
    if let task = run.tasks.first, run.stop == nil, !isExplained {
      failures.append(
        LiveFailure(kind: .standstill, text: "nothing can go on, and '\(task)' has not ended"))
    }
    return failures
  }
}

extension LiveRun {
  /// The violation in a sentence; with the names of objects if the run is traced.
  fileprivate func text(of violation: Violation) -> String {
    guard let trace else { return violation.kind.name }
    return violation.report(in: trace.program(of: self))
  }
}
