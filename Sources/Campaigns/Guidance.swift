package import Determinism
package import Execution
import SimulatedCoreData

/// Takes a campaign back to where few of its runs have been, and has it go on from there: the
/// beginning of a run that came to a rare abstract state or mark is kept, the rest is generated
/// anew.
///
/// A campaign goes in rounds. What a run begins with depends on its number and on what earlier
/// rounds came to, never on other runs of its round: those may run in any order, as long as their
/// results are handed over in the order of their numbers.
package struct Guidance {
  /// The beginning of a run, up to and including the step that came to something new.
  private struct CorpusEntry {
    var state: UInt64
    var seed: RunSeed
    var stepCount: Int
    var recording: Choices.Recording
    /// Of `recording`, where it goes on anew.
    var positions: Choices.Positions
  }

  /// How many entries each model keeps; the rarest are kept.
  private static let entryLimit = 256
  /// An entry that begins with an entry that begins with an entry, and no more: longer seeds would
  /// not fit into a line.
  private static let seedLimit = 4

  private let stepLimit: Int
  /// By abstract state or mark: how many runs have come to it.
  private var counts = DigestTable()
  /// By model: what runs of the present round may begin with, and what those of the next may
  /// besides.
  private var entries: [[CorpusEntry]]
  private var newEntries: [[CorpusEntry]]

  /// `stepLimit` is the maximum number of steps of a program.
  package init(modelCount: Int, stepLimit: Int) {
    // A beginning that leaves a quarter of the steps.
    self.stepLimit = stepLimit * 3 / 4
    entries = Array(repeating: [], count: modelCount)
    newEntries = entries
  }

  /// What a run is generated from, ready to be drawn from.
  package struct Start: ~Copyable {
    package let seed: RunSeed
    package var choices: Choices
  }

  /// What the run begins with that would otherwise be generated from `seed` alone: every other run
  /// goes back to an entry of its model, if there is one.
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

  /// Learns what a run came to. To be called in the order of runs.
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

  /// True if no run had come to it.
  private mutating func count(_ state: UInt64) -> Bool {
    let before = counts.number(of: state) ?? 0
    counts.put(before + 1, for: state)
    return before == 0
  }

  /// Marks are counted beside the states.
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

  /// All runs of a round are in: those of the next may begin with what they came to.
  package mutating func endRound() {
    for model in entries.indices {
      let all = entries[model] + newEntries[model]
      // The rarest first, and of equally rare ones the newest.
      let order = all.indices.map { ($0, counts.number(of: all[$0].state) ?? 0) }
        .sorted { a, b in (a.1, -a.0) < (b.1, -b.0) }
      entries[model] = order.prefix(Guidance.entryLimit).map(\.0).sorted().map { all[$0] }
      newEntries[model] = []
    }
  }
}
