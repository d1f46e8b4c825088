import Vocabulary

/// The number of steps of each kind in runs.
struct StepTally {
  /// The number of steps, indexed by `Action.kindNumber`.
  private var counts = Array(repeating: 0, count: Action.verbs.count)

  mutating func count(_ action: Action) {
    if action.isCountedAsStep { counts[action.kindNumber] += 1 }
  }

  /// Counts a step of a program if it only arranges other steps, and such steps within it. These
  /// steps are not actions, so no run observes them.
  mutating func count(arrangementsOf step: Step) {
    guard step.traits.contains(.arranges) else { return }
    counts[step.kind.rawValue] += 1
    for inner in step.block ?? [] { count(arrangementsOf: inner.step) }
  }

  mutating func merge(_ other: StepTally) {
    for number in counts.indices { counts[number] += other.counts[number] }
  }

  // MARK: By their words

  /// The kinds that occurred, sorted by verb.
  var byVerb: [(verb: String, count: Int)] {
    zip(Action.verbs, counts).filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
      .map { (verb: $0.0, count: $0.1) }
  }

  /// Adds to the count of a verb. Ignores an unknown verb.
  mutating func add(_ count: Int, to verb: String) {
    if let number = Action.verbs.firstIndex(of: verb) { counts[number] += count }
  }
}

extension Stack {
  /// Returns the number of calls by the steps, direct or indirect, indexed by entry point.
  func callCounts(of steps: [AddressedStep]) -> [Int] {
    var counts = Array(repeating: 0, count: entryPoints.count)
    for step in steps { noteCalls(of: step.step, in: &counts) }
    return counts
  }

  private func noteCalls(of step: Step, in counts: inout [Int]) {
    if case .call(let entry) = step, entryPoints.indices.contains(entry.index) {
      counts[entry.index] += 1
      // An entry point calls only entry points before it, so the recursion ends.
      for inner in entryPoints[entry.index].steps { noteCalls(of: inner.step, in: &counts) }
    }
    for inner in step.block ?? [] { noteCalls(of: inner.step, in: &counts) }
  }
}
