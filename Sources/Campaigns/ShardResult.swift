package import Failures
import Determinism
import Execution
package import PropertyTesting
import SimulatedCoreData
import Vocabulary

/// Which of a campaign's runs one process makes: every so many, so that all shares take as long.
package struct Shard: Hashable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int

  package static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// `2/3`; nil if that is none.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      1...Shard.countLimit ~= count, 1...count ~= number
    else { return nil }
    self.init(number: number, count: count)
  }

  package static let countLimit = 100_000

  package var text: String { "\(number)/\(count)" }

  /// Whether it has the run of this number, from 1.
  package func contains(_ run: Int) -> Bool { (run - 1) % count == number - 1 }

  /// How many of so many runs it has.
  package func runCount(of runs: Int) -> Int { runs < number ? 0 : (runs - number) / count + 1 }

  package static func all(_ count: Int) -> [Shard] {
    (1...max(1, count)).map { Shard(number: $0, count: count) }
  }
}

/// What came of some of a campaign's runs, as numbers that add up: shares that are merged, in
/// whatever order, are what one process would have got that made all the runs.
package struct ShardResult: Sendable {
  package let part: Shard
  /// The number of the last run that was reached, from 1, by whichever part it is made: with more
  /// time, the share goes on behind it.
  package internal(set) var reach = 0
  package internal(set) var runs = 0
  package internal(set) var steps = 0
  package internal(set) var wastedSteps = 0
  /// By model: digests, and failures with their smallest programs.
  package internal(set) var campaigns: [Campaign<FailureSignature>]
  var coverageMap = CoverageMap()
  var stepTally = StepTally()
  var saveTally = SaveTally()
  /// By model from a file, and entity: how many objects were inserted, rows of batches included.
  /// Empty for generated models, which are other ones in each run.
  var insertionCounts: [[Int]]
  /// By entry point of the design: how often programs called it.
  var entryCounts: [Int] = []
  /// By promise of the stack: the number of runs that had objects to judge.
  var promiseCounts: [Int] = []
  /// The runs that showed each failure, whichever model they were on.
  var failingRuns: [FailureSignature: RunSet] = [:]
  var coverage = MarkCoverage()
  var mainQueueHolds: [Int] = []
  var mainQueueOccupancies: [Int] = []
  var exhaustion: ExhaustiveTally?
  var disagreementCount = 0
  package internal(set) var firstDefect: Int?
  /// By model and index of a run: its seed, where that is more than the one that its index gives.
  var branchedSeeds: [LookupTable<Int, RunSeed>]

  package init(_ part: Shard, modelCount: Int) {
    self.part = part
    campaigns = Array(repeating: Campaign(), count: modelCount)
    branchedSeeds = Array(repeating: LookupTable(), count: modelCount)
    insertionCounts = Array(repeating: [], count: modelCount)
  }

  /// How many abstract states runs came to.
  package var stateCount: Int { coverageMap.states.count }
  /// How many kinds of failures were met.
  package var kindCount: Int { Set(failingRuns.keys.map(\.kind)).count }
  /// How many failures that is, by signature: kinds are counted again where this has grown.
  package var signatureCount: Int { failingRuns.count }

  /// Adds what a run on a model, or another share, has inserted.
  mutating func add(_ counts: [Int], toInsertionsOf model: Int) {
    insertionCounts[model].add(counts)
  }

  /// `failures` are those of the outcome.
  mutating func note(
    _ outcome: Outcome, _ failures: [FailureSignature], ofRun number: Int
  ) {
    runs += 1
    steps += outcome.stepCount
    wastedSteps += outcome.wastedStepCount
    if let search = outcome.search {
      var tally = exhaustion ?? ExhaustiveTally()
      tally.note(search)
      exhaustion = tally
    }
    coverage.count(outcome.marks)
    coverageMap.note(outcome.stateCoverage, ofRun: number)
    mainQueueHolds.append(outcome.longestMainQueueHold)
    mainQueueOccupancies.append(outcome.mainQueueOccupancy)
    if outcome.disagreement != nil { disagreementCount += 1 }
    if outcome.showsDefect { firstDefect = min(firstDefect ?? number, number) }
    for failure in failures { failingRuns[failure, default: RunSet()].insert(number) }
  }

  /// Adds how often each entry point was called.
  mutating func add(_ calls: [Int]) { entryCounts.add(calls) }

  /// Adds how often each promise was put to the test.
  mutating func add(promiseCounts counts: [Int]) { promiseCounts.add(counts) }

  /// Adds another share of the same campaign. Costs about as much as both have states.
  package mutating func merge(_ other: ShardResult) {
    precondition(
      other.campaigns.count == campaigns.count,
      "\(other.campaigns.count) models are not \(campaigns.count)")
    reach = max(reach, other.reach)
    runs += other.runs
    steps += other.steps
    wastedSteps += other.wastedSteps
    for model in campaigns.indices {
      campaigns[model].merge(other.campaigns[model])
      add(other.insertionCounts[model], toInsertionsOf: model)
    }
    coverageMap.merge(other.coverageMap)
    stepTally.merge(other.stepTally)
    saveTally.merge(other.saveTally)
    add(other.entryCounts)
    add(promiseCounts: other.promiseCounts)
    failingRuns.merge(other.failingRuns) { mine, theirs in
      var union = mine
      union.formUnion(theirs)
      return union
    }
    coverage.merge(other.coverage)
    mainQueueHolds += other.mainQueueHolds
    mainQueueOccupancies += other.mainQueueOccupancies
    if let tally = other.exhaustion {
      exhaustion = exhaustion?.adding(tally) ?? tally
    }
    disagreementCount += other.disagreementCount
    firstDefect = [firstDefect, other.firstDefect].compactMap(\.self).min()
  }
}

extension [Int] {
  /// Adds counts by index. A list that is too short has zeros behind its end.
  fileprivate mutating func add(_ counts: [Int]) {
    let missing = counts.count - count
    if missing > 0 { self += Array(repeating: 0, count: missing) }
    for index in counts.indices { self[index] += counts[index] }
  }
}
