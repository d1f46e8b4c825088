package import Determinism
package import Execution
package import Failures
import Invariants
import ObjectModel
package import PropertyTesting
import Scenario
import SimulatedDispatch
import Timelines
package import Vocabulary

/// Runs of an app's code from one seed, and what came of them, shrunk.
///
/// A run is a function of its choices: of the workload, which the body and its functions draw, and
/// of the schedule. The same choices lead to the same run in every build and process, unless the
/// code itself depends on something else.
package struct LiveCampaign {
  package var seed: UInt64 = 1
  /// The name of the test, by which its runs get other UUIDs than those of another test.
  package var test = ""
  package var profile = Profile.current
  package var bugs = PlantedBugSet()
  /// Whether lanes go on in the order in which they came; otherwise each run has another order.
  package var isInOrder = false
  /// How many functions of the app a run calls.
  package var actionCount = 20
  /// How many runs shrinking may take, for each failure.
  package var shrinkBudget = 400
  /// The seconds of the host without a simulated call after which code counts as not returning.
  package var patience = 60
  /// Which failures are looked into; the others are counted only.
  package var isOfInterest: (LiveFailure) -> Bool = { _ in true }
  /// The key of the finding that a program shows which code was recorded as. Two failures of one
  /// kind are one if their keys are equal, or if no program shows one of them.
  package var findingKey: (Program, FailureSignature) -> AnyHashable? = { _, _ in nil }
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
    /// The runs that failed so, in order, from 0.
    package let runs: [Int]
    package let failure: LiveFailure
    package let trace: [String]
    /// The choices of the shrunk run.
    package let recording: Choices.Recording
    /// The shrunk run without the code; nil if it fails otherwise without it.
    package let recorded: (program: Program, failure: FailureSignature)?
  }

  package struct Report {
    package let campaign: Campaign<LiveFailure>
    /// The most severe first.
    package let found: [Found]
  }

  /// A failure as the runs of a campaign showed it.
  private struct Lead {
    let finding: Finding<LiveFailure>
    /// The runs that failed so, in order, from 0.
    var runs: [Int]

    var failure: LiveFailure { finding.example.failure }
  }

  /// The runs of these numbers, from 0.
  package func run(_ indexes: Range<Int>) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    return ErrorOutput.captured {
      let (campaign, leads) = survey(indexes, threads)
      return Report(
        campaign: campaign, found: triage(leads, threads).map { shrink($0, threads) })
    }
  }

  /// The one run of these choices; nothing is shrunk.
  package func replay(_ recording: Choices.Recording) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    var campaign = Campaign<LiveFailure>()
    var choices = Choices(replaying: recording)
    return ErrorOutput.captured {
      campaign.collect(
        outcome(of: &choices, threads), index: 0, seed: seed, size: choices.size,
        recording: recording)
      let leads = campaign.findings.map { Lead(finding: $0, runs: [0]) }
      return Report(
        campaign: campaign,
        found: triage(leads, threads).map { lead in
          lead.failure.isRepeatable
            ? tell(lead, recording, threads)
            : Found(
              runs: [0], failure: lead.failure, trace: [], recording: recording, recorded: nil)
        })
    }
  }

  /// How many actions these runs have; nothing is shrunk.
  package func count(_ indexes: Range<Int>) -> Int {
    let threads = ThreadPool()
    defer { threads.drain() }
    return survey(indexes, threads).campaign.steps
  }

  private func survey(
    _ indexes: Range<Int>, _ threads: ThreadPool
  ) -> (campaign: Campaign<LiveFailure>, leads: [Lead]) {
    var runs: [String: [Int]] = [:]
    var index = indexes.lowerBound
    let campaign = Campaign.run(
      indexes, seed: seed,
      shouldStop: { $0.findings.contains { !$0.example.failure.isRepeatable } }
    ) { choices in
      let outcome = outcome(of: &choices, threads)
      for failure in outcome.failures { runs[failure.identity, default: []].append(index) }
      index += 1
      return outcome
    }
    return (
      campaign, campaign.findings.map { Lead(finding: $0, runs: runs[$0.identity] ?? []) }
    )
  }

  /// The leads of interest, the most severe first, those of one kind with equal keys as one.
  private func triage(_ leads: [Lead], _ threads: ThreadPool) -> [Lead] {
    let sorted = leads.filter { isOfInterest($0.failure) }.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      return (first.failure.severityRank, first.finding.example.size, a.offset)
        < (second.failure.severityRank, second.finding.example.size, b.offset)
    }.map(\.element)
    var result: [Lead] = []
    var keys: [AnyHashable?] = []
    for lead in sorted {
      let isAlone = sorted.count { $0.failure.kind == lead.failure.kind } == 1
      let key = isAlone ? nil : key(of: lead, threads)
      let known = result.indices.first { index in
        guard result[index].failure.kind == lead.failure.kind else { return false }
        return key == nil || keys[index] == nil || keys[index] == key
      }
      if let known {
        result[known].runs = Set(result[known].runs + lead.runs).sorted()
      } else {
        result.append(lead)
        keys.append(key)
      }
    }
    return result
  }

  private func key(of lead: Lead, _ threads: ThreadPool) -> AnyHashable? {
    var choices = Choices(replaying: lead.finding.example.recording)
    let run = play(&choices, threads, isTraced: true)
    defer { run.dispose() }
    let recorded = RecordedProgram(run, configuration)?.failing(as: lead.failure)
    return recorded.flatMap { findingKey($0.program, $0.failure) }
  }

  private func outcome(of choices: inout Choices, _ threads: ThreadPool) -> Case<LiveFailure> {
    let run = play(&choices, threads, isTraced: false)
    defer { run.dispose() }
    return Case(
      digest: run.run.digest.value, steps: run.run.stepCount, failures: failures(of: run))
  }

  private func shrink(_ lead: Lead, _ threads: ThreadPool) -> Found {
    let example = lead.finding.example
    guard example.failure.isRepeatable else {
      return Found(
        runs: lead.runs, failure: example.failure, trace: [], recording: example.recording,
        recorded: nil)
    }
    let shrunk = Shrinker<LiveFailure>.shrink(
      example.recording, keeping: lead.finding.identity, budget: shrinkBudget
    ) { choices in
      let run = play(&choices, threads, isTraced: false)
      let failures = failures(of: run)
      run.dispose()
      // A failure that needs fewer ways of change is the same.
      if failures.contains(where: example.failure.admits) { return .failed(example.failure) }
      return failures.first.map { .failed($0) } ?? .passed
    }
    return tell(lead, shrunk?.recording ?? example.recording, threads)
  }

  /// Plays the run of these choices once more, for a reader.
  private func tell(
    _ lead: Lead, _ recording: Choices.Recording, _ threads: ThreadPool
  ) -> Found {
    var choices = Choices(replaying: recording)
    let run = play(&choices, threads, isTraced: true)
    let failure = failures(of: run).first(where: lead.failure.admits) ?? lead.failure
    defer { run.dispose() }
    var recorded: RecordedProgram?
    if case .violation = failure.kind { recorded = RecordedProgram(run, configuration) }
    return Found(
      runs: lead.runs, failure: failure,
      trace: run.trace?.lines(of: run) ?? [], recording: recording,
      recorded: recorded?.failing(as: failure))
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
    (run.patience, run.test) = (patience, test)
    if isTraced { (run.trace, run.recording) = (Trace(), Recording()) }
    let app = LiveApp(run)
    let body = body(run)
    // The app's functions mostly hold what they are declared with.
    run.play(&choices, releaseAtEnd: app.forget) {
      do {
        try body(app)
        try app.callActions(actionCount)
      } catch {
        if run.thrown == nil { run.thrown = error }
      }
    }
    ErrorOutput.flush()
    return run
  }

  private func failures(of run: LiveRun) -> [LiveFailure] {
    var failures: [LiveFailure] = []
    if let disagreement = run.run.disagreement {
      failures.append(
        LiveFailure(kind: .disagreement, text: "\(disagreement.failureKind)"))
    }
    for violation in run.run.violations {
      let signature = violation.signature(in: run.stack)
      if failures.contains(where: { $0.signature == signature }) { continue }
      failures.append(
        LiveFailure(
          kind: .violation(violation.kind), text: run.text(of: violation),
          context: violation.context.map { run.stack[$0].name }, signature: signature))
    }
    if let trap = run.trap {
      var failure = LiveFailure(kind: .trap(trap.site), text: trap.description)
      failure.isRepeatable = trap.isRepeatable
      failures.append(failure)
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
  /// The violation in a sentence, with everything that was lost by the same save; with the names of
  /// objects if the run is traced.
  fileprivate func text(of violation: Violation) -> String {
    guard let trace else { return violation.kind.name }
    let program = trace.program(of: self)
    let losses = run.violations.ofOneSave(with: violation, in: program.model)
    return losses[0].report(in: program, with: losses.dropFirst(), .calendar)
  }
}
