import Failures
package import Determinism
package import Execution
import PropertyTesting
import SimulatedCoreData
import Vocabulary

extension FuzzCampaign {
  /// A failure on one model, with the seed of its smallest example.
  struct Found {
    var source: ModelSource
    var finding: Finding<FailureSignature>
    var seed: RunSeed

    var failure: FailureSignature { finding.example.failure }
  }

  /// The number of runs on each model in a round of guidance.
  private static var turn: Int { 64 }

  /// Makes the runs of a shard and returns their result. Given `start`, makes the remaining runs
  /// after it.
  ///
  /// - Parameter shouldStop: Called before each run with the result so far. With several threads,
  ///   it is called only before runs of the current thread, with the result of the last round.
  package func collect(
    _ part: Shard = .whole, after start: ShardResult? = nil,
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> ShardResult {
    stageTimes.measure(.running, clock) { runs(of: part, after: start, shouldStop: shouldStop) }
  }

  private func runs(
    of part: Shard, after start: ShardResult?, shouldStop: (borrowing ShardResult) -> Bool
  ) -> ShardResult {
    let models = settings.models
    var share = start ?? ShardResult(part, modelCount: models.count)
    precondition(
      !settings.isGuided || (share.part == .whole && share.reach == 0 && jobs == 1),
      "what a guided campaign does next depends on all that it has done")
    if jobs > 1 { return collectInRounds(after: share, shouldStop: shouldStop) }
    var guidance =
      settings.isGuided ? Guidance(modelCount: models.count, stepLimit: settings.steps) : nil
    var choices = Choices(seed: 0)
    var storage = RunStorage()
    for number in (share.reach + 1)..<max(share.reach + 1, settings.runs + 1) {
      if share.part.contains(number) {
        if shouldStop(share) { return share }
        run(number, into: &share, &guidance, &choices, in: &storage)
      }
      share.reach = number
      if number.isMultiple(of: FuzzCampaign.turn * models.count) { guidance?.endRound() }
    }
    return share
  }

  /// Distributes runs to several threads, each with a separate result. Merges these results once
  /// per round, for the progress line. The length of a round does not affect the result.
  private func collectInRounds(
    after start: ShardResult, shouldStop: (borrowing ShardResult) -> Bool
  ) -> ShardResult {
    var share = start
    while share.reach < settings.runs {
      let round = RunDispenser(of: self, after: share)
      let workers = WorkerPool(jobs - 1) { _ in round.work { false } }
      let own = round.work { shouldStop(share) }
      share.merge(own)
      for other in workers.join() { share.merge(other) }
      share.reach = round.reach
      if round.isStopped { return share }
    }
    return share
  }

  /// Makes a single run.
  ///
  /// The models take turns, so that a stopped campaign has used all models. The number of a run
  /// does not depend on the number of runs or shards.
  ///
  /// - Parameters:
  ///   - number: The number of the run, from 1, among all runs.
  ///   - choices: The choices of the previous run, whose storage is reused.
  ///   - storage: The storage of the previous run, which is reused.
  func run(
    _ number: Int, into share: inout ShardResult, _ guidance: inout Guidance?,
    _ choices: inout Choices, in storage: inout RunStorage
  ) {
    // `index` counts the runs of one model, from 0.
    let (index, model) = (number - 1).quotientAndRemainder(dividingBy: settings.models.count)
    let seed = seed(ofRun: index, of: model)
    var runSeed = RunSeed(seed)
    if let start = guidance?.start(seed, model: model) {
      runSeed = start.seed
      choices = start.choices
    } else {
      choices.restart(seed: seed)
    }
    willRun(settings.models[model], runSeed)
    let entityCount = settings.models[model].entityCount
    var insertions = InsertionTally(entityCount: entityCount)
    var steps = StepTally()
    var saves = SaveTally()
    let outcome = run(
      settings.models[model], tables: tables[model], &choices, in: &storage
    ) { action, events in
      steps.count(action)
      saves.note(action, events)
      if entityCount > 0 { insertions.note(events) }
    }
    for index in outcome.program.steps.indices {
      steps.count(arrangementsOf: outcome.program.steps[index].step)
    }
    share.stepTally.merge(steps)
    saves.endRun(on: outcome.program.stack)
    share.saveTally.merge(saves)
    if let design = settings.stack {
      share.add(design.callCounts(of: outcome.program.steps))
      share.add(
        promiseCounts: design.promiseTexts.map { outcome.testedPromises.contains($0) ? 1 : 0 })
    }
    share.add(insertions.counts, toInsertionsOf: model)
    let failures = outcome.failures
    share.campaigns[model].collect(
      Case(digest: outcome.digest, steps: outcome.stepCount, failures: failures),
      index: index, seed: seed, size: choices.size, recording: choices.recording)
    share.note(outcome, failures, ofRun: number)
    guard guidance != nil else { return }
    if runSeed != RunSeed(seed) { share.branchedSeeds[model][index] = runSeed }
    guidance?.learn(
      from: outcome, seed: runSeed, recording: choices.recording, model: model)
  }

  /// Returns the model and the seed of the program with this number, from 1.
  package func origin(ofProgram number: Int) -> (source: ModelSource, seed: RunSeed) {
    let (index, model) = (number - 1).quotientAndRemainder(dividingBy: settings.models.count)
    return (settings.models[model], RunSeed(seed(ofRun: index, of: model)))
  }

  func seed(ofRun index: Int, of model: Int) -> UInt64 {
    Generator.derive(Generator.derive(settings.seed, UInt64(model)), UInt64(index))
  }

  /// Returns the report without a diagnosis, and the failures to diagnose.
  func count(_ share: ShardResult) -> (CampaignReport, [Found]) {
    var report = CampaignReport(settings: settings)
    report.runs = share.runs
    report.steps = share.steps
    report.wastedSteps = share.wastedSteps
    report.coverage = share.coverage
    report.mainQueueHolds = share.mainQueueHolds
    report.mainQueueOccupancies = share.mainQueueOccupancies
    report.exhaustion = share.exhaustion
    report.disagreementCount = share.disagreementCount
    report.firstDefect = share.firstDefect
    report.stateCount = share.stateCount
    report.lastNewState = share.coverageMap.lastNewState
    report.lastNewMark = share.coverageMap.lastNewMark
    var found: [Found] = []
    for (model, campaign) in share.campaigns.enumerated() {
      var digest = Digest(seed: report.digest)
      digest.feed(campaign.digest)
      report.digest = digest.value
      found += campaign.findings.map { finding in
        Found(
          source: settings.models[model], finding: finding,
          seed: share.branchedSeeds[model][finding.example.index] ?? RunSeed(finding.example.seed))
      }
    }
    report.insertionCounts = share.insertionCounts
    report.stepCounts = share.stepTally.byVerb
    report.saves = share.saveTally
    let entries = settings.stack?.entryPoints ?? []
    report.entryCounts = entries.enumerated().map { index, entry in
      (entry.name, index < share.entryCounts.count ? share.entryCounts[index] : 0)
    }
    report.promiseCounts = settings.stack?.promiseCounts(share.promiseCounts) ?? []
    report.failureTallies = failureTallies(of: found, share.failingRuns)
    return (report, found)
  }

  /// Returns the kinds of failures over all models, most frequent first.
  private func failureTallies(
    of found: [Found], _ failingRuns: [FailureSignature: RunSet]
  ) -> [FailureTally] {
    var tallies: [FailureTally] = []
    var sizes: [Int] = []
    var runs: [RunSet] = []
    for one in found {
      let size = one.finding.example.size
      let shown = failingRuns[one.failure, default: RunSet()]
      if let index = tallies.firstIndex(where: { $0.kind == one.failure.kind }) {
        runs[index].formUnion(shown)
        guard size < sizes[index] else { continue }
        (tallies[index].seed, tallies[index].model) = (one.seed, one.source.name)
        sizes[index] = size
      } else {
        tallies.append(
          FailureTally(
            kind: one.failure.kind, count: 0, firstRun: 0, seed: one.seed, model: one.source.name))
        sizes.append(size)
        runs.append(shown)
      }
    }
    for index in tallies.indices {
      (tallies[index].count, tallies[index].firstRun) = (runs[index].count, runs[index].first ?? 0)
    }
    return tallies.sorted { ($1.count, $0.kind.name) < ($0.count, $1.kind.name) }
  }

  /// Returns the choices of the run of `seed`, ready to be drawn.
  ///
  /// - Complexity: One run for each beginning that the seed takes from another run.
  package func choices(_ seed: RunSeed, _ source: ModelSource) -> Choices {
    var choices = Choices(seed: seed.seeds[0])
    for (count, next) in zip(seed.stepCounts, seed.seeds.dropFirst()) {
      let positions = run(source, &choices).positions
      let lengths = positions[min(count, positions.count - 1)]
      choices = Choices(beginning: choices.recording.prefix(lengths), seed: next)
    }
    return choices
  }
}
