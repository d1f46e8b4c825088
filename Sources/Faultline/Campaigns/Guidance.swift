package import Determinism
import SimulatedCoreData

/// Takes a campaign back to where few of its runs have been, and has it go on from there: the
/// beginning of a run that came to a rare abstract state or mark is kept, the rest is made up anew.
///
/// A campaign goes in rounds. What a run begins with depends on its number and on what earlier rounds
/// came to, never on other runs of its round: those may run in any order, as long as their results are
/// handed over in the order of their numbers.
package struct Guidance {
  /// The beginning of a run, up to and including the step that came to something new.
  private struct Branch {
    var state: UInt64
    var seed: RunSeed
    var stepCount: Int
    var recording: Choices.Recording
    /// Of `recording`, where it goes on anew.
    var positions: Choices.Positions
  }

  /// How many branches each model keeps; the rarest are kept.
  private static let branchLimit = 256
  /// A branch of a branch of a branch, and no more: longer seeds would not fit into a line.
  private static let seedLimit = 4

  private let stepLimit: Int
  /// By abstract state or mark: how many runs have come to it.
  private var counts = LookupTable<UInt64, Int>()
  /// By model: what runs of the present round may begin with, and what those of the next may besides.
  private var branches: [[Branch]]
  private var newBranches: [[Branch]]

  /// `stepLimit` is how many steps programs have at the most.
  package init(modelCount: Int, stepLimit: Int) {
    // A beginning that leaves a quarter of the steps.
    self.stepLimit = stepLimit * 3 / 4
    branches = Array(repeating: [], count: modelCount)
    newBranches = branches
  }

  /// What a run is made up from, ready to be drawn from.
  package struct Start: ~Copyable {
    package let seed: RunSeed
    package var choices: Choices
  }

  /// What the run begins with that would otherwise be made up from `seed` alone: every other run goes
  /// back to a branch of its model, if there is one.
  package func start(_ seed: UInt64, model: Int) -> Start {
    var generator = Generator(seed: Generator.derive(seed, 0x6272_616E_6368))
    let candidates = branches[model]
    guard !candidates.isEmpty, generator.next(below: 2) == 1 else {
      return Start(seed: RunSeed(seed), choices: Choices(seed: seed))
    }
    let branch = candidates[generator.next(below: candidates.count)]
    return Start(
      seed: branch.seed.branching(after: branch.stepCount, to: seed),
      choices: Choices(beginning: branch.recording.prefix(branch.positions), seed: seed))
  }

  /// Learns what a run came to. To be called in the order of runs.
  package mutating func learn(
    from outcome: Outcome, seed: RunSeed, recording: Choices.Recording, model: Int
  ) {
    for visit in outcome.trail.visits where count(visit.state) {
      addBranch(visit.state, after: visit.step, outcome, seed, recording, model)
    }
    for (mark, step) in outcome.trail.marks where count(Guidance.state(of: mark)) {
      addBranch(Guidance.state(of: mark), after: step, outcome, seed, recording, model)
    }
  }

  /// True if no run had come to it.
  private mutating func count(_ state: UInt64) -> Bool {
    let before = counts[state] ?? 0
    counts[state] = before + 1
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
    newBranches[model].append(
      Branch(
        state: state, seed: seed, stepCount: stepCount, recording: recording,
        positions: outcome.positions[stepCount]))
  }

  /// All runs of a round are in: those of the next may begin with what they came to.
  package mutating func endRound() {
    for model in branches.indices {
      let all = branches[model] + newBranches[model]
      // The rarest first, and of equally rare ones the newest.
      let order = all.indices.map { ($0, counts[all[$0].state] ?? 0) }
        .sorted { a, b in (a.1, -a.0) < (b.1, -b.0) }
      branches[model] = order.prefix(Guidance.branchLimit).map(\.0).sorted().map { all[$0] }
      newBranches[model] = []
    }
  }
}
