package import Failures
import Determinism
import Execution
package import PropertyTesting
import SimulatedCoreData
import Vocabulary

/// The runs of a campaign that one process makes. A shard takes every `count`-th run, so that all
/// shards take about the same time.
package struct Shard: Hashable, Sendable {
  /// The number of the shard, from 1.
  package let number: Int
  package let count: Int

  package static let whole = Shard(number: 1, count: 1)

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// Creates a shard from a text such as `2/3`. Returns nil if the text is not valid.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      1...Shard.countLimit ~= count, 1...count ~= number
    else { return nil }
    self.init(number: number, count: count)
  }

  package static let countLimit = 100_000

  package var text: String { "\(number)/\(count)" }

  /// Returns a Boolean value that indicates whether the shard contains the run with this number,
  /// from 1.
  package func contains(_ run: Int) -> Bool { (run - 1) % count == number - 1 }

  /// Returns the number of runs of the shard in a campaign of `runs` runs.
  package func runCount(of runs: Int) -> Int { runs < number ? 0 : (runs - number) / count + 1 }

  package static func all(_ count: Int) -> [Shard] {
    (1...max(1, count)).map { Shard(number: $0, count: count) }
  }
}

/// The result of a shard, as numbers that add up. Merging all shards, in any order, gives the
/// result of a single process that makes all runs.
package struct ShardResult: Sendable {
  package let part: Shard
  /// The number of the last run reached, from 1, counting runs of all shards. Given more time, the
  /// shard continues after it.
  package internal(set) var reach = 0
  package internal(set) var runs = 0
  package internal(set) var steps = 0
  package internal(set) var wastedSteps = 0
  /// For each model, the digest of its runs, and the failures with their smallest programs.
  package internal(set) var campaigns: [Campaign<FailureSignature>]
  var coverageMap = CoverageMap()
  var stepTally = StepTally()
  var saveTally = SaveTally()
  /// The number of inserted objects, including rows of batches, indexed by model and entity. Empty
  /// for generated models, which differ in each run.
  var insertionCounts: [[Int]]
  /// The number of calls by programs, indexed by entry point of the design.
  var entryCounts: [Int] = []
  /// The number of runs that had objects to judge, indexed by promise of the stack.
  var promiseCounts: [Int] = []
  /// The runs that showed each failure, on any model.
  var failingRuns: [FailureSignature: RunSet] = [:]
  var coverage = MarkCoverage()
  var mainQueueHolds: [Int] = []
  var mainQueueOccupancies: [Int] = []
  var exhaustion: ExhaustiveTally?
  var disagreementCount = 0
  package internal(set) var firstDefect: Int?
  /// The seeds of runs that begin with another run, indexed by model and run. Other runs have the
  /// seed of their index.
  var branchedSeeds: [LookupTable<Int, RunSeed>]

  package init(_ part: Shard, modelCount: Int) {
    self.part = part
    campaigns = Array(repeating: Campaign(), count: modelCount)
    branchedSeeds = Array(repeating: LookupTable(), count: modelCount)
    insertionCounts = Array(repeating: [], count: modelCount)
  }

  package var stateCount: Int { coverageMap.states.count }
  package var kindCount: Int { Set(failingRuns.keys.map(\.kind)).count }
  /// The number of failures found, by signature. If it has not grown, neither has `kindCount`.
  package var signatureCount: Int { failingRuns.count }

  /// Adds the insertions of a run on a model, or of another shard.
  mutating func add(_ counts: [Int], toInsertionsOf model: Int) {
    insertionCounts[model].add(counts)
  }

  /// Adds a run. `failures` must be the failures of `outcome`.
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

  /// Adds the number of calls of each entry point.
  mutating func add(_ calls: [Int]) { entryCounts.add(calls) }

  /// Adds the number of runs that tested each promise.
  mutating func add(promiseCounts counts: [Int]) { promiseCounts.add(counts) }

  /// Adds another shard of the same campaign.
  ///
  /// - Complexity: About proportional to the number of states in both shards.
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
  /// Adds counts by index. The shorter array is extended with zeros.
  fileprivate mutating func add(_ counts: [Int]) {
    let missing = counts.count - count
    if missing > 0 { self += Array(repeating: 0, count: missing) }
    for index in counts.indices { self[index] += counts[index] }
  }
}
