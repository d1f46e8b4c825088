package import Determinism

/// Looks for the simplest recording that fails like a given one.
///
/// The shrinker edits the best recording so far, runs the property on the edit, and keeps it if it
/// fails with the same identity and what it drew is simpler (see `Simplicity.swift`). Edits come
/// from passes, each a small deterministic sweep; the loop ends when no pass finds anything, so the
/// result is *normal*, or when the budget of executions is spent. There is no clock: the same input
/// gives the same result after the same number of executions on every machine.
package struct Shrinker<Failure: IdentifiedFailure> {
  private let identity: String
  private let budget: Int
  private let property: (inout Choices) -> Verdict<Failure>

  /// What the simplest failing run drew: complete, with trailing zeros, so that every index of a
  /// span is valid.
  private(set) var best = Choices.Recording()
  private(set) var layers = SpanLayers([])
  private var failure: Failure?

  private var statistics = ShrinkStatistics()
  private var slips: [Slip<Failure>] = []
  private var seen = LookupTable<UInt64, Bool>()

  /// The simplest failing recording found, or nil if `recording` does not fail with `identity`.
  ///
  /// - Parameters:
  ///   - identity: The failure that must stay. Others met on the way are collected as slips.
  ///   - budget: How often the property may run, the first time included.
  ///   - passes: All, except to measure what a pass is worth.
  package static func shrink(
    _ recording: Choices.Recording, keeping identity: String, budget: Int,
    passes: [ShrinkPass] = ShrinkPass.allCases,
    property: @escaping (inout Choices) -> Verdict<Failure>
  ) -> Shrunk<Failure>? {
    precondition(budget > 0, "a budget of \(budget) executions")
    var shrinker = Shrinker(identity: identity, budget: budget, property: property)
    guard shrinker.attempt(recording) else { return nil }
    let schedule = PassSchedule(
      cheap: passes.filter { !$0.isThorough }, last: passes.filter(\.isThorough))
    schedule.run { pass, _ in shrinker.run(pass) }
    return shrinker.result
  }

  private init(
    identity: String, budget: Int, property: @escaping (inout Choices) -> Verdict<Failure>
  ) {
    self.identity = identity
    self.budget = budget
    self.property = property
  }

  private var result: Shrunk<Failure>? {
    failure.map {
      Shrunk(
        recording: best.trimmed, size: best.size, failure: $0, statistics: statistics, slips: slips)
    }
  }

  /// True if the pass made the recording simpler.
  private mutating func run(_ pass: ShrinkPass) -> Bool {
    guard !isSpent else { return false }
    let before = statistics
    switch pass {
    case .deleteSpans: deleteSpans()
    case .deleteRuns: deleteRuns()
    case .hoistSpans: hoistSpans()
    case .zeroSpans: zeroSpans()
    case .zeroRuns: zeroRuns()
    case .minimiseValues: minimiseValues()
    case .minimiseEqualValues: minimiseEqualValues()
    case .sortSpans: sortSpans()
    case .swapValues: swapValues()
    case .redistribute: redistribute()
    case .lowerTogether: lowerTogether()
    case .lowerAndDelete: lowerAndDelete()
    case .deleteAndRenumber: deleteAndRenumber()
    case .deleteAndChange: deleteAndChange()
    }
    statistics.note(pass, since: before)
    return statistics.successes > before.successes
  }

  /// True once an edit was refused for want of budget: passes need not go on.
  var isSpent: Bool { statistics.stop == .budget }

  /// Runs the property on `candidate`, unless that was done before, and makes it the best if it
  /// fails in the same way and is simpler. The only place where anything is executed.
  mutating func attempt(_ candidate: Choices.Recording) -> Bool {
    let candidate = candidate.trimmed
    guard seen[candidate.digest.value] == nil else { return false }
    guard statistics.executions < budget else {
      statistics.stop = .budget
      return false
    }
    statistics.executions += 1
    var choices = Choices(replaying: candidate)
    let verdict = property(&choices)
    let drawn = choices.recording
    // The choices drawn may differ from those asked for; neither needs to be run again.
    seen[candidate.digest.value] = true
    seen[drawn.trimmed.digest.value] = true
    guard case .failed(let failure) = verdict else { return false }
    guard failure.identity == identity else {
      collectSlip(failure, drawn)
      return false
    }
    guard self.failure == nil || drawn.isSimpler(than: best) else { return false }
    if self.failure != nil { statistics.successes += 1 }
    statistics.executionsToBest = statistics.executions
    self.failure = failure
    best = drawn
    layers = SpanLayers(choices.spans)
    return true
  }

  private mutating func collectSlip(_ failure: Failure, _ drawn: Choices.Recording) {
    let identity = failure.identity
    guard !slips.contains(where: { $0.identity == identity }) else { return }
    slips.append(Slip(identity: identity, recording: drawn.trimmed, failure: failure))
  }
}
