package import Determinism
import PropertyTesting
import SimulatedCoreData
import Vocabulary

extension FuzzCampaign {
  /// A kind of failure on one model, with what its smallest example was made up from.
  struct Found {
    var source: ModelSource
    var finding: Finding<String>
    var seed: RunSeed
  }

  /// How many runs of a model are a round.
  private static var turn: Int { 64 }

  /// What is added up while a campaign runs.
  private struct Collection {
    var report: CampaignReport
    var campaigns: [Campaign<String>]
    /// By model and number of the run, where it is more than the seed that the number gives.
    var seeds: [LookupTable<Int, RunSeed>]
    var guidance: Guidance
    var stepCounts: [String: Int] = [:]
    var firstRuns: [String: Int] = [:]
  }

  /// The runs themselves: all that a report says but for what the failures mean.
  func collect(shouldStop: (Int, Int) -> Bool) -> (CampaignReport, [Found]) {
    let models = settings.models
    var collection = Collection(
      report: CampaignReport(settings: settings), campaigns: models.map { _ in Campaign() },
      seeds: models.map { _ in LookupTable() },
      guidance: Guidance(modelCount: models.count, stepLimit: settings.steps))
    let (share, rest) = settings.runs.quotientAndRemainder(dividingBy: models.count)
    // The models take turns, so that a campaign that is stopped has seen them all.
    var start = 0
    rounds: while start < share + (rest > 0 ? 1 : 0) {
      for model in models.indices {
        let end = min(start + FuzzCampaign.turn, model < rest ? share + 1 : share)
        for index in start..<max(start, end) {
          if shouldStop(collection.report.runs, collection.report.steps) { break rounds }
          run(index, of: model, in: &collection)
        }
      }
      collection.guidance.endRound()
      start += FuzzCampaign.turn
    }
    return finish(collection)
  }

  private func run(_ index: Int, of model: Int, in collection: inout Collection) {
    let seed = Generator.derive(
      Generator.derive(settings.seed, UInt64(model)), UInt64(index))
    var stepCounts = collection.stepCounts
    collection.stepCounts = [:]
    var start =
      settings.isGuided
      ? collection.guidance.start(seed, model: model)
      : Guidance.Start(seed: RunSeed(seed), choices: Choices(seed: seed))
    willRun(settings.models[model], start.seed)
    let outcome = run(settings.models[model], &start.choices) { action, _ in
      if action.isCountedAsStep { stepCounts[action.verb, default: 0] += 1 }
    }
    for step in outcome.program.steps { count(blocksOf: step, in: &stepCounts) }
    collection.stepCounts = stepCounts
    collection.campaigns[model].collect(
      Case(digest: outcome.digest, steps: outcome.stepCount, failures: outcome.identities),
      index: index, seed: seed, recording: start.choices.recording)
    if start.seed != RunSeed(seed) { collection.seeds[model][index] = start.seed }
    note(outcome, in: &collection)
    let news = collection.guidance.learn(
      from: outcome, seed: start.seed, recording: start.choices.recording, model: model)
    if news.hasState { collection.report.lastNewState = collection.report.runs }
    if news.hasMark { collection.report.lastNewMark = collection.report.runs }
  }

  private func note(_ outcome: Outcome, in collection: inout Collection) {
    collection.report.runs += 1
    collection.report.steps += outcome.stepCount
    collection.report.wastedSteps += outcome.wastedStepCount
    if let search = outcome.search {
      var tally = collection.report.exhaustion ?? ExhaustiveTally()
      tally.note(search)
      collection.report.exhaustion = tally
    }
    collection.report.coverage.count(outcome.marks)
    collection.report.mainQueueHolds.append(outcome.longestMainQueueHold)
    collection.report.mainQueueOccupancies.append(outcome.mainQueueOccupancy)
    if outcome.disagreement != nil { collection.report.disagreementCount += 1 }
    if collection.report.firstDefect == nil, outcome.showsDefect {
      collection.report.firstDefect = collection.report.runs
    }
    for kind in outcome.identities where collection.firstRuns[kind] == nil {
      collection.firstRuns[kind] = collection.report.runs
    }
  }

  private func finish(_ collection: Collection) -> (CampaignReport, [Found]) {
    var report = collection.report
    var found: [Found] = []
    for (model, campaign) in collection.campaigns.enumerated() {
      var digest = Digest(seed: report.digest)
      digest.feed(campaign.digest)
      report.digest = digest.value
      found += campaign.findings.map { finding in
        Found(
          source: settings.models[model], finding: finding,
          seed: collection.seeds[model][finding.example.index] ?? RunSeed(finding.example.seed))
      }
    }
    report.stepCounts = collection.stepCounts.keys.sorted().map {
      ($0, collection.stepCounts[$0] ?? 0)
    }
    report.stateCount = collection.guidance.stateCount
    report.sightings = sightings(of: found, collection.firstRuns)
    return (report, found)
  }

  /// Kinds of failures over all models.
  private func sightings(of found: [Found], _ firstRuns: [String: Int]) -> [Sighting] {
    var sightings: [Sighting] = []
    var sizes: [Int] = []
    for one in found {
      let (finding, source) = (one.finding, one.source)
      guard let index = sightings.firstIndex(where: { $0.kind == finding.identity }) else {
        sightings.append(
          Sighting(
            kind: finding.identity, count: finding.count,
            firstRun: firstRuns[finding.identity] ?? 0, seed: one.seed, model: source.name))
        sizes.append(finding.example.size)
        continue
      }
      sightings[index].count += finding.count
      if finding.example.size < sizes[index] {
        (sightings[index].seed, sightings[index].model) = (one.seed, source.name)
        sizes[index] = finding.example.size
      }
    }
    return sightings.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
  }

  /// Blocks are no actions, and nothing observes them.
  private func count(blocksOf addressed: AddressedStep, in counts: inout [String: Int]) {
    switch addressed.step {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .call, .tick,
      .sleep, .suspend, .resume:
      counts[addressed.step.verb, default: 0] += 1
    default: break
    }
    for step in addressed.step.block ?? [] { count(blocksOf: step, in: &counts) }
  }

  /// What the run of `seed` draws from. Costs a run for each beginning that it has from another.
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
