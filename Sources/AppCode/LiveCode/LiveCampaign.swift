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

/// A campaign of runs of an app's code from one seed, with shrunk failures.
///
/// A run is a function of its choices, which are those of the workload and those of the schedule.
/// The body and the app's functions draw the workload. Equal choices lead to equal runs in every
/// build and process, unless the code itself depends on something else.
package struct LiveCampaign {
  package var seed: UInt64 = 1
  /// The name of the test. Runs of tests with different names generate different UUIDs.
  package var test = ""
  package var profile = Profile.current
  package var bugs = PlantedBugSet()
  /// The promises that the code must keep, each in the words of a stack file.
  package var promises: [String] = []
  /// A Boolean value that indicates whether lanes run in order, each as far as it can. Otherwise
  /// each run has a different order.
  package var isInOrder = false
  /// The number of calls of app functions in a run.
  package var actionCount = 20
  /// The maximum number of runs for shrinking each failure.
  package var shrinkBudget = 400
  /// The seconds of host time without a simulated call after which code counts as not returning.
  package var patience = 60
  /// Returns whether to examine a failure. Other failures are only counted.
  package var isOfInterest: (LiveFailure) -> Bool = { _ in true }
  /// Returns the key of the finding that a recorded program shows. Two failures of one kind are one
  /// finding if their keys are equal, or if no program shows one of the failures.
  package var findingKey: (Program, FailureSignature) -> AnyHashable? = { _, _ in nil }
  /// Makes the body of a run that is about to begin. The thread that begins the run calls this
  /// function.
  private let body: (LiveRun) -> (LiveApp) throws -> Void

  package init(_ body: @escaping (LiveApp) throws -> Void) {
    self.body = { run in
      run.keepTaskLocals()
      return body
    }
  }

  /// Creates a campaign whose body is a task. The functions that the body declares are called after
  /// the task has ended.
  package init(_ body: @escaping (LiveApp) async throws -> Void) {
    self.body = { run in
      run.keepTaskLocals()
      return { app in try app.run.wait { try await body(app) } }
    }
  }

  /// Creates a campaign whose body is a task with the task-local values of the task that calls
  /// `run`. All blocks of the run have these values, too. Swift Testing uses them to attribute an
  /// issue to a test.
  package init(inheriting body: @escaping () async throws -> Void) {
    self.body = { run in
      run.taskOfBlocks = TaskOfBlocks()
      let wait = run.begin(body)
      return { _ in try wait() }
    }
  }

  /// A shrunk failure.
  package struct Found {
    /// The runs with this failure, in ascending order. Runs are numbered from 0.
    package let runs: [Int]
    package let failure: LiveFailure
    package let trace: [String]
    /// The choices of the shrunk run.
    package let recording: Choices.Recording
    /// The shrunk run without the code, or nil if the failure differs without the code.
    package let recorded: (program: Program, failure: FailureSignature)?
  }

  package struct Report {
    package let campaign: Campaign<LiveFailure>
    /// The findings, the most severe first.
    package let found: [Found]
    /// The promises of the code, those in comments of its sources included.
    package let promises: LivePromiseTally
  }

  /// A failure before shrinking, with the runs that showed it.
  private struct Bucket {
    let finding: Finding<LiveFailure>
    /// The runs with this failure, in ascending order. Runs are numbered from 0.
    var runs: [Int]

    var failure: LiveFailure { finding.example.failure }
  }

  /// Makes the runs with these numbers, counted from 0, and shrinks their failures.
  package func run(_ indexes: Range<Int>) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    return ErrorOutput.captured {
      let (campaign, buckets, promises) = survey(indexes, threads)
      return Report(
        campaign: campaign, found: triage(buckets, threads).map { shrink($0, threads) },
        promises: promises)
    }
  }

  /// Makes the one run with these choices, without shrinking.
  package func replay(_ recording: Choices.Recording) -> Report {
    let threads = ThreadPool()
    defer { threads.drain() }
    var campaign = Campaign<LiveFailure>()
    var choices = Choices(replaying: recording)
    var promises = LivePromiseTally()
    return ErrorOutput.captured {
      campaign.collect(
        outcome(of: &choices, threads, &promises), index: 0, seed: seed, size: choices.size,
        recording: recording)
      let buckets = campaign.findings.map { Bucket(finding: $0, runs: [0]) }
      return Report(
        campaign: campaign,
        found: triage(buckets, threads).map { bucket in
          bucket.failure.isRepeatable
            ? tell(bucket, recording, threads)
            : Found(
              runs: [0], failure: bucket.failure, trace: [], recording: recording, recorded: nil)
        }, promises: promises)
    }
  }

  /// Makes the runs with these numbers without shrinking, and returns their total number of
  /// actions.
  package func count(_ indexes: Range<Int>) -> Int {
    let threads = ThreadPool()
    defer { threads.drain() }
    return survey(indexes, threads).campaign.steps
  }

  private func survey(
    _ indexes: Range<Int>, _ threads: ThreadPool
  ) -> (campaign: Campaign<LiveFailure>, buckets: [Bucket], promises: LivePromiseTally) {
    var runs: [String: [Int]] = [:]
    var promises = LivePromiseTally()
    var index = indexes.lowerBound
    let campaign = Campaign.run(
      indexes, seed: seed,
      shouldStop: { $0.findings.contains { !$0.example.failure.isRepeatable } }
    ) { choices in
      let outcome = outcome(of: &choices, threads, &promises)
      for failure in outcome.failures { runs[failure.identity, default: []].append(index) }
      index += 1
      return outcome
    }
    return (
      campaign, campaign.findings.map { Bucket(finding: $0, runs: runs[$0.identity] ?? []) },
      promises
    )
  }

  /// Returns the buckets of interest, the most severe first. Merges buckets of one kind with equal
  /// keys.
  private func triage(_ buckets: [Bucket], _ threads: ThreadPool) -> [Bucket] {
    let sorted = buckets.filter { isOfInterest($0.failure) }.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      return (first.failure.severityRank, first.finding.example.size, a.offset)
        < (second.failure.severityRank, second.finding.example.size, b.offset)
    }.map(\.element)
    var result: [Bucket] = []
    var keys: [AnyHashable?] = []
    for bucket in sorted {
      let isAlone = sorted.count { $0.failure.kind == bucket.failure.kind } == 1
      let key = isAlone ? nil : key(of: bucket, threads)
      let known = result.indices.first { index in
        guard result[index].failure.kind == bucket.failure.kind else { return false }
        return key == nil || keys[index] == nil || keys[index] == key
      }
      if let known {
        result[known].runs = Set(result[known].runs + bucket.runs).sorted()
      } else {
        result.append(bucket)
        keys.append(key)
      }
    }
    return result
  }

  private func key(of bucket: Bucket, _ threads: ThreadPool) -> AnyHashable? {
    var choices = Choices(replaying: bucket.finding.example.recording)
    let run = play(&choices, threads, isTraced: true)
    defer { run.dispose() }
    let recorded = RecordedProgram(run, configuration)?.failing(as: bucket.failure)
    return recorded.flatMap { findingKey($0.program, $0.failure) }
  }

  private func outcome(
    of choices: inout Choices, _ threads: ThreadPool, _ promises: inout LivePromiseTally
  ) -> Case<LiveFailure> {
    let run = play(&choices, threads, isTraced: false)
    defer { run.dispose() }
    promises.note(run)
    return Case(
      digest: run.run.digest.value, steps: run.run.stepCount, failures: failures(of: run))
  }

  private func shrink(_ bucket: Bucket, _ threads: ThreadPool) -> Found {
    let example = bucket.finding.example
    guard example.failure.isRepeatable else {
      return Found(
        runs: bucket.runs, failure: example.failure, trace: [], recording: example.recording,
        recorded: nil)
    }
    let shrunk = Shrinker<LiveFailure>.shrink(
      example.recording, keeping: bucket.finding.identity, budget: shrinkBudget
    ) { choices in
      let run = play(&choices, threads, isTraced: false)
      let failures = failures(of: run)
      run.dispose()
      // A failure that needs fewer ways of change counts as the same failure.
      if failures.contains(where: example.failure.admits) { return .failed(example.failure) }
      return failures.first.map { .failed($0) } ?? .passed
    }
    return tell(bucket, shrunk?.recording ?? example.recording, threads)
  }

  /// Repeats the run of these choices with a trace and a recording.
  private func tell(
    _ bucket: Bucket, _ recording: Choices.Recording, _ threads: ThreadPool
  ) -> Found {
    var choices = Choices(replaying: recording)
    let run = play(&choices, threads, isTraced: true)
    let failure = failures(of: run).first(where: bucket.failure.admits) ?? bucket.failure
    defer { run.dispose() }
    var recorded: RecordedProgram?
    if case .violation = failure.kind { recorded = RecordedProgram(run, configuration) }
    return Found(
      runs: bucket.runs, failure: failure,
      trace: run.trace?.lines(of: run) ?? [], recording: recording,
      recorded: recorded?.failing(as: failure))
  }

  /// Returns the given run as a program without the code.
  package func record(_ index: Int) -> RecordedProgram? {
    let threads = ThreadPool()
    defer { threads.drain() }
    var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
    let run = play(&choices, threads, isTraced: true)
    defer { run.dispose() }
    return RecordedProgram(run, configuration)
  }

  /// The configuration in which recorded programs run.
  package var configuration: RunConfiguration {
    var configuration = RunConfiguration(
      model: ObjectModel(entities: []), quirks: profile.quirks)
    configuration.bugs = bugs
    configuration.checkLevel = .code
    return configuration
  }

  /// Makes one run.
  private func play(
    _ choices: inout Choices, _ threads: ThreadPool, isTraced: Bool
  ) -> LiveRun {
    let policy = isInOrder ? .inOrder : SearchStrategy.portfolio.policy(&choices)
    let run = LiveRun(policy: policy, quirks: profile.quirks, bugs: bugs, threads: threads)
    (run.patience, run.test) = (patience, test)
    run.promise(promises)
    if isTraced { (run.trace, run.recording) = (Trace(), Recording()) }
    let app = LiveApp(run)
    let body = body(run)
    // The app's functions usually retain the objects that they were declared with.
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
        LiveFailure(kind: .standstill, text: "no code can continue, and some code has not ended"))
    }
    if let task = run.tasks.first, run.stop == nil, !isExplained {
      failures.append(
        LiveFailure(kind: .standstill, text: "no code can continue, and '\(task)' has not ended"))
    }
    return failures
  }
}

extension LiveRun {
  /// Returns the violation as a sentence, with everything that was lost by the same save. Uses the
  /// names of objects if the run is traced.
  fileprivate func text(of violation: Violation) -> String {
    guard let trace else { return violation.kind.name }
    let program = trace.program(of: self)
    let losses = run.violations.ofOneSave(with: violation, in: program.model)
    return losses[0].report(in: program, with: losses.dropFirst(), .calendar)
  }
}
