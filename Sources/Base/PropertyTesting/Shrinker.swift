package import Determinism

/// Searches for the simplest recording that fails like a given one.
///
/// The shrinker edits the best recording so far and runs the property on the edit. The edit is kept
/// if the run fails with the same identity and draws simpler choices (see `Simplicity.swift`).
///
/// Edits come from passes, each of which is a small deterministic sweep. The loop ends when no pass
/// makes progress, so that the result is *normal*, or when the budget of executions is spent. No
/// clock is involved: the same input gives the same result after the same number of executions on
/// every machine.
package struct Shrinker<Failure: IdentifiedFailure> {
  private let identity: String
  private let budget: Int
  private let property: (inout Choices) -> Verdict<Failure>

  /// The choices that the simplest failing run drew. Trailing zeros are included, so that every
  /// index of a span is valid.
  private(set) var best = Choices.Recording()
  private(set) var layers = SpanLayers([])
  private var failure: Failure?

  private var statistics = ShrinkStatistics()
  private var slips: [Slip<Failure>] = []
  private var seen = LookupTable<UInt64, Bool>()

  /// Returns the simplest failing recording found, or nil if `recording` does not fail with
  /// `identity`.
  ///
  /// - Parameters:
  ///   - identity: The failure to preserve. Failures with another identity are collected as slips.
  ///   - budget: The maximum number of executions of the property, including the first.
  ///   - passes: The passes to run. Pass a subset only to measure the effect of a pass.
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

  /// Runs `pass`, and returns whether it made the recording simpler.
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

  /// A Boolean value that indicates whether an edit was refused because the budget is spent. Passes
  /// may stop then.
  var isSpent: Bool { statistics.stop == .budget }

  /// Runs the property on `candidate`, unless this recording was run before. Makes the drawn
  /// choices the best recording if they fail with the same identity and are simpler.
  ///
  /// No other method executes the property.
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
    // The drawn choices may differ from the candidate. Neither recording needs another run.
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
