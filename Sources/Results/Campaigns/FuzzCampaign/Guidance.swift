package import Determinism
package import Execution
import SimulatedCoreData

/// Directs a campaign to rarely reached states. New runs repeat the beginning of a run that reached
/// a rare abstract state or mark, and generate another continuation.
///
/// A campaign proceeds in rounds. The beginning of a run depends only on its number and on the
/// results of earlier rounds. The runs of a round may therefore be made in any order, if their
/// results are passed on in the order of their numbers.
package struct Guidance {
  /// The beginning of a run, up to and including the step that reached a new state or mark.
  private struct CorpusEntry {
    var state: UInt64
    var seed: RunSeed
    var stepCount: Int
    var recording: Choices.Recording
    /// The positions in `recording` at which the continuation starts.
    var positions: Choices.Positions
  }

  /// The maximum number of entries of a model. The rarest entries are kept.
  private static let entryLimit = 256
  /// The maximum number of seeds in a run seed. An entry may begin with another entry, but longer
  /// run seeds would not fit on a line.
  private static let seedLimit = 4

  private let stepLimit: Int
  /// The number of runs that reached each abstract state or mark.
  private var counts = DigestTable()
  /// The beginnings for runs of the current round, indexed by model. `newEntries` holds further
  /// beginnings for the next round.
  private var entries: [[CorpusEntry]]
  private var newEntries: [[CorpusEntry]]

  /// Creates an empty corpus. `stepLimit` is the maximum number of steps of a program.
  package init(modelCount: Int, stepLimit: Int) {
    // A beginning must leave at least a quarter of the steps to generate.
    self.stepLimit = stepLimit * 3 / 4
    entries = Array(repeating: [], count: modelCount)
    newEntries = entries
  }

  /// The run seed and the choices of a run, ready to be drawn.
  package struct Start: ~Copyable {
    package let seed: RunSeed
    package var choices: Choices
  }

  /// Returns the start of a run on `model`. Half of the runs, at random, begin with an entry of the
  /// model. Other runs are generated from `seed` alone.
  package func start(_ seed: UInt64, model: Int) -> Start {
    var generator = Generator(seed: Generator.derive(seed, 0x6272_616E_6368))
    let candidates = entries[model]
    guard !candidates.isEmpty, generator.next(below: 2) == 1 else {
      return Start(seed: RunSeed(seed), choices: Choices(seed: seed))
    }
    let entry = candidates[generator.next(below: candidates.count)]
    return Start(
      seed: entry.seed.branching(after: entry.stepCount, to: seed),
      choices: Choices(beginning: entry.recording.prefix(entry.positions), seed: seed))
  }

  /// Learns the states and marks that a run reached. Runs must be passed in the order of their
  /// numbers.
  package mutating func learn(
    from outcome: Outcome, seed: RunSeed, recording: Choices.Recording, model: Int
  ) {
    for visit in outcome.stateCoverage.visits where count(visit.state) {
      addBranch(visit.state, after: visit.step, outcome, seed, recording, model)
    }
    for (mark, step) in outcome.stateCoverage.marks where count(Guidance.state(of: mark)) {
      addBranch(Guidance.state(of: mark), after: step, outcome, seed, recording, model)
    }
  }

  /// Counts a run that reached the state, and returns true if no earlier run did.
  private mutating func count(_ state: UInt64) -> Bool {
    let before = counts.number(of: state) ?? 0
    counts.put(before + 1, for: state)
    return before == 0
  }

  /// Returns the number under which a mark is counted among the states.
  private static func state(of mark: Mark) -> UInt64 {
    var digest = Digest()
    digest.feed(mark.name)
    return digest.value
  }

  private mutating func addBranch(
    _ state: UInt64, after stepCount: Int, _ outcome: Outcome, _ seed: RunSeed,
    _ recording: Choices.Recording, _ model: Int
  ) {
    guard 1...max(1, stepLimit) ~= stepCount, stepCount < outcome.positions.count,
      seed.seeds.count < Guidance.seedLimit
        || seed.branching(after: stepCount, to: 0).seeds.count <= Guidance.seedLimit
    else { return }
    newEntries[model].append(
      CorpusEntry(
        state: state, seed: seed, stepCount: stepCount, recording: recording,
        positions: outcome.positions[stepCount]))
  }

  /// Ends a round. Runs of the next round may begin with the new entries.
  package mutating func endRound() {
    for model in entries.indices {
      let all = entries[model] + newEntries[model]
      // The rarest entries come first, and newer entries before equally rare older entries.
      let order = all.indices.map { ($0, counts.number(of: all[$0].state) ?? 0) }
        .sorted { a, b in (a.1, -a.0) < (b.1, -b.0) }
      entries[model] = order.prefix(Guidance.entryLimit).map(\.0).sorted().map { all[$0] }
      newEntries[model] = []
    }
  }
}
